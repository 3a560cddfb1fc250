"""Socket connection of one player to the poker room: one socket for all tables, which come back after a lost line.

The caller reads events in order; events of the connection itself are `joined` (a snapshot of one table, also after a
gap), `lost`, `back` and `gone`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Final

import socketio
from socketio import exceptions

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable

NAMESPACE: Final = "/poker"
EVENTS: Final = (
    *("poker_table", "hand", "step", "cards", "options", "hand_over", "seat"),
    *("notice", "chat", "balance", "moved", "moved_table", "tournament_news", "hexa"),
)
ANSWER_SECONDS_MAX: Final = 20.0
CONNECT_SECONDS_MAX: Final = 20
ATTEMPTS_MAX: Final = 10
DELAY_SECONDS_MAX: Final = 5.0

ConnectionEvent = tuple[str, Payload]


class PokerConnection:
    def __init__(self, api: HttpApi, member: Member) -> None:
        self.member: Final = member
        self.seq: Final[dict[str, int]] = {}
        """The number of the last `hand` or `step` by table; only joined tables have one."""
        self._api = api
        self._events: asyncio.Queue[ConnectionEvent | None] = asyncio.Queue()
        self._refusal: Rejected | None = None
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._client = socketio.AsyncClient(reconnection=False, handle_sigint=False, http_session=api.http)
        for event in EVENTS:
            self._client.on(event, self._handler(event), namespace=NAMESPACE)
        self._client.on("connect_error", self._refused, namespace=NAMESPACE)
        self._client.on("disconnect", self._lost, namespace=NAMESPACE)

    async def open(self) -> None:
        """Connects; raises what keeps it from that."""
        self._refusal = None
        try:
            await self._client.connect(
                self._api.url,
                auth={"token": self.member.token},
                namespaces=[NAMESPACE],
                transports=["websocket"],
                wait_timeout=CONNECT_SECONDS_MAX,
            )
        except exceptions.SocketIOError as error:
            raise self._why(error) from None

    def _why(self, error: Exception) -> Rejected | Unreachable:
        return self._refusal or Unreachable(f"No poker room at {self._api.url}: {error}")

    async def join(self, table_id: str) -> None:
        snapshot = await self.say("join", table_id=table_id)
        self.seq[table_id] = snapshot["hand"]["seq"] if snapshot["hand"] else 0
        self._put("joined", snapshot)

    def forget(self, table_id: str) -> None:
        """The seat at this table is given up."""
        self.seq.pop(table_id, None)

    async def say(self, event: str, **fields: object) -> Payload:
        """Returns the acknowledgement; raises `Rejected` with the refusal."""
        try:
            ack: Any = await self._client.call(event, fields, namespace=NAMESPACE, timeout=ANSWER_SECONDS_MAX)
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

    def wake(self) -> None:
        """Wakes the reader of the events without an event, so that it checks its own state."""
        self._put("awake", {})

    async def events(self) -> AsyncIterator[ConnectionEvent]:
        """Yields every event in order until the connection is closed."""
        while (item := await self._events.get()) is not None:
            yield item

    def _handler(self, event: str) -> Any:  # noqa: ANN401  the library has no types
        def handle(payload: Payload) -> None:
            if event in ("hand", "step") and not self._is_new(payload):
                return
            self._put(event, payload)

        return handle

    def _is_new(self, payload: Payload) -> bool:
        """Whether the event is the next one of its table. After a gap the table is joined again."""
        table_id, seq = payload["table_id"], payload["seq"]
        last = self.seq.get(table_id)
        if last is None or seq <= last:
            return False
        if last and seq > last + 1:
            self._spawn(self._again(table_id))
        self.seq[table_id] = seq
        return True

    def _refused(self, error: Any) -> None:  # noqa: ANN401
        if isinstance(error, dict) and isinstance(error.get("data"), dict):
            self._refusal = Rejected(str(error["data"].get("code")), str(error.get("message")))

    def _lost(self, *_reason: object) -> None:
        if not self._is_closing:
            self._put("lost", {})
            self._spawn(self._reconnect())

    async def _again(self, table_id: str) -> None:
        # If that fails the connection is lost as well, and the next connection joins again.
        with contextlib.suppress(Rejected, Unreachable):
            await self.join(table_id)

    async def _reconnect(self) -> None:
        delay = 0.25
        failure: Exception | None = None
        for _ in range(ATTEMPTS_MAX):
            await asyncio.sleep(delay)
            delay = min(2 * delay, DELAY_SECONDS_MAX)
            try:
                await self.open()
                await self.say("lobby")  # keeps a place in a queue
                for table_id in tuple(self.seq):
                    await self._again(table_id)
            except Unreachable as error:
                failure = error
            except Rejected as error:
                failure = error
                break
            else:
                self._put("back", {})
                return
        self._put("gone", {"message": str(failure)})

    def _put(self, event: str, payload: Payload) -> None:
        self._events.put_nowait((event, payload))

    def _spawn(self, work: Any) -> None:  # noqa: ANN401
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
