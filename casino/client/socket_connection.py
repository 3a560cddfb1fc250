"""Socket connection of one player to one namespace: answers messages, keeps events in order, reconnects by itself.

The caller reads events in order; events of the connection itself are `lost` and `gone`. A subclass knows which events
it keeps and what it says again after a lost connection.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import socketio
from socketio import exceptions

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable

ANSWER_SECONDS_MAX: Final = 20.0
CONNECT_SECONDS_MAX: Final = 20
ATTEMPTS_MAX: Final = 10
DELAY_SECONDS_MAX: Final = 5.0

ConnectionEvent = tuple[str, Payload]


class SocketConnection(ABC):
    def __init__(self, api: HttpApi, member: Member, namespace: str, events: Sequence[str]) -> None:
        self.member: Final = member
        self._api = api
        self._namespace = namespace
        self._events: asyncio.Queue[ConnectionEvent | None] = asyncio.Queue()
        self._refusal: Rejected | None = None
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._reconnecting: asyncio.Task[None] | None = None
        self._client = socketio.AsyncClient(reconnection=False, handle_sigint=False, http_session=api.http)
        for event in events:
            self._client.on(event, self._handler(event), namespace=namespace)
        self._client.on("connect_error", self._refused, namespace=namespace)
        self._client.on("disconnect", self._lost, namespace=namespace)

    async def open(self) -> None:
        """Connects; raises what keeps it from that."""
        self._refusal = None
        try:
            await self._client.connect(
                self._api.url,
                auth={"token": self.member.token},
                namespaces=[self._namespace],
                transports=["websocket"],
                wait_timeout=CONNECT_SECONDS_MAX,
            )
        except exceptions.SocketIOError as error:
            raise self._why(error) from None

    def _why(self, error: Exception) -> Rejected | Unreachable:
        return self._refusal or Unreachable(f"No connection to {self._api.url}: {error}")

    async def say(self, event: str, **fields: object) -> Payload:
        """Returns the acknowledgement; raises `Rejected` with the refusal."""
        try:
            ack: Any = await self._client.call(event, fields, namespace=self._namespace, timeout=ANSWER_SECONDS_MAX)
        except exceptions.SocketIOError as error:
            raise Unreachable(f"No answer to {event}: {error or 'the connection is lost'}") from None
        answer: Payload = ack
        if not answer["ok"]:
            raise Rejected(answer["error"]["code"], answer["error"]["message"])
        return answer

    async def close(self) -> None:
        self._is_closing = True
        for task in self._tasks:
            task.cancel()
        await self._client.disconnect()
        self._events.put_nowait(None)

    async def events(self) -> AsyncIterator[ConnectionEvent]:
        """Yields every event in order until the connection is closed."""
        while (item := await self._events.get()) is not None:
            yield item

    @abstractmethod
    def _receive(self, event: str, payload: Payload) -> bool:
        """Takes note of an event; returns whether the caller reads it."""

    @abstractmethod
    async def _rejoin(self) -> None:
        """Says what the service has to know after a lost connection; it is open again."""

    def _handler(self, event: str) -> Any:  # noqa: ANN401  the library has no types
        def handle(payload: Payload) -> None:
            if self._receive(event, payload):
                self._put(event, payload)

        return handle

    def _refused(self, error: Any) -> None:  # noqa: ANN401
        if isinstance(error, dict) and isinstance(error.get("data"), dict):
            self._refusal = Rejected(str(error["data"].get("code")), str(error.get("message")))

    @property
    def is_open(self) -> bool:
        return bool(self._client.connected)

    def _lost(self, *_reason: object) -> None:
        """A connection that is lost again while it comes back is tried again by the same task."""
        if self._is_closing:
            return
        self._put("lost", {})
        if self._reconnecting is None or self._reconnecting.done():
            self._reconnecting = self._spawn(self._reconnect())

    async def _reconnect(self) -> None:
        delay = 0.25
        failure: Exception | None = None
        for _ in range(ATTEMPTS_MAX):
            await asyncio.sleep(delay)
            delay = min(2 * delay, DELAY_SECONDS_MAX)
            try:
                if not self.is_open:
                    await self.open()
                await self._rejoin()
            except Unreachable as error:
                failure = error
            except Rejected as error:
                failure = error
                break
            else:
                return
        self._put("gone", {"message": str(failure)})

    def _put(self, event: str, payload: Payload) -> None:
        self._events.put_nowait((event, payload))

    def _spawn(self, work: Any) -> "asyncio.Task[None]":  # noqa: ANN401
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
