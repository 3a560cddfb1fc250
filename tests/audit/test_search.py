"""Search of the audit log: plain words, names, game numbers, major units, and both people of a decision."""

from typing import get_args

import pytest

from casino.audit import log as audit_log
from casino.audit.reading import Wanted
from casino.audit.search import ReadableRow, readable_page
from casino.audit.words import ACTIONS, values_text
from casino.clock import NO_END_MS
from casino.storage.database import Database
from casino.storage.schema import rounds
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.verify.round_replay import Audited

pytestmark = pytest.mark.req("AUD")

MIA = ("Mia", "manager")


async def found(database: Database, words: str | None = None) -> list[ReadableRow]:
    async with database.reading() as connection:
        return await readable_page(connection, Wanted(), words, 100, "EUR")


@pytest.fixture
async def ann(database: Database) -> str:
    """A player, a round and what staff did to both."""
    async with database.writing() as connection:
        user = await Users(connection).add(
            "Ann", Role.PLAYER, "EUR", password_hash=None, by=Actor("Ada", "admin"), at_ms=1
        )
        await connection.execute(
            rounds.insert().values(
                id="r-1", table_id="uth-1", day="2026-11-16", game_number="14:13:05", status="corrected", started_ms=1
            )
        )
        credit = {"amount_minor": 123456, "currency": "EUR", "key": "k", "requested_by": "Fin"}
        cards = {"cards": {"flop_1": "Th"}}
        for at_ms, entry in (
            (10, audit_log.Entry(*MIA, "round_paused", "round r-1", "A card fell to the floor.")),
            (20, audit_log.Entry(*MIA, "correction_proposed", "round r-1", "misread", after=cards)),
            (30, audit_log.Entry("Mia", "staff", "round_corrected", "round r-1", "misread")),
            (30, audit_log.Entry("Max", "manager", "correction_approved", "round r-1", after={"proposed_by": "Mia"})),
            (40, audit_log.Entry("Fay", "finance", "credit", f"user {user.id}", "Goodwill 50 %", after=credit)),
            (50, audit_log.Entry(*MIA, "limits_changed", "table uth-1", after={"ante_min": 500, "trips_max": 2500})),
        ):
            await audit_log.write(connection, entry, at_ms)
    return user.id


@pytest.mark.parametrize(
    ("words", "actions"),
    [
        ("stopped", ["round_paused"]),
        ("mia FELL floor", ["round_paused"]),
        ("14:13:05 re-settled", ["round_corrected"]),
        ("14:13", ["correction_approved", "round_corrected", "correction_proposed", "round_paused"]),
        ("ann", ["credit", "user_added"]),
        ("50 %", ["credit"]),
        ("limits uth-1", ["limits_changed"]),
        ("nothing like that", []),
    ],
)
@pytest.mark.usefixtures("ann")
async def test_rows_are_found_by_plain_words(database: Database, words: str, actions: list[str]) -> None:
    assert [row["action"] for row in await found(database, words)] == actions


@pytest.mark.usefixtures("ann")
async def test_row_names_round_user_amount_and_both_people(database: Database) -> None:
    shown = {row["action"]: row for row in await found(database)}
    corrected, credit, limits = shown["round_corrected"], shown["credit"], shown["limits_changed"]
    assert corrected["action_text"] == "Round re-settled with corrected cards"
    assert corrected["subject"] == "Game 14:13:05 of 2026-11-16, table uth-1"
    assert corrected["round"] == {
        "round_id": "r-1", "table_id": "uth-1", "day": "2026-11-16", "game_number": "14:13:05"
    }  # fmt: skip
    assert (corrected["proposed_by"], corrected["approved_by"]) == ("Mia", "Max")
    approved = shown["correction_approved"]
    assert (approved["proposed_by"], approved["approved_by"]) == ("Mia", "Max")
    assert (credit["subject"], credit["after_text"]) == ("Ann", "amount 1234.56 EUR")
    assert (credit["proposed_by"], credit["approved_by"]) == ("Fin", "Fay")
    assert limits["after_text"] == "ANTE minimum 5.00 EUR, TRIPS maximum 25.00 EUR"
    assert (limits["proposed_by"], limits["approved_by"], limits["round"]) == (None, None, None)
    assert shown["correction_proposed"]["after_text"] == "cards FLOP 1 10♥"


def test_values_of_every_kind_are_plain_words() -> None:
    values = {"slot": "dealer_1", "card": "As", "until_ms": 0, "disabled": True, "phase": None, "rows": [1, 2]}
    assert values_text("x", values, "EUR") == (
        "slot DEALER 1, card A♠, until 1970-01-01 00:00:00 UTC, disabled yes, phase none, rows 1 2"
    )
    own = {"limit": "deposit day", "value": 5000, "next_value": None, "next_ms": None}
    assert values_text("limit_changed", own, "EUR") == "limit deposit day, value 50.00 EUR, next value none, next none"
    assert values_text("limit_changed", {"limit": "session day", "value": 60}, "EUR").endswith("value 60 minutes")
    assert values_text("self_exclusion", {"until_ms": NO_END_MS}, "EUR") == "until no end"


def test_every_decision_about_a_round_or_a_table_has_words() -> None:
    kinds = {event.__dataclass_fields__["kind"].default for event in get_args(Audited)}
    assert kinds | {"table_handed_over", "hand_over_requested", "hand_over_refused"} <= ACTIONS.keys()


def test_cards_positions_and_phases_are_written_as_people_say_them() -> None:
    swapped = {"flop_3": "Th", "player_2": "2s"}
    assert values_text("cards_swapped", swapped, "EUR") == "FLOP 3 10♥, PLAYER 2 2♠"
    assert values_text("decisions_reopened", {"phase": "deciding_flop"}, "EUR") == "phase deciding flop"
    counted = {"missing": ["Th", "2s"], "duplicates": [], "foreign": []}
    assert values_text("deck_not_whole", counted, "EUR") == "missing 10♥ 2♠, duplicates none, foreign none"
    assert values_text("credit", {"amount_minor": 500, "key": "a-key"}, "EUR") == "amount 5.00 EUR"
    proposed = {"correction": "DMYgNmSQS8bKsza5", "cards": {"player_1": "4c"}}
    assert values_text("correction_proposed", proposed, "EUR") == "cards PLAYER 1 4♣"
    assert values_text("proposal_approved", {"proposal": "r1.1", "proposed_by": "max"}, "EUR") == ""
    made = {"proposal": "r1.1", "proposes": "swap_cards", "slot": "player_2", "card": "8s", "other_slot": "flop_2"}
    assert values_text("proposal_made", made, "EUR") == "swap PLAYER 2 and FLOP 2"
    del made["other_slot"]
    assert values_text("proposal_made", made, "EUR") == "correct PLAYER 2 to 8♠"
    assert values_text("proposal_made", {"proposal": "r1.1", "proposes": "cancel_round"}, "EUR") == "cancel the round"
    assert values_text("round_cancelled", {"proposal": "lapsed"}, "EUR") == "no answer to the proposal"
