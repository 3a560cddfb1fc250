"""Socket server on a free port of this machine, with a recording handler."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from casino.socketio import (
    Accept,
    Ack,
    AckAndThen,
    Answer,
    Answers,
    Handshake,
    Limits,
    Refuse,
    SocketServer,
    same_host,
)

NAMESPACE = "/table"
ANSWERS = Answers(
    malformed={"ok": False, "error": {"code": "bad_request", "message": "The message could not be read."}},
    failed={"ok": False, "error": {"code": "internal", "message": "Something went wrong here."}},
)


@dataclass
class Recorder:
    """Answers `echo` with its data; the other events are the tricks a test asks for."""

    server: SocketServer
    room: str = "all"
    account: str | None = None
    connects: list[tuple[str, Handshake, object]] = field(default_factory=list)
    events: list[tuple[str, str, object]] = field(default_factory=list)
    disconnects: list[tuple[str, str]] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    refuse_when_released: bool = False
    fail_at_goodbye: bool = False
    futures: list["asyncio.Future[Mapping[str, object]]"] = field(default_factory=list)

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse:
        self.connects.append((sid, handshake, auth))
        if isinstance(auth, Mapping):
            if auth.get("token") == "wrong":
                return Refuse("not_authenticated", "Sign in first.")
            if auth.get("token") == "broken":
                raise RuntimeError("the session store is down")
            if auth.get("token") == "slow":
                await self.gate.wait()
        if self.refuse_when_released:
            return Refuse("forbidden", "Not here.")
        return Accept(account=self.account, rooms=(self.room,))

    def event(self, sid: str, name: str, args: list[Any]) -> Answer:
        data = args[0] if args else None
        self.events.append((sid, name, data))
        match name:
            case "later":
                future: asyncio.Future[Mapping[str, object]] = asyncio.get_running_loop().create_future()
                self.futures.append(future)
                return future
            case "slow":
                return self._slow(data)
            case "broken":
                raise RuntimeError("a fault in the handler")
            case "broken_later":
                return self._broken_later()
            case "listen" if isinstance(data, str):
                return self._listen(sid, data)
            case "enter" if isinstance(data, str):
                self.server.enter(sid, data)
            case "leave" if isinstance(data, str):
                self.server.leave(sid, data)
            case "to_all":
                self.server.emit_room(NAMESPACE, self.room, "news", data)
            case "to_me":
                self.server.emit(sid, "mine", data)
            case "out":
                self.server.disconnect(sid)
        return {"ok": True, "data": data}

    async def _slow(self, data: object) -> Ack:
        await self.gate.wait()
        return {"ok": True, "data": data}

    async def _listen(self, sid: str, room: str) -> AckAndThen:
        """Broadcasts during this are not for this client yet; later ones are sent at once."""
        await self.gate.wait()
        self.server.emit_room(NAMESPACE, room, "news", "too early")

        def then() -> None:
            self.server.enter(sid, room)
            self.server.emit_room(NAMESPACE, room, "news", "just in time")

        return AckAndThen({"ok": True}, then)

    async def _broken_later(self) -> Ack:
        await asyncio.sleep(0)
        raise RuntimeError("a fault after an await")

    def disconnect(self, sid: str, reason: str) -> None:
        self.disconnects.append((sid, reason))
        if self.fail_at_goodbye:
            raise RuntimeError("a fault at the goodbye")


@dataclass
class Running:
    server: SocketServer
    handler: Recorder
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def serving(
    limits: Limits | None = None,
    *,
    origin_allowed: Callable[[str, web.Request], bool] = same_host,
    observe_fanout: Callable[[float], None] | None = None,
) -> AsyncIterator[Running]:
    server = SocketServer(limits, origin_allowed=origin_allowed, answers=ANSWERS, observe_fanout=observe_fanout)
    handler = Recorder(server)
    server.namespace(NAMESPACE, handler)
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
        yield Running(server, handler, runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Waits for something to become true; fails if it does not."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - the condition may be anything
            await asyncio.sleep(0.005)
