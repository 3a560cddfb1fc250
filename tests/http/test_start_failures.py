"""Start failures of the real service: one sentence, exit code 1 and no traceback."""

import json
import os
import resource
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.databases import PostgresServer
from tests.service import CASINO, START_SECONDS_MAX, only_sentence, running_service

Limit = Callable[[], None]


def serve(folder: Path, *arguments: str, limit: Limit | None = None) -> subprocess.CompletedProcess[str]:
    (folder / "config" / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "config" / "tables" / "uth-1.toml").write_text('id = "uth-1"\n')
    place = ["--config", str(folder / "config"), "--database", f"sqlite:///{folder}/casino.db", "--port", "0"]
    return subprocess.run(
        [CASINO, "serve", *place, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=START_SECONDS_MAX,
        preexec_fn=limit,
    )


def test_port_that_is_taken(tmp_path: Path) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        sentence = only_sentence(serve(tmp_path, "--port", str(port)))
    assert sentence == f"Cannot listen on 127.0.0.1:{port}: the port is already in use."


def test_address_of_another_machine(tmp_path: Path) -> None:
    sentence = only_sentence(serve(tmp_path, "--host", "203.0.113.9"))
    assert sentence == "Cannot listen on 203.0.113.9:0: this machine has no such address."


@pytest.mark.parametrize("host", ["nowhere.invalid", "not an address"])
def test_address_that_is_none(tmp_path: Path, host: str) -> None:
    assert only_sentence(serve(tmp_path, "--host", host)).startswith(f"Cannot listen on {host}:0: ")


def _folder(file: Path) -> None:
    file.mkdir()


def _garbage(file: Path) -> None:
    file.write_text("this is not a database, and long enough to be looked at")


def _of_another_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as made:
        made.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        made.execute("INSERT INTO alembic_version VALUES ('9999')")
        made.commit()


@pytest.mark.parametrize("make", [_folder, _garbage, _of_another_program])
def test_file_that_is_no_database_of_ours(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "casino.db")
    sentence = only_sentence(serve(tmp_path))
    assert sentence.startswith(f"The database cannot be opened: {tmp_path}/casino.db: ")


def test_lock_file_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "casino.db.lock").mkdir()
    assert only_sentence(serve(tmp_path)) == f"The service cannot start: {tmp_path}/casino.db.lock: Is a directory."


def test_disk_that_is_full(tmp_path: Path) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    assert "The database cannot be opened: " in only_sentence(serve(tmp_path, limit=little_room))


@pytest.mark.parametrize(
    "url", ["postgresql://ann:secret@127.0.0.1:1/casino", "postgresql://ann:secret@nowhere.invalid/casino"]
)
def test_postgresql_that_is_not_there(tmp_path: Path, url: str) -> None:
    sentence = only_sentence(serve(tmp_path, "--database", url))
    assert sentence.startswith("The database cannot be opened: PostgreSQL database casino at ")
    assert "secret" not in sentence


def test_postgresql_without_that_database(tmp_path: Path, postgres: PostgresServer) -> None:
    sentence = only_sentence(serve(tmp_path, "--database", postgres.url.replace("@/postgres?", "@/nothing?")))
    assert 'database "nothing" does not exist' in sentence


@pytest.mark.parametrize("name", ["casino.toml", "tables"])
def test_configuration_that_is_something_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "config").mkdir()
    os.mkfifo(tmp_path / "config" / name)
    done = subprocess.run(
        [CASINO, "serve", "--config", str(tmp_path / "config"), "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
        timeout=START_SECONDS_MAX,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{tmp_path}/config/{name}: this is not a f")
    assert len(done.stderr.splitlines()) == 1


def test_file_descriptor_limit_is_raised_and_weak_set_ups_are_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public address without `public_url`, and a short key."""
    monkeypatch.setenv("CASINO_SECRET_KEY", "fifteen letters")
    log = tmp_path / "log"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with log.open("w") as stderr, running_service("--host", "0.0.0.0", stderr=stderr) as service:  # noqa: S104
            in_force = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert in_force == (hard, hard)
    logged = {line["event"]: line for line in map(json.loads, log.read_text().splitlines())}
    assert (logged["file_descriptors"]["before"], logged["file_descriptors"]["limit"]) == (256, hard)
    assert "service.public_url" in logged["weak_setup"]["advice"]
    assert logged["secret_key_short"]["wanted_characters"] == 16
