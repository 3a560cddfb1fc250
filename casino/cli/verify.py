"""`casino verify`: the books read again, a line for each thing that must hold."""

import gc
from typing import Final

from casino.cli.configured import on_database
from casino.cli.progress import progress_bar
from casino.finance.closing import check_closed_days
from casino.returns import counted_return
from casino.storage.database import Database
from casino.verify.findings import Findings
from casino.verify.snapshot import snapshot
from casino.verify.verifier import verify_books

EXIT_BROKEN: Final = 1
RUBBISH_MAX: Final = 100_000
"""Millions of rows come and go without referring to each other in circles; looking for circles costs a tenth."""


def print_verification(url: str) -> int:
    """The exit code: 0 if everything holds."""

    async def work(database: Database) -> Findings:
        async with snapshot(database) as books:
            with progress_bar("Reading the books") as report:
                findings = await verify_books(books, report)
            await check_closed_days(books, findings.closed_days, counted_return())
            return findings

    gc.set_threshold(RUBBISH_MAX)
    findings = on_database(url, work)
    for check in findings.checks:
        print("\n".join(check.lines))
    return 0 if findings.is_ok else EXIT_BROKEN
