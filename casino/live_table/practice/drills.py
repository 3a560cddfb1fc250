"""Runs a practice table beside its presenter: the crowd plays, something goes wrong now and then, a manager answers.

What goes wrong comes from the house's own list of incidents. The presenter is told what can be seen, not what it is
called; whether it was recognised is said afterwards. Whatever fails, such as the database at the start, the crowd comes
back after a pause: the presenter's table is none that anybody watches over.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

import structlog

from casino.clock import Clock
from casino.errors import Refusal
from casino.practice.crowd import Crowd, gather_crowd
from casino.settings import TableSettings
from casino.settings.incidents import IncidentClass
from casino.storage.database import Database
from casino.table.actor import TableActor
from casino.table.messages import Join, Payload
from casino.uth.commands import CancelRound, Command, Resume

MANAGER: Final = "Practice manager"
DRILL_CHANCE: Final = 0.5
"""Of a round in which something goes wrong."""
DRILL_PHASES: Final = ("dealing_flop", "deciding_flop", "dealing_river", "deciding_river", "showdown")
ANSWER_MS: Final = 6_000
"""So long the simulated manager takes to answer."""
AGAIN_SECONDS: Final = 5.0
"""After something has failed."""
HEARD_MAX: Final = 100
"""News that nobody has followed yet; of more the oldest are forgotten, they are no news any longer."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Drill:
    incident_class: str
    known: IncidentClass
    round_id: str
    at_ms: int


@dataclass(slots=True)
class Trainer:
    table: TableSettings
    actor: TableActor
    incidents: Mapping[str, IncidentClass]
    tell: Callable[[Payload], None]
    """To the consoles that watch the table."""
    clock: Clock
    chance: Random
    _heard: "asyncio.Queue[tuple[str, Payload]]" = field(default_factory=lambda: asyncio.Queue(HEARD_MAX))
    _due: list[tuple[int, Command]] = field(default_factory=list)
    _phase: tuple[str | None, str] = (None, "idle")
    _drill: Drill | None = None
    _plan: tuple[str, str] | None = None  # round and phase of the next drill
    _answered: tuple[str, str] | None = None  # the incident, and the class, that the manager has dealt with

    def hear(self, event: str, payload: Payload) -> None:
        """Whatever the table says, as it says it."""
        if event in ("round", "host"):
            if self._heard.full():
                self._heard.get_nowait()
            self._heard.put_nowait((event, payload))

    async def run(self, database: Database) -> None:
        """Until it is cancelled."""
        while True:
            try:
                await self._train(database)
            except Exception as error:  # noqa: BLE001  whatever it was, practice goes on when it is over
                _log.warning("practice_interrupted", table_id=self.table.id, exc_info=error)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _train(self, database: Database) -> None:
        """As long as nothing fails."""
        crowd = Crowd(await gather_crowd(database, self.clock()), self.table, self.chance)
        for user in crowd.people:
            await self.actor.ask(Join(user.id, user.name))
        while True:
            event, payload = await self._next()
            if event == "round":
                self._follow(crowd, payload)
            elif event == "host":
                self._judge(payload)
            await self._say_what_is_due()

    async def _next(self) -> tuple[str, Payload]:
        due_ms = min((at_ms for at_ms, _ in self._due), default=None)
        timeout = None if due_ms is None else max(0, due_ms - self.clock()) / 1000
        try:
            return await asyncio.wait_for(self._heard.get(), timeout)
        except TimeoutError:
            return "", {}

    async def _say_what_is_due(self) -> None:
        now_ms = self.clock()
        due = [command for at_ms, command in self._due if at_ms <= now_ms]
        self._due = [timed for timed in self._due if timed[0] > now_ms]
        for command in due:
            with contextlib.suppress(Refusal):  # too late, or already decided: that happens to people too
                await self.actor.ask(command)

    def _follow(self, crowd: Crowd, round_: Payload) -> None:
        phase = (round_["round_id"], round_["phase"])
        if phase == self._phase:
            return
        self._phase = phase
        now_ms = self.clock()
        self._due += [(now_ms + timed.after_ms, timed.command) for timed in crowd.reacts_to(round_)]
        if round_["phase"] == "betting":
            happens = self.chance.random() < DRILL_CHANCE
            self._plan = (round_["round_id"], self.chance.choice(DRILL_PHASES)) if happens else None
        elif phase == self._plan:
            self._inject(round_["round_id"], now_ms)
        elif round_["phase"] in ("settled", "cancelled", "idle"):
            self._miss(now_ms)

    def _inject(self, round_id: str, now_ms: int) -> None:
        name = self.chance.choice([name for name in self.incidents if name != "something_else"] or list(self.incidents))
        self._drill, self._plan = Drill(name, self.incidents[name], round_id, now_ms), None
        self.tell(self._told(now_ms, self._drill.known.situation, "What do you do?"))

    def _miss(self, now_ms: int) -> None:
        if self._drill:
            text = f"The round went on, though it was: {self._drill.known.title}. STOP was the right answer."
            self.tell(self._told(now_ms, None, text, expected=self._drill.incident_class))
            self._drill = None

    def _judge(self, host: Payload) -> None:
        """A presenter may say something else after all: then the answer is another one, and comes later."""
        incident = host["incident"]
        if incident is None or incident["incident_class"] is None:
            return
        incident_id, reported = incident["incident_id"], incident["incident_class"]
        if self._answered == (incident_id, reported):
            return
        self._answered = (incident_id, reported)
        now_ms = self.clock()
        goes_on = "resume" in incident["resolutions"]
        answer = Resume(MANAGER, "Practice", incident_id) if goes_on else CancelRound("Practice", MANAGER, incident_id)
        self._due = [timed for timed in self._due if not isinstance(timed[1], Resume | CancelRound)]
        self._due.append((now_ms + ANSWER_MS, answer))
        drill, self._drill = self._drill, None
        if drill is None:
            return
        seconds = (now_ms - drill.at_ms) / 1000
        text = f"Right: {drill.known.title}, after {seconds:.0f} s. Now follow the steps."
        if reported != drill.incident_class:
            text = f"It was: {drill.known.title}. You reported: {incident['title']}."
        self.tell(self._told(now_ms, None, text, expected=drill.incident_class, reported=reported))

    def _told(
        self, at_ms: int, situation: str | None, text: str, *, expected: str | None = None, reported: str | None = None
    ) -> Payload:
        return {
            "table_id": self.table.id,
            "situation": situation,
            "at": at_ms,
            "expected": expected,
            "reported": reported,
            "text": text,
        }
