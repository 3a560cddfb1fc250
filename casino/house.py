"""The house while it is open: its tables, each in a task of its own, and the sockets that lead to them."""

import asyncio
import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

import structlog
from aiohttp import web
from sqlalchemy import select

from casino.api.asking import address_in
from casino.api.origin import ORIGINS
from casino.audit import log as audit_log
from casino.cards.commitment import Shoe
from casino.chat.mutes import Mutes
from casino.chat.tips import TipJar
from casino.clock import Clock, wall_clock
from casino.door.addresses import household
from casino.door.tokens import COOKIE
from casino.errors import Code, Refusal
from casino.figures import Figures
from casino.history.outcomes import last_outcomes
from casino.people.profile import Profiles
from casino.people.sessions import Sessions
from casino.practice.trainer import Trainer
from casino.settings import Settings, TableSettings
from casino.sockets import hosts, players
from casino.sockets.asking import Askers
from casino.sockets.attendance import Attendance
from casino.sockets.hosts import Hosts
from casino.sockets.identity import Visitor, token_of
from casino.sockets.lobby import LobbyBoard
from casino.sockets.players import Players
from casino.sockets.rooms import room_of
from casino.sockets.talk import Talk
from casino.sockets.tipping import Tipping
from casino.sockets.transport.connection import Handshake
from casino.sockets.transport.limits import Limits
from casino.sockets.transport.server import SocketServer
from casino.storage import schema
from casino.storage.database import Database
from casino.table import limits
from casino.table.actor import TableActor
from casino.table.bookkeeping import Bookkeeper
from casino.table.console import Console
from casino.table.deck import load_deck
from casino.table.messages import CorrectSettled, News, Payload
from casino.table.overview import floor_view
from casino.table.past import PAST_MAX
from casino.table.recovery import Recovered, recover
from casino.table.shoe import Seal
from casino.uth.commands import WithdrawBet
from casino.uth.state import Round

SESSION_CHECK_SECONDS: Final = 1.0
LAG_CHECK_SECONDS: Final = 0.25

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LiveState:
    status: str
    players: int
    presenter: str | None
    limits: Payload


@dataclass(slots=True)
class TableOutlet:
    """What one table says, to the sockets that listen to it."""

    server: SocketServer
    players: Players
    talk: Talk
    table_id: str
    trainer: Trainer | None = None  # of a practice table: its players hear what everybody hears

    def to_table(self, event: str, payload: Payload) -> None:
        if self.trainer:
            self.trainer.hear(event, payload)
        self.server.emit_room(players.NAMESPACE, room_of(self.table_id), event, payload)

    def to_player(self, player_id: str, *told: News) -> None:
        self.players.to_player(self.table_id, player_id, *told)

    def to_chat(self, code: str, text: str, at_ms: int) -> None:
        self.talk.by_table(self.table_id, code, text, at_ms)

    @property
    def are_hosts_watching(self) -> bool:
        return self.server.is_anybody_in(hosts.NAMESPACE, room_of(self.table_id))

    def to_hosts(self, event: str, payload: Payload) -> None:
        if self.trainer:
            self.trainer.hear(event, payload)
        self.server.emit_room(hosts.NAMESPACE, room_of(self.table_id), event, payload)


def _is_own(origin: str, request: web.Request) -> bool:
    return request.app[ORIGINS].is_own(origin, request.host)


class House:
    def __init__(self, settings: Settings, database: Database, sessions: Sessions, clock: Clock = wall_clock) -> None:
        self._settings = settings
        self._database = database
        self.sessions: Final = sessions
        self._clock = clock
        rates, pings = settings.house.rates, settings.house.sockets
        limits = Limits(
            connections_per_address_max=rates.sockets_per_address,
            ping_s=pings.ping_seconds,
            pong_s=pings.pong_seconds,
        )
        self.profiles: Final = Profiles(database, clock)
        tables = {table.id: table for table in settings.tables}
        self._mutes = Mutes(database)
        self.figures: Final = Figures()
        self.sockets = SocketServer(
            limits,
            origin_allowed=_is_own,
            address_of=lambda request: household(address_in(request)),
            observe_fanout=self.figures.fanned_out.observe,
        )
        self.figures.sockets.set_function(lambda: self.sockets.sockets_open)
        self.figures.tasks.set_function(lambda: len(asyncio.all_tasks()))
        self._actors: dict[str, TableActor] = {}
        askers = Askers(rates.plays_per_5_seconds, rates.lines_per_30_seconds)
        self._talk = Talk(self.sockets, tables, self._mutes)
        players_tables = {table.id: table for table in settings.tables if not table.practice}
        self._board = LobbyBoard(self.sockets, players_tables, self.live)
        self._players = Players(
            self.sockets,
            self._actors,
            self._identify,
            clock,
            askers=askers,
            figures=self.figures,
            profiles=self.profiles,
            talk=self._talk,
            tipping=Tipping(TipJar(database), tables, self._talk, settings.house.service.currency),
            board=self._board,
        )
        self._hosts = Hosts(self.sockets, self._actors, self._identify, clock, talk=self._talk)
        self._attendance = Attendance(database, self.sockets, self._players, clock)
        self._tasks: list[asyncio.Task[None]] = []
        self._trainers: list[Trainer] = []
        self._seal: Seal | None = None

    def attach(self, app: web.Application) -> None:
        self.sockets.namespace(players.NAMESPACE, self._players)
        self.sockets.namespace(hosts.NAMESPACE, self._hosts)
        self.sockets.attach(app)
        self.sessions.on_signed_out.append(self._sign_out)
        self.profiles.on_changed.append(self._players.tell_settings)

    @property
    def are_up(self) -> bool:
        return len(self._actors) == len(self._settings.tables) and not any(task.done() for task in self._tasks)

    def live(self, table_id: str) -> LiveState:
        summary = self._actors[table_id].summary
        return LiveState(summary["status"], summary["players"], summary["presenter"], summary["limits"])

    def floor(self) -> list[Payload]:
        """Every table as those see it who watch over the floor."""
        return [
            floor_view(table, self._actors[table.id].standing, self._hosts.are_at(table.id))
            for table in self._settings.tables
        ]

    def staff(self) -> list[Payload]:
        on_shift = defaultdict[str, list[str]](list)
        for table_id, actor in self._actors.items():
            on_shift[actor.summary["presenter"] or ""].append(table_id)
        return [{"name": name, "role": role, "tables": on_shift.get(name, [])} for name, role in self._hosts.here]

    def said(self, table_id: str, from_ms: int, until_ms: int | None) -> list[Payload]:
        return self._talk.between(table_id, from_ms, until_ms)

    async def correct(self, table_id: str, asked: CorrectSettled) -> None:
        """The table settles the round anew; those who played it hear it wherever they are."""
        actor = self._actors.get(table_id)
        if actor is None:
            raise Refusal(Code.NO_SUCH_TABLE, "The table of this round is not in this house any more.")
        for player_id, money in (await actor.ask(asked)).items():
            self.tell_balance(player_id, **money)

    def past(self, table_id: str) -> list[Payload]:
        return self._actors[table_id].past

    def unsealed(self, sealed: str) -> Shoe | None:
        """The shoe of a round that is over, for its history."""
        return self._seal.open(sealed) if self._seal else None

    def tell_balance(self, player_id: str, balance: int, available: int) -> None:
        """Money has come or gone, though no round has moved it."""
        self._players.to_devices(player_id, "balance", {"balance": balance, "available": available})

    async def return_bets(self, player_id: str) -> None:
        """Where betting is still open; what is being played is played to its end."""
        for actor in self._players.tables_of(player_id):
            with contextlib.suppress(Refusal):  # no round is being played
                await actor.ask(WithdrawBet(player_id))

    async def open(self, secret_key: str) -> None:
        """Finish what an earlier run left behind, and start every table."""
        in_force = await self._in_force()
        await self._note_configuration(in_force.values())
        await self._mutes.load()
        recovered = await self._recover()
        seal = self._seal = Seal(secret_key)
        for of_file in self._settings.tables:
            settings = in_force[of_file.id]
            bookkeeper = await Bookkeeper.of(self._database, settings.id)
            outlet = TableOutlet(self.sockets, self._players, self._talk, settings.id)
            running = recovered.running.get(settings.id)
            names = await self._names(running) if running else {}
            async with self._database.reading() as connection:
                past = await last_outcomes(connection, settings.id, PAST_MAX)
                deck = await load_deck(connection, settings)
            incidents = self._settings.incidents
            actor = TableActor(
                settings,
                bookkeeper,
                outlet,
                seal,
                self._clock,
                running=running,
                names=names,
                past=past,
                figures=self.figures,
                console=Console(settings, bookkeeper, deck=deck, incidents=incidents, of_file=of_file),
            )
            self._actors[settings.id] = actor
            self._tasks.append(asyncio.create_task(actor.run(), name=f"table {settings.id}"))
            if settings.practice:
                outlet.trainer = self._trainer(settings, actor)
        self._watching = [
            asyncio.create_task(self._watch_sessions(), name="sessions"),
            asyncio.create_task(self._board.run(), name="lobby"),
            asyncio.create_task(self._watch_loop(), name="loop lag"),
            asyncio.create_task(self._attendance.run(), name="attendance"),
            *(asyncio.create_task(one.run(self._database), name="practice") for one in self._trainers),
        ]

    def _trainer(self, table: TableSettings, actor: TableActor) -> Trainer:
        def tell(drill: Payload) -> None:
            self.sockets.emit_room(hosts.NAMESPACE, room_of(table.id), "drill", drill)

        trainer = Trainer(table, actor, self._settings.incidents, tell, self._clock, SystemRandom())
        self._trainers.append(trainer)
        return trainer

    async def _in_force(self) -> dict[str, TableSettings]:
        """The tables with the limits that managers have set since their files were written."""
        async with self._database.reading() as connection:
            return {table.id: await limits.in_force(connection, table) for table in self._settings.tables}

    async def close(self) -> None:
        """Open bets go back; rounds whose betting is closed finish, within bounds; then everything stops."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._settings.house.service.stop_seconds):
                await asyncio.gather(*(actor.retire() for actor in self._actors.values()))
        await self.drop_everything()

    async def drop_everything(self) -> None:
        """Every round stays where it stands."""
        for actor in self._actors.values():
            await actor.end()
        await _end_of(self._tasks)
        for watching in self._watching:
            watching.cancel()
        await _end_of(self._watching)

    async def _note_configuration(self, tables: Iterable[TableSettings]) -> None:
        """What every table is played by from now on, and a fingerprint of all the rest."""
        after = {
            table.id: {
                "limits": table.limits.model_dump(),
                "sha256": hashlib.sha256(table.model_dump_json().encode()).hexdigest(),
            }
            for table in tables
        }
        entry = audit_log.Entry("system", "system", "configuration_in_force", "house", after=after)
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())

    async def _recover(self) -> Recovered:
        resume_within_ms = {table.id: round(table.seconds.resume_within * 1000) for table in self._settings.tables}
        recovered = await recover(self._database, resume_within_ms, self._clock())
        for round_id, outcome in recovered.outcomes.items():
            _log.info("round_recovered", round_id=round_id, outcome=outcome)
        return recovered

    async def _names(self, running: Round) -> dict[str, str]:
        """Of those who play the round: they may not come back, and the others still see who they are."""
        seats, users = schema.seats, schema.users
        query = select(users.c.id, users.c.name).join(seats, seats.c.player_id == users.c.id)
        async with self._database.reading() as connection:
            found = await connection.execute(query.where(seats.c.round_id == running.round_id))
            return {row.id: row.name for row in found}

    async def _identify(self, handshake: Handshake, auth: object) -> Visitor | None:
        token = token_of(handshake, auth, COOKIE)
        session = await self.sessions.find(token) if token else None
        if session is None:
            return None
        return Visitor(session.user.id, session.user.name, session.user.role, session.id)

    async def _watch_sessions(self) -> None:
        """Sessions can also end in another process, such as by `casino user disable`."""
        while True:
            await asyncio.sleep(SESSION_CHECK_SECONDS)
            try:
                for session_id in await self.sessions.ended_of(self._players.session_ids | self._hosts.session_ids):
                    await self._sign_out(session_id)
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next look tells
                _log.warning("sessions_not_checked", exc_info=error)

    async def _watch_loop(self) -> None:
        """How late the loop comes is how late everybody is."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_CHECK_SECONDS
            await asyncio.sleep(LAG_CHECK_SECONDS)
            self.figures.loop_lag.observe(max(0.0, loop.time() - due))
            for reason, times in self.sockets.counters.ended.items():
                self.figures.socket_ends.labels(reason).set(times)

    async def _sign_out(self, session_id: str) -> None:
        self._players.end_session(session_id)
        self._hosts.end_session(session_id)


async def _end_of(tasks: Collection[asyncio.Task[None]]) -> None:
    """Of all of them, whatever has become of any: one that failed keeps no other from ending in order."""
    if tasks:
        await asyncio.wait(tasks)
    for task in tasks:
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, Exception):
            _log.error("task_failed", task=task.get_name(), exc_info=failure)
        elif failure is not None:
            raise failure
