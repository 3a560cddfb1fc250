"""Socket connection of one player to one table: stays joined, detects missed events, and tracks the state.

After a lost connection it connects and joins again by itself. The caller reads events in order; events of
the connection itself are `joined` (a snapshot, also after a gap), `lost` and `gone`.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any, Final

import socketio
from socketio import exceptions

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable

NAMESPACE: Final = "/table"
EVENTS: Final = ("round", "seat", "result", "balance", "chat", "notice", "table", "moved")
ANSWER_SECONDS_MAX: Final = 20.0
CONNECT_SECONDS_MAX: Final = 20
ATTEMPTS_MAX: Final = 10
DELAY_SECONDS_MAX: Final = 5.0

ConnectionEvent = tuple[str, Payload]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class TableConnection:
    def __init__(self, api: HttpApi, member: Member, table_id: str) -> None:
        self.table_id: Final = table_id
        self.member: Final = member
        self.round: Payload = {}
        self.seat: Payload = {}
        self._api = api
        self._events: asyncio.Queue[ConnectionEvent | None] = asyncio.Queue()
        self._ahead_ms = 0  # how far the server's clock is ahead of this one
        self._refusal: Rejected | None = None
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._client = socketio.AsyncClient(reconnection=False, handle_sigint=False, http_session=api.http)
        for event in EVENTS:
            self._client.on(event, self._handler(event), namespace=NAMESPACE)
        self._client.on("connect_error", self._refused, namespace=NAMESPACE)
        self._client.on("disconnect", self._lost, namespace=NAMESPACE)

    async def open(self) -> None:
        """Connect and join; raises what keeps it from that."""
        await self._connect()
        await self.join()

    async def join(self) -> None:
        snapshot = await self._say("join", {})
        self._stand(snapshot["round"], snapshot["seat"])
        self._put("joined", snapshot)

    async def bet(self, ante: int, trips: int) -> Payload:
        return await self._say("bet", {"round_id": self.round["round_id"], "ante": ante, "trips": trips})

    async def decide(self, action: str, phase: str) -> Payload:
        return await self._say("decide", {"round_id": self.round["round_id"], "action": action, "phase": phase})

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

    def seconds_left(self) -> float | None:
        """Until the open window closes, by the server's clock."""
        deadline: int | None = self.round.get("deadline")
        if deadline is None or self.round.get("paused"):
            return None
        return max(0.0, (deadline - now_ms() - self._ahead_ms) / 1000)

    # Speaking

    async def _connect(self) -> None:
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
        return self._refusal or Unreachable(f"No connection to {self._api.url}: {error}")

    async def _say(self, event: str, fields: Payload) -> Payload:
        message = {"table_id": self.table_id, **fields}
        try:
            ack: Any = await self._client.call(event, message, namespace=NAMESPACE, timeout=ANSWER_SECONDS_MAX)
        except exceptions.SocketIOError as error:
            raise Unreachable(f"No answer to {event}: {error or 'the connection is lost'}") from None
        answer: Payload = ack
        if not answer["ok"]:
            raise Rejected(answer["error"]["code"], answer["error"]["message"])
        return answer

    # Hearing

    def _handler(self, event: str) -> Any:  # noqa: ANN401  the library has no types
        def handle(payload: Payload) -> None:
            if event == "round":
                if self.round and payload["seq"] > self.round["seq"] + 1:
                    self._spawn(self._again())
                self._stand(payload, self.seat)
            elif event == "seat":
                self.seat = payload
            self._put(event, payload)

        return handle

    def _stand(self, round_: Payload, seat: Payload) -> None:
        self.round, self.seat = round_, seat
        self._ahead_ms = round_["server_time"] - now_ms()

    def _refused(self, error: Any) -> None:  # noqa: ANN401
        if isinstance(error, dict) and isinstance(error.get("data"), dict):
            self._refusal = Rejected(str(error["data"].get("code")), str(error.get("message")))

    def _lost(self, *_reason: object) -> None:
        if not self._is_closing:
            self._put("lost", {})
            self._spawn(self._reconnect())

    async def _again(self) -> None:
        """Something was missed: ask for everything."""
        # If that fails the connection is lost as well, and the next connection joins again.
        with contextlib.suppress(Rejected, Unreachable):
            await self.join()

    async def _reconnect(self) -> None:
        delay = 0.25
        failure: Exception | None = None
        for _ in range(ATTEMPTS_MAX):
            await asyncio.sleep(delay)
            delay = min(2 * delay, DELAY_SECONDS_MAX)
            try:
                await self.open()
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

    def _spawn(self, work: Any) -> None:  # noqa: ANN401
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
