"""Verification of many random rounds: no findings, and its duration."""

import time

import pytest

from casino.storage.database import Database
from casino.verify.verifier import verify
from tests.deep import count
from tests.verify.many_rounds import play_rounds

POSTINGS = count("CASINO_TEST_POSTINGS", usual=2_000, deep=5_000)
"""A million takes minutes to make, and at most half a minute to verify."""

SEATS = 50
POSTINGS_IN_A_ROUND = 168
SECONDS_PER_MILLION_MAX = 30
ENOUGH_TO_MEASURE = 500_000


async def test_many_rounds_are_in_order_and_verified_quickly(database: Database) -> None:
    await play_rounds(database, -(-POSTINGS // POSTINGS_IN_A_ROUND), SEATS)
    reports: list[tuple[int, int]] = []
    started = time.perf_counter()
    findings = await verify(database, lambda done, total: reports.append((done, total)))
    seconds = time.perf_counter() - started
    assert findings.is_ok, [check.faults for check in findings.checks]
    assert findings.postings.counted > 0.9 * POSTINGS
    assert reports[-1][0] == reports[-1][1]
    if POSTINGS >= ENOUGH_TO_MEASURE:
        assert seconds < SECONDS_PER_MILLION_MAX * findings.postings.counted / 1e6


@pytest.mark.parametrize("seats", [1, 7])
async def test_rounds_of_any_size_are_in_order(database: Database, seats: int) -> None:
    await play_rounds(database, 20, seats, seed=seats)
    assert (await verify(database)).is_ok
