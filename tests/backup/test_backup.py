"""Backups of a running service: created, checked, restored on either database, and detected at the next start."""

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.databases import PostgresServer
from tests.service import CASINO, running_service

pytestmark = pytest.mark.req("AUD")


def casino(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CASINO, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
        input="correct horse battery\n",
    )


def add_ann(url: str) -> None:
    done = casino("user", "add", "ann", "--role", "player", "--password-stdin", "--database", url)
    assert done.returncode == 0, done.stderr


def credit(url: str, amount: str) -> None:
    done = casino("credit", "ann", amount, "--reason", "test", "--database", url)
    assert done.returncode == 0, done.stderr


def test_backup_of_a_running_service_is_restored_and_accepted_once(database_url: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    with running_service("--database", database_url) as service:
        add_ann(database_url)
        credit(database_url, "10.00")
        done = casino("backup", str(backup), "--database", database_url)
        assert done.returncode == 0, done.stderr
        credit(database_url, "20.00")
        assert service.stop() == 0
    manifest = json.loads((tmp_path / "backup.db.manifest.json").read_text())
    assert (manifest["rows"]["users"], manifest["rows"]["operations"], manifest["verified"]) == (1, 1, True)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert casino("backup", str(backup), "--database", database_url).returncode == 1
    checked = casino("restore", "--check", str(backup))
    assert checked.returncode == 0, checked.stderr
    anchored = ("verify", "--anchor", os.environ["CASINO_ANCHORS_FILE"], "--database")
    assert casino(*anchored, database_url).returncode == 0

    restored = f"sqlite:///{tmp_path}/restored/casino.db"
    done = casino("restore", str(backup), "--database", restored)
    assert done.returncode == 0, done.stderr
    assert casino("restore", str(backup), "--database", restored).returncode == 1, "nothing is overwritten"
    behind = casino(*anchored, restored)
    assert (behind.returncode, "BROKEN  anchors: audit row" in behind.stdout) == (1, True)
    refused = casino("serve", "--port", "0", "--database", restored)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "it is an older state than the one last served" in refused.stderr
    assert "--accept-restored" in refused.stderr
    with running_service("--database", restored, "--accept-restored") as service:
        assert service.stop() == 0
    with running_service("--database", restored) as service:
        assert service.stop() == 0
    after = casino(*anchored, restored)
    assert after.returncode == 0, after.stdout


def test_backup_moves_from_sqlite_to_postgresql_and_back(tmp_path: Path, postgres: PostgresServer) -> None:
    first, backup, again = f"sqlite:///{tmp_path}/first.db", tmp_path / "b.db", tmp_path / "again.db"
    add_ann(first)
    credit(first, "10.00")
    assert casino("backup", str(backup), "--database", first).returncode == 0
    with postgres.lent_database() as url:
        done = casino("restore", str(backup), "--database", url)
        assert done.returncode == 0, done.stderr
        assert casino("restore", str(backup), "--database", url).returncode == 1
        verified = casino("verify", "--database", url)
        assert verified.returncode == 0, verified.stdout
        credit(url, "5.00")
        assert casino("backup", str(again), "--database", url).returncode == 0
    manifests = [json.loads(file.with_name(f"{file.name}.manifest.json").read_text()) for file in (backup, again)]
    assert [manifest["rows"]["operations"] for manifest in manifests] == [1, 2]
    assert manifests[0]["anchor"]["database"] == manifests[1]["anchor"]["database"]
    assert casino("restore", "--check", str(again)).returncode == 0


def test_changed_backup_is_refused(tmp_path: Path) -> None:
    url, backup = f"sqlite:///{tmp_path}/casino.db", tmp_path / "b.db"
    add_ann(url)
    assert casino("backup", str(backup), "--database", url).returncode == 0
    with closing(sqlite3.connect(backup)) as changed:
        changed.execute("UPDATE users SET name = 'Ben'")
        changed.commit()
    done = casino("restore", "--check", str(backup))
    assert (done.returncode, "is not the file its manifest was written for" in done.stderr) == (1, True)


def test_backup_of_broken_books_is_made_and_fails(tmp_path: Path) -> None:
    url, backup = f"sqlite:///{tmp_path}/casino.db", tmp_path / "b.db"
    add_ann(url)
    credit(url, "10.00")
    with closing(sqlite3.connect(tmp_path / "casino.db")) as changed:
        changed.execute("UPDATE accounts SET balance = balance + 1 WHERE kind = 'player'")
        changed.commit()
    done = casino("backup", str(backup), "--database", url)
    assert (done.returncode, backup.exists()) == (1, True)
    assert "BROKEN  accounts" in done.stdout
    assert casino("restore", "--check", str(backup)).returncode == 1


def test_file_copied_from_a_running_service_is_no_backup(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path}/casino.db", tmp_path / "copy.db"
    with running_service("--database", url) as service:
        add_ann(url)
        shutil.copy(tmp_path / "casino.db", copy)
        for command in (["verify"], ["backup", str(tmp_path / "b.db")]):
            done = casino(*command, "--database", f"sqlite:///{copy}")
            assert (done.returncode, "taken without its write-ahead log" in done.stderr) == (1, True)
        done = casino("restore", "--check", str(copy))
        assert (done.returncode, "A file without its manifest is no backup" in done.stderr) == (1, True)
        refused = casino("serve", "--port", "0", "--database", f"sqlite:///{copy}")
        assert (refused.returncode, "--accept-restored" in refused.stderr) == (1, True)
        service.stop(signal.SIGKILL)
    whole = tmp_path / "whole"
    whole.mkdir()
    for file in tmp_path.glob("casino.db*"):
        shutil.copy(file, whole)
    done = casino("verify", "--database", f"sqlite:///{whole}/casino.db")
    assert done.returncode == 0, "with its log the copy of a killed service is whole"


def test_file_of_a_stopped_service_may_be_copied(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path}/casino.db", tmp_path / "copy.db"
    with running_service("--database", url) as service:
        assert service.stop() == 0
    shutil.copy(tmp_path / "casino.db", copy)
    assert casino("verify", "--database", f"sqlite:///{copy}").returncode == 0
