"""Unfinished rounds of a running or killed server are no fault; an unreadable round is one."""

import asyncio

import pytest

from casino.live_table.recovery import recover
from casino.storage.database import Database
from casino.uth.commands import CancelRound, ReportProblem
from casino.uth.phases import Phase
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.live_table.test_recovery import make_unreadable
from tests.uth.tabletop import NOON_MS
from tests.verify.full_books import OPEN_PHASES, leave_open
from tests.verify.many_rounds import play_rounds
from tests.verify.tampering import names


async def test_empty_books_are_in_order(database: Database) -> None:
    findings = await verify(database)
    assert findings.is_ok
    assert all(check.counted == 0 for check in findings.checks)


@pytest.mark.req("RND-3")
@pytest.mark.parametrize("phase", OPEN_PHASES)
async def test_round_left_in_any_phase_is_no_fault_before_and_after_recovery(database: Database, phase: Phase) -> None:
    await fill_purses(database)
    await leave_open(database, phase, "uth-1")
    findings = await verify(database)
    assert findings.is_ok, [check.faults for check in findings.checks]
    assert findings.unfinished.counted == 1
    await recover(database, {"uth-1": 300_000}, NOON_MS + 60_000)
    assert (await verify(database)).is_ok
    await recover(database, {}, NOON_MS + 86_400_000)
    findings = await verify(database)
    assert findings.is_ok
    assert findings.unfinished.counted == 0


async def test_paused_and_cancelled_rounds_are_in_order(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_RIVER)
    await table.do(ReportProblem("card dropped", "pia"))
    assert (await verify(database)).is_ok
    await table.do(CancelRound("card lost", "mia"))
    findings = await verify(database)
    assert findings.is_ok
    assert findings.incidents.counted == 2


async def test_open_bets_are_no_fault(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    for ante in (500, 700, 0, 900):
        await table.do(table.bet("ann", ante), table.bet("gus", 200))
        assert (await verify(database)).is_ok


async def test_unreadable_round_is_a_fault(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_FLOP)
    await make_unreadable(database)
    assert names(await verify(database), "round r1: it cannot be replayed")


async def test_books_are_read_as_of_one_moment_while_rounds_are_played(database: Database) -> None:
    """Without a snapshot the postings of one moment would meet the balances of another."""
    await play_rounds(database, 3, 4)
    playing = asyncio.create_task(_play_on(database))
    found = []
    while not playing.done():
        found.append(await verify(database))
    await playing
    assert all(findings.is_ok for findings in found), [check.faults for check in found[-1].checks]
    assert len({findings.journal.counted for findings in found}) > 1


async def _play_on(database: Database) -> None:
    for number in range(3, 15):
        await play_rounds(database, 1, 4, first=number)
        await asyncio.sleep(0)
