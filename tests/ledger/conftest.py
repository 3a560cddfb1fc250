"""Fixtures of the ledger tests: a ledger on each database."""

import pytest

from casino.storage.database import Database
from tests.ledger.purses import Ledger


@pytest.fixture
async def ledger(database: Database) -> Ledger:
    return await Ledger.open(database)
