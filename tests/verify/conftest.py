"""The full house, built once for each database; the tests change it and undo what they changed."""

import asyncio
from pathlib import Path

import pytest

from casino.storage.database import Database
from tests.databases import PostgresServer, sqlite_url
from tests.verify import full_house


async def _build(url: str) -> None:
    database = await Database.open(url)
    await full_house.build(database)
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
