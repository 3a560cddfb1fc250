"""Runs a practice table for its presenter: simulated players, occasional faults, and a simulated manager.

Faults come from the configured list of incidents. The presenter sees the symptoms, not the name, and learns afterwards
whether the answer was right. After any failure, such as an unavailable database, the simulated players return after a
pause, since no staff supervise a practice table.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, Unpack

import structlog

from casino.clock import Clock
from casino.errors import Refusal
from casino.hosting.interfaces import Connection, Publisher, TableClient
from casino.live_table.messages import Join, Message
from casino.live_table.practice.simulated_players import BotPool, practice_users
from casino.settings import TableSettings
from casino.settings.incidents import IncidentClass
from casino.storage.database import Database
from casino.uth.commands import CancelRound, Command, Resume
from casino.wire.host_events import DRILL, HOST
from casino.wire.notices import HouseValues
from casino.wire.outbound import OutboundEvent, Payload
from casino.wire.player_events import ROUND

MANAGER: Final = "Practice manager"
DRILL_CHANCE: Final = 0.5
"""Probability of a fault in a round."""
DRILL_PHASES: Final = ("dealing_flop", "deciding_flop", "dealing_river", "deciding_river", "showdown")
ANSWER_MS: Final = 6_000
"""Delay of the simulated manager's answer."""
AGAIN_SECONDS: Final = 5.0
"""Delay after a failure."""
PENDING_EVENTS_MAX: Final = 100
"""Bound on queued table events; the oldest are dropped, since they are outdated."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Drill:
    incident_class: str
    known: IncidentClass
    round_id: str
    at_ms: int


@dataclass(slots=True)
class ObservedPublisher:
    """Publisher of a practice table: its trainer receives the same events as players and consoles."""

    publisher: Publisher
    observer: Callable[[OutboundEvent], None] | None = None

    def to_table(self, event: OutboundEvent) -> None:
        self._observe(event)
        self.publisher.to_table(event)

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        self.publisher.to_player(player_id, *events)

    def to_hosts(self, event: OutboundEvent) -> None:
        self._observe(event)
        self.publisher.to_hosts(event)

    def to_chat(self, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        self.publisher.to_chat(code, text, at_ms, **values)

    def seat_moved(self, connection: Connection) -> None:
        self.publisher.seat_moved(connection)

    def _observe(self, event: OutboundEvent) -> None:
        if self.observer:
            self.observer(event)


@dataclass(slots=True)
class Trainer:
    table: TableSettings
    actor: TableClient[Message]
    incidents: Mapping[str, IncidentClass]
    to_hosts: Callable[[OutboundEvent], None]
    """Sends an event to the consoles that watch the table."""
    clock: Clock
    chance: Random
    _events: "asyncio.Queue[OutboundEvent]" = field(default_factory=lambda: asyncio.Queue(PENDING_EVENTS_MAX))
    _due: list[tuple[int, Command]] = field(default_factory=list)
    _phase: tuple[str | None, str] = (None, "idle")
    _drill: Drill | None = None
    _plan: tuple[str, str] | None = None  # round and phase of the next drill
    _answered: tuple[str, str] | None = None  # the incident, and the class the manager has handled

    def on_event(self, event: OutboundEvent) -> None:
        """Receives every table event in order."""
        if event[0] in (ROUND.name, HOST.name):
            if self._events.full():
                self._events.get_nowait()
            self._events.put_nowait(event)

    async def run(self, database: Database) -> None:
        """Runs until cancelled."""
        while True:
            try:
                await self._train(database)
            except Exception as error:  # noqa: BLE001  whatever it was, practice goes on when it is over
                _log.warning("practice_interrupted", table_id=self.table.id, exc_info=error)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _train(self, database: Database) -> None:
        """Runs until something fails."""
        pool = BotPool(await practice_users(database, self.clock()), self.table, self.chance)
        for user in pool.people:
            await self.actor.ask(Join(user.id, user.name))
        while True:
            event, payload = await self._next()
            if event == ROUND.name:
                self._follow(pool, payload)
            elif event == HOST.name:
                self._judge(payload)
            await self._say_what_is_due()

    async def _next(self) -> tuple[str, Payload]:
        """Returns the next event; one without a name if something else is due before."""
        due_ms = min((at_ms for at_ms, _ in self._due), default=None)
        timeout = None if due_ms is None else max(0, due_ms - self.clock()) / 1000
        try:
            return await asyncio.wait_for(self._events.get(), timeout)
        except TimeoutError:
            return "", {}

    async def _say_what_is_due(self) -> None:
        now_ms = self.clock()
        due = [command for at_ms, command in self._due if at_ms <= now_ms]
        self._due = [timed for timed in self._due if timed[0] > now_ms]
        for command in due:
            with contextlib.suppress(Refusal):  # too late or already decided, as happens to people
                await self.actor.ask(command)

    def _follow(self, pool: BotPool, round_: Payload) -> None:
        phase = (round_["round_id"], round_["phase"])
        if phase == self._phase:
            return
        self._phase = phase
        now_ms = self.clock()
        self._due += [(now_ms + timed.after_ms, timed.command) for timed in pool.reacts_to(round_)]
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
        self.to_hosts(self._drill_event(now_ms, self._drill.known.situation, "What do you do?"))

    def _miss(self, now_ms: int) -> None:
        if self._drill:
            text = f"The round went on, though it was: {self._drill.known.title}. STOP was the right answer."
            self.to_hosts(self._drill_event(now_ms, None, text, expected=self._drill.incident_class))
            self._drill = None

    def _judge(self, host: Payload) -> None:
        """Judges the class a presenter reports; a changed report gets a new, later answer."""
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
        self.to_hosts(self._drill_event(now_ms, None, text, expected=drill.incident_class, reported=reported))

    def _drill_event(
        self, at_ms: int, situation: str | None, text: str, *, expected: str | None = None, reported: str | None = None
    ) -> OutboundEvent:
        return DRILL(
            {
                "table_id": self.table.id,
                "situation": situation,
                "at": at_ms,
                "expected": expected,
                "reported": reported,
                "text": text,
            }
        )
