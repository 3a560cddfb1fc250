"""Progress bar of long commands: shown on a terminal, silent in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

Report = Callable[[int, int], None]
"""Receives the number of rows done, and of all rows."""


@contextmanager
def progress_bar(doing: str) -> Iterator[Report]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        # On one terminal, what a command prints goes above the bar; into a file or a pipe it must go unchanged.
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:
        task = bar.add_task(doing, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report
