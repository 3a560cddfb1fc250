"""`casino verify`: checks the books and prints one line per check."""

import gc
from pathlib import Path
from typing import Final

from casino.audit.anchors import Anchor, anchors_in
from casino.cli.context import Books, on_existing_database, stop
from casino.cli.operator import refusals_printed
from casino.cli.progress import progress_bar
from casino.finance.day_close import check_closed_days
from casino.storage.database import Database
from casino.storage.hash_chain import database_id
from casino.storage.secret_key import existing_secret_key
from casino.users.money_kinds import MoneyKinds
from casino.uth.rtp_cache import memoized_exact_return
from casino.verify.findings import Findings
from casino.verify.kinds_of_money import check_configured_kinds
from casino.verify.snapshot import snapshot
from casino.verify.verifier import Proofs, verify_books

EXIT_BROKEN: Final = 1
RUBBISH_MAX: Final = 100_000
"""Garbage collection threshold: rows form no reference cycles, and frequent collection costs a tenth of the time."""


def print_verification(books: Books, anchor_file: Path | None = None) -> int:
    """Returns the exit code: 0 if all checks pass."""
    with refusals_printed():
        keys = keys_of(books)

        async def work(database: Database, _may_write: bool) -> Findings:  # noqa: FBT001
            async with database.reading() as connection:
                id_ = await database_id(connection)
            anchors = _anchors(anchor_file, id_) if anchor_file else []
            async with snapshot(database) as rows:
                with progress_bar("Reading the books") as report:
                    findings = await verify_books(rows, report, Proofs(keys, anchors))
                if anchor_file and not anchors:  # a changed id of the database must not hide its anchors
                    findings.anchors.fault(f"{anchor_file} has none of this database, whose id is {id_}")
                check_configured_kinds(await MoneyKinds.stored(rows.connection), books.settings, findings.kinds)
                await check_closed_days(rows, findings.closed_days, memoized_exact_return())
                return findings

        gc.set_threshold(RUBBISH_MAX)
        findings = on_existing_database(books, work)
    print_findings(findings, has_key=bool(keys))
    return 0 if findings.is_ok else EXIT_BROKEN


def keys_of(books: Books) -> list[str]:
    """The key in force first, if it is known here; then earlier ones."""
    key = existing_secret_key(books.settings, books.url)
    earlier = [earlier.get_secret_value() for earlier in books.settings.previous_secret_keys]
    return [key, *earlier] if key is not None else []


def print_findings(findings: Findings, *, has_key: bool) -> None:
    for check in findings.checks:
        if check is findings.signatures and not has_key:
            print("hmac: not checked (no key)")
        else:
            print("\n".join(check.lines))
    for reason, rounds in findings.unchecked_rounds.items():
        print(f"fairness: {rounds:,} rounds of commitment version 1 not checked ({reason})")
    if findings.unchecked_decks:
        print(f"fairness: {findings.unchecked_decks:,} decks of poker hands not checked (no key, or an earlier one)")
    for reason, rows in findings.unchecked_rows.items():
        print(f"hmac: {rows:,} rows not checked ({reason})")


def _anchors(file: Path, database: str) -> list[Anchor]:
    try:
        return anchors_in(file, database)
    except OSError as error:
        stop(f"The anchors cannot be read: {file}: {error.strerror}", EXIT_BROKEN)
