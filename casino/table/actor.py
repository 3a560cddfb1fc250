"""A running table: one task, one queue, one order.

Messages that arrive together are stored together. Everything timed (windows, the machine's cards, the next round)
happens in the same task, between messages, so nothing ever races. An answer is given, and the news is spread, only
after it is stored. If the table's own code fails, the askers hear it, the round stays as it was, and the table pauses
with an incident. If the database is away, the askers hear that too, and the table goes on by itself, with full time
for whatever was timed, as soon as it is back. Other tables do not notice.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import structlog

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.figures import Figures
from casino.settings import TableSettings
from casino.storage.database import is_away
from casino.table.bookkeeping import Bookkeeper
from casino.table.console import Console
from casino.table.floor import Floor
from casino.table.messages import Envelope, Leave, Message, Outlet, Payload, Retire
from casino.table.shoe import Seal
from casino.uth.state import Round

BATCH_MAX: Final = 1000
QUEUE_MAX: Final = 20_000
RETRY_MS: Final = 1000

_log = structlog.get_logger()


class TableActor:
    """The address of a table: `ask` sends a message and waits for its answer."""

    def __init__(
        self,
        settings: TableSettings,
        bookkeeper: Bookkeeper,
        outlet: Outlet,
        seal: Seal,
        clock: Clock,
        *,
        running: Round | None = None,
        names: Mapping[str, str] = MappingProxyType({}),
        past: Iterable[Payload] = (),
        figures: Figures | None = None,
        console: Console | None = None,
    ) -> None:
        """`running` is the round an earlier run of the service began, `names` of those who play it, `past` how the
        rounds before it ended."""
        self.table_id: Final = settings.id
        self._clock = clock
        self._figures = figures or Figures()
        self._floor = Floor(
            settings,
            bookkeeper,
            outlet,
            seal,
            clock,
            running=running,
            names=names,
            past=past,
            figures=self._figures,
            console=console,
        )
        self._queue: deque[Envelope] = deque()
        self._retry_ms = 0
        self._is_ending = False
        self._nudge = asyncio.Event()
        self._at_rest = asyncio.Event()

    async def ask(self, message: Message) -> Payload:
        """The table's answer; a refusal is raised."""
        return await self.post(message, self._clock())

    def post(self, message: Message, at_ms: int) -> asyncio.Future[Payload]:
        """Put the message into the queue, with the time it arrived; its answer comes later.

        Who has left does not say so again, so there is always room for that.
        """
        reply: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        if len(self._queue) < QUEUE_MAX or isinstance(message, Leave):
            self._queue.append(Envelope(message, at_ms, reply))
        else:
            reply.set_exception(Refusal(Code.RATE_LIMITED, "The table has too much to do. Try again."))
        self._nudge.set()
        return reply

    @property
    def summary(self) -> Payload:
        """What the lobby shows."""
        return self._floor.summary()

    @property
    def standing(self) -> Payload:
        """What whoever watches over the floor sees at a glance."""
        return self._floor.standing() | {"is_failing": self._retry_ms > 0}

    @property
    def past(self) -> list[Payload]:
        """How the last rounds ended, the newest first."""
        return self._floor.past.newest_first()

    async def run(self) -> None:
        """Until `end`: then the step being made is finished, and no other begun."""
        while True:
            envelopes = await self._next()
            if self._is_ending:
                return
            try:
                await self._floor.serve(envelopes, self._clock(), self._waiting_since_ms())
            except Exception as error:  # noqa: BLE001  whatever it was, this table stops and the others go on
                await self._fail(envelopes, error)
            else:
                self._retry_ms = 0
            if self._floor.is_at_rest:
                self._at_rest.set()
            else:
                self._at_rest.clear()

    async def end(self) -> None:
        """Stop working where the round stands. What is stored stays stored; the next start goes on from there."""
        self._is_ending = True
        self._nudge.set()

    async def retire(self) -> None:
        """Take no more bets: open ones go back; returns once a round whose betting was closed has ended."""
        while True:
            try:
                await self.ask(Retire())
            except Refusal:  # the database is away; whoever stops the house has bounds to this
                await asyncio.sleep(RETRY_MS / 1000)
            else:
                break
        await self._at_rest.wait()

    async def _next(self) -> Sequence[Envelope]:
        """What has arrived, or nothing once something is due."""
        due_ms = self._floor.due_ms()
        timeout = None if due_ms is None else max(0, due_ms - self._clock(), self._retry_ms) / 1000
        self._nudge.clear()
        if not self._queue and not self._is_ending:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout):
                    await self._nudge.wait()
        return [self._queue.popleft() for _ in range(min(BATCH_MAX, len(self._queue)))]

    def _waiting_since_ms(self) -> int | None:
        """When the first of those arrived who have to wait for the next turn."""
        return self._queue[0].at_ms if self._queue else None

    async def _fail(self, envelopes: Sequence[Envelope], error: Exception) -> None:
        _log.error("table_failed", table_id=self.table_id, exc_info=error)
        self._figures.failures.labels(self.table_id).inc()
        self._floor.keep_in_mind(envelopes)
        for envelope in envelopes:
            envelope.refuse(self._refusal(envelope.message, error))
        self._retry_ms = RETRY_MS  # what is due stays due; it is tried again, but not in a tight loop
        if is_away(error):
            self._floor.interrupt(self._clock())
            return
        try:
            await self._floor.pause_by_itself(self._clock())
        except Exception as worse:  # noqa: BLE001  not even the pause can be stored: it is tried again in a second
            _log.error("table_cannot_pause", table_id=self.table_id, exc_info=worse)

    def _refusal(self, message: Message, error: Exception) -> Refusal:
        if isinstance(message, Leave):
            return Refusal(Code.INTERNAL, "You have left. An open bet comes back as soon as the house can store it.")
        if self._floor.is_in_doubt:
            return Refusal(Code.INTERNAL, "Nobody knows yet whether this was stored. Your seat will show it soon.")
        if is_away(error):
            return Refusal(Code.INTERNAL, "The house can store nothing at the moment. Your bets stand as they were.")
        return Refusal(Code.INTERNAL, "The table made a mistake. Your bets stand as they were.")
