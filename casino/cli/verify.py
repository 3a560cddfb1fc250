"""`casino verify`: the books read again, a line for each thing that must hold."""

import gc
from typing import Final

from casino.cli.configured import on_database
from casino.cli.progress import progress_bar
from casino.storage.database import Database
from casino.verify.findings import Findings
from casino.verify.verifier import verify

EXIT_BROKEN: Final = 1
RUBBISH_MAX: Final = 100_000
"""Millions of rows come and go without referring to each other in circles; looking for circles costs a tenth."""


def print_verification(url: str) -> int:
    """The exit code: 0 if everything holds."""

    async def work(database: Database) -> Findings:
        with progress_bar("Reading the books") as report:
            return await verify(database, report)

    gc.set_threshold(RUBBISH_MAX)
    findings = on_database(url, work)
    for check in findings.checks:
        print("\n".join(check.lines))
    return 0 if findings.is_ok else EXIT_BROKEN
