"""`casino export` and `casino close` on the command line."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from casino.storage.database import Database
from casino.storage.schema import audit
from tests.service import CASINO, NO_KEY


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(CASINO), *arguments]
    environment = {**os.environ, **NO_KEY}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)


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
    ("options", "message"),
    [
        ({"from": "2026-10-32"}, "from: 2026-10-32 is not a day the books can hold."),
        ({"from": "1969-12-31"}, "from: 1969-12-31 is not a day the books can hold."),
        ({"from": "1.10.2026"}, "from: write a day like 2026-11-16."),
        ({"to": "tomorrow"}, "to: write a day like 2026-11-16."),
        ({"from": "2026-11-01"}, "The period ends before it begins: 2026-11-01 is after 2026-10-31."),
        ({"table": "uth-77"}, "There is no table 'uth-77'."),
        ({"format": "pdf"}, "pdf"),
    ],
)
def test_invalid_input_is_reported_and_writes_nothing(
    month_url: str, tmp_path: Path, options: dict[str, str], message: str
) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("what is wrong at first sight reaches no database")
    done = export(month_url, tmp_path / "out.csv", **options)
    assert done.returncode == 2
    assert message in done.stderr
    assert listed(tmp_path) == []


def test_unwritable_file_is_reported_and_the_old_one_is_kept(month_url: str, tmp_path: Path) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("it is about the file")
    done = export(month_url, tmp_path / "nowhere" / "out.csv")
    assert (done.returncode, "cannot be written: No such file or directory" in done.stderr) == (2, True)
    done = export(month_url, tmp_path)
    assert (done.returncode, "cannot be written" in done.stderr) == (2, True)
    device = Path("/dev/full")
    for link in (tmp_path / "link", device):
        if link != device:
            link.symlink_to(device)
        done = export(month_url, link)
        assert (done.returncode, "cannot be written: it is no file" in done.stderr) == (2, True)
    assert device.is_char_device()
    assert [path for path in device.parent.iterdir() if path.name.startswith(("full.", ".unfinished"))] == []
    old = tmp_path / "old.csv"
    old.write_text("kept")
    assert export(month_url, old, table="uth-77").returncode == 2
    assert old.read_text() == "kept"


def test_link_stays_one_and_the_file_it_leads_to_is_replaced(month_url: str, tmp_path: Path) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("it is about the file")
    (tmp_path / "archive").mkdir()
    link, kept = tmp_path / "latest.csv", tmp_path / "archive" / "october.csv"
    link.symlink_to(kept)
    assert export(month_url, link).returncode == 0
    assert link.is_symlink()
    assert kept.read_bytes().startswith(b"settled_at,")
    assert listed(kept.parent) == ["october.csv"]


def test_day_that_is_not_over_is_exported_with_a_word_of_warning(month_url: str, tmp_path: Path) -> None:
    done = export(month_url, tmp_path / "out.csv", to="2999-12-31")
    assert done.returncode == 0
    assert done.stderr == "2999-12-31 is not over: the same export may have more rows later.\n"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_export_leaves_nothing_that_looks_whole(month_url: str, tmp_path: Path, how: signal.Signals) -> None:
    if not month_url.startswith("sqlite"):
        pytest.skip("it is about the file")
    old = tmp_path / "out.xlsx"
    old.write_text("kept")
    flags = ("--from", "2026-10-01", "--to", "2026-10-31", "--format", "xlsx", "--out", str(old))
    command = [str(CASINO), "export", "ledger", *flags, "--database", month_url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not any(tmp_path.glob(".unfinished-*/*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    with closing(sqlite3.connect(month_url.removeprefix("sqlite:///"))) as other:
        other.execute("BEGIN IMMEDIATE")  # other writers have to wait
        process.send_signal(how)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode != 0, stdout
    assert "Traceback" not in stderr
    assert (listed(tmp_path), old.read_text()) == (["out.xlsx"], "kept")


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
    assert (future.returncode, "Close it from" in future.stderr) == (1, True)
