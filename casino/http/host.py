"""Host console routes: floor overview, incident procedures, any round, and the chat archive.

Presenters see the floor and the procedures; managers and finance also see past rounds, managers the chat archive.
"""

import re
from datetime import UTC, date, datetime
from typing import Final, Protocol

from aiohttp import web
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from casino.chat.archive import Said, lines_between
from casino.chat.search import Wanted as WantedLines
from casino.chat.search import find_lines
from casino.chat.tips import tips_received
from casino.clock import Clock, utc_day, wall_clock
from casino.errors import Code, Refusal
from casino.history.cancellations import count_cancellations
from casino.history.player_rounds import Place
from casino.history.search import Found, Wanted, find_rounds
from casino.history.staff_round import whole_round
from casino.http.authorization import SESSION, add_route, only
from casino.settings import Settings
from casino.settings.incidents import IncidentClass
from casino.storage.database import Database
from casino.users.roles import Role
from casino.wire.common import Moment
from casino.wire.floor import FloorTable
from casino.wire.notices import ArchivedChatLine
from casino.wire.past_rounds import CancellationCounts, FoundRound, FoundRounds, WholeRound

CONSOLE: Final = only(Role.PRESENTER, Role.MANAGER)
OFFICE: Final = only(Role.MANAGER, Role.FINANCE)
PAGE_USUAL: Final = 30
WORDS_MAX: Final = 10
"""Words of a search. Each is one more condition on every row, and on every name."""
DAY_MS: Final = 86_400_000

_PATTERNS: Final = {
    "game_number": (re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}"), "write a game number like 14:13:05."),
    "table": (re.compile(r"[A-Za-z0-9_-]{1,40}"), "use the id of a table."),
    "player": (re.compile(r".{1,40}"), "use a player's name or id."),
    "limit": (re.compile("[0-9]{1,3}"), "use a whole number from 1 to 100."),
    "actor": (re.compile(r".{1,80}"), "use a name."),
    "action": (re.compile(r"[a-z_]{1,40}"), "write an action like round_paused."),
    "target": (re.compile(r".{1,120}"), "use the target as the audit log shows it."),
    "words": (re.compile(r".{1,200}"), "write words, such as a name or a game number."),
    "text": (re.compile(r".{1,200}"), "write words of the message."),
    "line": (re.compile("[0-9]{15}-[0-9a-f]{12}-[0-9]{8,20}"), "use a value that an earlier page gave as `next`."),
    "after": (re.compile(r".{1,40}"), "use a value that an earlier page gave as `next`."),
    "before": (re.compile(r"[0-9]{1,15}"), "use a value that an earlier page gave as `next`."),
}
_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class StaffMember(TypedDict):
    name: str
    role: Role
    tables: list[str]


class TheFloor(TypedDict):
    tables: list[FloorTable]
    staff: list[StaffMember]
    currency: str
    """Default currency: limits and bets of tables are in its minor units."""
    play_currency: str
    has_poker: bool
    """Whether the service has a poker room, with a floor of its own."""
    server_time: Moment


class NamedIncidentClass(IncidentClass):
    incident_class: str


class Procedure(BaseModel):
    model_config = ConfigDict(extra="forbid")

    incidents: list[NamedIncidentClass]


class ChatPage(TypedDict):
    lines: list[ArchivedChatLine]
    next: str | None
    muted: list[str]
    """Players who may not write at the table that was asked for; empty without one."""


class TipsToday(TypedDict):
    day: str
    tips: dict[str, int]
    """By currency, in its minor units."""


class Floor(Protocol):
    """Read access of staff to the running tables."""

    def floor(self) -> list[FloorTable]:
        """Returns state and alarms of all tables."""

    def staff(self) -> list[StaffMember]:
        """Returns staff at consoles, and their shifts."""

    async def store_chat(self) -> None:
        """Stores the chat messages of the last moment, so that a search finds them."""

    def muted(self, table_id: str) -> list[str]:
        """Returns the players who may not write at this table."""


class HostRoutes:
    def __init__(self, database: Database, floor: Floor, settings: Settings, clock: Clock = wall_clock) -> None:
        self._database = database
        self._clock = clock
        self._floor = floor
        self._incidents = [
            NamedIncidentClass(incident_class=name, **one.model_dump()) for name, one in settings.incidents.items()
        ]
        self._service_settings = settings.casino
        self._has_poker = settings.poker is not None and settings.poker.room.enabled

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/host/floor", self.overview, CONSOLE)
        add_route(app, "GET", "/api/host/incidents", self.procedure, CONSOLE)
        add_route(app, "GET", "/api/host/tips", self.tips_today, only(Role.PRESENTER))
        add_route(app, "GET", "/api/host/rounds", self.rounds, OFFICE)
        add_route(app, "GET", "/api/host/rounds/{round_id}", self.round, OFFICE)
        add_route(app, "GET", "/api/host/cancellations", self.cancellations, OFFICE)
        add_route(app, "GET", "/api/host/chat", self.chat, only(Role.MANAGER))

    async def overview(self, _request: web.Request) -> TheFloor:
        return {
            "tables": self._floor.floor(),
            "staff": self._floor.staff(),
            "currency": self._service_settings.service.currency,
            "play_currency": self._service_settings.guests.currency,
            "has_poker": self._has_poker,
            "server_time": self._clock(),
        }

    async def procedure(self, _request: web.Request) -> Procedure:
        return Procedure(incidents=self._incidents)

    async def tips_today(self, request: web.Request) -> TipsToday:
        """Tips of the presenter since midnight UTC, at all tables: a hand-over begins a shift, and not a new day."""
        day = utc_day(self._clock())
        async with self._database.reading() as connection:
            received = await tips_received(
                connection, request[SESSION].user.id, midnight_ms(day), midnight_ms(day) + DAY_MS
            )
        return {"day": day, "tips": received}

    async def rounds(self, request: web.Request) -> FoundRounds:
        before = request.query.get("before")
        wanted = Wanted(
            game_number=query_parameter(request, "game_number"),
            table_id=query_parameter(request, "table"),
            day=day_in(request, "day"),
            player=query_parameter(request, "player"),
            before=None if before is None else Place.parse(before),
        )
        async with self._database.reading() as connection:
            found, following = await find_rounds(connection, wanted, limit_in(request))
        rounds = [_found_view(one) for one in found]
        return {"rounds": rounds, "next": str(following) if following else None}

    async def round(self, request: web.Request) -> WholeRound:
        round_id = round_id_in(request)
        await self._floor.store_chat()
        async with self._database.reading() as connection:
            view = await whole_round(connection, round_id)
            chat = await lines_between(connection, view["table_id"], view["started_at"], view["ended_at"])
        return {**view, "chat": [_line_view(said) for said in chat]}

    async def cancellations(self, request: web.Request) -> CancellationCounts:
        today = utc_day(self._clock())
        first, last = day_in(request, "from") or today, day_in(request, "to") or today
        async with self._database.reading() as connection:
            rows = await count_cancellations(connection, midnight_ms(first), midnight_ms(last) + DAY_MS)
        return {"rows": rows}

    async def chat(self, request: web.Request) -> ChatPage:
        """Searches the chat archive. Words are found by reading every line of the period: a long-running read."""
        from_day, to_day = day_in(request, "from"), day_in(request, "to")
        wanted = WantedLines(
            table_id=query_parameter(request, "table"),
            player=query_parameter(request, "player"),
            text=words_in(request, "text"),
            from_ms=None if from_day is None else midnight_ms(from_day),
            until_ms=None if to_day is None else midnight_ms(to_day) + DAY_MS,
            only_blocked=request.query.get("blocked") == "true",
            before=query_parameter(request, "before", "line"),
        )
        limit = limit_in(request)
        await self._floor.store_chat()
        async with self._database.reading(long_running=True) as connection:
            found = await find_lines(connection, wanted, limit)
        return {
            "lines": [_line_view(said) for said in found],
            "next": found[-1].id if len(found) == limit else None,
            "muted": [] if wanted.table_id is None else self._floor.muted(wanted.table_id),
        }


def query_parameter(request: web.Request, name: str, kind: str | None = None) -> str | None:
    """Returns the query parameter if present; refuses an invalid value of its kind, by default its name."""
    value = request.query.get(name)
    if not value:
        return None
    pattern, expected = _PATTERNS[kind or name]
    if not pattern.fullmatch(value) or not value.isprintable():  # PostgreSQL cannot even compare some characters
        raise Refusal(Code.BAD_REQUEST, f"{name}: {expected}")
    return value


def words_in(request: web.Request, name: str) -> str | None:
    words = query_parameter(request, name)
    if words is not None and len(words.split()) > WORDS_MAX:
        raise Refusal(Code.BAD_REQUEST, f"{name}: use at most {WORDS_MAX} words.")
    return words


def limit_in(request: web.Request) -> int:
    limit = int(query_parameter(request, "limit") or PAGE_USUAL)
    if not 1 <= limit <= 100:
        raise Refusal(Code.BAD_REQUEST, f"limit: {_PATTERNS['limit'][1]}")
    return limit


def round_id_in(request: web.Request) -> str:
    round_id = request.match_info["round_id"]
    if not _ROUND_ID.fullmatch(round_id):
        raise Refusal(Code.NOT_FOUND, "There is no such round.")
    return round_id


def day_in(request: web.Request, name: str) -> str | None:
    value = request.query.get(name)
    if not value:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise Refusal(Code.BAD_REQUEST, f"{name}: write a day like 2026-11-16.") from None


def midnight_ms(day: str) -> int:
    return round(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


def _found_view(found: Found) -> FoundRound:
    return {
        "round_id": found.round_id,
        "table_id": found.table_id,
        "day": found.day,
        "game_number": found.game_number,
        "status": found.status,
        "started_at": found.started_ms,
        "presenter": found.presenter,
        "players": found.players,
    }


def _line_view(said: Said) -> ArchivedChatLine:
    return {
        "id": said.id,
        "table_id": said.table_id,
        "from": said.name,
        "role": said.role,
        "text": said.text,
        "at": said.at_ms,
        "code": said.code,
        "player_id": said.player_id,
        "blocked": said.blocked,
    }
