"""`casino verify`: the books read again, a line for each thing that must hold."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from casino.cli.configured import on_database
from casino.storage.database import Database
from casino.verify.findings import Findings
from casino.verify.verifier import Report, verify

EXIT_BROKEN: Final = 1
RUBBISH_MAX: Final = 100_000
"""Millions of rows come and go without referring to each other in circles; looking for circles costs a tenth."""


def print_verification(url: str) -> int:
    """The exit code: 0 if everything holds."""

    async def work(database: Database) -> Findings:
        with _progress_bar() as report:
            return await verify(database, report)

    gc.set_threshold(RUBBISH_MAX)
    findings = on_database(url, work)
    for check in findings.checks:
        print("\n".join(check.lines))
    return 0 if findings.is_ok else EXIT_BROKEN


@contextmanager
def _progress_bar() -> Iterator[Report]:
    """A bar on the terminal, nothing in a pipe."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading the books", total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report
