"""Live table for tests: the real actor on a real database, a recording publisher, and a virtual clock.

No window ends while a test still has to answer it, however slow the machine is: what is timed takes a minute, and
a test that wants it to be over says so.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Unpack

from casino.clock import wall_clock
from casino.history.fairness import read_proof
from casino.hosting.interfaces import Connection
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.actor import TableActor
from casino.live_table.messages import Message, Watch
from casino.live_table.recovery import recover
from casino.live_table.shoe import Seal
from casino.settings import TableSettings
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import DealCard, Decide, PlaceBet
from casino.wire.notices import HouseValues
from casino.wire.outbound import OutboundEvent, Payload

SECONDS: dict[str, float] = {
    "betting": 60,
    "decide_preflop": 60,
    "decide_flop": 60,
    "decide_river": 60,
    "between_rounds": 0,
    "round_min": 0,
    "card": 0,
    "confirm": 0,
}
WAIT_SECONDS_MAX = 60  # a guard against hanging
KEY = "the secret key of the tests"


def table_settings(**changes: Any) -> TableSettings:  # noqa: ANN401
    seconds = SECONDS | changes.pop("seconds", {})
    return TableSettings.model_validate({"id": "uth-1", "name": "Table 1", "seconds": seconds} | changes)


@dataclass
class RecordingPublisher:
    """Records everything the table publishes, in order."""

    events: list[tuple[str, str, Payload]] = field(default_factory=list)  # to whom, event, payload
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def to_table(self, event: OutboundEvent) -> None:
        self._record("*", *event)

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        for event, payload in events:
            self._record(player_id, event, payload)

    def to_chat(self, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        self._record("*", "chat", {"code": code, "text": text, "at": at_ms, **values})

    def to_hosts(self, event: OutboundEvent) -> None:
        self._record("host", *event)

    def seat_moved(self, connection: Connection) -> None:
        self._record(connection.sid, "moved", {})

    def _record(self, whom: str, event: str, payload: Payload) -> None:
        self.events.append((whom, event, payload))
        self.arrived.set()

    def all(self, whom: str, event: str) -> list[Payload]:
        return [payload for to, name, payload in self.events if (to, name) == (whom, event)]


@dataclass
class MovedClock:
    ahead_ms: int = 0

    def __call__(self) -> int:
        return wall_clock() + self.ahead_ms


@dataclass
class LiveTable:
    actor: TableActor
    published: RecordingPublisher
    clock: MovedClock

    def time_out(self) -> None:
        """Whatever is timed now is over."""
        due_ms = self.actor._table._round_due_ms()
        assert due_ms is not None
        self.clock.ahead_ms += max(0, due_ms - self.clock())
        self.actor._wakeup.set()

    async def play_out(self, round_id: str) -> Payload:
        """Nobody answers any more: each window runs out, to the end of the round."""
        for phase in ("betting", "deciding_preflop", "deciding_flop", "deciding_river"):
            await self.phase(phase, round_id)
            self.time_out()
        return await self.phase("settled", round_id)

    async def ask(self, message: Message) -> Payload:
        return await asyncio.wait_for(self.actor.ask(message), WAIT_SECONDS_MAX)

    async def until(self, whom: str, event: str, is_it: Callable[[Payload], bool]) -> Payload:
        """The newest such thing the table has said, or says soon."""
        async with asyncio.timeout(WAIT_SECONDS_MAX):
            while True:
                found = [payload for payload in self.published.all(whom, event) if is_it(payload)]
                if found:
                    return found[-1]
                self.published.arrived.clear()
                await self.published.arrived.wait()

    async def phase(self, phase: str, round_id: str | None = None) -> Payload:
        return await self.until(
            "*", "round", lambda view: view["phase"] == phase and round_id in (None, view["round_id"])
        )

    async def bet(self, round_id: str, player: str, ante: int, trips: int = 0, *, seed: str | None = None) -> Payload:
        return await self.ask(PlaceBet(round_id, player, ante, trips, available_minor=0, seed=seed))

    async def decide(self, round_id: str, player: str, action: Action) -> Payload:
        return await self.ask(Decide(round_id, player, action, available_minor=0))

    async def scan(self, round_id: str, *cards: str) -> None:
        for card in cards:
            await self.ask(DealCard(round_id, card, "pia"))


async def proof_in(database: Database, round_id: str) -> Payload:
    """The public proof; it needs no key."""
    async with database.reading() as connection:
        return await read_proof(connection, round_id, lambda _sealed: None)


@asynccontextmanager
async def live_table(
    database: Database, settings: TableSettings | None = None, *, key: str = KEY
) -> AsyncIterator[LiveTable]:
    """Starts as the service does: first what an earlier run left behind is recovered."""
    settings = settings or table_settings()
    seal = Seal(key)
    automatic = {settings.id} if settings.dealing == "auto" else set()
    recovered = await recover(database, {settings.id: 300_000}, wall_clock(), automatic_tables=automatic, seal=seal)
    published = RecordingPublisher()
    unit_of_work = await TableUnitOfWork.of(database, settings.id, seal)
    running = recovered.running.get(settings.id)
    clock = MovedClock()
    actor = TableActor(settings, unit_of_work, published, seal, clock, running=running)
    task = asyncio.create_task(actor.run())
    await actor.ask(Watch("pia", Connection("test", "console")))
    try:
        yield LiveTable(actor, published, clock)
    finally:
        await actor.stop()
        await asyncio.wait_for(task, WAIT_SECONDS_MAX)
