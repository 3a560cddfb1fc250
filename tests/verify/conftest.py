"""Fixtures of the verification tests: full books, built once, whose changes are undone; and unsigned older books."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.url import async_url
from tests.databases import PostgresServer, sqlite_url
from tests.verify import full_books


async def _build(url: str) -> None:
    database = await Database.open(url)
    await full_books.build(database)
    await database.close()


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def house_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Not to be written to by a test that does not undo it."""
    if request.param == "sqlite":
        url = sqlite_url(Path(tmp_path_factory.mktemp("full-house")))
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh_database()
    asyncio.run(_build(url))
    return url


@pytest.fixture
async def older_database(empty_database_url: str) -> AsyncIterator[Database]:
    """Found at the last schema version without signatures, and migrated when it was opened."""
    before = Database(engines_of(async_url(empty_database_url), BUSY_SECONDS))
    async with before.writing() as connection:
        await migrate(connection, "0010")
    await before.close()
    opened = await Database.open(empty_database_url)
    assert opened.revision_found == "0010"
    yield opened
    await opened.close()
