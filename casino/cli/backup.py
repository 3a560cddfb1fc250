"""`casino backup` and `casino restore`: verified copies of the books of a running service."""

import asyncio
import sys
from pathlib import Path
from typing import NoReturn

from sqlalchemy.exc import SQLAlchemyError

from casino.backup.create import back_up, check_backup
from casino.backup.manifest import Manifest, UnusableBackupError, manifest_file
from casino.backup.restore import restore
from casino.cli.context import EXIT_CANNOT_BE_DONE, Books, on_existing_database, stop
from casino.cli.operator import refusals_printed, say
from casino.cli.verify import EXIT_BROKEN, keys_of, print_findings
from casino.clock import wall_clock
from casino.storage.database import Database
from casino.uth.rtp_cache import memoized_exact_return
from casino.verify.findings import Findings


def write_backup(books: Books, out: Path) -> int:
    """Returns the exit code: 0 if the copy was made and its books are in order."""
    with refusals_printed():
        keys = keys_of(books)

        async def work(database: Database, _may_write: bool) -> tuple[Manifest, Findings]:  # noqa: FBT001
            try:
                return await back_up(database, out, keys, at_ms=wall_clock(), return_of=memoized_exact_return())
            except UnusableBackupError as error:
                _fail(f"No backup was made: {error}.")

        manifest, findings = on_existing_database(books, work)
    _print_findings(findings, keys)
    say(f"Wrote {out}: {manifest.bytes:,} bytes, SHA-256 {manifest.sha256}, and {manifest_file(out).name}")
    if not findings.is_ok:
        print("The books are broken, and so they are in this backup: see the lines above.", file=sys.stderr)
    return 0 if findings.is_ok else EXIT_BROKEN


def restore_backup(books: Books, file: Path, *, only_check: bool) -> int:
    """Returns the exit code: 0 if the backup is complete and, unless it is only checked, restored."""
    with refusals_printed():
        keys = keys_of(books)
    try:
        manifest, findings = asyncio.run(check_backup(file, keys, return_of=memoized_exact_return()))
        _print_findings(findings, keys)
        if not findings.is_ok:
            _fail(f"{file} is whole, but its books are broken: see the lines above.")
        say(f"{file} is whole: {sum(manifest.rows.values()):,} rows, its books are in order.")
        if only_check:
            return 0
        asyncio.run(restore(file, books.url, manifest.rows))
    except UnusableBackupError as error:
        _fail(f"The backup cannot be used: {error}.")
    except (SQLAlchemyError, OSError, ValueError) as error:
        _fail(f"The database cannot be restored: {getattr(error, 'orig', None) or error}")
    say("Restored. Compare it with the payment provider (docs/backup.md), then: casino serve --accept-restored")
    return 0


def _print_findings(findings: Findings, keys: list[str]) -> None:
    print_findings(findings, has_key=bool(keys))


def _fail(message: str) -> NoReturn:
    stop(message, EXIT_CANNOT_BE_DONE)
