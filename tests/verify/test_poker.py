"""Poker verification: finds every change of a hand, a sitting, or the money of a table."""

# ruff: noqa: S608

import pytest
from sqlalchemy import text

from casino.poker_room.seat_money import BuyIn
from casino.storage.database import Database
from casino.verify.findings import Findings
from casino.verify.verifier import Proofs, verify
from tests.poker_room.stored_tables import NOON_MS, StoredTable, purses

KEY = Proofs(("a secret key of tests",))


async def played_evening(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    await table.play(("raise_to 100", "call", "fold"))
    await table.play(("raise_to 30", "fold", "fold"))
    await table.play(("raise_to 300",), void=True)
    await table.money.leave(table.place("bob"), NOON_MS + 600_000)
    await table.money.buy_in(BuyIn(table.place("bob"), 5, 700, "again"), NOON_MS + 700_000)


async def poker_faults(database: Database) -> list[str]:
    findings: Findings = await verify(database, proofs=KEY)
    checks = (findings.poker_hands, findings.poker_decks, findings.poker_seats)
    return [fault for check in checks for fault in check.faults]


async def forge(database: Database, statement: str, *, append_only: str | None = None) -> None:
    async with database.writing() as connection:
        if append_only and database.is_sqlite:
            for change in ("update", "delete"):
                await connection.execute(text(f"DROP TRIGGER {append_only}_refuse_{change}"))
        elif append_only:
            await connection.execute(text(f"DROP TRIGGER {append_only}_refuse_change ON {append_only}"))
        await connection.execute(text(statement))


async def test_an_honest_evening_has_no_faults(database: Database) -> None:
    await played_evening(database)
    findings = await verify(database, proofs=KEY)
    assert await poker_faults(database) == []
    assert (findings.poker_hands.counted, findings.poker_decks.counted, findings.poker_seats.counted) == (3, 3, 4)
    without_key = await verify(database)
    assert (without_key.poker_decks.counted, without_key.unchecked_decks) == (0, 3)


@pytest.mark.parametrize(
    "change",
    [
        "status = 'void' WHERE no = 1",
        "rake = rake + 1 WHERE no = 1",
        "pot = pot - 1 WHERE no = 1",
        "board = '2c 2d 2h 2s 3c' WHERE no = 1",
        "root = next_root WHERE no = 1",
        "next_root = root WHERE no = 1",
        "events = '[]' WHERE no = 1",
        "events = replace(events, 'raise_to', 'call') WHERE no = 1",
        "events = 'nonsense' WHERE no = 1",
        "ended_ms = ended_ms + 1 WHERE no = 2",
        "sealed = (SELECT sealed FROM poker_hands WHERE no = 2) WHERE no = 1",
    ],
)
async def test_every_change_of_a_hand_is_found(database: Database, change: str) -> None:
    await played_evening(database)
    await forge(database, f"UPDATE poker_hands SET {change}", append_only="poker_hands")
    assert await poker_faults(database)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE poker_hand_players SET returned = returned + 1 WHERE player_id = 'ann'",
        "UPDATE poker_hand_players SET staked = staked + 1, returned = returned + 1 WHERE player_id = 'ann'",
        "UPDATE poker_hand_players SET player_id = 'zed' WHERE player_id = 'ann'",
        "DELETE FROM poker_hand_players WHERE player_id = 'ann'",
    ],
)
async def test_every_change_of_a_players_row_is_found(database: Database, statement: str) -> None:
    await played_evening(database)
    await forge(database, statement, append_only="poker_hand_players")
    assert await poker_faults(database)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE poker_tables SET hand_no = 2",
        "UPDATE poker_tables SET next_root = 'x'",
        "DELETE FROM poker_seats WHERE player_id = 'ann'",
        "UPDATE poker_seats SET seat_no = 6 WHERE player_id = 'ann'",
        "UPDATE poker_seats SET initial = 999 WHERE player_id = 'ann'",
        "UPDATE poker_sittings SET initial = 999 WHERE player_id = 'ann'",
        "UPDATE poker_sittings SET key = 'other' WHERE player_id = 'ann'",
        "UPDATE poker_sittings SET left_with = left_with - 1 WHERE player_id = 'bob' AND until_ms IS NOT NULL",
        "UPDATE poker_sittings SET left_with = 0 WHERE player_id = 'bob' AND until_ms IS NOT NULL",
        "UPDATE poker_sittings SET until_ms = 1, left_with = 0 WHERE player_id = 'ann'",
    ],
)
async def test_every_change_of_a_table_or_sitting_is_found(database: Database, statement: str) -> None:
    await played_evening(database)
    await forge(database, statement)
    assert await poker_faults(database)
