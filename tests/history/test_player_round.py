"""One round as its player saw it: complete, step by step, without other players' data."""

import json
import secrets
from typing import Any

import pytest

from casino.cards.commitment import Shoe, commitment_of
from casino.cards.shuffle import shuffled_deck
from casino.errors import Code, Refusal
from casino.history.player_round import game_of, situations_of
from casino.live_table.shoe import Seal
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import ApproveProposal, CorrectCard, DealCard, OpenBetting, ReportProblem, Resume
from casino.uth.fairness import faults_in
from casino.uth.phases import Phase
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.uth.tabletop import NOON_MS, SHARED
from tests.verify.full_books import build

SEAL = Seal("the secret key of the tests")


async def game(database: Database, player_id: str, round_id: str) -> dict[str, Any]:
    async with database.reading() as connection:
        replay: dict[str, Any] = json.loads(json.dumps(await game_of(connection, player_id, round_id, SEAL.open_shoe)))
        return replay


def kinds(replay: dict[str, Any]) -> list[str]:
    return [step["kind"] for step in replay["steps"]]


async def test_settled_game_has_cards_bets_decisions_outcomes_and_named_hands(database: Database) -> None:
    await build(database)
    replay = await game(database, "bob", "settled")
    assert replay["player_cards"] == ["As", "Kd"]
    assert replay["board"] == "7h 7c 2s Jd 3c".split()
    assert replay["dealer_cards"] == ["Qh", "Qd"]
    assert replay["player_hand"] == {"category": "pair", "cards": "7h 7c As Kd Jd".split()}
    assert replay["dealer_hand"]["category"] == "two_pair"
    assert replay["dealer_qualifies"] is True
    assert replay["bets"] == {"ante": 1000, "blind": 1000, "trips": 300, "play": 2000}
    assert [(made["phase"], made["action"], made["automatic"]) for made in replay["decisions"]] == [
        ("deciding_preflop", "check", True),
        ("deciding_flop", "play_2x", False),
    ]
    assert all(made["at"] > replay["started_at"] for made in replay["decisions"])
    assert (replay["result"], replay["staked"], replay["returned"]) == ("lose", 4300, 0)
    assert replay["spots"]["trips"] == {"bet": 300, "outcome": "lose", "returned": 0}
    assert (replay["status"], replay["currency"], replay["seat_no"], replay["seats"]) == ("settled", "EUR", None, [])
    assert replay["ended_at"] == replay["steps"][-1]["at"]


async def test_steps_show_the_whole_round_in_order(database: Database) -> None:
    await build(database)
    replay = await game(database, "bob", "settled")
    streets = (
        ["betting_opened", "betting_closed", *["card_dealt"] * 2, "window_opened", "window_closed"],
        [*["card_dealt"] * 3, "window_opened", "decision_made", "window_closed"],
        [*["card_dealt"] * 2, "window_opened", "window_closed", *["card_dealt"] * 2, "round_settled"],
    )
    assert kinds(replay) == [kind for street in streets for kind in street]
    times = [step["at"] for step in replay["steps"]]
    assert times == sorted(times)
    assert [step["card"] for step in replay["steps"] if step["kind"] == "card_dealt"] == (
        replay["player_cards"] + replay["board"] + replay["dealer_cards"]
    )
    closed = next(step for step in replay["steps"] if step["kind"] == "betting_closed")
    assert closed["bets"] == {"ante": 1000, "blind": 1000, "trips": 300, "play": 0}
    decided = next(step for step in replay["steps"] if step["kind"] == "decision_made")
    assert (decided["action"], decided["bets"]["play"]) == ("play_2x", 2000)
    assert replay["steps"][-1]["spots"] == replay["spots"]


async def test_incident_is_in_the_round_with_its_resolution(database: Database) -> None:
    await build(database)
    troubled = await game(database, "ann", "troubled")
    (incident,) = troubled["incidents"]
    assert (incident["reason"], incident["outcome"], incident["resolution"]) == (
        "wrong card on the screen",
        "resumed",
        "put right",
    )
    corrected = next(step for step in troubled["steps"] if step["kind"] == "card_corrected")
    assert (corrected["slot"], corrected["was"], corrected["card"]) == ("flop_1", "7h", "9h")
    assert {"round_paused", "round_resumed"} <= set(kinds(troubled))
    cancelled = await game(database, "bob", "cancelled")
    assert (cancelled["status"], cancelled["result"]) == ("cancelled", None)
    assert cancelled["returned"] == cancelled["staked"] == 2 * 1000 + 300 + 1000
    assert [incident["outcome"] for incident in cancelled["incidents"]] == ["cancelled"]
    assert cancelled["steps"][-1]["kind"] == "round_cancelled"


async def test_corrected_game_shows_both_settlements_and_counts_the_last(database: Database) -> None:
    await build(database)
    replay = await game(database, "ann", "corrected")
    assert replay["status"] == "corrected"
    ends = [step for step in replay["steps"] if step["kind"] in ("round_settled", "round_corrected")]
    assert [step["kind"] for step in ends] == ["round_settled", "round_corrected", "round_corrected"]
    assert ends[-1]["reason"] == "misread again"
    assert ends[-1]["returned"] == replay["returned"]
    assert replay["dealer_cards"] == ends[-1]["cards"][-2:]


async def test_void_decisions_are_steps_and_no_decisions(database: Database) -> None:
    """A card was corrected after the decision, and a manager opened the decisions again."""
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(table.answer("ann", Action.PLAY_2X))
    await table.do(ReportProblem("wrong card", "pia"), CorrectCard("r1", "flop_1", "8h", "misread", "max"))
    await table.do(ApproveProposal("r1.1", "mona"))
    await table.do(Resume("max", "decided on the wrong card", reopen=True))
    await table.do(table.answer("ann", Action.CHECK))
    found = await game(database, "ann", "r1")
    assert [made["action"] for made in found["decisions"]] == ["check", "check"]
    assert [step["action"] for step in found["steps"] if step["kind"] == "decision_made"] == ["play_2x", "check"]
    await table.time_out()
    await table.deal("Jd 3c")
    await table.time_out()
    await table.deal("Qh Qd")
    async with database.reading() as connection:
        _, judged = await situations_of(connection, "ann", "r1")
    assert [(one.action, one.board) for one in judged] == [
        (Action.CHECK, ()),
        (Action.CHECK, tuple("8h 7c 2s".split())),
        (Action.FOLD, tuple("8h 7c 2s Jd 3c".split())),
    ]


async def test_view_contains_nothing_of_other_players(database: Database) -> None:
    await build(database)
    for player_id, others in (("ann", ("bob", "gus")), ("bob", ("ann", "gus"))):
        for round_id in ("settled", "corrected", "troubled", "cancelled", "own"):
            written = json.dumps(await game(database, player_id, round_id))
            assert not any(f'"{other}"' in written for other in (*others, "pia", "mia"))
    own = await game(database, "ann", "own")
    assert own["seat_no"] == 5
    assert own["player_cards"] == ["9h", "8h"]
    assert own["seats"] == [
        {"seat_no": 2, "player_cards": ["As", "Kd"]},
        {"seat_no": 5, "player_cards": ["9h", "8h"]},
    ], "the hands lie face up; nothing else of the other seat is shown"


async def test_other_players_rounds_are_not_found_and_unreadable_ones_are_errors(database: Database) -> None:
    await build(database)
    for player_id, round_id, code in (
        ("liz", "settled", Code.NOT_FOUND),
        ("nobody", "settled", Code.NOT_FOUND),
        ("ann", "no-such-round", Code.NOT_FOUND),
        ("ann", "void-bets", Code.NOT_FOUND),
        ("ann", "forfeited", Code.INTERNAL),
    ):
        with pytest.raises(Refusal) as refused:
            await game(database, player_id, round_id)
        assert refused.value.code is code


async def test_open_round_shows_the_cards_on_the_table(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(table.answer("ann", Action.PLAY_2X))
    replay = await game(database, "ann", "r1")
    assert (replay["status"], replay["ended_at"], replay["result"], replay["spots"]) == ("open", None, None, None)
    assert (replay["board"], replay["dealer_cards"], replay["dealer_hand"]) == ("7h 7c 2s".split(), [], None)
    assert (replay["staked"], replay["returned"]) == (2000, 0)


@pytest.mark.req("RND-8")
async def test_shoe_of_version_1_is_public_after_the_round_and_proves_the_deal(database: Database) -> None:
    await fill_purses(database)
    shoe = Shoe(shuffled_deck(), secrets.token_hex(32))
    table = await BookedTable.open(database, round_id="waste")
    command = OpenBetting("fair", "uth-1", SHARED, commitment_of(shoe), commitment_version=1)
    table.now_ms = NOON_MS + 2_000
    table.round = await table.unit_of_work.open_round(command, table.now_ms, sealed_shoe=SEAL.close_shoe(shoe))
    await table.do(table.bet("ann", 500))
    await table.time_out()
    for count in (2, 3, 2, 2):
        replay = await game(database, "ann", "fair")
        assert (replay["commitment"], replay["fairness"]) == (commitment_of(shoe), None)
        assert shoe.secret not in json.dumps(replay)
        dealt = len(table.round.cards)
        await table.do(*(DealCard("fair", card) for card in shoe.deck[dealt : dealt + count]))
        if table.round.is_deciding:
            await table.time_out()
    replay = await game(database, "ann", "fair")
    assert replay["status"] == "settled"
    assert replay["fairness"] == {
        "version": 1,
        "table_id": "uth-1",
        "round_id": "fair",
        "commitment": commitment_of(shoe),
        "deck": list(shoe.deck),
        "secret": shoe.secret,
        "dealt": [step["card"] for step in replay["steps"] if step["kind"] == "card_dealt"],
        "slots": [step["slot"] for step in replay["steps"] if step["kind"] == "card_dealt"],
    }
    assert faults_in(replay["fairness"]) == []
