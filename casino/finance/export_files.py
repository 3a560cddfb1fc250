"""Runs an export from request to file: writes it, records it in the audit log, then moves it to its place.

The requested name therefore never holds a partial file, or one that the audit log does not know.
"""

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.finance.expected_result import ReturnOf
from casino.finance.export import Manifest, Order, Progress, write_export
from casino.storage.database import Database
from casino.users.roles import Actor
from casino.verify.snapshot import snapshot


def manifest_path(out: Path) -> Path:
    return out.with_name(f"{out.name}.manifest.json")


async def export(
    database: Database,
    order: Order,
    out: Path,
    *,
    by: Actor | None,
    at_ms: int,
    return_of: ReturnOf,
    progress: Progress | None = None,
) -> Manifest:
    """Writes `FILE` and `FILE.manifest.json`. Without an actor there is no audit entry."""
    with _temporary_file(out) as unfinished:
        async with snapshot(database) as books:
            manifest = await write_export(books, order, unfinished, return_of, progress)
        manifest_file = manifest_path(unfinished)
        manifest_file.write_text(f"{manifest}", encoding="utf-8")
        if by is not None:
            await note_export(database, manifest, by, at_ms)
        manifest_path(out).unlink(missing_ok=True)  # it would describe a file that no longer exists
        _put(unfinished, out)
        manifest_file.replace(manifest_path(out))
    return manifest


def write_whole(out: Path, text: str) -> None:
    """Writes a small file atomically."""
    with _temporary_file(out) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
        _put(unfinished, out)


async def note_export(database: Database, manifest: Manifest, by: Actor, at_ms: int) -> None:
    order = manifest.order
    after = {"format": order.format, "rows": manifest.rows, "sha256": manifest.sha256}
    entry = audit_log.Entry(by.name, by.role, "export", f"{order.what} {order.period}", after=after)
    async with database.writing() as connection:
        await audit_log.write(connection, entry, at_ms)


@contextmanager
def _temporary_file(out: Path) -> Iterator[Path]:
    """Returns a temporary path on the same disk. Anything but a regular file, such as a device, stays untouched."""
    try:
        _verify_place(out)
        with tempfile.TemporaryDirectory(dir=out.resolve().parent, prefix=".unfinished-") as folder:
            yield Path(folder) / out.name
    except OSError as error:
        raise Refusal(Code.BAD_REQUEST, f"{out} cannot be written: {error.strerror or error}.") from error


def _verify_place(out: Path) -> None:
    if out.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if out.exists() and not out.is_file():
        raise OSError(errno.EINVAL, "it is no file")


def _put(unfinished: Path, out: Path) -> None:
    """Keeps a symbolic link, and replaces its target."""
    unfinished.replace(out.resolve())
