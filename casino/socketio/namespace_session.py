"""Session of a client in one namespace: its events in order, and acknowledgements in both directions.

A handler that only enqueues work returns the answer or a future, and the next event begins at once. A handler that has
to finish first returns a coroutine, and later events of the same client wait for it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

import structlog

from casino.socketio import packets
from casino.socketio.engine_session import EngineSession, Handshake, Violation
from casino.socketio.limits import Limits

Ack: TypeAlias = Mapping[str, object] | tuple[object, ...]
"""A mapping is the only argument of its acknowledgement. A tuple holds any number of arguments."""


@dataclass(frozen=True, slots=True)
class AckAndThen:
    """An acknowledgement, and a function called directly after it: no packet can come in between."""

    ack: Ack
    then: Callable[[], object]


Answer: TypeAlias = (
    Ack
    | asyncio.Future[Mapping[str, object]]
    | asyncio.Future[tuple[object, ...]]
    | Coroutine[Any, Any, Ack | AckAndThen]
)

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Accept:
    """Admits the client to the namespace.

    `account` is the key its connections are counted by, `rooms` are those it is in from the start. `then` is called
    directly after the client has been sent the acceptance.
    """

    account: str | None = None
    rooms: tuple[str, ...] = ()
    then: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Refuse:
    code: str
    message: str


class Namespace(Protocol):
    """Handler of one namespace, supplied by the application.

    `event` is called only after `connect` has accepted the client. Every accepted client gets exactly one `disconnect`,
    after its last event has begun and its last coroutine has ended.
    """

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse: ...

    def event(self, sid: str, name: str, args: list[Any]) -> Answer: ...

    def disconnect(self, sid: str, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Answers:
    """Acknowledgements of the transport itself.

    `malformed` answers an event that cannot be read and asks for an acknowledgement. None closes the connection
    instead, as the protocol demands. `failed` answers an event whose handler has failed.
    """

    malformed: Ack | None = None
    failed: Ack = ()


class ClientDisconnected(Exception):
    """The client has left before it acknowledged an event."""


class Event(NamedTuple):
    name: str
    args: list[Any]
    ack_id: int | None


class NamespaceSession:
    __slots__ = (
        "_answers",
        "_awaited",
        "_handler",
        "_inbox",
        "_limits",
        "_next_ack_id",
        "_running",
        "_send",
        "_unanswered",
        "accepted",
        "account",
        "left_reason",
        "namespace",
        "rooms",
        "session",
        "sid",
    )

    def __init__(
        self,
        sid: str,
        namespace: str,
        session: EngineSession,
        handler: Namespace,
        *,
        answers: Answers,
        send: Callable[..., None],
        limits: Limits,
    ) -> None:
        self.sid = sid
        self.namespace = namespace
        self.session = session
        self.account: str | None = None
        self.accepted = False
        self.left_reason: str | None = None
        self.rooms: set[str] = set()
        self._handler = handler
        self._answers = answers
        self._send = send
        self._unanswered = 0
        self._limits = limits
        self._awaited: dict[int, asyncio.Future[list[Any]]] | None = None
        self._next_ack_id = 0
        self._inbox: deque[Event] | None = None
        self._running: asyncio.Task[Any] | None = None

    def connect(self, auth: object, decided: Callable[["NamespaceSession", Accept | Refuse], None]) -> None:
        """Asks the handler. Events that arrive before its decision wait, and are dropped if it refuses."""
        self._run(self._connect(auth, decided), self._next)

    async def _connect(self, auth: object, decided: Callable[["NamespaceSession", Accept | Refuse], None]) -> None:
        verdict: Accept | Refuse
        try:
            verdict = await self._handler.connect(self.sid, self.session.handshake, auth)
        except Exception:  # noqa: BLE001 - a failing handler admits no client
            _log.exception("socket_connect_failed", namespace=self.namespace)
            verdict = Refuse("internal", "We couldn't check your sign-in. Please try again.")
        decided(self, verdict)

    def receive(self, event: Event) -> None:
        if self.left_reason is not None:
            return
        self._unanswered += 1
        if self._unanswered > self._limits.unanswered_events_max:
            raise Violation("too many unanswered events")
        if self._running is None:
            self._begin(event)
        else:
            if self._inbox is None:
                self._inbox = deque()
            self._inbox.append(event)

    def leave(self, reason: str) -> None:
        """Begins no further event, and notifies the handler after the running coroutine has ended."""
        if self.left_reason is not None:
            return
        self.left_reason = reason
        self._inbox = None
        for ack in (self._awaited or {}).values():
            if not ack.done():
                ack.set_exception(ClientDisconnected(reason))
        self._awaited = None
        if self._running is None:
            self._notify_left()

    # Acknowledgements of the client

    def expect_ack(self) -> tuple[int, "asyncio.Future[list[Any]]"]:
        """Returns a new acknowledgement id and the future of the client's answer."""
        if self._awaited is None:
            self._awaited = {}
        if len(self._awaited) >= self._limits.awaited_acks_max:
            raise RuntimeError("the client owes too many acknowledgements; wait for some first")
        ack_id = self._next_ack_id
        self._next_ack_id += 1
        ack = self._awaited[ack_id] = asyncio.get_running_loop().create_future()
        return ack_id, ack

    def forget_ack(self, ack_id: int) -> None:
        if self._awaited is not None:
            self._awaited.pop(ack_id, None)

    def take_ack(self, ack_id: int | None, args: list[Any]) -> None:
        """An answer that comes too late is ignored; one to no question is a violation."""
        if ack_id is None or ack_id >= self._next_ack_id:
            raise Violation("an acknowledgement of no event")
        ack = None if self._awaited is None else self._awaited.pop(ack_id, None)
        if ack is not None and not ack.done():
            ack.set_result(args)

    # Events of the client

    def _begin(self, event: Event) -> None:
        try:
            answer = self._handler.event(self.sid, event.name, event.args)
        except Exception:  # noqa: BLE001 - a failing handler must not end the connection
            self._fail(event)
            return
        if isinstance(answer, asyncio.Future):
            answer.add_done_callback(partial(self._settle, event))
        elif isinstance(answer, Coroutine):
            self._run(answer, partial(self._finish, event))
        else:
            self._acknowledge(event, answer)

    def _run(self, work: Coroutine[Any, Any, Any], done: Callable[["asyncio.Future[Any]"], None]) -> None:
        self._running = asyncio.get_running_loop().create_task(work)
        self._running.add_done_callback(done)

    def _finish(self, event: Event, task: "asyncio.Future[Ack | AckAndThen]") -> None:
        self._settle(event, task)
        self._next(task)

    def _next(self, _task: "asyncio.Future[Any]") -> None:
        self._running = None
        if self.left_reason is not None:
            self._notify_left()
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
        if event.ack_id is None or self.left_reason is not None:
            return
        try:
            packet = self._encode_ack(event.ack_id, answer)
        except TypeError as failure:  # the answer is no JSON: nested too deep, or a type JSON does not have
            # No traceback: it would show what the client sent.
            _log.error("ack_not_serializable", namespace=self.namespace, name=event.name, failure=str(failure))
            packet = self._encode_ack(event.ack_id, self._answers.failed)
        self._send(self.session, *packet)

    def _encode_ack(self, ack_id: int, answer: Ack) -> packets.Encoded:
        args = answer if isinstance(answer, tuple) else (answer,)
        return packets.acknowledgement(self.namespace, ack_id, args, binary=self._limits.binary)

    def _notify_left(self) -> None:
        if not self.accepted or self.left_reason is None:
            return
        self.accepted = False
        try:
            self._handler.disconnect(self.sid, self.left_reason)
        except Exception:  # noqa: BLE001 - the client is gone in any case
            _log.exception("socket_disconnect_failed", namespace=self.namespace)
