"""A ledger on each database."""

from collections.abc import AsyncIterator

import pytest

from casino.storage.database import Database
from tests.ledger.houses import Ledger


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """Here the book is tried by itself, in any order: the order of locks is kept by those who use it."""
    opened = await Database.open(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def ledger(database: Database) -> Ledger:
    return await Ledger.open(database)
