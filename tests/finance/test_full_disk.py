"""Full disk during an export: one clear sentence, and no partial file."""

import resource
import subprocess
from pathlib import Path

import pytest

from casino.finance.export import Order, write_export
from casino.finance.export_types import ExportKind, Format
from casino.storage.database import Database
from casino.verify.snapshot import snapshot
from tests.finance.readers import MONTH, return_of
from tests.service import CASINO

ROOM_BYTES = 33_000
"""Enough for SQLite's files next to an open database."""


def _with_little_room() -> None:
    """No file of the process may grow beyond that: the system then says so as it does of a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM_BYTES, ROOM_BYTES))


@pytest.mark.parametrize("format_", [Format.CSV, Format.JSON, Format.XLSX])
def test_full_disk_is_reported_and_leaves_no_file(month_url: str, tmp_path: Path, format_: Format) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("it is about the file")
    flags = ("--from", "2026-10-01", "--to", "2026-10-31", "--format", format_, "--out", str(tmp_path / "out"))
    done = subprocess.run(
        [str(CASINO), "export", "settlements", *flags, "--database", month_url],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=_with_little_room,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path / 'out'} cannot be written: File too large.\n"
    assert list(tmp_path.iterdir()) == []


async def test_full_disk_is_reported_for_formats_with_small_files(month: Database) -> None:
    order = Order(ExportKind.SETTLEMENTS, Format.PARQUET, MONTH)
    async with snapshot(month) as books:
        with pytest.raises(OSError, match="No space left on device"):
            await write_export(books, order, Path("/dev/full"), return_of)
