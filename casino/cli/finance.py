"""`casino export`: the three exports, from the shell of the machine.

Wrong input ends with exit code 2, what cannot be done with 1, each with a line on the error output.
"""

import gc
from collections.abc import Callable
from functools import cache
from pathlib import Path

from casino.cli.configured import on_database
from casino.cli.operator import operator, refusals_told, say
from casino.cli.progress import progress_bar
from casino.cli.verify import RUBBISH_MAX
from casino.clock import wall_clock
from casino.finance.asking import Format, What
from casino.finance.export import Manifest, Order
from casino.finance.exporting import export
from casino.finance.period import parse_day, period_of
from casino.returns import cache_folder, exact_return
from casino.settings import Settings
from casino.storage.database import Database
from casino.uth.analysis import Analysis
from casino.uth.paytable import Paytable


def write_export(
    url: str, settings: Settings, what: What, format_: Format, days: tuple[str, str], table: str | None, out: Path
) -> None:
    async def work(database: Database) -> Manifest:
        period = await period_of(database, *days, table, [known.id for known in settings.tables])
        with progress_bar(f"Writing {out.name}") as progress:
            return await export(
                database,
                Order(what, format_, period),
                out,
                by=operator(),
                at_ms=wall_clock(),
                return_of=counted_return(),
                progress=progress,
            )

    gc.set_threshold(RUBBISH_MAX)
    with refusals_told():
        for day, called in zip(days, ("from", "to"), strict=True):
            parse_day(day, called)  # what is wrong at first sight creates no database
        manifest = on_database(url, work)
    say(f"Wrote {out}: {manifest.rows:,} rows, SHA-256 {manifest.sha256}")


def counted_return() -> Callable[[Paytable], Analysis]:
    """Each paytable is counted once, or read from where it is kept."""
    return cache(lambda paytable: exact_return(paytable, cache_folder()))
