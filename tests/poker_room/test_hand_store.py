"""Hand store: finished hands are stored completely or not at all, in batches, with exact money."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.posting import Operation, move
from casino.poker.terms import Game
from casino.poker_room import hand_store
from casino.poker_room.dealer import Dealer
from casino.poker_room.hand_record import unused_deck_record
from casino.poker_room.hand_store import HandStore, StaleTableError
from casino.storage.database import Database, retry_lost_races
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_tables
from casino.verify.verifier import Proofs, verify
from tests.ledger.invariants import check_books
from tests.poker_room.stored_tables import NOON_MS, StoredTable, balances_of, fixed_shoe, purses, sealed


async def rows_of(database: Database, table: Any) -> list[Any]:  # noqa: ANN401
    async with database.reading() as connection:
        return list((await connection.execute(select(table))).all())


async def verified(database: Database) -> None:
    await check_books(database)
    findings = await verify(database, proofs=Proofs())
    assert [line for check in findings.checks for line in check.lines if "BROKEN" in line] == []


async def test_a_hand_moves_net_results_and_its_rake(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    before = await table.stacks()
    record = await table.play(("raise_to 100", "call", "fold"))
    after = await table.stacks()
    assert record.pot == 210
    assert record.rake == 7
    assert sum(before.values()) == sum(after.values()) + record.rake
    assert {player.player_id: player.returned - player.staked for player in record.players} == {
        player: after[player] - before[player] for player in after
    }
    balances = await balances_of(database)
    assert (balances["pot:nl10-1:EUR"], balances["rake:EUR"]) == (0, 7)
    await verified(database)


async def test_a_hand_is_stored_with_its_players_and_the_next_deck(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    first = await table.play()
    second = await table.play()
    rows = sorted(await rows_of(database, poker_hands), key=lambda row: row.no)
    assert [(row.no, row.id, row.status) for row in rows] == [(1, "nl10-1-1", "settled"), (2, "nl10-1-2", "settled")]
    assert (first.next_deck.root, rows[1].root) == (second.deck.root, rows[0].next_root)
    (stored,) = await rows_of(database, poker_tables)
    assert (stored.hand_no, stored.next_root, stored.next_sealed) == (2, *second.next_deck)
    assert len(await rows_of(database, poker_hand_players)) == 6
    await verified(database)


async def test_a_void_hand_moves_nothing(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    record = await table.play(("raise_to 300",), void=True)
    assert record.operation is None
    assert set((await table.stacks()).values()) == {1000}
    assert [row.status for row in await rows_of(database, poker_hands)] == ["void"]
    await verified(database)


async def test_an_unused_deck_has_a_row_and_its_number(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    new = sealed(fixed_shoe(number=77))
    record = unused_deck_record("nl10-1", 1, "EUR", NOON_MS, deck=sealed(table.shoe), next_deck=new, state="{}")
    await table.store.store(record)
    (row,) = await rows_of(database, poker_hands)
    assert (row.status, row.started_ms, row.events, row.next_root) == ("void", None, "[]", new.root)
    await verified(database)


async def test_hands_that_end_together_are_one_transaction(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await purses(database)
    store = HandStore(database, gather_seconds=0.01)
    tables = [await StoredTable.open(database, f"nl10-{number}", store) for number in range(1, 9)]
    records = [await table.played(("raise_to 50", "call", "call")) for table in tables]
    batches = []
    write = HandStore._write

    async def counted(self: HandStore, connection: AsyncConnection, hands: Any) -> None:  # noqa: ANN401
        batches.append(len(hands))
        await write(self, connection, hands)

    monkeypatch.setattr(HandStore, "_write", counted)
    await asyncio.gather(*(store.store(record) for record in records))
    assert batches == [8]
    assert store.is_idle
    assert sum((await balances_of(database)).values()) == 0
    await verified(database)


async def test_an_impossible_hand_hurts_only_its_table(database: Database) -> None:
    await purses(database)
    store = HandStore(database, gather_seconds=0.01)
    good = await StoredTable.open(database, "nl10-1", store)
    bad = await StoredTable.open(database, "nl10-2", store)
    record = await bad.played()
    overdraft = move(5000, accounts.seat("nl10-2", "ann", "EUR"), accounts.pot("nl10-2", "EUR"))
    back = move(5000, accounts.pot("nl10-2", "EUR"), accounts.seat("nl10-2", "bob", "EUR"))
    forged = record._replace(operation=Operation(f"{record.hand_id}:settle", "poker_hand", (overdraft, back), "x"))
    results = await asyncio.gather(store.store(await good.played()), store.store(forged), return_exceptions=True)
    assert results[0] is None
    assert isinstance(results[1], IntegrityError)
    assert [row.table_id for row in await rows_of(database, poker_hands)] == ["nl10-1"]
    assert (await bad.stacks())["ann"] == 1000
    await store.store(record)
    await verified(database)


async def test_money_left_in_a_pot_is_refused(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    record = await table.played()
    kept = move(10, accounts.seat("nl10-1", "ann", "EUR"), accounts.pot("nl10-1", "EUR"))
    forged = record._replace(operation=Operation(f"{record.hand_id}:settle", "poker_hand", (kept,), "x"))
    with pytest.raises(IntegrityError):
        await table.store.store(forged)
    await table.store.store(record)
    await verified(database)


async def test_a_hand_is_stored_once(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    record = await table.play(("raise_to 50", "call", "call"))
    stacks = await table.stacks()
    with pytest.raises(StaleTableError):
        await table.store.store(record)
    second_writer = HandStore(database, gather_seconds=0)
    await second_writer.adopt("nl10-1")
    with pytest.raises(StaleTableError):
        await second_writer.store(record)
    assert await table.stacks() == stacks
    await verified(database)


async def test_a_second_writer_is_refused(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    other = HandStore(database, gather_seconds=0)
    await other.adopt("nl10-1")
    record = await table.played()
    await table.store.store(record)
    with pytest.raises((StaleTableError, IntegrityError)):
        await other.store(record._replace(ended_ms=record.ended_ms + 1))
    await verified(database)


@pytest.mark.parametrize("is_committed", [False, True])
async def test_a_lost_reply_of_the_commit_is_looked_up(
    database: Database, monkeypatch: pytest.MonkeyPatch, *, is_committed: bool
) -> None:
    """The hand is stored exactly once, whether the interrupted commit had arrived or not."""
    await purses(database)
    table = await StoredTable.open(database, store=HandStore(database, gather_seconds=0, retry_seconds=0.01))
    record = await table.played(("raise_to 50", "call", "call"))
    races, failures = retry_lost_races, [OperationalError("COMMIT", None, OSError("gone"))]

    async def interrupted(transaction: Any) -> None:  # noqa: ANN401
        if failures and not is_committed:
            raise failures.pop()
        await races(transaction)
        if failures:
            raise failures.pop()

    monkeypatch.setattr(hand_store, "retry_lost_races", interrupted)
    await table.store.store(record)
    monkeypatch.undo()
    assert [row.no for row in await rows_of(database, poker_hands)] == [1]
    await table.play()
    await verified(database)


async def test_no_row_holds_an_unshown_card(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    hidden = [card for seat in (1, 2, 3) for card in _hole(table, seat)]
    await table.play(("raise_to 100", "fold", "fold"))
    async with database.reading() as connection:
        for name in ("poker_hands", "poker_tables", "poker_hand_players", "operations", "chains"):
            rows = (await connection.exec_driver_sql(f"SELECT * FROM {name}")).mappings().all()  # noqa: S608
            for row in rows:
                text = " ".join(str(value) for column, value in row.items() if "sealed" not in column)
                assert not [card for card in hidden if f'"{card}"' in text or f" {card} " in f" {text} "]


def _hole(table: StoredTable, seat_no: int) -> tuple[str, ...]:
    return Dealer(table.shoe, Game.NLHE, (2, 3, 1)).hole(seat_no)
