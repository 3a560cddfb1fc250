"""What every test may ask for: a running service, and each database the house can stand on."""

from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from casino.storage.database import Database
from tests.databases import PostgresServer, postgres_server, sqlite_url
from tests.lock_order import lock_order
from tests.service import Service, running_service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """One service, shared by the tests that only read from it."""
    with running_service() as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database; every test that asks for it runs on both."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent_database() as url:
        yield url


WATCHED = {"api", "cashier", "chaos", "chat", "people", "practice", "table"}
"""Folders of tests that do with a database what the house does. Elsewhere a test may put a month into a transaction."""


@pytest.fixture
async def database(database_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    """Whatever the house does with it on PostgreSQL takes its locks in the one order that all keep."""
    opened = await Database.open(database_url)
    is_watched = not opened.is_sqlite and WATCHED & set(request.path.parts)
    with lock_order(opened) if is_watched else nullcontext() as order:
        yield opened
    await opened.close()
    assert order is None or order.broken == []
