"""Scenario of `make load LOAD="--tournament 10000"`: one turbo tournament of bots over real sockets, to its end.

python -m benchmarks.load --tournament [10000] [--seconds 60] [--think 2.5]

The first part is at human pace: first cards, and the processor time of the director. Then the bots think for a moment
only and go all-in often, until one is left: prizes, places, balances, memory.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.load.page import BYTES_MORE_MAX, machine, share, times
from benchmarks.load.poker_crowd import Measures
from benchmarks.load.poker_service import add_poker, wrong_balances
from benchmarks.load.service import LoadService, casino_command, open_service, url_of
from benchmarks.load.tournament_crowd import TournamentCrowd, TournamentMeasures

FIRST_CARDS_MAX, DIRECTOR_MAX, PRIZE_MOST_MAX = 3.0, 0.05, 0.3
PRICE, FEE = 1_000, 100
WARM_SECONDS = 10.0
WILD_THINK_SECONDS = 0.4
REGISTERED_A_SECOND = 100
DELAY_SECONDS = 20
END_SECONDS_MAX = 900
_MANAGER, _PASSWORD = "max", "walrus-tunnel-quartz-58"


@dataclass(frozen=True)
class TournamentFigures:
    players: int
    seconds: float
    think_seconds: float
    human: Measures
    crowd: TournamentMeasures
    register_seconds: float
    cpu_seconds: float
    director_seconds: float
    bots_cpu_seconds: float
    rest_seconds: float
    rest_director_seconds: float
    rest_cpu_seconds: float
    hands: int
    memory: list[int]
    """At the start, at its most, and at the end."""
    errors: dict[str, int]
    wrong: list[str]
    is_verified: bool

    @property
    def first_cards(self) -> float:
        """From the first seat notice to the last first card."""
        assert self.crowd.seated is not None
        return max(self.crowd.first_cards.values()) - self.crowd.seated

    @property
    def director(self) -> float:
        return self.director_seconds / self.seconds

    @property
    def is_steady(self) -> bool:
        return self.memory[2] - self.memory[0] <= BYTES_MORE_MAX

    @property
    def is_right(self) -> bool:
        places = sorted(self.crowd.places.values()) == [*range(1, self.players + 1)]
        return places and not self.wrong and self.is_verified and not self.errors

    @property
    def is_met(self) -> bool:
        return (
            self.is_right
            and self.is_steady
            and self.first_cards <= FIRST_CARDS_MAX
            and self.director <= DIRECTOR_MAX
            and share(self.crowd.prizes, 0.99) <= PRIZE_MOST_MAX
        )

    def page(self) -> str:
        hands, rest_hands = self.human.settled, self.hands
        mib = [round(size / 1024**2) for size in self.memory]
        per_hand = [
            1000 * self.director_seconds / max(hands, 1),
            1000 * self.rest_director_seconds / max(rest_hands, 1),
        ]
        director = f"{self.director:.1%} of a core, {per_hand[0]:.2f} ms a hand   (goal: 5%)"
        service = f"{self.cpu_seconds / self.seconds:.0%} of a core; bots {self.bots_cpu_seconds / self.seconds:.0%}"
        core = f"{self.rest_cpu_seconds / self.rest_seconds:.0%} of a core"
        money = f"casino verify {'holds' if self.is_verified else 'FAILS'}, {len(self.wrong)} balances differ"
        lines = [
            f"tournament: {self.players:,} players over sockets, turbo; {machine()}",
            f"  registering           {self.register_seconds:.1f} s",
            f"  draw → first cards    {self.first_cards:.2f} s everywhere   (goal: 3)",
            f"  human pace            {self.seconds:.0f} s, {self.think_seconds:g} s to think, {hands:,} hands",
            f"  director              {director}",
            f"  service               {service}",
            f"  act → ack             {times(self.human.acks['act'])}",
            f"  act → last listener   {times(self.human.received)}",
            f"  to the end            {self.rest_seconds:.0f} s, {rest_hands:,} hands, {core}",
            f"  director then         {per_hand[1]:.2f} ms a hand",
            f"  knock-out → prize     {times(self.crowd.prizes)}   (goal: p99 300)",
            f"  memory                {mib[0]} MiB at the start, {mib[1]} at most, {mib[2]} at the end",
            f"  too late              {dict(self.human.late) or 'none'}",
            f"  errors                {self.errors or 'none'}",
            f"  money                 {money} {'; '.join(self.wrong[:3])}",
            f"  goals                 {'met' if self.is_met else 'MISSED'}",
        ]
        return "\n".join(lines)


def play(players: int, seconds: float, think_seconds: float, *, is_pinned: bool) -> TournamentFigures:
    core = min(os.sched_getaffinity(0)) if is_pinned else None
    with _service(players, core) as (service, guests, director):
        manager = _Manager(service)  # before players are connected: meanwhile nobody answers their pings
        crowd = TournamentCrowd(service.port, guests, think_seconds=think_seconds)
        crowd.come()
        tournament_id = manager.announce(players)
        began = time.monotonic()
        crowd.register(tournament_id, PRICE, lambda: manager.delay(tournament_id))
        register_seconds = time.monotonic() - began
        until = time.time() + 60 + max(manager.starts - time.time(), 0)
        while len(crowd.tournament.first_cards) < players and time.time() < until:
            crowd.step(0.02)
        crowd.play(WARM_SECONDS)
        memory = [service.memory_bytes()] * 3
        crowd.measures = Measures(errors=crowd.measures.errors)
        cpu, bots, directed = service.cpu_seconds(), time.process_time(), director.seconds
        began = time.monotonic()
        crowd.play(seconds)
        seconds = time.monotonic() - began
        human = crowd.measures
        cpu, bots, directed = service.cpu_seconds() - cpu, time.process_time() - bots, director.seconds - directed
        crowd.measures = Measures(errors=human.errors)
        crowd.set_pace(WILD_THINK_SECONDS, is_wild=True)
        rest_cpu, rest_directed, began = service.cpu_seconds(), director.seconds, time.monotonic()
        while crowd.tournament.ended is None and time.monotonic() < began + END_SECONDS_MAX:
            crowd.play(1.0)
            memory[1] = max(memory[1], service.memory_bytes())
        rest_seconds = time.monotonic() - began
        rest_cpu, rest_directed = service.cpu_seconds() - rest_cpu, director.seconds - rest_directed
        crowd.play(1.0)
        memory[2] = service.memory_bytes()
        errors = dict(crowd.measures.errors)
        crowd.close()
        return TournamentFigures(
            players,
            seconds,
            think_seconds,
            human,
            crowd.tournament,
            register_seconds,
            cpu,
            directed,
            bots,
            rest_seconds,
            rest_directed,
            rest_cpu,
            crowd.measures.settled,
            memory,
            errors,
            wrong_balances(service.folder, crowd.clients),
            service.verified(),
        )


@dataclass(frozen=True)
class _DirectorTime:
    """Processor time of the directors, as the service writes it down."""

    file: Path

    @property
    def seconds(self) -> float:
        return float(self.file.read_text().split()[0])


@contextmanager
def _service(players: int, core: int | None) -> Iterator[tuple[LoadService, list[Any], _DirectorTime]]:
    with TemporaryDirectory(prefix="casino-load-director-") as folder:
        file = Path(folder, "director")
        command = [sys.executable, "-m", "benchmarks.load.tournament_server", str(file)]
        opened = open_service(players, betting=10.0, decide=6.0, core=core, prepare=_add_tournaments, command=command)
        with opened as (service, guests):
            yield service, guests, _DirectorTime(file)


def _add_tournaments(config: Path) -> None:
    add_poker(config, is_quick=True)  # hands follow one another, so that more of them are played
    room = config / "poker" / "room.toml"
    text = room.read_text()
    assert "first_hand = 10" in text
    room.write_text(text.replace("first_hand = 10", "first_hand = 0"))
    (config / "poker" / "schedule.toml").write_text("")


class _Manager:
    def __init__(self, service: LoadService) -> None:
        self._service = service
        config, database = str(service.folder / "config"), url_of(service.folder)
        add = [*casino_command(), "user", "add", _MANAGER, "--role", "manager", "--password-stdin"]
        subprocess.run(  # noqa: S603  our own command
            [*add, "--config", config, "--database", database], input=f"{_PASSWORD}\n", text=True, check=True
        )
        self.starts = 0.0
        self._token = ""
        self._token = self._post("/api/login", {"name": _MANAGER, "password": _PASSWORD})["token"]

    def announce(self, players: int) -> str:
        self.starts = time.time() + DELAY_SECONDS + players / REGISTERED_A_SECOND
        template = {
            "id": "load",
            "name": "The Load",
            "at": datetime.fromtimestamp(self.starts, UTC).isoformat(),
            "total": PRICE,
            "structure": "turbo",
            "late_levels": 0,
            "sync_breaks": False,
            "entries_max": players,
        }
        wanted = {"template": template, "currency": "FUN", "reason": "load"}
        return str(self._post("/api/host/poker/tournaments", wanted)["tournament_id"])

    def delay(self, tournament_id: str) -> None:
        """Starts later if the start is near: not all have registered yet."""
        if time.time() > self.starts - DELAY_SECONDS / 2:
            self.starts = time.time() + DELAY_SECONDS
            change = {"starts_at": round(1000 * self.starts), "reason": "not all are registered"}
            self._post(f"/api/host/poker/tournaments/{tournament_id}/change", change)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._service.port}{path}", json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            reply: dict[str, Any] = json.loads(answer.read())
            return reply


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--tournament", type=int, nargs="?", const=10_000, default=10_000, help="players")
    parser.add_argument("--seconds", type=float, default=60.0, help="at human pace")
    parser.add_argument("--think", type=float, default=2.5, help="mean seconds before a decision")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    is_pinned = len(os.sched_getaffinity(0)) > 1
    figures = play(asked.tournament, asked.seconds, asked.think, is_pinned=is_pinned)
    print(figures.page())
    return 0 if figures.is_met else 1
