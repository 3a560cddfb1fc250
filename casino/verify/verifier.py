"""Verifier: reads one snapshot of all books and reports for each invariant whether it holds.

Unfinished rounds are no fault: a server may be running, or may have been killed. What they have stored so far must
still be correct. A round that cannot be replayed is a fault until it is forfeited.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit.anchors import Anchor
from casino.ledger.receivables import KINDS
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hands
from casino.storage.schema import audit, journal, postings
from casino.storage.tournament_schema import tournament_journal
from casino.users.money_kinds import MoneyKinds
from casino.verify.chains import check_chains
from casino.verify.credits import Credits
from casino.verify.findings import Findings
from casino.verify.incidents import Incidents
from casino.verify.kinds_of_money import check_kinds_of_money
from casino.verify.ledger import Ledger
from casino.verify.payments import Payments
from casino.verify.people import check_people
from casino.verify.poker import Poker
from casino.verify.poker_reports import check_poker_reports
from casino.verify.rounds import Rounds
from casino.verify.second_person import check_second_person
from casino.verify.signatures import Anchored, Signatures
from casino.verify.snapshot import Snapshot, snapshot
from casino.verify.tournaments import Tournaments

Report = Callable[[int, int], None]
"""Called with the number of processed rows, and of all rows."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """Evidence from outside the database: the key in force, earlier keys, and anchors."""

    keys: Sequence[str] = ()
    anchors: Sequence[Anchor] = ()


NO_PROOFS: Final = Proofs()


async def verify(database: Database, report: Report | None = None, proofs: Proofs = NO_PROOFS) -> Findings:
    async with snapshot(database) as books:
        return await verify_books(books, report, proofs)


async def verify_books(books: Snapshot, report: Report | None = None, proofs: Proofs = NO_PROOFS) -> Findings:
    try:
        return await _verify(books, report, proofs)
    except OperationalError as error:
        if "Could not decode" not in str(error):
            raise
        with books.any_text():
            return await _verify(books, report, proofs)


async def _verify(books: Snapshot, report: Report | None, proofs: Proofs) -> Findings:
    findings = Findings()
    step = _Steps(await _rows(books.connection), report) if report else _no_step
    credits_ = Credits(findings.credits)
    payments = Payments(findings.payments)
    receivables = Credits(findings.receivables, tuple(KINDS))
    tournaments = Tournaments(findings, step, proofs.keys)
    poker = Poker(findings, step, proofs.keys, tournaments)
    ledger = Ledger(findings, (credits_, receivables, payments, poker, tournaments), step)
    await ledger.read(books)
    check_kinds_of_money(await MoneyKinds.stored(books.connection), findings.kinds)
    incidents = Incidents(findings.incidents)
    await incidents.read(books.connection)
    rounds = Rounds(findings, ledger, incidents, step, proofs.keys)
    await rounds.read(books)
    ledger.close(rounds.held)
    incidents.close()
    await check_people(books, findings.people)
    await check_second_person(books.connection, findings.second_person)
    await credits_.compare(books)
    await receivables.compare(books)
    await payments.compare(books)
    await poker.compare(books, ledger.accounts)
    await check_poker_reports(books.connection, findings.poker_reports)
    await tournaments.compare(books, ledger.accounts)
    signatures = await Signatures.of(books.connection, findings.signatures, proofs.keys)
    anchored = Anchored(findings.anchors, proofs.anchors, signatures.signers)
    await check_chains(books, findings, step, signatures, anchored)
    findings.unchecked_rows.update(signatures.unchecked)
    return findings


async def _rows(connection: AsyncConnection) -> int:
    """Counts journals and poker hands twice: they are read by table for their links, and by round."""
    total = 0
    for table, times in ((postings, 1), (journal, 2), (audit, 1), (poker_hands, 2), (tournament_journal, 2)):
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
