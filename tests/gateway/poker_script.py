"""A scripted poker room behind the real namespace, publisher and sockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import socketio
from aiohttp import web

from casino.chat.archive import ChatArchive
from casino.chat.mutes import Mutes
from casino.errors import Refusal
from casino.gateway.account_limits import account_limits
from casino.gateway.acks import ANSWERS
from casino.gateway.chat_relay import ChatRelay, Venue
from casino.gateway.identity import Identity
from casino.gateway.poker_lobby_feed import PokerLobbyFeed
from casino.gateway.poker_namespace import NAMESPACE, PokerNamespace
from casino.gateway.poker_publisher import PokerPublisher
from casino.observability.metrics import Metrics
from casino.poker_room import messages
from casino.poker_room.messages import ROOM
from casino.poker_room.tournament import messages as tournament_messages
from casino.socketio.engine_session import Handshake
from casino.socketio.limits import Limits
from casino.socketio.server import SocketServer
from casino.users.profile import PersonalSettings, Profiles
from casino.wire.outbound import Payload
from casino.wire.protocol.poker_examples import ACKS

Json = dict[str, Any]
NOW_MS = 1_790_000_000_000


class ScriptedRoom:
    """Answers every message with the example of its acknowledgement, or as a test says."""

    table_id = ROOM

    def __init__(self) -> None:
        self.received: list[messages.Message] = []
        self.has_received = asyncio.Event()
        self.answers: dict[type, Callable[[Any], Payload]] = {}

    def post(self, message: messages.Message, arrived_ms: int) -> asyncio.Future[Payload]:
        assert arrived_ms == NOW_MS
        self.received.append(message)
        self.has_received.set()
        reply: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        try:
            reply.set_result(self.answers.get(type(message), _example)(message))
        except Refusal as refusal:
            reply.set_exception(refusal)
        return reply

    async def ask(self, message: messages.Message) -> Payload:
        return await self.post(message, NOW_MS)


_ACK_OF: dict[type, str] = {
    messages.FollowLobby: "PokerLobby",
    messages.JoinPool: "PoolJoined",
    messages.Sit: "SatDown",
    messages.Join: "PokerJoined",
    messages.Leave: "SeatLeft",
    messages.ActInHand: "Acted",
    messages.SitOut: "SatOut",
    messages.TopUp: "ToppedUp",
    tournament_messages.RegisterEntry: "RegisteredAck",
    tournament_messages.UnregisterEntry: "UnregisteredAck",
    tournament_messages.BuyChips: "ChipsBoughtAck",
    tournament_messages.RegisterHexa: "HexaRegisteredAck",
    tournament_messages.CancelHexa: "HexaCancelledAck",
    tournament_messages.FollowTournament: "TournamentView",
}


def _example(message: messages.Message) -> Payload:
    name = _ACK_OF.get(type(message))
    return {key: value for key, value in ACKS[name].items() if key not in ("ok", "chat")} if name else {}


class _Settings:
    on_changed: list[object]

    async def settings_of(self, _user_id: str) -> PersonalSettings:
        return PersonalSettings()


class _NoArchive:
    def keep(self, line: object, blocked: str | None = None) -> None: ...


class _NoMutes:
    def is_muted(self, *_of: object) -> bool:
        return False


class ScriptedGateway:
    """The namespace at an address. A token is the name of the player; `staff` is none."""

    def __init__(self, *, plays: int = 1000) -> None:
        self.room = ScriptedRoom()
        self.server = SocketServer(Limits(), answers=ANSWERS)
        self.feed = PokerLobbyFeed(self.server)
        self.publisher = PokerPublisher(self.server, self.feed)
        chat = ChatRelay(
            self.server,
            lambda table_id: Venue(table_id, "en"),
            cast(Mutes, _NoMutes()),
            cast(ChatArchive, _NoArchive()),
            namespace=NAMESPACE,
        )
        self.namespace = PokerNamespace(
            self.server,
            {ROOM: self.room},
            _identify,
            lambda: NOW_MS,
            gateway="local",
            publisher=self.publisher,
            account_limits=account_limits(plays),
            metrics=Metrics(),
            profiles=cast(Profiles, _Settings()),
            chat=chat,
        )
        self.server.namespace(NAMESPACE, self.namespace)
        self.url = ""

    async def device(self, name: str) -> "Device":
        device = Device()
        await device.client.connect(
            self.url, auth={"token": name}, namespaces=[NAMESPACE], transports=["websocket"], wait_timeout=60
        )
        return device


class Device:
    def __init__(self) -> None:
        self.client = socketio.AsyncClient(reconnection=False)
        self.received: list[tuple[str, Json]] = []
        self._has_received = asyncio.Event()
        self.client.on("*", self._receive, namespace=NAMESPACE)

    async def _receive(self, event: str, payload: Json) -> None:
        self.received.append((event, payload))
        self._has_received.set()

    async def call(self, event: str, fields: object) -> Json:
        answer: Json = await self.client.call(event, fields, namespace=NAMESPACE, timeout=60)
        return answer

    async def until(self, count: int) -> list[str]:
        """Waits for so many events; returns their names."""
        async with asyncio.timeout(60):
            while len(self.received) < count:
                self._has_received.clear()
                await self._has_received.wait()
        return [event for event, _ in self.received]

    async def close(self) -> None:
        await self.client.disconnect()


async def _identify(_handshake: Handshake, auth: object) -> Identity | None:
    assert isinstance(auth, dict)
    name = auth.get("token")
    if not isinstance(name, str):
        return None
    role = "manager" if name == "staff" else "player"
    return Identity(f"{name}-id", name, role, f"session-{name}", is_play_money=True, currency="FUN")


@asynccontextmanager
async def started_gateway(*, plays: int = 1000) -> AsyncIterator[ScriptedGateway]:
    gateway = ScriptedGateway(plays=plays)
    app = web.Application()
    gateway.server.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    gateway.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield gateway
    finally:
        await runner.cleanup()
