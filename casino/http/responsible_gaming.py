"""Responsible gaming: what a player asks to be held to, how it stands, and the clock of the session.

Lowering a limit, a shorter interval and a break hold at once. A higher limit, or none, holds a day later; until then
the old amount, asked for again, takes the change back. A break is never shortened.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal, Self

from aiohttp import web
from pydantic import Field, model_validator

from casino.api.audience import SESSION, add_route, only
from casino.api.bodies import Body, Nothing, body_of
from casino.clock import Clock, wall_clock
from casino.door.rates import MINUTE_MS, Limiter, Rate, steady_clock
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.people.protection.changes import Safeguarding
from casino.people.protection.periods import DAY_MS, Period, months_later_ms
from casino.people.protection.safeguards import EXCLUSIONS, FOR_EVER_MS, LIMITS, Kind, Safeguard, safeguards_of
from casino.people.protection.visits import session_of
from casino.people.roles import Role
from casino.people.users import User
from casino.storage.database import Database

MINUTES_MAX: Final = 31 * 24 * 60
_CHANGES: Final = Rate(60, MINUTE_MS)  # of one person: each is a row of the audit log

ReturnBets = Callable[[str], Awaitable[None]]
"""Takes the bets of a player back wherever betting is still open."""


class Limit(Body):
    """`amount` is minor units, for a session limit minutes; null removes the limit."""

    kind: Literal["deposit", "loss", "session"]
    period: Literal["day", "week", "month"]
    amount: Annotated[int, Field(ge=0, le=MINOR_MAX)] | None

    @model_validator(mode="after")
    def _minutes(self) -> Self:
        if self.kind == "session" and self.amount is not None and not 1 <= self.amount <= MINUTES_MAX:
            raise ValueError(f"a session limit is 1 to {MINUTES_MAX} minutes")
        return self


class RealityCheck(Body):
    minutes: Annotated[int, Field(ge=1, le=1440)] | None


class TimeOut(Body):
    days: Annotated[int, Field(ge=1, le=42)]


class SelfExclusion(Body):
    """Null is for ever."""

    months: Annotated[int, Field(ge=6, le=60)] | None


class Responsible:
    def __init__(self, database: Database, return_bets: ReturnBets, clock: Clock = wall_clock) -> None:
        self._database = database
        self._return_bets = return_bets
        self._clock = clock
        self._changes = Limiter(_CHANGES)

    def add_to(self, app: web.Application) -> None:
        players = only(Role.PLAYER)
        add_route(app, "GET", "/api/responsible", self.read, players)
        add_route(app, "PUT", "/api/responsible/limits", self.limit, players)
        add_route(app, "PUT", "/api/responsible/reality-check", self.reality_check, players)
        add_route(app, "POST", "/api/responsible/reality-check/seen", self.seen, players)
        add_route(app, "POST", "/api/responsible/time-out", self.time_out, players)
        add_route(app, "POST", "/api/responsible/self-exclusion", self.self_exclusion, players)

    async def read(self, request: web.Request) -> web.Response:
        return await self._answer(request[SESSION].user)

    async def limit(self, request: web.Request) -> web.Response:
        asked = await body_of(request, Limit)
        kind, period = Kind(asked.kind), Period(asked.period)
        return await self._change(request, lambda own: own.limit(kind, period, asked.amount))

    async def reality_check(self, request: web.Request) -> web.Response:
        asked = await body_of(request, RealityCheck)
        return await self._change(request, lambda own: own.reality_check(asked.minutes))

    async def seen(self, request: web.Request) -> web.Response:
        await body_of(request, Nothing, may_be_missing=True)
        return await self._change(request, lambda own: own.seen())

    async def time_out(self, request: web.Request) -> web.Response:
        asked = await body_of(request, TimeOut)
        until_ms = self._clock() + asked.days * DAY_MS
        return await self._exclude(request, Kind.TIME_OUT, until_ms)

    async def self_exclusion(self, request: web.Request) -> web.Response:
        asked = await body_of(request, SelfExclusion)
        until_ms = FOR_EVER_MS if asked.months is None else months_later_ms(self._clock(), asked.months)
        return await self._exclude(request, Kind.SELF_EXCLUSION, until_ms)

    async def _exclude(self, request: web.Request, kind: Kind, until_ms: int) -> web.Response:
        """First stored, so that no new bet is taken; then the open ones go back."""
        answer = await self._change(request, lambda own: own.exclude(kind, until_ms))
        await self._return_bets(request[SESSION].user.id)
        return answer

    async def _change(self, request: web.Request, change: Callable[[Safeguarding], Awaitable[None]]) -> web.Response:
        user = request[SESSION].user
        if self._changes.take(user.id, steady_clock()):
            raise Refusal(Code.RATE_LIMITED, "That was too often. Wait a moment.")
        await self._database.stored(lambda connection: change(Safeguarding(connection, user, self._clock())))
        return await self._answer(user)

    async def _answer(self, user: User) -> web.Response:
        now_ms = self._clock()
        async with self._database.reading() as connection:
            own = (await safeguards_of(connection, [user.id], now_ms)).get(user.id, [])
            session = await session_of(connection, user.id, now_ms)
        found = {(safeguard.kind, safeguard.period): safeguard for safeguard in own}
        limits = [_limit_view(found.get((kind, period)), kind, period, now_ms) for kind in LIMITS for period in Period]
        return web.json_response(
            {
                "now": now_ms,
                "currency": user.currency,
                "limits": limits,
                "reality_check": _reality_view(found.get((Kind.REALITY_CHECK, "")), now_ms),
                "exclusion": _exclusion_view(own, now_ms),
                "session": session.told() if session else None,
            }
        )


def _limit_view(own: Safeguard | None, kind: Kind, period: Period, now_ms: int) -> dict[str, Any]:
    """Amounts of a session limit are minutes; a minute that has begun is used."""
    view: dict[str, Any] = {"kind": kind, "period": period, "amount": None, "used": None, "remaining": None}
    view |= {"starts_at": period.start_ms(now_ms), "ends_at": period.end_ms(now_ms), "pending": None}
    if own is None:
        return view
    amount, pending = own.in_force(now_ms), own.pending(now_ms)
    used = -(-own.used // MINUTE_MS) if kind is Kind.SESSION else own.used
    if amount is not None:
        view |= {"amount": amount, "used": used, "remaining": max(0, amount - used)}
    if pending is not None:
        view["pending"] = {"amount": pending[0], "at": pending[1]}
    return view


def _reality_view(own: Safeguard | None, now_ms: int) -> dict[str, Any]:
    minutes = own.in_force(now_ms) if own else None
    return {"minutes": minutes, "due": own is not None and own.is_used_up(now_ms)}


def _exclusion_view(own: list[Safeguard], now_ms: int) -> dict[str, Any] | None:
    """The one that lasts longest; `until` is null for ever."""
    lasting = [
        (one.in_force(now_ms) or 0, one.kind) for one in own if one.kind in EXCLUSIONS and one.is_used_up(now_ms)
    ]
    if not lasting:
        return None
    until_ms, kind = max(lasting)
    return {"kind": kind, "until": None if until_ms == FOR_EVER_MS else until_ms}
