"""Wires a gateway: the Socket.IO server with its namespaces, chat, lobby feed and session checks."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

import structlog
from aiohttp import web

from casino.bootstrap.background import cancel
from casino.chat.archive import ChatArchive
from casino.chat.mutes import Mutes
from casino.chat.tips import TipService
from casino.clock import Clock
from casino.gateway import host_namespace, player_namespace, poker_namespace
from casino.gateway.account_limits import account_limits
from casino.gateway.acks import ANSWERS
from casino.gateway.chat_relay import ChatRelay, Venue
from casino.gateway.connections import Connections
from casino.gateway.host_namespace import HostNamespace
from casino.gateway.identity import Identity, token_of
from casino.gateway.lobby_feed import LobbyFeed
from casino.gateway.play_session_tracker import PlaySessionTracker
from casino.gateway.player_namespace import PlayerNamespace
from casino.gateway.poker_lobby_feed import PokerLobbyFeed
from casino.gateway.poker_namespace import PokerNamespace
from casino.gateway.poker_publisher import PokerPublisher
from casino.gateway.publisher import TablePublisher
from casino.gateway.rooms import PLAYERS, POKER, person_room
from casino.gateway.tip_handler import TipHandler
from casino.hosting.interfaces import Directory, TableClient
from casino.hosting.local import GATEWAY
from casino.http.client_address import address_in
from casino.http.csrf import ORIGINS
from casino.live_table.messages import Message
from casino.observability.metrics import Metrics
from casino.poker_room.messages import Message as PokerMessage
from casino.security.client_address import rate_limit_key
from casino.security.credentials import COOKIE
from casino.security.unauthenticated_pool import Pool, PoolLimits
from casino.settings import Settings
from casino.settings.service import Rates
from casino.socketio.engine_session import Handshake
from casino.socketio.limits import Limits
from casino.socketio.server import SocketServer
from casino.storage.database import Database
from casino.users.profile import Profiles
from casino.users.sessions import Sessions
from casino.wire.outbound import OutboundEvent

SESSION_CHECK_SECONDS: Final = 1.0
LAG_CHECK_SECONDS: Final = 0.25

_log = structlog.get_logger()


class Gateway:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        sessions: Sessions,
        clock: Clock,
        *,
        clients: Mapping[str, TableClient[Message]],
        directory: Directory,
        metrics: Metrics,
        poker_room: Mapping[str, TableClient[PokerMessage]] | None = None,
    ) -> None:
        """`clients` reach the tables, by id, and `poker_room` the poker room; they may be added later."""
        self._sessions = sessions
        self._clock = clock
        self._metrics = metrics
        self._directory = directory
        rates = settings.casino.rates
        self.profiles: Final = Profiles(database, clock)
        self.pool: Final = Pool(_pool_limits(rates), time.monotonic)
        self.sockets: Final = _socket_server(settings, self.pool, metrics)
        tables = {table.id: table for table in settings.tables}
        self._mutes = Mutes(database)
        self.chat_archive: Final = ChatArchive(database, settings.casino.chat.keep_days, clock)
        self.chat: Final = ChatRelay(
            self.sockets,
            lambda table_id: Venue(tables[table_id].name, tables[table_id].language),
            self._mutes,
            self.chat_archive,
        )
        self._poker_chat = ChatRelay(
            self.sockets, lambda table_id: Venue(table_id, "en"), self._mutes, self.chat_archive, namespace=POKER
        )
        listed = {table.id: table for table in settings.tables if not table.practice}
        self._lobby_feed = LobbyFeed(self.sockets, listed, directory)
        askers = account_limits(rates.plays_per_5_seconds, rates.lines_per_30_seconds)
        self.players: Final = PlayerNamespace(
            self.sockets,
            clients,
            self._identify,
            clock,
            gateway=GATEWAY,
            directory=directory,
            account_limits=askers,
            metrics=metrics,
            profiles=self.profiles,
            chat=self.chat,
            tipping=TipHandler(TipService(database), tables, self.chat, directory),
            lobby_feed=self._lobby_feed,
        )
        self._pool_feed = PokerLobbyFeed(self.sockets)
        self.poker_publisher: Final = PokerPublisher(self.sockets, self._pool_feed)
        self.poker: Final = PokerNamespace(
            self.sockets,
            poker_room if poker_room is not None else {},
            self._identify,
            clock,
            gateway=GATEWAY,
            publisher=self.poker_publisher,
            account_limits=askers,
            metrics=metrics,
            profiles=self.profiles,
            chat=self._poker_chat,
        )
        self._has_poker = settings.poker is not None and settings.poker.room.enabled
        self.hosts: Final = HostNamespace(
            self.sockets,
            clients,
            self._identify,
            clock,
            gateway=GATEWAY,
            directory=directory,
            chat=self.chat,
            poker_chat=self._poker_chat,
        )
        players = (self.players.connections, self.poker.connections)
        self._connections: tuple[Connections[Any], ...] = (*players, self.hosts.connections)
        self._play_sessions = PlaySessionTracker(database, self.sockets, players, clock)
        self.tasks: list[asyncio.Task[None]] = []

    def attach(self, app: web.Application) -> None:
        self.sockets.namespace(player_namespace.NAMESPACE, self.players)
        self.sockets.namespace(host_namespace.NAMESPACE, self.hosts)
        if self._has_poker:
            self.sockets.namespace(poker_namespace.NAMESPACE, self.poker)
        self.sockets.attach(app)
        self._sessions.on_signed_out.append(self._sign_out)
        self.profiles.on_changed += [self.players.send_settings, self.poker.send_settings]

    def to_devices(self, player_id: str, event: OutboundEvent) -> None:
        """Sends an event to all connections of the player, at live tables and in the poker room."""
        for namespace in (PLAYERS, POKER):
            self.sockets.emit_room(namespace, person_room(player_id), *event)

    def publisher(self, table_id: str) -> TablePublisher:
        return TablePublisher(table_id, self._directory, self.sockets, self.players, self.chat)

    async def load(self) -> None:
        await self._mutes.load()

    def start(self) -> None:
        self.tasks += [
            asyncio.create_task(self._watch_sessions(), name="sessions"),
            asyncio.create_task(self._lobby_feed.run(), name="lobby"),
            asyncio.create_task(self._pool_feed.run(), name="poker lobby"),
            asyncio.create_task(self._watch_loop(), name="loop lag"),
            asyncio.create_task(self._play_sessions.run(), name="attendance"),
            asyncio.create_task(self.chat_archive.run(), name="chat archive"),
            asyncio.create_task(self.chat_archive.run_purge(), name="chat retention"),
        ]

    async def stop(self) -> None:
        await cancel(self.tasks)

    async def store_chat(self) -> None:
        """Stores the last lines before the service ends; a database that is away does not delay the end."""
        try:
            await self.chat_archive.flush()
        except Exception as error:  # noqa: BLE001
            _log.warning("chat_archive_failed", exc_info=error)

    def muted(self, table_id: str) -> list[str]:
        """Returns the players who may not write at this table, a live or a poker table."""
        return self._mutes.at(table_id, self._clock())

    async def _identify(self, handshake: Handshake, auth: object) -> Identity | None:
        token = token_of(handshake, auth, COOKIE)
        session = await self._sessions.find(token) if token else None
        if session is None or session.must_enrol:
            return None
        user = session.user
        return Identity(user.id, user.name, user.role, session.id, user.is_play_money, user.currency)

    async def _watch_sessions(self) -> None:
        """Detects sessions that ended in another process, such as by `casino user disable`."""
        while True:
            await asyncio.sleep(SESSION_CHECK_SECONDS)
            try:
                session_ids = set[str]().union(*(connections.session_ids for connections in self._connections))
                for session_id in await self._sessions.ended_of(session_ids):
                    await self._sign_out(session_id)
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next attempt follows
                _log.warning("session_check_failed", exc_info=error)

    async def _watch_loop(self) -> None:
        """Measures the delay of the event loop, which delays all clients alike."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_CHECK_SECONDS
            await asyncio.sleep(LAG_CHECK_SECONDS)
            self._metrics.loop_lag.observe(max(0.0, loop.time() - due))
            for reason, times in self.sockets.counters.ended.items():
                self._metrics.socket_ends.labels(reason).set(times)

    async def _sign_out(self, session_id: str) -> None:
        for connections in self._connections:
            connections.end_session(session_id)


def _socket_server(settings: Settings, pool: Pool, metrics: Metrics) -> SocketServer:
    rates, pings = settings.casino.rates, settings.casino.sockets
    limits = Limits(
        connections_per_address_max=rates.sockets_per_address,
        connections_from_loopback_max=rates.sockets_from_loopback,
        ping_s=pings.ping_seconds,
        pong_s=pings.pong_seconds,
        arguments_max=1,
    )
    server = SocketServer(
        limits,
        pool=pool,
        cookie=COOKIE,
        origin_allowed=_is_own,
        address_of=lambda request: rate_limit_key(address_in(request)),
        answers=ANSWERS,
        observe_fanout=metrics.broadcast.observe,
    )
    metrics.sockets.set_function(lambda: server.sockets_open)
    metrics.tasks.set_function(lambda: len(asyncio.all_tasks()))
    return server


def _is_own(origin: str, request: web.Request) -> bool:
    return request.app[ORIGINS].is_own(origin, request.host)


def _pool_limits(rates: Rates) -> PoolLimits:
    """Signed-in users may have as many HTTP connections as sockets."""
    return PoolLimits(
        per_address=rates.unauthenticated_per_address,
        from_loopback=4 * rates.unauthenticated_per_address,
        signed_in_per_address=rates.sockets_per_address,
        signed_in_from_loopback=rates.sockets_from_loopback,
    )
