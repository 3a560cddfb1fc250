"""Reads all the books once, as they stood at one moment, and says of each thing that must hold whether it does.

Unfinished rounds are no fault: a server may be running, or may have been killed. What a round has done so far must be
right all the same. A round that cannot be replayed is a fault until it is forfeited.
"""

from collections.abc import Callable

from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database
from casino.storage.schema import audit, journal, postings
from casino.verify.chains import check_chains
from casino.verify.credits import Credits
from casino.verify.findings import Findings
from casino.verify.incidents import Incidents
from casino.verify.ledger import Ledger
from casino.verify.payments import Payments
from casino.verify.rounds import Rounds
from casino.verify.snapshot import Snapshot, snapshot

Report = Callable[[int, int], None]
"""Told how many rows are done, and of how many."""


async def verify(database: Database, report: Report | None = None) -> Findings:
    async with snapshot(database) as books:
        return await verify_books(books, report)


async def verify_books(books: Snapshot, report: Report | None = None) -> Findings:
    try:
        return await _verify(books, report)
    except OperationalError as error:
        if "Could not decode" not in str(error):
            raise
        with books.any_text():
            return await _verify(books, report)


async def _verify(books: Snapshot, report: Report | None) -> Findings:
    findings = Findings()
    step = _Steps(await _rows(books.connection), report) if report else _no_step
    credits_ = Credits(findings.credits)
    payments = Payments(findings.payments)
    ledger = Ledger(findings, credits_, payments, step)
    await ledger.read(books)
    incidents = Incidents(findings.incidents)
    await incidents.read(books.connection)
    rounds = Rounds(findings, ledger, incidents, step)
    await rounds.read(books)
    ledger.close(rounds.held)
    incidents.close()
    await credits_.compare(books)
    await payments.compare(books)
    await check_chains(books, findings, step)
    return findings


async def _rows(connection: AsyncConnection) -> int:
    """The journal is read twice: table by table for its links, and round by round."""
    total = 0
    for table, times in ((postings, 1), (journal, 2), (audit, 1)):
        total += times * (await connection.execute(select(func.count()).select_from(table))).scalar_one()
    return total


class _Steps:
    def __init__(self, total: int, report: Report) -> None:
        self._done = 0
        self._total = total
        self._report = report

    def __call__(self, rows: int) -> None:
        self._done += rows
        self._report(self._done, self._total)


def _no_step(_: int) -> None:
    pass
