"""`casino export` and `casino close`: finance from the shell of the machine.

Wrong input ends with exit code 2, what cannot be done with 1, each with a line on the error output.
"""

import gc
import json
import signal
import sys
from pathlib import Path
from typing import Any, Final

from casino.cli.configured import on_database
from casino.cli.operator import EXIT_CANNOT_BE_DONE, operator, refusals_told, say
from casino.cli.progress import progress_bar
from casino.cli.verify import RUBBISH_MAX
from casino.clock import wall_clock
from casino.finance.asking import Format, RoundFormat, What
from casino.finance.closing import DIFFERENCES_MAX, Closed, UnreconciledError, close_day, going_on
from casino.finance.export import Manifest, Order
from casino.finance.exporting import export, write_whole
from casino.finance.period import parse_day, period_of, time_text
from casino.finance.round_file import signed_round_file
from casino.finance.round_page import round_page
from casino.returns import counted_return
from casino.secret import secret_key
from casino.settings import HouseSettings, Settings
from casino.storage.database import Database
from casino.table.shoe import Seal

UNFINISHED_MAX: Final = 20


def write_export(
    url: str, settings: Settings, what: What, format_: Format, days: tuple[str, str], table: str | None, out: Path
) -> None:
    async def work(database: Database) -> tuple[Manifest, bool]:
        period, now_ms = await period_of(database, *days, table, [known.id for known in settings.tables]), wall_clock()
        with progress_bar(f"Writing {out.name}") as progress:
            manifest = await export(
                database,
                Order(what, format_, period),
                out,
                by=operator(),
                at_ms=now_ms,
                return_of=counted_return(),
                progress=progress,
            )
        return manifest, period.until_ms <= now_ms

    gc.set_threshold(RUBBISH_MAX)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # then what is unfinished is removed
    with refusals_told():
        for day, called in zip(days, ("from", "to"), strict=True):
            parse_day(day, called)  # what is wrong at first sight creates no database
        manifest, is_over = on_database(url, work)
    say(f"Wrote {out}: {manifest.rows:,} rows, SHA-256 {manifest.sha256}")
    if not is_over:
        print(f"{days[1]} is not over: the same export may have more rows later.", file=sys.stderr)


def close(url: str, written: str) -> int:
    """The exit code: 0 if the day is closed, now or before."""

    async def work(database: Database) -> tuple[Closed, bool, list[str]]:
        closed, is_new = await close_day(database, day, by=operator(), now_ms=wall_clock(), return_of=counted_return())
        async with database.reading() as connection:
            return closed, is_new, await going_on(connection, day)

    gc.set_threshold(RUBBISH_MAX)
    with refusals_told():
        day = parse_day(written, "day")
        try:
            closed, is_new, unfinished = on_database(url, work)
        except UnreconciledError as error:
            print(f"{error}:", *error.found[:DIFFERENCES_MAX], sep="\n", file=sys.stderr)
            if len(error.found) > DIFFERENCES_MAX:
                print(f"and {len(error.found) - DIFFERENCES_MAX:,} more", file=sys.stderr)
            return EXIT_CANNOT_BE_DONE
    if not is_new:
        say(f"{day} was closed before, at {time_text(closed.at_ms)} by {closed.by}. Nothing was written again.")
    say(f"{day} is closed, in audit row {closed.audit_id}:")
    for what, told in closed.exports.items():
        say(f"  {what}: {told['rows']:,} rows, SHA-256 {told['sha256']}")
    for currency, totals in closed.exports[What.SUMMARY]["totals"].items():
        say(f"  {currency}: staked {totals['staked']}, returned {totals['returned']}, house {totals['house_result']}")
    if not closed.exports[What.LEDGER]["rows"]:
        say("  No money moved on that day.")
    for round_id in unfinished[:UNFINISHED_MAX]:
        say(f"  Round {round_id} has not ended: what it settles belongs to the day it ends.")
    if len(unfinished) > UNFINISHED_MAX:
        say(f"  and {len(unfinished) - UNFINISHED_MAX:,} more")
    return 0


def write_round(url: str, house: HouseSettings, round_id: str, format_: RoundFormat, out: Path) -> None:
    async def work(database: Database) -> dict[str, Any]:
        seal = Seal(secret_key(house, url))
        return await signed_round_file(database, round_id, seal.open, by=operator(), at_ms=wall_clock())

    with refusals_told():
        file = on_database(url, work)
        text = round_page(file) if format_ is RoundFormat.HTML else json.dumps(file, indent=1) + "\n"
        write_whole(out, text)
    signature = file["signature"]
    say(f"Wrote {out}: SHA-256 {signature['sha256']}, in audit row {signature['audit_row']}")
