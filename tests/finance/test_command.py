"""`casino export` and `casino close` as people run them."""

import json
import subprocess
from pathlib import Path

import pytest
from sqlalchemy import select

from casino.storage.database import Database
from casino.storage.schema import audit
from tests.service import CASINO


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(CASINO), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def export(url: str, out: Path, **options: str) -> subprocess.CompletedProcess[str]:
    wanted = {"from": "2026-10-01", "to": "2026-10-31", "format": "csv"} | options
    flags = [part for name, value in wanted.items() for part in (f"--{name}", value)]
    return run("export", "settlements", *flags, "--out", str(out), "--database", url)


@pytest.mark.req("AUD")
async def test_export_writes_file_and_manifest_and_is_in_the_audit_log(month: Database, tmp_path: Path) -> None:
    out = tmp_path / "october.csv"
    done = export(month.url, out)
    assert (done.returncode, done.stderr) == (0, "")
    manifest = json.loads((tmp_path / "october.csv.manifest.json").read_text())
    assert manifest["sha256"] in done.stdout
    assert manifest["rows"] == out.read_bytes().count(b"\n") - 1
    assert listed(tmp_path) == ["october.csv", "october.csv.manifest.json"]
    async with month.reading() as connection:
        last = (await connection.execute(select(audit).order_by(audit.c.id.desc()).limit(1))).one()
    assert (last.action, last.target, last.role) == ("export", "settlements 2026-10-01 to 2026-10-31", "operator")
    assert json.loads(last.after)["sha256"] == manifest["sha256"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"from": "2026-10-32"}, "from: a day is written like 2026-11-16."),
        ({"to": "tomorrow"}, "to: a day is written like 2026-11-16."),
        ({"from": "2026-11-01"}, "The period ends before it begins: 2026-11-01 is after 2026-10-31."),
        ({"table": "uth-77"}, "There is no table 'uth-77', and never was."),
        ({"format": "pdf"}, "pdf"),
    ],
)
def test_wrong_input_is_told_and_writes_nothing(
    month_url: str, tmp_path: Path, options: dict[str, str], told: str
) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("what is wrong at first sight reaches no database")
    done = export(month_url, tmp_path / "out.csv", **options)
    assert done.returncode == 2
    assert told in done.stderr
    assert listed(tmp_path) == []


def test_file_that_cannot_be_written_is_told_and_an_old_one_is_kept(month_url: str, tmp_path: Path) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("it is about the file")
    done = export(month_url, tmp_path / "nowhere" / "out.csv")
    assert (done.returncode, "cannot be written: No such file or directory" in done.stderr) == (2, True)
    done = export(month_url, tmp_path)
    assert (done.returncode, "cannot be written" in done.stderr) == (2, True)
    old = tmp_path / "old.csv"
    old.write_text("kept")
    assert export(month_url, old, table="uth-77").returncode == 2
    assert old.read_text() == "kept"


def test_close_says_what_it_closed_and_that_it_was_closed_before(month_url: str) -> None:
    done = run("close", "2026-10-05", "--database", month_url)
    assert done.returncode == 0
    assert "2026-10-05 is closed, in audit row" in done.stdout
    again = run("close", "2026-10-05", "--database", month_url)
    assert (again.returncode, "was closed before" in again.stdout) == (0, True)
    assert again.stdout.splitlines()[1:] == done.stdout.splitlines()
    verified = run("verify", "--database", month_url)
    assert verified.returncode == 0
    assert "ok      1 closed days" in verified.stdout
    future = run("close", "2999-01-01", "--database", month_url)
    assert (future.returncode, "can be closed from" in future.stderr) == (1, True)
