"""Private files: those with money or personal data are readable by their owner only, whatever command wrote them."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from casino.cli.main import keep_files_private
from tests.service import CASINO, Service, first_address

pytestmark = pytest.mark.req("SEC")

TABLE = """
id = "quick"
name = "Quick"
[seconds]
betting = 3.0
decide_preflop = 1.0
decide_flop = 1.0
decide_river = 1.0
between_rounds = 0.0
round_min = 0.0
card = 0.0
"""


class Installation:
    """A new installation in an empty folder, used with a umask that hides nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
        self._environment["PYTHONUNBUFFERED"] = "1"
        (folder / "config" / "tables").mkdir(parents=True)
        (folder / "config" / "casino.toml").touch()
        (folder / "config" / "tables" / "quick.toml").write_text(TABLE)
        self._before = set(folder.rglob("*"))

    def run(self, *arguments: str, said: str = "") -> str:
        done = subprocess.run(
            [CASINO, *arguments],
            cwd=self.folder,
            env=self._environment,
            umask=0,
            input=said,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def serving(self) -> Iterator[Service]:
        command = [f"{CASINO}", "serve", "--port", "0"]
        with subprocess.Popen(
            command, cwd=self.folder, env=self._environment, umask=0, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Service(first_address(process), process)
            finally:
                process.kill()

    def written(self) -> dict[str, int]:
        """Every file the commands have made, with its mode."""
        made = [path for path in self.folder.rglob("*") if path not in self._before and path.is_file()]
        return {f"{path.relative_to(self.folder)}": path.stat().st_mode & 0o777 for path in made}


def test_every_file_of_the_service_and_of_the_commands_is_private(tmp_path: Path) -> None:
    here = Installation(tmp_path)
    today = datetime.now(UTC).date()
    with here.serving() as service:
        here.run("play", "--url", service.address, "--table", "quick", "--bots", "1", "--rounds", "1")
        here.run("user", "add", "ann", "--role", "player", "--password-stdin", said="a quiet river at dawn\n")
        here.run("credit", "ann", "250.00", "--reason", "Welcome")
        while_running = here.written()
        here.run("backup", "backup.db")
        assert service.stop() == 0
    period = ["--from", f"{today - timedelta(days=1)}", "--to", f"{today}"]
    for what, format_ in (("settlements", "json"), ("settlements", "csv"), ("summary", "parquet"), ("ledger", "xlsx")):
        here.run("export", what, *period, "--format", format_, "--out", f"{what}.{format_}")
    round_id = json.loads((tmp_path / "settlements.json").read_text())["rows"][0]["round_id"]
    for format_ in ("html", "json"):
        here.run("round", round_id, "--format", format_, "--out", f"round.{format_}")
    here.run("close", f"{today - timedelta(days=1)}")
    here.run("restore", "backup.db", "--database", f"sqlite:///{tmp_path}/restored/casino.db")
    here.run("verify", "--anchor", "data/anchors/anchors.jsonl")

    assert {"data/casino.db", "data/casino.db-wal", "data/keys/secret.key"} <= set(while_running)
    found = while_running | here.written()
    assert {
        "data/anchors/anchors.jsonl",
        "backup.db",
        "backup.db.manifest.json",
        "restored/casino.db",
        "round.html",
        "round.json",
        "ledger.xlsx",
        "ledger.xlsx.manifest.json",
        "summary.parquet",
    } <= set(found)
    assert {name: oct(mode) for name, mode in found.items() if mode != 0o600} == {}


@pytest.mark.parametrize(("before", "after"), [(0o000, 0o077), (0o022, 0o077), (0o077, 0o077), (0o137, 0o177)])
def test_stricter_umask_stays(before: int, after: int) -> None:
    given = os.umask(before)
    try:
        keep_files_private()
        assert os.umask(given) == after
    finally:
        os.umask(given)
