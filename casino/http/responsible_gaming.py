"""Responsible gaming routes: a player's limits and their use, exclusions, and the session clock.

A lower limit, a shorter interval and a break apply at once. A higher limit, or none, applies a day later; until then,
setting the old amount again withdraws the change. A break is never shortened.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, Literal, Self

from aiohttp import web
from pydantic import Field, model_validator
from typing_extensions import TypedDict

from casino.clock import NO_END_MS, Clock, wall_clock
from casino.http.authorization import SESSION, add_route, only
from casino.http.request_body import Body, Nothing, body_of
from casino.money import MINOR_MAX
from casino.refusals import Reason
from casino.responsible_gaming.limit_changes import LimitChanges
from casino.responsible_gaming.play_sessions import session_of
from casino.responsible_gaming.player_limits import (
    DAY_MS,
    EXCLUSIONS,
    LIMITS,
    Kind,
    LimitKind,
    Period,
    PlayerLimit,
    months_later_ms,
    player_limits_of,
)
from casino.security.rate_limit import MINUTE_MS, Rate, RateLimiter, steady_clock
from casino.settings.service import Policy
from casino.storage.database import Database
from casino.users.roles import Role
from casino.users.users import User
from casino.wire.common import Count, Minor, Moment
from casino.wire.player_events import PlaySession

MINUTES_MAX: Final = 31 * 24 * 60
_CHANGES: Final = Rate(60, MINUTE_MS)  # per person: each change is a row of the audit log

ReturnBets = Callable[[str], Awaitable[None]]
"""Returns the bets of a player wherever betting is still open."""


class Limit(Body):
    """`amount` is in minor units, minutes for a session limit; null removes the limit."""

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
    """Null means without end."""

    months: Annotated[int, Field(ge=6, le=60)] | None


class PendingLimit(TypedDict):
    amount: Minor | None
    at: Moment


class OwnLimit(TypedDict):
    """Amounts in minor units; minutes for a session limit."""

    kind: LimitKind
    period: Literal[Period.DAY, Period.WEEK, Period.MONTH]
    amount: Minor | None
    used: int | None
    remaining: Minor | None
    starts_at: Moment
    ends_at: Moment
    pending: PendingLimit | None


class RealityCheckState(TypedDict):
    minutes: Count | None
    due: bool


class Exclusion(TypedDict):
    kind: Literal[Kind.TIME_OUT, Kind.SELF_EXCLUSION]
    until: Moment | None
    """Null: no end."""


class HelpLineView(TypedDict):
    country: str
    """Two letters; `ZZ` for help everywhere."""
    name: str
    phone: str
    url: str


class PolicyView(TypedDict):
    """The operator's own words are at `url`."""

    operator: str
    url: str
    help_lines: list[HelpLineView]


class ResponsiblePage(TypedDict):
    now: Moment
    currency: str
    limits: list[OwnLimit]
    reality_check: RealityCheckState
    exclusion: Exclusion | None
    session: PlaySession | None
    """Null for a player who is not connected to a table."""
    policy: PolicyView


class Responsible:
    def __init__(self, database: Database, return_bets: ReturnBets, policy: Policy, clock: Clock = wall_clock) -> None:
        self._database = database
        self._policy: PolicyView = {
            "operator": policy.operator,
            "url": policy.url,
            "help_lines": [
                {"country": line.country, "name": line.name, "phone": line.phone, "url": line.url}
                for line in policy.help_lines
            ],
        }
        self._return_bets = return_bets
        self._clock = clock
        self._changes = RateLimiter(_CHANGES)

    def add_to(self, app: web.Application) -> None:
        players = only(Role.PLAYER)
        add_route(app, "GET", "/api/responsible", self.read, players)
        add_route(app, "PUT", "/api/responsible/limits", self.limit, players)
        add_route(app, "PUT", "/api/responsible/reality-check", self.reality_check, players)
        add_route(app, "POST", "/api/responsible/reality-check/seen", self.seen, players)
        add_route(app, "POST", "/api/responsible/time-out", self.time_out, players)
        add_route(app, "POST", "/api/responsible/self-exclusion", self.self_exclusion, players)

    async def read(self, request: web.Request) -> ResponsiblePage:
        return await self._answer(request[SESSION].user)

    async def limit(self, request: web.Request) -> ResponsiblePage:
        body = await body_of(request, Limit)
        kind, period = Kind(body.kind), Period(body.period)
        return await self._change(request, lambda own: own.limit(kind, period, body.amount))

    async def reality_check(self, request: web.Request) -> ResponsiblePage:
        body = await body_of(request, RealityCheck)
        return await self._change(request, lambda own: own.reality_check(body.minutes))

    async def seen(self, request: web.Request) -> ResponsiblePage:
        await body_of(request, Nothing, may_be_missing=True)
        return await self._change(request, lambda own: own.seen())

    async def time_out(self, request: web.Request) -> ResponsiblePage:
        body = await body_of(request, TimeOut)
        until_ms = self._clock() + body.days * DAY_MS
        return await self._exclude(request, Kind.TIME_OUT, until_ms)

    async def self_exclusion(self, request: web.Request) -> ResponsiblePage:
        body = await body_of(request, SelfExclusion)
        until_ms = NO_END_MS if body.months is None else months_later_ms(self._clock(), body.months)
        return await self._exclude(request, Kind.SELF_EXCLUSION, until_ms)

    async def _exclude(self, request: web.Request, kind: Kind, until_ms: int) -> ResponsiblePage:
        """Stores the exclusion first, so that no new bet is accepted; then returns the open ones."""
        answer = await self._change(request, lambda own: own.exclude(kind, until_ms))
        await self._return_bets(request[SESSION].user.id)
        return answer

    async def _change(self, request: web.Request, change: Callable[[LimitChanges], Awaitable[None]]) -> ResponsiblePage:
        user = request[SESSION].user
        if self._changes.acquire(user.id, steady_clock()):
            raise Reason.RATE_LIMITED.refusal()
        await self._database.run_transaction(lambda connection: change(LimitChanges(connection, user, self._clock())))
        return await self._answer(user)

    async def _answer(self, user: User) -> ResponsiblePage:
        now_ms = self._clock()
        async with self._database.reading() as connection:
            own = (await player_limits_of(connection, [user.id], now_ms)).get(user.id, [])
            session = await session_of(connection, user.id, now_ms)
        found = {(limit.kind, limit.period): limit for limit in own}
        limits = [_limit_view(found.get((kind, period)), kind, period, now_ms) for kind in LIMITS for period in Period]
        return {
            "now": now_ms,
            "currency": user.currency,
            "limits": limits,
            "reality_check": _reality_view(found.get((Kind.REALITY_CHECK, "")), now_ms),
            "exclusion": _exclusion_view(own, now_ms),
            "session": session.view() if session else None,
            "policy": self._policy,
        }


def _limit_view(own: PlayerLimit | None, kind: LimitKind, period: Period, now_ms: int) -> OwnLimit:
    """Amounts of a session limit are minutes; a started minute counts as used."""
    view: OwnLimit = {
        "kind": kind,
        "period": period,
        "amount": None,
        "used": None,
        "remaining": None,
        "starts_at": period.start_ms(now_ms),
        "ends_at": period.end_ms(now_ms),
        "pending": None,
    }
    if own is None:
        return view
    amount, pending = own.in_force(now_ms), own.pending(now_ms)
    used = -(-own.used // MINUTE_MS) if kind is Kind.SESSION else own.used
    if amount is not None:
        view["amount"], view["used"], view["remaining"] = amount, used, max(0, amount - used)
    if pending is not None:
        view["pending"] = {"amount": pending[0], "at": pending[1]}
    return view


def _reality_view(own: PlayerLimit | None, now_ms: int) -> RealityCheckState:
    minutes = own.in_force(now_ms) if own else None
    return {"minutes": minutes, "due": own is not None and own.is_used_up(now_ms)}


def _exclusion_view(own: list[PlayerLimit], now_ms: int) -> Exclusion | None:
    """Returns the longest exclusion; `until` is null if it has no end."""
    lasting = [
        (one.in_force(now_ms) or 0, one.kind) for one in own if one.kind in EXCLUSIONS and one.is_used_up(now_ms)
    ]
    if not lasting:
        return None
    until_ms, kind = max(lasting)
    ends_at = None if until_ms == NO_END_MS else until_ms
    return {"kind": Kind.TIME_OUT if kind is Kind.TIME_OUT else Kind.SELF_EXCLUSION, "until": ends_at}
