"""Database guards: constraints refuse invalid rows, also from plain SQL."""

# ruff: noqa: S608

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from casino.ledger.accounts import charity
from casino.ledger.book import Book
from casino.poker.tournament.director import announce
from casino.poker_room.tournament.journal_store import JournalStore
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_shown_cards
from casino.storage.tournament_schema import hexapro_draws
from casino.uth.commands import CancelRound, ReportProblem
from casino.uth.phases import Phase
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import PLAYERS, BookedTable, fill_purses
from tests.poker.tournament.rig import TERMS
from tests.poker_room.stored_tables import StoredTable
from tests.storage.test_migrations import contents

OVERDRAWN = [
    "UPDATE accounts SET balance = -1 WHERE id = 'player:bob:cash'",
    "UPDATE accounts SET balance = balance - 100001 WHERE id = 'player:bob:cash'",
    "UPDATE accounts SET balance = -1 WHERE id LIKE 'round:%'",
    "UPDATE accounts SET balance = -1 WHERE kind = 'player'",
    "INSERT INTO accounts (id, kind, currency, balance) VALUES ('player:new:cash', 'player', 'EUR', -1)",
    "INSERT INTO accounts (id, kind, currency, balance) VALUES ('round:new:escrow:EUR', 'escrow', 'EUR', -1)",
    "INSERT INTO accounts (id, kind, currency, balance) VALUES ('charity:EUR', 'charity', 'EUR', -1)",
    "INSERT INTO accounts (id, kind, currency, balance) VALUES ('presenter:p:tips:EUR', 'tips', 'EUR', -1)",
]
OVERHELD = [
    "UPDATE accounts SET held = balance + 1 WHERE id = 'player:ann:cash'",
    "UPDATE accounts SET balance = held - 1 WHERE id = 'player:ann:cash'",
    "UPDATE accounts SET held = -1 WHERE id = 'player:ann:cash'",
    "UPDATE accounts SET held = held + 100001 WHERE id = 'player:ann:cash'",
    "UPDATE accounts SET held = 1 WHERE id = 'house:EUR' AND balance < 1",
    "INSERT INTO accounts (id, kind, currency, balance, held) VALUES ('player:new:cash', 'player', 'EUR', 5, 6)",
    "INSERT INTO holds VALUES ('r2', 'bob', 'player:bob:cash', 0, 'open', 1, 0)",
    "INSERT INTO holds VALUES ('r2', 'bob', 'player:bob:cash', -5, 'open', 1, 0)",
    "INSERT INTO holds VALUES ('r2', 'bob', 'player:bob:cash', 5, 'lost', 1, 0)",
    "INSERT INTO holds VALUES ('no-such-round', 'ann', 'player:ann:cash', 5, 'open', 1, 0)",
    "INSERT INTO holds VALUES ('r2', 'zed', 'player:zed:cash', 5, 'open', 1, 0)",
]
POSTED = [
    "INSERT INTO postings VALUES (1, 90, 'cashier:EUR', 'player:ann:cash', 0, 'EUR')",
    "INSERT INTO postings VALUES (1, 90, 'cashier:EUR', 'player:ann:cash', -5, 'EUR')",
    "INSERT INTO postings VALUES (1, 90, 'player:ann:cash', 'player:ann:cash', 5, 'EUR')",
    "INSERT INTO postings VALUES (1, 90, 'cashier:EUR', 'player:zed:cash', 5, 'EUR')",
    "INSERT INTO postings VALUES (999, 0, 'cashier:EUR', 'player:ann:cash', 5, 'EUR')",
    "INSERT INTO operations SELECT -id, key, kind, round_id, actor, reason, at_ms, input_hash, digest FROM operations",
]
PLAYER_TO_PLAYER = [
    "INSERT INTO postings VALUES (1, 90, 'player:ann:cash', 'player:bob:cash', 5, 'EUR')",
    "INSERT INTO postings VALUES (1, 90, 'player:bob:cash', 'player:ann:cash', 5, 'EUR')",
]
TWO_CURRENCIES = [
    "INSERT INTO postings VALUES (1, 90, 'player:ann:cash', 'house:FUN', 5, 'EUR')",
    "INSERT INTO postings VALUES (1, 90, 'player:ann:cash', 'house:FUN', 5, 'FUN')",
    "INSERT INTO postings VALUES (1, 90, 'cashier:EUR', 'player:gus:cash', 5, 'EUR')",
    "INSERT INTO postings VALUES (1, 90, 'cashier:EUR', 'player:ann:cash', 5, 'FUN')",
]
CHANGED_RECORDS = [
    statement
    for table in schema.APPEND_ONLY
    for statement in (
        *(f"UPDATE {table.name} SET {column.name} = {column.name}" for column in table.columns),
        f"DELETE FROM {table.name}",
    )
]
KEPT = [table.name for table in (*schema.APPEND_ONLY, schema.holds, schema.accounts)]
TRUNCATED = [f"TRUNCATE {table} CASCADE" for table in KEPT]
REPLACED = [f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}" for table in KEPT]
CHANGED_HOLDS = [
    "UPDATE holds SET amount = amount + 1 WHERE status = 'captured'",
    "UPDATE holds SET status = 'open' WHERE status = 'captured'",
    "UPDATE holds SET status = 'released' WHERE status = 'captured'",
    "UPDATE holds SET player_id = 'zed' WHERE status = 'captured'",
    "UPDATE holds SET at_ms = at_ms WHERE status = 'captured'",
    "DELETE FROM holds",
    "DELETE FROM holds WHERE status = 'open'",
    "DELETE FROM holds WHERE status = 'captured'",
]
CHANGED_ACCOUNTS = [
    "UPDATE accounts SET id = 'player:mine:cash' WHERE id = 'player:bob:cash'",
    "UPDATE accounts SET kind = 'house' WHERE id = 'player:bob:cash'",
    "UPDATE accounts SET kind = 'cashier', balance = -5 WHERE id = 'player:ann:cash'",
    "UPDATE accounts SET currency = 'FUN' WHERE id = 'player:bob:cash'",
    "UPDATE accounts SET currency = 'FUN' WHERE id = 'charity:EUR'",
    "DELETE FROM accounts WHERE id = 'charity:EUR'",
    "DELETE FROM accounts",
]


async def a_busy_evening(database: Database) -> None:
    """Rounds that are cancelled, under way with captured holds, and with open bets; an unused account."""
    await fill_purses(database, PLAYERS | {"cid": "EUR"})
    over = await BookedTable.open(database, round_id="r0", table="uth-0")
    await over.play_to(Phase.DECIDING_FLOP)
    await over.do(CancelRound("misdeal", "mia"))
    first = await BookedTable.open(database)
    await first.play_to(Phase.DECIDING_FLOP)
    second = await BookedTable.open(database, round_id="r2", table="uth-2")
    await second.do(second.bet("ann", 500))
    await first.do(ReportProblem("dropped", "pia"))
    async with database.writing() as connection:
        await Book(connection).open_accounts([charity("EUR"), charity("FUN")])
    poker = await StoredTable.open(database)
    hand = await poker.play()
    async with database.writing() as connection:
        shown = {"hand_id": hand.hand_id, "player_id": "ann", "cards": "As", "at_ms": 1}
        await connection.execute(poker_shown_cards.insert().values(shown))
        draw = {"line": "classic-100-eur", "no": 1, "commitment": "c" * 64, "sealed": "", "at_ms": 1}
        await connection.execute(hexapro_draws.insert().values(draw))
    spec = TournamentSpec("mtt-1", TournamentKind.MTT, "event-eur", "EUR", "mtt", 1)
    await JournalStore(database).announce(spec, announce(replace(TERMS, tournament_id="mtt-1"), 1))


async def is_refused(database: Database, statement: str) -> bool:
    try:
        async with database.writing() as connection:
            await connection.execute(text(statement))
    except IntegrityError:
        return True
    return False


async def refused(database: Database, statements: list[str]) -> None:
    """Every statement fails, for its own reason, and nothing is different afterwards."""
    await a_busy_evening(database)
    async with database.reading() as connection:
        before = await contents(connection)
    assert all(before[table.name] for table in (*schema.APPEND_ONLY, schema.holds)), "there is something to spoil"
    assert [statement for statement in statements if not await is_refused(database, statement)] == []
    async with database.reading() as connection:
        assert await contents(connection) == before
    await check_books(database)


@pytest.mark.req("LED-2")
async def test_no_player_and_no_escrow_can_be_overdrawn(database: Database) -> None:
    await refused(database, OVERDRAWN)


@pytest.mark.req("LED-2")
async def test_no_more_can_be_held_than_there_is_and_no_less_than_nothing(database: Database) -> None:
    await refused(database, OVERHELD)


async def test_posting_moves_something_between_two_open_accounts_in_a_known_operation(database: Database) -> None:
    await refused(database, POSTED)


@pytest.mark.req("LED-8")
async def test_nothing_can_be_posted_from_player_to_player(database: Database) -> None:
    await refused(database, PLAYER_TO_PLAYER)


@pytest.mark.req("LED-1")
async def test_posting_cannot_touch_two_currencies(database: Database) -> None:
    await refused(database, TWO_CURRENCIES)


@pytest.mark.req("LED-7")
@pytest.mark.req("AUD")
async def test_records_can_be_neither_changed_nor_deleted(database: Database) -> None:
    await refused(database, CHANGED_RECORDS)


@pytest.mark.req("LED-7")
async def test_records_can_be_neither_emptied_nor_replaced(database: Database) -> None:
    await refused(database, REPLACED if database.is_sqlite else TRUNCATED)


@pytest.mark.req("LED-4")
@pytest.mark.req("LED-7")
async def test_ended_hold_stays_as_it_ended_and_no_hold_disappears(database: Database) -> None:
    await refused(database, CHANGED_HOLDS)


@pytest.mark.req("LED-7")
async def test_account_keeps_its_name_kind_and_currency_and_is_never_closed(database: Database) -> None:
    await refused(database, CHANGED_ACCOUNTS)
