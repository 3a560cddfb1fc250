"""`casino export` and `casino close`: exports and the day close.

Exit code 2 means wrong input, 1 a refusal or failure. Both print one line to standard error.
"""

import gc
import json
import signal
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from casino.cli.context import EXIT_CANNOT_BE_DONE, Books, on_existing_database, stop
from casino.cli.operator import operator, refusals_printed, say
from casino.cli.progress import progress_bar
from casino.cli.verify import RUBBISH_MAX
from casino.clock import wall_clock
from casino.finance.close_calendar import calendar
from casino.finance.day_close import DIFFERENCES_MAX, Closed, UnreconciledError, close_day, open_rounds
from casino.finance.export import Manifest, Order
from casino.finance.export_files import export, write_whole
from casino.finance.export_types import ExportKind, Format, RoundFormat
from casino.finance.period import parse_day, period_of, time_text
from casino.finance.round_file import signed_round_file, unsigned_round_file
from casino.finance.round_file_html import round_page
from casino.finance.round_file_types import RoundFile, UnsignedRoundFile
from casino.live_table.shoe import Seal
from casino.settings import TableSettings
from casino.storage.database import Database
from casino.storage.secret_key import existing_secret_key
from casino.users.roles import Actor
from casino.uth.rtp_cache import memoized_exact_return

UNFINISHED_MAX: Final = 20
_KEY_NEEDED: Final = "the secret key of the service (CASINO_SECRET_KEY or its key file)"


def write_export(
    books: Books,
    tables: Sequence[TableSettings],
    what: ExportKind,
    format_: Format,
    days: tuple[str, str],
    limits: tuple[str | None, str | None],
    out: Path,
) -> None:
    """`limits` are a table, and `real` or a currency; None: all."""
    table, money = limits

    async def work(database: Database, is_recorded: bool) -> tuple[Manifest, bool]:  # noqa: FBT001
        period, now_ms = await period_of(database, *days, table, [one.id for one in tables], money=money), wall_clock()
        with progress_bar(f"Writing {out.name}") as progress:
            manifest = await export(
                database,
                Order(what, format_, period),
                out,
                by=_recorder(is_recorded=is_recorded),
                at_ms=now_ms,
                return_of=memoized_exact_return(),
                progress=progress,
            )
        return manifest, period.until_ms <= now_ms

    gc.set_threshold(RUBBISH_MAX)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # then what is unfinished is removed
    with refusals_printed():
        for day, called in zip(days, ("from", "to"), strict=True):
            parse_day(day, called)  # what is wrong at first sight creates no database
        manifest, is_over = on_existing_database(books, work)
    say(f"Wrote {out}: {manifest.rows:,} rows, SHA-256 {manifest.sha256}")
    if not is_over:
        print(f"{days[1]} is not over: the same export may have more rows later.", file=sys.stderr)


def close(books: Books, written: str, by: str | None = None) -> int:
    """The exit code: 0 if the day is closed, now or before."""

    async def work(database: Database, may_write: bool) -> tuple[Closed, bool, list[str], list[date]]:  # noqa: FBT001
        if not may_write:
            stop(f"A day can only be closed with {_KEY_NEEDED}.", EXIT_CANNOT_BE_DONE)
        closed, is_new = await close_day(
            database, day, by=person, now_ms=wall_clock(), return_of=memoized_exact_return()
        )
        async with database.reading() as connection:
            earlier = [one for one in (await calendar(connection, wall_clock())).open if one < day]
            return closed, is_new, await open_rounds(connection, day), earlier

    gc.set_threshold(RUBBISH_MAX)
    with refusals_printed():
        day, person = parse_day(written, "day"), operator(by)
        try:
            closed, is_new, unfinished, earlier = on_existing_database(books, work)
        except UnreconciledError as error:
            print(f"{error}:", *error.found[:DIFFERENCES_MAX], sep="\n", file=sys.stderr)
            if len(error.found) > DIFFERENCES_MAX:
                print(f"and {len(error.found) - DIFFERENCES_MAX:,} more", file=sys.stderr)
            return EXIT_CANNOT_BE_DONE
    if not is_new:
        say(f"{day} was closed before, at {time_text(closed.at_ms)} by {closed.by}. Nothing was written again.")
    say(f"{day} is closed, in audit row {closed.audit_id}:")
    for what, summary in closed.exports.items():
        say(f"  {what}: {summary['rows']:,} rows, SHA-256 {summary['sha256']}")
    for currency, totals in closed.exports[ExportKind.SUMMARY]["totals"].items():
        say(f"  {currency}: staked {totals['staked']}, returned {totals['returned']}, house {totals['house_result']}")
    if not closed.exports[ExportKind.LEDGER]["rows"]:
        say("  No money moved on that day.")
    for round_id in unfinished[:UNFINISHED_MAX]:
        say(f"  Round {round_id} has not ended: what it settles belongs to the day it ends.")
    if len(unfinished) > UNFINISHED_MAX:
        say(f"  and {len(unfinished) - UNFINISHED_MAX:,} more")
    if earlier:
        print(f"{len(earlier)} earlier days are open: days close in order. Close {earlier[0]} next.", file=sys.stderr)
    return 0


def write_round(books: Books, round_id: str, format_: RoundFormat, out: Path) -> None:
    async def work(database: Database, is_recorded: bool) -> RoundFile | UnsignedRoundFile:  # noqa: FBT001
        key = existing_secret_key(books.settings, books.url)
        unseal = Seal(key).open_shoe if key is not None else _sealed
        by = _recorder(is_recorded=is_recorded)
        if by is None:
            return await unsigned_round_file(database, round_id, unseal, at_ms=wall_clock())
        return await signed_round_file(database, round_id, unseal, by=by, at_ms=wall_clock())

    with refusals_printed():
        file = on_existing_database(books, work)
        text = round_page(file) if format_ is RoundFormat.HTML else json.dumps(file, indent=1) + "\n"
        write_whole(out, text)
    signature = file["signature"]
    row = signature["audit_row"]
    say(f"Wrote {out}: SHA-256 {signature['sha256']}" + (f", in audit row {row}" if row else ""))


def _recorder(*, is_recorded: bool) -> Actor | None:
    """The actor to record, or None with a warning: books that are signed are added to with their key only."""
    if is_recorded:
        return operator()
    print(f"This is not recorded in the audit log: that needs {_KEY_NEEDED}.", file=sys.stderr)
    return None


def _sealed(_shoe: str) -> None:
    """Without the key no shoe can be opened."""
