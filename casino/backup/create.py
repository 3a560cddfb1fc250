"""Creates a backup of a running service, and checks it with everything `casino verify` checks."""

import os
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from casino.audit.anchors import anchors_in
from casino.backup.manifest import (
    FORMAT,
    Manifest,
    UnusableBackupError,
    counts,
    heads,
    manifest_file,
    measured,
    read_manifest,
)
from casino.backup.snapshot_copy import copy_books
from casino.finance.day_close import check_closed_days
from casino.finance.expected_result import ReturnOf
from casino.storage.database import Database
from casino.storage.hash_chain import Signer, database_id
from casino.verify.findings import Findings
from casino.verify.snapshot import snapshot
from casino.verify.verifier import Proofs, verify_books

CHECKED: Final = "checked"
NOT_CHECKED: Final = "not checked (no key)"


async def back_up(
    database: Database, out: Path, keys: Sequence[str], *, at_ms: int, return_of: ReturnOf
) -> tuple[Manifest, Findings]:
    """`FILE` and `FILE.manifest.json`, which appear whole. Books that are broken are backed up, too, and marked so.

    Raises UnusableBackupError if there is such a file already or none can be made.
    """
    for taken in (out, manifest_file(out)):
        if taken.exists():
            raise UnusableBackupError(f"{taken} is there already, and a backup overwrites nothing")
    try:
        with _unfinished(out) as folder:
            copy = Path(folder) / out.name
            await copy_books(database, copy)
            manifest, findings = await _described(copy, database, keys, at_ms, return_of)
            manifest.write(manifest_file(copy))
            os.link(manifest_file(copy), manifest_file(out))
            os.link(copy, out)
    except (OSError, sqlite3.Error) as error:
        raise UnusableBackupError(f"{out} cannot be written: {getattr(error, 'strerror', None) or error}") from error
    return manifest, findings


async def check_backup(file: Path, keys: Sequence[str], *, return_of: ReturnOf) -> tuple[Manifest, Findings]:
    """Raises UnusableBackupError if the file is not what its manifest says."""
    manifest = read_manifest(file)
    backup = await Database.open_existing(_url(file))
    try:
        async with backup.reading() as connection:
            if await counts(connection) != manifest.rows:
                raise UnusableBackupError(f"{file} does not hold the rows its manifest lists")
        return manifest, await _verified(backup, keys, return_of, manifest_file(file))
    finally:
        await backup.close()


async def _described(
    copy: Path, database: Database, keys: Sequence[str], at_ms: int, return_of: ReturnOf
) -> tuple[Manifest, Findings]:
    backup = await Database.open_existing(_url(copy))
    try:
        if keys:
            async with backup.reading() as connection:
                backup.sign_with(Signer(keys[0], await database_id(connection)))
        async with backup.reading() as connection:
            rows, anchor = await counts(connection), await heads(connection, at_ms)
        findings = await _verified(backup, keys, return_of)
    finally:
        await backup.close()
    size, digest = measured(copy)
    source = "sqlite" if database.is_sqlite else "postgresql"
    hmac = CHECKED if keys else NOT_CHECKED
    return Manifest(FORMAT, source, at_ms, size, digest, rows, anchor, findings.is_ok, hmac), findings


async def _verified(
    backup: Database, keys: Sequence[str], return_of: ReturnOf, anchor_file: Path | None = None
) -> Findings:
    async with backup.reading() as connection:
        id_ = await database_id(connection)
    anchors = anchors_in(anchor_file, id_) if anchor_file else []
    async with snapshot(backup) as books:
        findings = await verify_books(books, None, Proofs(keys, anchors))
        await check_closed_days(books, findings.closed_days, return_of)
    return findings


def _unfinished(out: Path) -> "tempfile.TemporaryDirectory[str]":
    """A folder on the disk the backup is for."""
    return tempfile.TemporaryDirectory(dir=out.resolve().parent, prefix=".unfinished-")


def _url(file: Path) -> str:
    return f"sqlite:///{file.resolve()}"
