"""Fixtures of the finance tests: a small month, built once for each database. A test undoes its changes."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from casino.finance.export_types import ExportKind, Format
from casino.storage.database import Database
from tests.databases import PostgresServer, sqlite_url
from tests.finance.month import build_month
from tests.finance.readers import MONTH, WITHOUT_POKER, Row, exported


async def _build(url: str) -> None:
    database = await Database.open(url)
    await build_month(database)
    await database.close()


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def month_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "sqlite":
        url = sqlite_url(Path(tmp_path_factory.mktemp("month")))
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh_database()
    asyncio.run(_build(url))
    return url


@pytest.fixture(scope="session")
def exported_rows(month_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[ExportKind, list[Row]]:
    """The exports of the whole month, read back from CSV."""

    async def read() -> dict[ExportKind, list[Row]]:
        database = await Database.open(month_url)
        folder = tmp_path_factory.mktemp("rows")
        found = {what: (await exported(database, folder, what, Format.CSV, MONTH)).rows for what in WITHOUT_POKER}
        await database.close()
        return found

    return asyncio.run(read())


@pytest.fixture
async def month(month_url: str) -> AsyncIterator[Database]:
    database = await Database.open(month_url)
    yield database
    await database.close()
