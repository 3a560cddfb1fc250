"""Clients of the live service: the official Socket.IO client for Python with a record of everything it received."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import socketio

from tests.live.service import PASSWORD, Json, LiveService

WAIT_SECONDS_MAX = 60
_CATCH_ALL = "*"


class RememberingClient(socketio.AsyncClient):  # type: ignore[misc]  # the library carries no types
    """Keeps every message as it came off the wire, before anything reads it."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self.frames: list[str] = []

    async def _handle_eio_message(self, data: Any) -> None:  # noqa: ANN401
        self.frames.append(data if isinstance(data, str) else repr(data))
        await super()._handle_eio_message(data)


class Device:
    """One connection of one person to one namespace."""

    service: LiveService

    def __init__(self, web: aiohttp.ClientSession, address: str, token: str | None, namespace: str) -> None:
        self.client = RememberingClient(reconnection=False, http_session=web)
        self.received: list[tuple[str, Json]] = []
        self.refusals: list[Any] = []
        self._address = address
        self._token = token
        self._namespace = namespace
        self._arrived = asyncio.Event()
        self.client.on(_CATCH_ALL, self._receive, namespace=namespace)
        self.client.on("connect_error", self.refusals.append, namespace=namespace)
        self.client.on("disconnect", self._lose, namespace=namespace)
        self.is_lost = False
        self._wire: Any = None

    async def connect(self, transports: Sequence[str] = ("websocket",), address: str | None = None) -> None:
        self.is_lost = False
        auth = {"token": self._token} if self._token is not None else None
        await self.client.connect(
            address or self._address,
            namespaces=[self._namespace],
            auth=auth,
            transports=list(transports),
            wait_timeout=WAIT_SECONDS_MAX,
        )
        self._wire = self.client.eio.ws

    async def close(self) -> None:
        await self.client.disconnect()
        if self._wire is not None:  # the library forgets it when the service breaks off first
            await self._wire.close()

    async def call(self, event: str, data: object) -> Json:
        answer = await self.client.call(event, data, namespace=self._namespace, timeout=WAIT_SECONDS_MAX)
        assert isinstance(answer, dict), answer
        return answer

    async def ok(self, event: str, data: object) -> Json:
        answer = await self.call(event, data)
        assert answer["ok"] is True, (event, data, answer)
        return answer

    async def refused(self, event: str, data: object) -> str:
        """The code of the refusal, whose shape is always the same."""
        answer = await self.call(event, data)
        assert set(answer) == {"ok", "error"}, (event, data, answer)
        assert answer["ok"] is False
        assert set(answer["error"]) >= {"code", "message"}
        assert isinstance(answer["error"]["message"], str)
        assert answer["error"]["message"]
        return str(answer["error"]["code"])

    def all(self, event: str) -> list[Json]:
        return [payload for name, payload in self.received if name == event]

    async def until(self, event: str, is_it: Callable[[Json], bool] = lambda _: True) -> Json:
        """Returns the first matching event, received already or soon."""
        seen = 0
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX):
                while True:
                    for name, payload in self.received[seen:]:
                        seen += 1
                        if name == event and is_it(payload):
                            return payload
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            raise AssertionError(f"no such {event} among the last of {self.received[-5:]}") from None

    async def lost(self) -> None:
        """Waits until the connection is closed."""
        async with asyncio.timeout(WAIT_SECONDS_MAX):
            while not self.is_lost:
                self._arrived.clear()
                await self._arrived.wait()

    async def _receive(self, event: str, payload: Json) -> None:
        self.received.append((event, payload))
        self._arrived.set()

    async def _lose(self, _reason: object = None) -> None:
        self.is_lost = True
        self._arrived.set()


class Player(Device):
    """A player's device; the same person may have another one."""

    def __init__(self, web: aiohttp.ClientSession, address: str, signed_in: Json) -> None:
        super().__init__(web, address, signed_in["token"], "/table")
        self.signed_in = signed_in
        self.id: str = signed_in["user"]["id"]
        self.name: str = signed_in["user"]["name"]
        self._web = web

    async def join(self, table_id: str, **more: object) -> Json:
        return await self.ok("join", {"table_id": table_id, **more})

    async def phase(self, table_id: str, round_id: str | None, *phases: str) -> Json:
        return await self.until(
            "round",
            lambda view: (
                view["table_id"] == table_id and view["phase"] in phases and round_id in (None, view["round_id"])
            ),
        )

    async def bet(self, table_id: str, round_id: str, ante: int, trips: int = 0) -> Json:
        return await self.ok("bet", {"table_id": table_id, "round_id": round_id, "ante": ante, "trips": trips})

    async def decide(self, table_id: str, round_id: str, action: str, **more: object) -> Json:
        return await self.ok("decide", {"table_id": table_id, "round_id": round_id, "action": action, **more})

    async def result(self, round_id: str) -> Json:
        return await self.until("result", lambda result: result["round_id"] == round_id)

    async def me(self) -> Json:
        headers = {"Authorization": f"Bearer {self.signed_in['token']}"}
        async with self._web.get(f"{self._address}/api/me", headers=headers) as answer:
            assert answer.status == 200, await answer.text()
            me: Json = await answer.json()
            return me

    async def money(self) -> tuple[int, int]:
        me = await self.me()
        return me["balance"], me["available"]


class Host(Device):
    """Somebody at the console."""

    def __init__(self, web: aiohttp.ClientSession, address: str, signed_in: Json) -> None:
        super().__init__(web, address, signed_in["token"], "/host")

    async def take_over(self, table_id: str) -> None:
        await self.ok("watch", {"table_id": table_id})
        await self.ok("open_table", {"table_id": table_id})

    async def start(self, table_id: str) -> str:
        """A new round; its id."""
        known = {view["round"]["round_id"] for view in self.all("host") if view["table_id"] == table_id}
        await self.ok("start_round", {"table_id": table_id})
        view = await self.until(
            "host", lambda view: view["table_id"] == table_id and view["round"]["round_id"] not in {None, *known}
        )
        return str(view["round"]["round_id"])

    async def phase(self, table_id: str, round_id: str, *phases: str) -> Json:
        def is_it(view: Json) -> bool:
            return (view["table_id"], view["round"]["round_id"]) == (table_id, round_id) and (
                view["round"]["phase"] in phases
            )

        return await self.until("host", is_it)

    async def end_betting(self, table_id: str, round_id: str) -> None:
        """At a driven service: the first cards can be dealt."""
        self.service.end_betting(table_id)
        await self.phase(table_id, round_id, "dealing_hole")

    async def scan(self, table_id: str, round_id: str, cards: str) -> None:
        for card in cards.split():
            await self.ok("scan", {"table_id": table_id, "round_id": round_id, "card": card})


class Clients:
    """Lets people in, and out again at the end of the test."""

    def __init__(self, service: LiveService, web: aiohttp.ClientSession) -> None:
        self.service = service
        self.web = web
        self.devices: list[Device] = []

    async def guest(self) -> Json:
        return await self._post("/api/guest", {})

    async def player(self, **connecting: Any) -> Player:  # noqa: ANN401
        return await self.device(await self.guest(), **connecting)

    async def players(self, count: int) -> list[Player]:
        return list(await asyncio.gather(*(self.player() for _ in range(count))))

    async def device(self, signed_in: Json, **connecting: Any) -> Player:  # noqa: ANN401
        """One more device of a signed-in user."""
        player = Player(self.web, self.service.address, signed_in)
        player.service = self.service
        self.devices.append(player)
        await player.connect(**connecting)
        return player

    async def host(self, name: str = "paula") -> Host:
        host = Host(self.web, self.service.address, await self.sign_in(name))
        host.service = self.service
        self.devices.append(host)
        await host.connect()
        return host

    async def ask(self, method: str, path: str, token: str | None = None, body: object = None) -> tuple[int, Json]:
        """Over HTTP, as a script does."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.web.request(method, self.service.address + path, headers=headers, json=body) as answer:
            received: Json = await answer.json()
            return answer.status, received

    async def sign_in(self, name: str) -> Json:
        return await self._post("/api/login", {"name": name, "password": PASSWORD})

    async def _post(self, path: str, body: Json) -> Json:
        async with self.web.post(self.service.address + path, json=body) as answer:
            assert answer.status == 200, (path, answer.status, await answer.text())
            received: Json = await answer.json()
            return received

    @property
    def frames(self) -> list[list[str]]:
        return [device.client.frames for device in self.devices]


@asynccontextmanager
async def clients_of(service: LiveService) -> AsyncIterator[Clients]:
    timeout = aiohttp.ClientTimeout(total=WAIT_SECONDS_MAX)
    async with aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as web:
        clients = Clients(service, web)
        try:
            yield clients
        finally:
            for device in clients.devices:
                await device.close()


def payload_of(frame: str) -> list[Any] | None:
    """What an event or an acknowledgement carries; None for everything else."""
    kind, start = frame[:1], frame.find("[")
    return json.loads(frame[start:]) if kind in ("2", "3") and start >= 0 else None
