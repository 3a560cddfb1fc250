"""Migrations: each upgrades the schema once, also when several processes start at the same moment."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage import migrate as migrate_module
from casino.storage import schema
from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.url import UnusableDatabaseError, async_url
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.uth.phases import Phase
from tests.databases import sqlite_url
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.uth.tabletop import NOON_MS

OPEN_AND_COUNT = """
import asyncio, sys
from casino.storage.database import Database
async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    database = await Database.open(sys.argv[1])
    await database.close()
asyncio.run(main())
"""


Columns = dict[str, list[str]]


def columns_of(connection: Connection) -> Columns:
    tables = inspect(connection)
    return {name: [column["name"] for column in tables.get_columns(name)] for name in tables.get_table_names()}


async def contents(connection: AsyncConnection, only: Columns | None = None) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, the migrations' own included, or only of these columns."""
    columns = await connection.run_sync(columns_of) if only is None else only
    found = {}
    for table, names in columns.items():
        rows = await connection.execute(text(f"SELECT {', '.join(names)} FROM {table}"))  # noqa: S608
        found[table] = sorted((tuple(row) for row in rows), key=repr)
    return found


async def stored(url: str) -> dict[str, list[tuple[object, ...]]]:
    database = await Database.open(url)
    async with database.reading() as connection:
        found = await contents(connection)
    await database.close()
    return found


def revisions() -> list[str]:
    """From the first to the newest."""
    scripts = ScriptDirectory(str(migrate_module._MIGRATIONS)).walk_revisions()
    return [script.revision for script in scripts][::-1]


FIRST_ROWS = {
    "users": "('u1', 'Ann', 'ann', 'player', 'hash', 'EUR', 0, 1)",
    "accounts": "('cashier:EUR', 'cashier', 'EUR', -900, 0), ('player:u1:cash', 'player', 'EUR', 900, 300)",
    "operations": "(7, 'credit:k', 'credit', NULL, 'cli', 'Welcome', 2, 'input', 'digest')",
    "postings": "(7, 0, 'cashier:EUR', 'player:u1:cash', 900, 'EUR')",
    "rounds": "('r1', 'uth-1', '2026-11-16', '120000', 'open', 3, NULL, NULL, 'sealed')",
    "holds": "('r1', 'u1', 'player:u1:cash', 300, 'open', 4)",
    "journal": "('uth-1', 1, 'r1', 'betting_opened', 1, 5, '{}', 'digest')",
    "seats": "('r1', 'u1', 'EUR', 6)",
    "audit": "(1, 8, 'cli:root', 'operator', 'credit', 'user u1', '', '{}', 'Welcome', '', 'digest')",
    "chains": "('audit', 1, 'digest', 1)",
}
"""A row of every table as the first migration made it."""


@asynccontextmanager
async def bare(url: str) -> AsyncIterator[Database]:
    """The database as it is, with nothing done to it."""
    database = Database(engines_of(async_url(url), BUSY_SECONDS))
    yield database
    await database.close()


@pytest.mark.parametrize("revision", revisions()[1:])
async def test_migration_keeps_what_was_written_before_it(empty_database_url: str, revision: str) -> None:
    async with bare(empty_database_url) as database:
        async with database.writing() as connection:
            await migrate(connection, "0001")
            for table, values in FIRST_ROWS.items():
                await connection.execute(text(f"INSERT INTO {table} VALUES {values}"))  # noqa: S608
        for step in revisions()[1 : revisions().index(revision)]:
            async with database.writing() as connection:
                await migrate(connection, step)
        async with database.writing() as connection:
            before = await contents(connection)
            columns = await connection.run_sync(columns_of)
            await migrate(connection, revision)
        async with database.reading() as connection:
            after = await contents(connection, columns)
    assert before.pop("alembic_version") != after.pop("alembic_version") == [(revision,)]
    assert after == before, "or the migration meant to change it, and has a test of its own that says so"


async def test_proposals_of_before_know_the_corrections_before_them(empty_database_url: str) -> None:
    """Three corrections of one round: proposed first, approved before the last, proposed after that."""
    users = "('u2', 'Mona', 'mona', 'manager', 'hash', 'EUR', 0, 1)"
    made = [
        "('a', 'r1', '{}', '', 'u1', 10, 99, 'open', NULL, NULL, '')",
        "('b', 'r1', '{}', '', 'u1', 11, 99, 'approved', 'u2', 20, '')",
        "('c', 'r1', '{}', '', 'u1', 30, 99, 'open', NULL, NULL, '')",
    ]
    async with bare(empty_database_url) as database, database.writing() as connection:
        await migrate(connection, "0001")
        for table, values in (FIRST_ROWS | {"users": f"{FIRST_ROWS['users']}, {users}"}).items():
            await connection.execute(text(f"INSERT INTO {table} VALUES {values}"))  # noqa: S608
        await migrate(connection, "0011")
        await connection.execute(text(f"INSERT INTO corrections VALUES {', '.join(made)}"))  # noqa: S608
        await migrate(connection, "0012")
        found = await connection.execute(text("SELECT id, after_corrections FROM corrections ORDER BY id"))
        assert [tuple(row) for row in found] == [("a", 0), ("b", 0), ("c", 1)]


async def test_first_migration_makes_empty_tables_in_an_empty_database(empty_database_url: str) -> None:
    async with bare(empty_database_url) as database, database.writing() as connection:
        await migrate(connection, "0001")
        found = await contents(connection)
    assert found.pop("alembic_version") == [("0001",)]
    assert found == {table: [] for table in FIRST_ROWS}


async def test_opening_an_empty_database_brings_it_up_to_date(empty_database_url: str) -> None:
    found = await stored(empty_database_url)
    assert found.pop("alembic_version") == [(revisions()[-1],)]
    [(id_, served_file)] = found["database_identity"]
    assert (len(str(id_)), served_file) == (32, None)
    assert found == {table.name: [] for table in schema.metadata.sorted_tables} | {"database_identity": [(id_, None)]}


async def test_books_that_are_opened_again_are_as_they_were(empty_database_url: str) -> None:
    database = await Database.open(empty_database_url)
    await fill_purses(database)
    async with database.writing() as connection:
        users = Users(connection)
        await users.add("Ann", Role.PLAYER, "EUR", password_hash="-", by=Actor("a", "admin"), at_ms=1)  # noqa: S106
    for number, phase in enumerate((Phase.SETTLED, Phase.BETTING)):
        table = await BookedTable.open(database, round_id=f"r{number}", at_ms=NOON_MS + number * 100_000)
        await table.play_to(phase)
    async with database.reading() as connection:
        before = await contents(connection)
    await database.close()
    assert all(before[table] for table in FIRST_ROWS), "there is something to lose"
    assert await stored(empty_database_url) == before
    assert await stored(empty_database_url) == before


async def test_many_tasks_opening_a_fresh_database_at_once_all_succeed(empty_database_url: str) -> None:
    opened = await asyncio.gather(*(Database.open(empty_database_url) for _ in range(8)))
    for number, database in enumerate(opened):
        await fill_purses(database, {f"player-{number}": f"X{chr(65 + number)}X"})
    async with opened[0].reading() as connection:
        assert (await connection.execute(select(func.count()).select_from(schema.postings))).scalar_one() == 8
    for database in opened:
        await database.close()


@pytest.fixture
def openers(empty_database_url: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that open the database on a signal."""
    command = [sys.executable, "-c", OPEN_AND_COUNT, empty_database_url]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def test_processes_opening_a_fresh_database_at_once_all_succeed(
    openers: list[subprocess.Popen[str]], empty_database_url: str
) -> None:
    for process in openers:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.wait(30) for process in openers] == [0] * len(openers)
    assert asyncio.run(stored(empty_database_url))["alembic_version"] == [(revisions()[-1],)]


async def test_failing_migration_leaves_nothing_behind(empty_database_url: str) -> None:
    """A foreign table has the name of one of ours."""
    async with bare(empty_database_url) as database, database.writing() as connection:
        await connection.execute(text("CREATE TABLE audit (theirs INTEGER)"))
    with pytest.raises(UnusableDatabaseError, match="audit"):
        await Database.open(empty_database_url)
    async with bare(empty_database_url) as untouched, untouched.reading() as connection:
        assert await connection.run_sync(columns_of) == {"audit": ["theirs"]}


async def test_database_of_a_newer_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path))
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await database.close()
    with pytest.raises(UnusableDatabaseError, match=r"made by another version of this program.*9999"):
        await Database.open(sqlite_url(tmp_path))
