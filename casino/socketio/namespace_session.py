"""A client's membership of one namespace: its events in their order, and the acknowledgement of each.

Decides when an event begins. Refuses to know what it does. A handler that only enqueues returns the answer or a
future, and the next event begins at once; a handler that has to finish first returns a coroutine, and the client's
later events wait for it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

import structlog

from casino.sockets.transport import packets
from casino.sockets.transport.connection import Connection, Handshake, Violation

Ack: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AckAndThen:
    """An acknowledgement, and what follows it at once: nothing that `then` lets through can overtake it."""

    ack: Ack
    then: Callable[[], object]


Answer: TypeAlias = Ack | asyncio.Future[Ack] | Coroutine[Any, Any, Ack | AckAndThen]

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Accept:
    """Lets the client in, under an account whose connections are counted, and into rooms from the first moment."""

    account: str | None = None
    rooms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuse:
    code: str
    message: str


class Namespace(Protocol):
    """What the next layer gives for each namespace. Nobody gets an event before `connect` has accepted him, and
    everybody accepted gets exactly one `disconnect`, after his last event has begun and any coroutine has ended."""

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse: ...

    def event(self, sid: str, name: str, data: object) -> Answer: ...

    def disconnect(self, sid: str, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Answers:
    """What the layer answers on its own: to an event that cannot be read, and for a handler that failed."""

    malformed: Ack
    failed: Ack


class Event(NamedTuple):
    name: str
    data: object
    ack_id: int | None


class Member:
    __slots__ = (
        "_answers",
        "_handler",
        "_inbox",
        "_running",
        "_send",
        "_unanswered",
        "_unanswered_max",
        "accepted",
        "account",
        "connection",
        "gone",
        "namespace",
        "rooms",
        "sid",
    )

    def __init__(
        self,
        sid: str,
        namespace: str,
        connection: Connection,
        handler: Namespace,
        *,
        answers: Answers,
        send: Callable[[Connection, bytes], None],
        unanswered_max: int,
    ) -> None:
        self.sid = sid
        self.namespace = namespace
        self.connection = connection
        self.account: str | None = None
        self.accepted = False
        self.gone: str | None = None
        self.rooms: set[str] = set()
        self._handler = handler
        self._answers = answers
        self._send = send
        self._unanswered = 0
        self._unanswered_max = unanswered_max
        self._inbox: deque[Event] | None = None
        self._running: asyncio.Task[Any] | None = None

    def connect(self, auth: object, decided: Callable[["Member", Accept | Refuse], None]) -> None:
        """Asks the handler; events that come before its word wait, and are dropped if it refuses."""
        self._run(self._connect(auth, decided), self._next)

    async def _connect(self, auth: object, decided: Callable[["Member", Accept | Refuse], None]) -> None:
        verdict: Accept | Refuse
        try:
            verdict = await self._handler.connect(self.sid, self.connection.handshake, auth)
        except Exception:  # noqa: BLE001 - whatever failed, nobody is let in by it
            _log.exception("socket_connect_failed", namespace=self.namespace)
            verdict = Refuse("internal", "The connection could not be checked.")
        decided(self, verdict)

    def receive(self, event: Event) -> None:
        if self.gone is not None:
            return
        self._unanswered += 1
        if self._unanswered > self._unanswered_max:
            raise Violation("too many unanswered events")
        if self._running is None:
            self._begin(event)
        else:
            if self._inbox is None:
                self._inbox = deque()
            self._inbox.append(event)

    def leave(self, reason: str) -> None:
        """No event begins any more; the handler is told once what is running has ended."""
        if self.gone is not None:
            return
        self.gone = reason
        self._inbox = None
        if self._running is None:
            self._tell_gone()

    def _begin(self, event: Event) -> None:
        try:
            answer = self._handler.event(self.sid, event.name, event.data)
        except Exception:  # noqa: BLE001 - one client's event must not end the connection, let alone the service
            self._fail(event)
            return
        if isinstance(answer, asyncio.Future):
            answer.add_done_callback(partial(self._settle, event))
        elif isinstance(answer, Mapping):
            self._acknowledge(event, answer)
        else:
            self._run(answer, partial(self._finish, event))

    def _run(self, work: Coroutine[Any, Any, Any], done: Callable[["asyncio.Future[Any]"], None]) -> None:
        self._running = asyncio.get_running_loop().create_task(work)
        self._running.add_done_callback(done)

    def _finish(self, event: Event, task: "asyncio.Future[Ack | AckAndThen]") -> None:
        self._settle(event, task)
        self._next(task)

    def _next(self, _task: "asyncio.Future[Any]") -> None:
        self._running = None
        if self.gone is not None:
            self._tell_gone()
            return
        while self._inbox and self._running is None:
            self._begin(self._inbox.popleft())

    def _settle(self, event: Event, future: "asyncio.Future[Ack | AckAndThen]") -> None:
        if future.cancelled():
            self._acknowledge(event, self._answers.failed)
        elif (failure := future.exception()) is not None:
            self._fail(event, failure)
        elif isinstance(answer := future.result(), AckAndThen):
            self._acknowledge(event, answer.ack)
            answer.then()
        else:
            self._acknowledge(event, answer)

    def _fail(self, event: Event, failure: BaseException | None = None) -> None:
        _log.error("socket_event_failed", namespace=self.namespace, name=event.name, exc_info=failure or True)
        self._acknowledge(event, self._answers.failed)

    def _acknowledge(self, event: Event, answer: Ack) -> None:
        self._unanswered -= 1
        if event.ack_id is None or self.gone is not None:
            return
        try:
            packet = packets.acknowledgement(self.namespace, event.ack_id, answer)
        except TypeError as failure:  # the handler's answer is no JSON: too deep, or a type JSON does not have
            # No trace: its frames hold what the client sent.
            _log.error("socket_answer_unfit", namespace=self.namespace, name=event.name, failure=str(failure))
            packet = packets.acknowledgement(self.namespace, event.ack_id, self._answers.failed)
        self._send(self.connection, packet)

    def _tell_gone(self) -> None:
        if not self.accepted or self.gone is None:
            return
        self.accepted = False
        try:
            self._handler.disconnect(self.sid, self.gone)
        except Exception:  # noqa: BLE001 - the client is gone either way
            _log.exception("socket_disconnect_failed", namespace=self.namespace)
