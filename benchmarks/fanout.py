"""Broadcast of a 310-byte event to all clients over Socket.IO, and its cost per client, beside stock and Node."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fanout_rows import Figures, rows_of
from benchmarks.measurement import Row

NODE = Path(__file__).with_name("node")
MESSAGE_BYTES = 310
FRAME_BYTES = MESSAGE_BYTES + 4
CLIENTS = (2_000, 5_000)
WARM_CLIENTS = 200
TURNS = 7
CASTS_PER_TURN = 8
SERVER_CORE, LOAD_CORE = 0, 1


def payload() -> str:
    """A `round` as a table sends it, filled up to the size of the comparison."""
    shown = {
        "table_id": "uth-1", "seq": 184_223, "server_time": 1_790_000_000_000, "round_id": "r-1", "game_number": 7,
        "phase": "deciding_flop", "deadline": 1_790_000_009_000, "paused": None, "player_cards": ["As", "Kd"],
        "board": ["7h", "7c", "2s"], "dealer_cards": [], "players": 2_000, "fill": "",
    }  # fmt: skip
    empty = len('42/table,["round",]') + len(json.dumps(shown, separators=(",", ":")))
    return json.dumps({**shown, "fill": "x" * (MESSAGE_BYTES - empty)}, separators=(",", ":"))


class Talk:
    """A child process that answers every line with one."""

    def __init__(self, command: list[str], core: int, cwd: Path | None = None) -> None:
        cores = sorted(os.sched_getaffinity(0))
        self._process = subprocess.Popen(  # noqa: S603 - our own programs
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=cwd,
            preexec_fn=lambda: os.sched_setaffinity(0, {cores[core % len(cores)]}),  # noqa: PLW1509 - no threads here
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("the process has no pipes")
        self._to, self._from = self._process.stdin, self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def read_line(self) -> str:
        line = self._from.readline()
        if not line:
            raise ConnectionError("a process of the benchmark is gone")
        return line.strip()

    def tell(self, line: str) -> None:
        self._to.write(line + "\n")
        self._to.flush()

    def ask(self, line: str) -> str:
        self.tell(line)
        return self.read_line()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@dataclass
class Contender:
    """A server, its own load generator, and what was measured of it."""

    server: Talk
    load: Talk
    figures: Figures = field(default_factory=Figures)

    def fill(self, clients: int) -> None:
        self.load.ask(f"connect {WARM_CLIENTS}")
        self.cast(WARM_CLIENTS, 20)
        self.server.ask("settle")
        time.sleep(0.5)
        before = _memory_bytes(self.server.pid)
        self.load.ask(f"connect {clients - WARM_CLIENTS}")
        time.sleep(0.5)
        self.figures.idle_bytes = (_memory_bytes(self.server.pid) - before) / (clients - WARM_CLIENTS)
        self.server.ask("settle")

    def cast(self, clients: int, times: int) -> None:
        before = _cpu_s(self.server.pid)
        for _ in range(times):
            self.load.tell(f"await {FRAME_BYTES}")
            began = int(self.server.ask("cast"))
            self.figures.last_s.append((int(self.load.read_line()) - began) / 1e9)
        self.figures.cpu_s.append((_cpu_s(self.server.pid) - before) / times / clients)

    def leave(self) -> None:
        """Every client goes at the same moment, without a word."""
        self.server.ask("stall")
        self.load.kill()
        while self.server.ask("clients") != "0":
            time.sleep(0.02)
        time.sleep(0.1)
        self.figures.stall_s = float(self.server.ask("stall"))


@contextmanager
def contenders() -> Iterator[dict[str, Contender]]:
    python = [sys.executable, "-m", "benchmarks.fanout_server"]
    commands = {
        "ours": ([*python, "ours", payload()], None),
        "stock": ([*python, "stock", payload()], None),
        "node": (["node", "fanout_server.mjs", payload()], NODE),
    }
    with ExitStack() as started:
        running = {}
        for name, (command, cwd) in commands.items():
            server = Talk(command, SERVER_CORE, cwd)
            started.callback(server.kill)
            load = Talk([sys.executable, "-m", "benchmarks.fanout_load", server.read_line()], LOAD_CORE)
            started.callback(load.kill)
            running[name] = Contender(server, load)
        yield running


def measure(clients: int) -> dict[str, Figures]:
    with contenders() as running:
        for contender in running.values():
            contender.fill(clients)
            contender.figures.cpu_s.clear()
            contender.figures.last_s.clear()
        for _ in range(TURNS):
            for contender in running.values():
                contender.cast(clients, CASTS_PER_TURN)
        for contender in running.values():
            contender.leave()
        return {name: contender.figures for name, contender in running.items()}


def rows() -> list[Row]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if not (NODE / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=NODE, check=True)  # noqa: S607
    return [row for clients in CLIENTS if clients < hard - 100 for row in rows_of(clients, measure(clients))]


def _cpu_s(pid: int) -> float:
    """Processor time of all threads, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def _memory_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise ValueError("the kernel does not tell a process's memory")
