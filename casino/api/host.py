"""What the host console asks over HTTP: the floor at a glance, the error procedure, any round, the audit log.

Presenters see the floor and the procedure; managers and finance besides what has been played and who did what.
"""

import re
from datetime import UTC, date, datetime
from typing import Any, Final, Protocol

from aiohttp import web

from casino.api.audience import add_route, only
from casino.audit.reading import Wanted as WantedRows
from casino.audit.reading import page_of_audit
from casino.errors import Code, Refusal
from casino.history.account import Place
from casino.history.search import Found, Wanted, find_rounds
from casino.history.whole import whole_round
from casino.people.roles import Role
from casino.settings import Settings
from casino.storage.database import Database

CONSOLE: Final = only(Role.PRESENTER, Role.MANAGER)
OFFICE: Final = only(Role.MANAGER, Role.FINANCE)
PAGE_USUAL: Final = 30
_DAY_MS: Final = 86_400_000

_PATTERNS: Final = {
    "game_number": (re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}"), "a game number is written like 14:13:05."),
    "table": (re.compile(r"[A-Za-z0-9_-]{1,40}"), "that is no table."),
    "player": (re.compile(r".{1,40}"), "a player's name or id is expected."),
    "limit": (re.compile("[0-9]{1,3}"), "a whole number from 1 to 100 is expected."),
    "actor": (re.compile(r".{1,80}"), "a name is expected."),
    "action": (re.compile(r"[a-z_]{1,40}"), "an action is written like round_paused."),
    "target": (re.compile(r".{1,120}"), "what it was done to is expected."),
    "before": (re.compile(r"[0-9]{1,15}"), "only a value that an earlier page gave as `next` is understood."),
}
_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class Floor(Protocol):
    """The open house, as far as its staff may look at it."""

    def floor(self) -> list[dict[str, Any]]:
        """Every table: how it stands, and what is wrong there."""

    def staff(self) -> list[dict[str, Any]]:
        """Who is at a console, and where on shift."""

    def said(self, table_id: str, from_ms: int, until_ms: int | None) -> list[dict[str, Any]]:
        """The chat of that time, as far as it is kept."""


class HostRoutes:
    def __init__(self, database: Database, floor: Floor, settings: Settings) -> None:
        self._database = database
        self._floor = floor
        self._incidents = [{"incident_class": name} | one.model_dump() for name, one in settings.incidents.items()]
        house = settings.house
        self._currencies = {"currency": house.service.currency, "play_currency": house.guests.currency}

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/host/floor", self.overview, CONSOLE)
        add_route(app, "GET", "/api/host/incidents", self.procedure, CONSOLE)
        add_route(app, "GET", "/api/host/rounds", self.rounds, OFFICE)
        add_route(app, "GET", "/api/host/rounds/{round_id}", self.round, OFFICE)
        add_route(app, "GET", "/api/host/audit", self.audit, OFFICE)

    async def overview(self, _request: web.Request) -> web.Response:
        return web.json_response({"tables": self._floor.floor(), "staff": self._floor.staff(), **self._currencies})

    async def procedure(self, _request: web.Request) -> web.Response:
        return web.json_response({"incidents": self._incidents})

    async def rounds(self, request: web.Request) -> web.Response:
        before = request.query.get("before")
        wanted = Wanted(
            game_number=asked(request, "game_number"),
            table_id=asked(request, "table"),
            day=_day(request, "day"),
            player=asked(request, "player"),
            before=None if before is None else Place.parse(before),
        )
        async with self._database.reading() as connection:
            found, following = await find_rounds(connection, wanted, limit_in(request))
        rounds = [_found_view(one) for one in found]
        return web.json_response({"rounds": rounds, "next": str(following) if following else None})

    async def round(self, request: web.Request) -> web.Response:
        round_id = round_id_in(request)
        async with self._database.reading() as connection:
            told = await whole_round(connection, round_id)
        chat = self._floor.said(told["table_id"], told["started_at"], told["ended_at"])
        return web.json_response(told | {"chat": chat})

    async def audit(self, request: web.Request) -> web.Response:
        before, from_day, to_day = asked(request, "before"), _day(request, "from"), _day(request, "to")
        wanted = WantedRows(
            actor=asked(request, "actor"),
            action=asked(request, "action"),
            target=asked(request, "target"),
            from_ms=None if from_day is None else _midnight_ms(from_day),
            until_ms=None if to_day is None else _midnight_ms(to_day) + _DAY_MS,
            before=None if before is None else int(before),
        )
        limit = limit_in(request)
        async with self._database.reading() as connection:
            rows = await page_of_audit(connection, wanted, limit)
        following = str(rows[-1]["id"]) if len(rows) == limit and rows[-1]["id"] > 1 else None
        return web.json_response({"rows": rows, "next": following})


def asked(request: web.Request, name: str) -> str | None:
    """What the query says, if it says anything; refused if it cannot be meant."""
    value = request.query.get(name)
    if not value:
        return None
    pattern, expected = _PATTERNS[name]
    if not pattern.fullmatch(value) or not value.isprintable():  # PostgreSQL cannot even compare some signs
        raise Refusal(Code.BAD_REQUEST, f"{name}: {expected}")
    return value


def limit_in(request: web.Request) -> int:
    limit = int(asked(request, "limit") or PAGE_USUAL)
    if not 1 <= limit <= 100:
        raise Refusal(Code.BAD_REQUEST, f"limit: {_PATTERNS['limit'][1]}")
    return limit


def round_id_in(request: web.Request) -> str:
    round_id = request.match_info["round_id"]
    if not _ROUND_ID.fullmatch(round_id):
        raise Refusal(Code.NOT_FOUND, "There is no such round.")
    return round_id


def _day(request: web.Request, name: str) -> str | None:
    value = request.query.get(name)
    if not value:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise Refusal(Code.BAD_REQUEST, f"{name}: a day is written like 2026-11-16.") from None


def _midnight_ms(day: str) -> int:
    return round(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


def _found_view(found: Found) -> dict[str, Any]:
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
