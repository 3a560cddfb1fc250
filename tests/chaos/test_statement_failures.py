"""Statement failures: a step with a failed statement has no effect, and can be repeated."""

import asyncio

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from casino.live_table.recovery import recover
from casino.storage.database import Database
from casino.storage.hash_chain import ForkedChainError
from tests.chaos.books import check_books, check_verified, contents
from tests.chaos.script import TABLE_ID, Step, opened
from tests.chaos.traps import MESSAGE, Snap, Trap, commit_trap, statement_trap
from tests.live_table.stored_rounds import BookedTable, fill_purses

FAILURES = (OperationalError, asyncio.CancelledError)


async def fail_at_every_statement(step: Step, trap: Trap, database: Database) -> int:
    """The answer is how many statements the step has; at the end it has been done, once."""
    before = await contents(database)
    for number in range(1, 1000):
        trap.set(number)
        try:
            await asyncio.create_task(step())
        except FAILURES:
            assert trap.snapped
        if not trap.snapped:
            trap.set(0)
            return number - 1
        assert await contents(database) == before, "something was half done"
    raise AssertionError("the step never ends")


@pytest.mark.req("LED-6")
@pytest.mark.parametrize("snap", [Snap.BEFORE, Snap.AFTER, Snap.CANCEL])
async def test_any_failing_statement_undoes_its_step_and_no_more(database: Database, snap: Snap) -> None:
    await fill_purses(database)
    script = await opened(database)
    statements = 0
    with statement_trap(database, snap) as trap:
        async for step in script.steps():
            statements += await fail_at_every_statement(step, trap, database)
            await check_books(database)
    await check_verified(database)
    assert statements > 100


@pytest.mark.req("LED-6")
async def test_failing_commit_undoes_its_step_and_no_more(database: Database) -> None:
    await fill_purses(database)
    script = await opened(database)
    with commit_trap(database, Snap.BEFORE) as trap:
        async for step in script.steps():
            before = await contents(database)
            trap.set(1)
            with pytest.raises(DBAPIError, match=MESSAGE):
                await step()
            assert await contents(database) == before
            await step()
            await check_books(database)


@pytest.mark.req("LED-5")
async def test_commit_whose_answer_is_lost_counts_once(database: Database) -> None:
    """The books show that it was stored, so the sender gets that reply."""
    await fill_purses(database)
    script = await opened(database)
    with commit_trap(database, Snap.AFTER) as trap:
        async for step in script.steps():
            trap.set(1)
            await step()
            assert trap.snapped
            await check_books(database)


@pytest.mark.req("RND-1")
@pytest.mark.req("LED-5")
async def test_in_doubt_commit_is_resolved_before_the_next_commit(database: Database) -> None:
    """Stored or not: the next step says that the journal has moved on, and the table recovers as after a crash."""
    await fill_purses(database)
    table = await BookedTable.open(database)
    with commit_trap(database, Snap.AFTER) as commit, statement_trap(database, Snap.BEFORE) as statement:
        commit.set(1)
        commit.then = lambda: statement.set(1)
        with pytest.raises(DBAPIError, match=MESSAGE):
            await table.do(table.bet("ann", 500), table.bet("gus", 300))
        assert commit.snapped
        assert statement.snapped
    after = await contents(database)
    with pytest.raises(ForkedChainError):
        await table.do(table.bet("bob", 500))
    assert await contents(database) == after
    recovered = await recover(database, {TABLE_ID: 300_000}, table.now_ms + 1_000)
    assert recovered.outcomes == {"r1": "idle"}
    await check_books(database)
