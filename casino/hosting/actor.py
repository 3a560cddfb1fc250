"""Table actor: one task and one mailbox per table, so that nothing races; messages are dispatched by their class.

The actor passes messages that arrive together to the table in one call. Everything timed runs in the same task, between
messages. A message is plain data; only its envelope, which never leaves the actor, holds the future reply.

If the table fails, the senders receive its refusal, and due work is tried again after a delay. Other tables are not
affected.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import structlog

from casino.clock import Clock
from casino.errors import Refusal
from casino.refusals import Reason
from casino.wire.outbound import Payload

BATCH_MAX: Final = 1000
QUEUE_MAX: Final = 20_000
RETRY_MS: Final = 1000
M = TypeVar("M")

_log = structlog.get_logger()


class Envelope(NamedTuple, Generic[M]):
    """A message with its time of arrival and its future reply."""

    message: M
    at_ms: int
    reply: asyncio.Future[Payload]

    def answer(self, payload: Payload) -> None:
        if not self.reply.done():  # the sender may have left
            self.reply.set_result(payload)

    def refuse(self, refusal: Refusal) -> None:
        if not self.reply.done():
            self.reply.set_exception(refusal)
            # marks the exception as retrieved: a client that lost its connection does not read the reply
            self.reply.exception()


GroupHandler = Callable[[Sequence[Envelope[M]], int], Awaitable[None]]
"""Processes envelopes at a given time, and answers each of them."""
Handler = Callable[[M, int], Awaitable[Payload]]
"""Processes one message at a given time; returns its reply or raises its refusal."""


class MessageHandlers:
    """Handler of each message class. A message of an unknown class is a defect of its sender."""

    def __init__(self) -> None:
        self._handlers: dict[type, GroupHandler[Any]] = {}

    def together(self, kinds: Iterable[type[M]], handle: GroupHandler[M]) -> None:
        """Messages of these classes that arrive in a row are processed in one call."""
        self._handlers.update(dict.fromkeys(kinds, handle))

    def alone(self, kind: type[M], handle: Handler[M]) -> None:
        """Messages of this class are processed one by one."""

        async def handle_each(envelopes: Sequence[Envelope[M]], now_ms: int) -> None:
            for envelope in envelopes:
                try:
                    envelope.answer(await handle(envelope.message, now_ms))
                except Refusal as refusal:
                    envelope.refuse(refusal)

        self._handlers[kind] = handle_each

    def groups(self, envelopes: Iterable[Envelope[Any]]) -> Iterable[tuple[GroupHandler[Any], list[Envelope[Any]]]]:
        """Yields each run of messages with the handler they share."""
        for handle, run in groupby(envelopes, lambda envelope: self._handlers[type(envelope.message)]):
            yield handle, list(run)


class Hosted(Protocol[M]):
    """A table of any game, as its actor sees it."""

    @property
    def is_at_rest(self) -> bool:
        """Whether no round or hand is running."""

    def due_ms(self) -> int | None:
        """Returns the time of the next automatic step."""

    def always_fits(self, message: M) -> bool:
        """Whether a full mailbox still takes the message, because its sender cannot repeat it."""

    async def process(self, envelopes: Sequence[Envelope[M]], now_ms: int, waiting_since_ms: int | None) -> None:
        """Processes messages in order, then all due steps. Messages since `waiting_since_ms` wait for the next turn."""

    async def recover_from(self, error: Exception, envelopes: Sequence[Envelope[M]], now_ms: int) -> None:
        """Refuses what `process` has left unanswered, after it has failed."""


class Actor(Generic[M]):
    """Address of a table in its own process: `ask` sends a message and waits for the reply."""

    def __init__(self, table_id: str, table: Hosted[M], clock: Clock) -> None:
        self.table_id: Final = table_id
        self._table = table
        self._clock = clock
        self._queue: deque[Envelope[M]] = deque()
        self._retry_ms = 0
        self._is_stopping = False
        self._has_ended = False
        self._envelopes: Sequence[Envelope[M]] = ()
        self._wakeup = asyncio.Event()
        self._at_rest = asyncio.Event()

    async def ask(self, message: M) -> Payload:
        """Returns the table's reply; raises its refusal."""
        return await self.post(message, self._clock())

    def post(self, message: M, arrived_ms: int) -> asyncio.Future[Payload]:
        """Enqueues the message with its time of arrival; returns the future reply."""
        reply: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        envelope = Envelope(message, arrived_ms, reply)
        if self._has_ended:
            envelope.refuse(_no_longer_running())
        elif len(self._queue) < QUEUE_MAX or self._table.always_fits(message):
            self._queue.append(envelope)
        else:
            envelope.refuse(Reason.TABLE_BUSY.refusal())
        self._wakeup.set()
        return reply

    async def run(self) -> None:
        """Runs until `stop`: finishes the current step and begins no other.

        However it ends, every sender receives a reply: those still waiting, and those who send a message afterwards.
        """
        try:
            await self._run()
        finally:
            self._has_ended = True
            for envelope in (*self._envelopes, *self._queue):
                envelope.refuse(_no_longer_running())
            self._queue.clear()
            self._at_rest.set()

    async def _run(self) -> None:
        while True:
            self._envelopes = await self._next()
            if self._is_stopping:
                return
            try:
                await self._table.process(self._envelopes, self._clock(), self._waiting_since_ms())
            except Exception as error:  # noqa: BLE001  any error stops this table, and the others continue
                _log.error("table_failed", table_id=self.table_id, exc_info=error)
                self._retry_ms = RETRY_MS  # due work stays due; the delay avoids a tight retry loop
                await self._table.recover_from(error, self._envelopes, self._clock())
            else:
                self._retry_ms = 0
            if self._table.is_at_rest:
                self._at_rest.set()
            else:
                self._at_rest.clear()

    async def stop(self) -> None:
        """Stops at the current step. The next start continues from what is stored."""
        self._is_stopping = True
        self._wakeup.set()

    async def rest_after(self, message: M) -> None:
        """Sends the message until the table accepts it; waits until no round or hand is running."""
        while not self._has_ended:
            try:
                await self.ask(message)
            except Refusal:  # the database is unavailable; the caller bounds the waiting time
                await asyncio.sleep(RETRY_MS / 1000)
            else:
                await self._at_rest.wait()
                return

    async def _next(self) -> Sequence[Envelope[M]]:
        """Waits for messages; returns none once something is due."""
        due_ms = self._table.due_ms()
        timeout = None if due_ms is None else max(0, due_ms - self._clock(), self._retry_ms) / 1000
        self._wakeup.clear()
        if not self._queue and not self._is_stopping:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout):
                    await self._wakeup.wait()
        return [self._queue.popleft() for _ in range(min(BATCH_MAX, len(self._queue)))]

    def _waiting_since_ms(self) -> int | None:
        """Returns the arrival time of the first message that has to wait for the next turn."""
        return self._queue[0].at_ms if self._queue else None


def _no_longer_running() -> Refusal:
    return Reason.TABLE_STOPPED.refusal()
