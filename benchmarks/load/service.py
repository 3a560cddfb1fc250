"""Server under load: a real process with a database of its own and guests created in advance.

Tells what the process costs, by the kernel's word and by its own figures.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from casino.audit.signing_keys import begin_signing
from casino.clock import wall_clock
from casino.settings import load_settings
from casino.settings.service import Guests
from casino.storage.database import Database
from casino.storage.secret_key import secret_key
from casino.users.guests import add_guest
from casino.users.sessions import DAY_MS, Lifetime, Sessions

TABLE_ID = "uth-1"
CREDIT = 10_000_000
_LOG = "server.log"
_HOUSE = """
[rates]
requests_per_second = 100000
sockets_per_address = 100000
"""
_TABLE = """
id = "uth-1"
name = "The full table"
[seconds]
betting = {betting}
decide_preflop = {decide}
decide_flop = {decide}
decide_river = {decide}
between_rounds = 1.0
round_min = 1.0
card = 0.1
"""


@dataclass(frozen=True)
class Guest:
    id: str
    token: str


@dataclass(frozen=True)
class LoadService:
    folder: Path
    port: int
    process: "subprocess.Popen[str]"

    def cpu_seconds(self) -> float:
        """Of all threads, to the nanosecond."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory_bytes(self) -> int:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        raise ValueError("the kernel does not tell a process's memory")

    def figure(self, name: str) -> float:
        """The sum over all labels of a figure of /metrics."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as answer:
            lines = answer.read().decode().splitlines()
        values = [line.rpartition(" ")[2] for line in lines if line.partition(" ")[0].partition("{")[0] == name]
        return sum(map(float, values))

    def verified(self) -> bool:
        command = [*casino_command(), "verify", "--config", f"{self.folder}/config", "--database", url_of(self.folder)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603  our own command


@contextmanager
def open_service(
    guests: int,
    *,
    betting: float,
    decide: float,
    core: int | None,
    prepare: Callable[[Path], None] | None = None,
    command: Sequence[str] = (),
) -> Iterator[tuple[LoadService, list[Guest]]]:
    """`prepare` may add to the folder of the configuration. `command` is what runs instead of `casino`."""
    with tempfile.TemporaryDirectory(prefix="casino-load-") as name:
        folder = Path(name)
        (folder / "config" / "tables").mkdir(parents=True)
        (folder / "config" / "casino.toml").write_text(_HOUSE)
        (folder / "config" / "tables" / "uth-1.toml").write_text(_TABLE.format(betting=betting, decide=decide))
        if prepare is not None:
            prepare(folder / "config")
        people = asyncio.run(_enter(folder, guests))
        process = _start(folder, core, command or casino_command())
        try:
            yield LoadService(folder, _port(process, folder), process), people
        finally:
            process.kill()
            process.communicate()


async def _enter(folder: Path, count: int) -> list[Guest]:
    """Adds guests as `POST /api/guest` does, without a request for each.

    The rows are signed with the key of the service, which refuses books that contain unsigned ones.
    """
    url = url_of(folder)
    database = await Database.open(url)
    key = secret_key(load_settings(folder / "config").casino, url)
    await begin_signing(database, key, wall_clock(), may_replace=False)
    sessions = Sessions(database, Lifetime(30 * DAY_MS, 90 * DAY_MS))
    async with database.writing() as connection:
        people = []
        for _ in range(count):
            user = await add_guest(connection, Guests(credit=CREDIT), wall_clock())
            people.append(Guest(user.id, await sessions.begin(connection, user)))
    await database.close()
    return people


def _start(folder: Path, core: int | None, command: Sequence[str]) -> "subprocess.Popen[str]":
    where = ["--config", f"{folder}/config", "--database", url_of(folder), "--port", "0"]

    def settle() -> None:
        if core is not None:
            os.sched_setaffinity(0, {core})

    with (folder / _LOG).open("w") as log:
        return subprocess.Popen(  # noqa: S603  our own command
            [*command, "serve", *where],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            preexec_fn=settle,  # noqa: PLW1509  no threads here
        )


def _port(process: "subprocess.Popen[str]", folder: Path) -> int:
    assert process.stdout is not None
    address = next((line for line in process.stdout if line.startswith("http://")), None)
    if address is None:
        raise RuntimeError(f"the server did not start: {(folder / _LOG).read_text()[-1000:]}")
    return int(address.strip().rpartition(":")[2])


def casino_command() -> list[str]:
    return [str(Path(sys.executable).with_name("casino"))]


def url_of(folder: Path) -> str:
    return f"sqlite:///{folder}/casino.db"
