"""Own poker hands of a player: pagination, single hands with proofs, and exports without opponents' names."""

import asyncio
import json
import threading
import tomllib
from typing import Any, Final

import pytest
from sqlalchemy import select

from casino.cards.card import Card
from casino.cards.merkle import CardProof, is_proven
from casino.errors import Code, Refusal
from casino.history import poker_export, poker_hands
from casino.history.poker_export import DAY_MS, Exporter, Notation, Period, export_hands
from casino.history.poker_hands import HandPlace, Outcome, Wanted, hands_page, past_hand
from casino.poker.events import Event
from casino.poker_room.effects import StoreShownCards
from casino.poker_room.hand_record import load_events
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.shown_cards import store_shown_cards
from casino.storage.database import Database
from casino.storage.schema import users
from casino.wire.poker_history import PastPokerHand, PlayedHand
from tests.poker_room.stored_tables import NOON_MS, SEAL, StoredTable, purses
from tests.wire.validation import holds

ALWAYS: Final = Period(0, 2**62)
LATER_MS: Final = NOON_MS + 30 * DAY_MS
READERS: Final = 4
"""As many connections as SQLite has for quick reads; it has fewer for long ones."""


@pytest.fixture
async def table(database: Database) -> StoredTable:
    await purses(database)
    return await StoredTable.open(database)


async def page(table: StoredTable, player_id: str = "ann", wanted: Wanted = Wanted()) -> list[PlayedHand]:  # noqa: B008
    hands, _ = await hands_page(table.database, player_id, wanted, SEAL.open)
    for hand in hands:
        holds(PlayedHand, dict(hand))
    return hands


async def one(table: StoredTable, hand_id: str, player_id: str = "ann") -> PastPokerHand:
    async with table.database.reading() as connection:
        hand = await past_hand(connection, player_id, hand_id, SEAL.open)
    holds(PastPokerHand, dict(hand))
    return hand


async def exported(table: StoredTable, notation: Notation, reader: str = "ann", now_ms: int = LATER_MS) -> str:
    names = Exporter(reader, f"The name of {reader}", b"a key", SEAL.open)
    return await export_hands(table.database, names, notation, ALWAYS, now_ms)


async def test_pages_are_newest_first_and_end(table: StoredTable) -> None:
    for _ in range(5):
        await table.play()
    assert [hand["number"] for hand in await page(table)] == [5, 4, 3, 2, 1]
    numbers: list[int] = []
    place: HandPlace | None = None
    for _ in range(3):
        hands, place = await hands_page(table.database, "ann", Wanted(2, place), SEAL.open)
        numbers += [hand["number"] for hand in hands]
        place = HandPlace.parse(str(place)) if place else None
    assert (numbers, place) == ([5, 4, 3, 2, 1], None)
    assert await page(table, wanted=Wanted(table_id="another")) == []
    assert len(await page(table, wanted=Wanted(table_id=table.table_id))) == 5
    assert await page(table, "somebody") == []


async def test_pages_are_filtered_by_stake_time_and_outcome(table: StoredTable) -> None:
    await table.play(["raise_to 30", "fold", "fold"])  # ann on the button wins the blinds
    await table.play(["fold"])  # to the showdown of the others

    async def numbers(player_id: str = "ann", **wanted: Any) -> list[int]:  # noqa: ANN401
        return [hand["number"] for hand in await page(table, player_id, Wanted(**wanted))]

    first, second = (NOON_MS + number * 60_000 for number in (1, 2))
    assert await numbers(pool_id=table.pool_id) == [2, 1]
    assert await numbers(pool_id="nl25:EUR") == []
    assert await numbers(from_ms=second) == [2]
    assert await numbers(until_ms=second) == [1]
    assert await numbers(from_ms=first, until_ms=second + 1) == [2, 1]
    for name in table.players:
        nets = {hand["number"]: hand["net"] for hand in await page(table, name)}
        assert await numbers(name, outcome=Outcome.WON) == [no for no in (2, 1) if nets[no] > 0]
        assert await numbers(name, outcome=Outcome.LOST) == [no for no in (2, 1) if nets[no] < 0]
    shown = [await numbers(name, outcome=Outcome.SHOWDOWN) for name in table.players]
    assert sorted(shown) == [[], [2], [2]]


async def test_page_shows_own_cards_and_net_results(table: StoredTable) -> None:
    await table.play(["raise_to 30", "call", "fold"])
    nets = []
    for player_id in ("ann", "bob", "cid"):
        (hand,) = await page(table, player_id)
        assert len(hand["cards"]) == 2
        assert hand["net"] == hand["returned"] - hand["staked"]
        nets.append(hand["net"])
    assert sum(nets) < 0, "the rest is rake"
    assert (
        len({tuple(hand["cards"]) for player_id in ("ann", "bob", "cid") for hand in await page(table, player_id)}) == 3
    )


@pytest.mark.parametrize("limit", [0, 201])
async def test_limit_of_a_page_is_bounded(table: StoredTable, limit: int) -> None:
    with pytest.raises(Refusal) as refused:
        await page(table, wanted=Wanted(limit))
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize("place", ["", "x", "1", "1-", "1-a b", "99999999999999999-a", "-1-a"])
def test_place_of_a_page_is_one_that_was_given(place: str) -> None:
    with pytest.raises(Refusal):
        HandPlace.parse(place)


async def test_folded_player_sees_own_cards_board_and_shown_hands_with_proofs_and_nothing_else(
    table: StoredTable,
) -> None:
    record = await table.play(["fold", "call", "check"])  # ann has the button and folds
    seen = await one(table, record.hand_id)
    assert (seen["seat_no"], seen["net"]) == (1, 0)
    shown = {seat["seat_no"]: seat["cards"] for seat in seen["ended"]["seats"]}
    assert shown[1] == []
    assert len(shown[2]) == len(shown[3]) == 2
    assert all(seat["cards"] == [] for seat in seen["opened"]["seats"]), "nothing is shown before it is"
    known = {*seen["cards"], *seen["board"], *shown[2], *shown[3]}
    assert {proof["card"] for proof in seen["proofs"]} == known
    root = seen["opened"]["root"]
    for proof in seen["proofs"]:
        written = CardProof(proof["index"], Card(proof["card"]), proof["salt"], tuple(proof["path"]))
        assert root is not None
        assert is_proven(root, written)
    kinds = [step["kind"] for step in seen["steps"]]
    assert kinds[:3] == ["acted", "acted", "acted"]
    assert kinds.count("board") == 3
    assert kinds[-1] == "settled"


async def test_hand_won_without_a_showdown_shows_nobodys_cards(table: StoredTable) -> None:
    record = await table.play(["raise_to 30", "fold", "fold"])
    folded = await one(table, record.hand_id, "bob")
    assert all(seat["cards"] == [] for seat in folded["ended"]["seats"])
    assert {proof["card"] for proof in folded["proofs"]} == set(folded["cards"])
    winner = await one(table, record.hand_id, "ann")
    assert not set(winner["cards"]) & set(folded["cards"])
    assert set(winner["cards"]).isdisjoint(json.dumps(folded))


async def test_cards_shown_after_the_hand_are_in_it_for_everybody(table: StoredTable) -> None:
    record = await table.play(["raise_to 30", "fold", "fold"])
    winner = await one(table, record.hand_id, "ann")
    cards = tuple(winner["cards"])
    await store_shown_cards(table.database, StoreShownCards(record.hand_id, "ann", cards, NOON_MS + 61_000))
    seen = await one(table, record.hand_id, "bob")
    assert [seat["cards"] for seat in seen["ended"]["seats"] if seat["seat_no"] == 1] == [list(cards)]
    assert seen["steps"][-1]["kind"] == "shown"
    assert set(cards) <= {proof["card"] for proof in seen["proofs"]}


async def test_hand_of_others_is_not_found(table: StoredTable) -> None:
    record = await table.play()
    for player_id, hand_id in (("somebody", record.hand_id), ("ann", "nl10-1-99")):
        with pytest.raises(Refusal) as refused:
            await one(table, hand_id, player_id)
        assert refused.value.code is Code.NOT_FOUND


async def test_void_hand_costs_nothing(table: StoredTable) -> None:
    record = await table.play(["raise_to 30"], void=True)
    seen = await one(table, record.hand_id)
    assert (seen["status"], seen["net"], seen["ended"]["status"]) == ("void", 0, "void")
    assert seen["steps"][-1] == seen["steps"][-1] | {"kind": "void", "reason": "test"}


async def test_deck_of_another_key_hides_cards_and_keeps_the_hand(table: StoredTable) -> None:
    record = await table.play()
    async with table.database.reading() as connection:
        seen = await past_hand(connection, "ann", record.hand_id, ShoeSeal("another key").open)
    assert (seen["cards"], seen["proofs"], seen["best"]) == ([], [], None)
    assert seen["steps"]


async def test_export_has_no_hand_of_the_last_day(table: StoredTable) -> None:
    record = await table.play()
    assert await exported(table, Notation.OHH, now_ms=record.ended_ms + DAY_MS) == ""
    assert await exported(table, Notation.OHH, now_ms=record.ended_ms + DAY_MS + 1) != ""


async def test_export_names_opponents_for_one_sitting_only(table: StoredTable) -> None:
    for _ in range(2):
        await table.play()
    hands = [json.loads(line)["ohh"] for line in (await exported(table, Notation.OHH)).split("\n\n")]
    assert len(hands) == 2
    names = [[player["name"] for player in hand["players"]] for hand in hands]
    assert sorted(names[0]) == sorted(names[1]), "one sitting, one name"
    assert all("The name of ann" in named for named in names)
    assert not {"bob", "cid", "Bob", "Cid"} & {name for named in names for name in named}
    for hand in hands:
        cards = {action["cards"][0] for action in hand["rounds"][0]["actions"] if action["action"] == "Dealt Cards"}
        assert "??" in cards
        assert len(cards) == 2, "only the own cards are known before the showdown"
    other = [json.loads(line)["ohh"] for line in (await exported(table, Notation.OHH, "bob")).split("\n\n")]
    seen_by_bob = {player["name"] for player in other[0]["players"]}
    assert seen_by_bob & set(names[0]) == set(), "two players' files cannot be joined by names"


async def test_export_as_phh_is_read_by_the_replay_of_the_command_line(table: StoredTable) -> None:
    for _ in range(3):
        await table.play()
    text = await exported(table, Notation.PHH)
    parsed = tomllib.loads(text)
    assert list(parsed) == ["1", "2", "3"]
    assert [parsed[number]["hand"] for number in parsed] == [1, 2, 3], "the oldest hand comes first"
    assert all(hand["variant"] == "NT" for hand in parsed.values())


async def test_long_export_is_written_in_parts_outside_the_event_loop(
    table: StoredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player with thousands of hands delays no bet of others."""
    for _ in range(5):
        await table.play()
    whole = await exported(table, Notation.PHH)
    threads: list[int] = []

    def seen(data: str) -> list[Event]:
        threads.append(threading.get_ident())
        return load_events(data)

    monkeypatch.setattr(poker_hands, "load_events", seen)
    monkeypatch.setattr(poker_export, "HANDS_AT_ONCE", 2)
    assert await exported(table, Notation.PHH) == whole
    assert len(threads) == 5
    assert threading.get_ident() not in threads


async def test_export_of_too_many_hands_is_refused(table: StoredTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.history.poker_export.HANDS_MAX", 2)
    for _ in range(3):
        await table.play()
    with pytest.raises(Refusal) as refused:
        await exported(table, Notation.PHH)
    assert refused.value.code is Code.BAD_REQUEST
    narrow = Exporter("ann", "Ann", b"a key", SEAL.open)
    first = await export_hands(table.database, narrow, Notation.PHH, Period(0, NOON_MS + 150_000), LATER_MS)
    assert list(tomllib.loads(first)) == ["1", "2"]


@pytest.mark.parametrize("is_export", [True, False])
async def test_hands_are_written_without_a_connection(
    table: StoredTable, monkeypatch: pytest.MonkeyPatch, *, is_export: bool
) -> None:
    """A few players with long histories would take all connections of staff, or of sign-ins."""
    await table.play()
    waiting, go_on = threading.Event(), threading.Event()

    def slow(data: str) -> list[Event]:
        waiting.set()
        assert go_on.wait(60)
        return load_events(data)

    monkeypatch.setattr(poker_hands, "load_events", slow)
    asked = [exported(table, Notation.PHH) if is_export else page(table) for _ in range(READERS)]
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        await asyncio.to_thread(waiting.wait)
        async with asyncio.timeout(60), table.database.reading(long_running=is_export) as connection:
            await connection.execute(select(users.c.id))
    finally:
        go_on.set()
    assert len({str(one) for one in await asyncio.gather(*tasks)}) == 1
