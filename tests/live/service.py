"""A live service for tests: a real `casino serve` process with quick tables, to be killed, stopped and restarted."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from casino.cli import app
from tests.databases import migrated_sqlite_url
from tests.service import CASINO, first_address

STOP_SECONDS_MAX = 60
STAFF = {
    "paula": "presenter",
    "max": "manager",
    "mona": "manager",
    "fiona": "finance",
    "fred": "finance",
    "adam": "admin",
    "per": "presenter",
    "pest": "presenter",  # these two send many requests, so no other test uses their names
    "mob": "manager",
}
PASSWORD = "a password of the house"  # noqa: S105
POKER_CONFIG = Path(__file__).resolve().parents[2] / "config" / "poker"

_HOUSE = """
[cashier]
provider = "embedded"
[rates]
guests_per_minute = 5000
registrations_per_minute = 5000
sign_ins_per_minute = 5000
"""


@dataclass(frozen=True)
class Kind:
    """A kind of table, and how many of it stand in the service: enough for all tests, if one worker runs them all."""

    count: int
    dealing: str = "presenter"
    hands: str = "shared"
    multi_table: bool = True
    seconds: Mapping[str, float] = field(default_factory=dict)
    more: str = ""  # of its file


# Betting cannot end early, so it is short; a decision window can, so it is long where all players decide.
# A machine begins by itself while players are still on their way, so it waits for them a little longer.
CALM = {"betting": 3.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0}
HASTY = {"betting": 2.5, "decide_preflop": 1.0, "decide_flop": 1.0, "decide_river": 1.0}
LASTING = CALM | {"betting": 300.0}
KINDS = {
    "calm": Kind(60, seconds=CALM),
    "many": Kind(20, seconds=CALM | {"betting": 8.0}),  # played all at the same time
    "hasty": Kind(20, seconds=HASTY),
    "lasting": Kind(80, seconds=LASTING),
    "confirmed": Kind(4, seconds=CALM | {"confirm": 5.0}),
    "machine": Kind(20, dealing="auto", seconds=CALM | {"betting": 8.0}),
    "alone": Kind(2, multi_table=False, seconds=LASTING),
    "paced": Kind(3, dealing="auto", seconds=CALM | {"betting": 8.0, "card": 0.5}),
    "attacked": Kind(2, seconds={"betting": 20.0, "decide_preflop": 300.0, "decide_flop": 60.0, "decide_river": 60.0}),
    "seven": Kind(4, dealing="auto", hands="own", seconds=CALM | {"betting": 8.0}),
    "seven-live": Kind(4, hands="own", seconds=CALM),
    "console": Kind(12, seconds=CALM),
    "incident": Kind(24, seconds=CALM | {"betting": 8.0}),  # played all at the same time
    "committed": Kind(8, dealing="auto", seconds=CALM | {"betting": 4.0}),
    "unanswered": Kind(2, dealing="auto", seconds=CALM | {"betting": 4.0, "resume_within": 3.0}),
    "bounded": Kind(1, seconds=CALM, more="[limit_bounds]\nante_min = 100\nante_max = 60000\n"),
    "counted": Kind(1, seconds=CALM, more="[deck]\ncount_within_rounds = 2"),
}


def write_config(folder: Path, kinds: Mapping[str, Kind]) -> None:
    (folder / "tables").mkdir(parents=True)
    (folder / "casino.toml").write_text(_HOUSE)
    for name, kind in kinds.items():
        for number in range(1, kind.count + 1):
            (folder / "tables" / f"{name}-{number}.toml").write_text(_table(f"{name}-{number}", kind))


def _table(table_id: str, kind: Kind) -> str:
    seconds = {"between_rounds": 0.0, "round_min": 0.0, "card": 0.0, "confirm": 0.0, **kind.seconds}
    lines = [f'id = "{table_id}"', f'name = "Table {table_id}"', f'dealing = "{kind.dealing}"']
    lines += [
        f"multi_table = {str(kind.multi_table).lower()}",
        f'hands = "{kind.hands}"',
        *(["seats = 7"] if kind.hands == "own" else []),
    ]
    return "\n".join([*lines, kind.more, "[seconds]", *(f"{name} = {value}" for name, value in seconds.items())])


class LiveService:
    """The folder, the database and the port stay; the process may come and go."""

    def __init__(self, folder: Path, kinds: Mapping[str, Kind], database: str = "", line: str = "") -> None:
        """`line` is the database as the service reaches it, such as through a proxy."""
        self.config = folder / "config"
        self.database = database or migrated_sqlite_url(folder)
        self._line = line or self.database
        self.log_file = folder / "log"
        self.address = ""
        self.program = [str(CASINO)]
        self._ended = folder / "ended"
        self._kinds = kinds
        self._given: dict[str, int] = dict.fromkeys(kinds, 0)
        self._process: subprocess.Popen[str] | None = None
        write_config(self.config, kinds)

    def drive_betting(self) -> None:
        """From its start on, a test ends betting; see `driven_service`."""
        self._ended.mkdir()
        self.program = [sys.executable, "-m", "tests.live.driven_service", str(self._ended)]

    def end_betting(self, table_id: str) -> None:
        assert self._ended.is_dir(), "the tables of this service end betting by their clock"
        (self._ended / table_id).touch()

    def table(self, kind: str) -> str:
        """A table of this kind that no test has used yet."""
        self._given[kind] += 1
        assert self._given[kind] <= self._kinds[kind].count, f"the service needs more {kind} tables"
        return f"{kind}-{self._given[kind]}"

    def start(self) -> None:
        process = self._begin()
        try:
            self.address = first_address(process)
        except AssertionError:
            raise AssertionError(f"the service did not start: {self.log_file.read_text()}") from None

    def die(self, crash_at: str) -> None:
        """Starts a service that is killed at this crash point before its first connection."""
        self._begin(CASINO_CRASH_AT=crash_at)
        assert self.ended() == -signal.SIGKILL, f"{crash_at} was not passed"

    def _begin(self, **environment: str) -> "subprocess.Popen[str]":
        assert self._process is None
        port = self.address.rpartition(":")[2] or "0"
        command = [*self.program, "serve", "--config", str(self.config), "--database", self._line, "--port", port]
        with self.log_file.open("a") as log:
            self._process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
            )
        return self._process

    def kill(self) -> None:
        """As a power cut: nothing is said, nothing is finished."""
        self.signal(signal.SIGKILL)
        self.ended()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def signal(self, which: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(which)

    def ended(self, seconds_max: float = STOP_SECONDS_MAX) -> int:
        """The exit code, once there is one."""
        assert self._process is not None
        code = self._process.wait(seconds_max)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return code

    def close(self) -> None:
        if self._process is not None:
            self.kill()

    def command(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Another command of the service, on the same books."""
        place = ["--config", str(self.config), "--database", self.database]
        return subprocess.run(
            [CASINO, *arguments, *place], input=stdin, capture_output=True, text=True, check=False, timeout=120
        )

    def add_staff(self, *names: str) -> None:
        """Adds them by the command, but in this process: a process for each name costs more than all they do."""
        place = ["--password-stdin", "--config", str(self.config), "--database", self.database]

        def add() -> None:
            for name in names:
                done = CliRunner().invoke(app, ["user", "add", name, "--role", STAFF[name], *place], PASSWORD + "\n")
                assert done.exit_code == 0, done.output

        with ThreadPoolExecutor(1) as thread:  # the command runs a loop of its own
            thread.submit(add).result()

    def verify(self) -> None:
        done = self.command("verify")
        assert done.returncode == 0, done.stdout + done.stderr

    def logged(self) -> list[str]:
        return self.log_file.read_text().splitlines()

    def errors(self) -> list[str]:
        """Errors in the log, also those without an effect outside."""
        return [line for line in self.logged() if '"level":"error"' in line or line.startswith("Traceback")]


Tables = Mapping[str, Kind]


@contextmanager
def started_service(
    kinds: Tables = KINDS,
    staff: tuple[str, ...] = tuple(STAFF),
    *,
    database: str = "",
    line: str = "",
    has_poker: bool = False,
    is_driven: bool = False,
) -> Iterator[LiveService]:
    """`has_poker`: with the poker room, as the shipped configuration has it. `is_driven`: tests end betting."""
    with tempfile.TemporaryDirectory(prefix="casino-live-") as folder:
        service = LiveService(Path(folder), kinds, database, line)
        if is_driven:
            service.drive_betting()
        if has_poker:
            shutil.copytree(POKER_CONFIG, service.config / "poker")
        try:
            service.start()
            service.add_staff(*staff)
            yield service
        finally:
            service.close()


Json = dict[str, Any]
