"""Manifest of a backup: the contents of the file, its hash, and the heads of its hash chains."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit.anchors import current_anchor
from casino.storage.schema import metadata

FORMAT: Final = 1
_CHUNK_BYTES: Final = 1 << 20


class UnusableBackupError(ValueError):
    """The file is not a whole backup; the message says why."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """`anchor` holds the chain heads, so the manifest can be given to `casino verify --anchor`."""

    format: int
    source: str
    made_at: int
    bytes: int
    sha256: str
    rows: dict[str, int]
    anchor: dict[str, Any]
    verified: bool
    hmac: str

    def write(self, file: Path) -> None:
        file.touch(mode=0o600)
        file.write_text(json.dumps(asdict(self), indent=1) + "\n")


def manifest_file(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.manifest.json")


def read_manifest(backup: Path) -> Manifest:
    """Raises UnusableBackupError without a manifest, or if the file is not the one it was written for."""
    try:
        manifest = Manifest(**json.loads(manifest_file(backup).read_text()))
    except OSError as error:
        raise UnusableBackupError(
            f"{manifest_file(backup)} cannot be read ({error.strerror}). A file without its manifest is no backup: "
            "a copied database file may lack what was still in its write-ahead log"
        ) from error
    except (ValueError, TypeError) as error:
        raise UnusableBackupError(f"{manifest_file(backup)} is not a manifest") from error
    if manifest.format != FORMAT:
        raise UnusableBackupError(f"{manifest_file(backup)} is of a format this version does not know")
    try:
        size, digest = measured(backup)
    except OSError as error:
        raise UnusableBackupError(f"{backup} cannot be read: {error.strerror}") from error
    if (size, digest) != (manifest.bytes, manifest.sha256):
        raise UnusableBackupError(f"{backup} is not the file its manifest was written for: its SHA-256 is {digest}")
    return manifest


def measured(file: Path) -> tuple[int, str]:
    """Size and SHA-256."""
    digest, size = hashlib.sha256(), 0
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()


async def counts(connection: AsyncConnection) -> dict[str, int]:
    found = {}
    for table in metadata.sorted_tables:
        found[table.name] = (await connection.execute(select(func.count()).select_from(table))).scalar_one()
    return found


async def heads(connection: AsyncConnection, at_ms: int) -> dict[str, Any]:
    return (await current_anchor(connection, at_ms)).plain()
