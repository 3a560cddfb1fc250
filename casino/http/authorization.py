"""Authorization of routes by role. A route that declares no role is closed to all.

Routes are added through `add_route`, or declared with `declare` if a library adds them. Only this module looks up the
session of a request, and only if the route's audience requires one. A request with side effects looks it up in the
database; a read may use a result of the last second (`docs/decisions/039`).

Each account has a rate limit, and a concurrency limit, because all requests share the database with all bets. Staff
have the same limits, since they request whole months. Long-running work such as an export has its own queue, so that a
page does not wait behind it. Reads of all players of one address are few at a time, too: one client may have many
guests, and every read that has begun is ahead of the next step of a bet.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web

from casino.errors import Code
from casino.http.account_throttle import ACCOUNT_PACE
from casino.http.client_address import address_in
from casino.http.errors import Handler, HttpRefusal
from casino.http.responses import TypedHandler, responding
from casino.refusals import Reason
from casino.security.client_address import rate_limit_key
from casino.security.concurrency_limit import ConcurrencyLimiter
from casino.security.credentials import COOKIE, token_of
from casino.users.roles import Role
from casino.users.session_cache import SessionCache
from casino.users.sessions import Session, Sessions


@dataclass(frozen=True, slots=True)
class Audience:
    """`roles` is empty for public routes."""

    roles: frozenset[Role] = frozenset()
    takes_long: bool = False
    while_enrolling: bool = False
    """Open to a session that must enrol a second factor first."""

    @property
    def needs_session(self) -> bool:
        return bool(self.roles)


PUBLIC: Final = Audience()
SIGNED_IN: Final = Audience(frozenset(Role))
SIGNED_IN_OR_ENROLLING: Final = Audience(frozenset(Role), while_enrolling=True)
STAFF: Final = frozenset(Role) - {Role.PLAYER}
ENROLLING_STAFF: Final = Audience(STAFF, while_enrolling=True)


def only(*roles: Role, takes_long: bool = False) -> Audience:
    assert roles, "an audience without a role is a mistake"
    return Audience(frozenset(roles), takes_long)


SESSIONS: Final = web.AppKey("sessions", Sessions)
SESSION_CACHE: Final = web.AppKey("session_cache", SessionCache)
SESSION: Final = web.RequestKey("session", Session)
_AUDIENCES: Final = web.AppKey("audiences", dict[tuple[str, str], Audience])
_TURNS: Final = web.AppKey("turns", ConcurrencyLimiter)
_READS: Final = web.AppKey("reads", ConcurrencyLimiter)
_ANY_METHOD: Final = "*"
_READING: Final = ("GET", "HEAD")
_AT_ONCE: Final = 4  # as many as a page requests at most
_READS_AT_ONCE: Final = 3  # one fewer than SQLite's connections for quick reads: others can still sign in

_log = structlog.get_logger()


def add_route(app: web.Application, method: str, path: str, handler: TypedHandler, audience: Audience) -> None:
    """The return type of the handler describes its response (`casino/http/responses.py`)."""
    declare(app, path, audience, methods=[method])
    if method == "GET":
        app.router.add_get(path, responding(handler))  # also handles HEAD
    else:
        app.router.add_route(method, path, responding(handler))


def declare(app: web.Application, path: str, audience: Audience, *, methods: Iterable[str] = (_ANY_METHOD,)) -> None:
    """`path` is written as in the route, such as `/api/tables/{table_id}`."""
    audiences = app.setdefault(_AUDIENCES, {})
    app.setdefault(_TURNS, ConcurrencyLimiter(_AT_ONCE))
    app.setdefault(_READS, ConcurrencyLimiter(_READS_AT_ONCE))
    for method in methods:
        audiences[method, path] = audience


def audience_of(app: web.Application, route: web.AbstractRoute) -> Audience | None:
    if route.resource is None:
        return None
    audiences = app.get(_AUDIENCES, {})
    path = route.resource.canonical
    method = "GET" if route.method == "HEAD" else route.method  # a HEAD is a GET without its body
    return audiences.get((method, path)) or audiences.get((_ANY_METHOD, path))


def token_in(request: web.Request) -> str | None:
    return token_of(request.headers.get("Authorization"), request.cookies.get(COOKIE))


@web.middleware
async def authorize(request: web.Request, handler: Handler) -> web.StreamResponse:
    if request.match_info.http_exception is not None:  # no such route
        return await handler(request)
    audience = audience_of(request.app, request.match_info.route)
    if audience is None:
        _log.error("route_without_authorization", path=request.path)
        raise Reason.FORBIDDEN.refusal()
    if audience.needs_session:
        session = await _session_of(request)
        if session.user.role not in audience.roles:
            raise Reason.FORBIDDEN.refusal()
        if session.must_enrol and not audience.while_enrolling:
            raise HttpRefusal(Code.SECOND_FACTOR_REQUIRED, "Set up your second factor first.", status=403)
        request[SESSION] = session
        await request.app[ACCOUNT_PACE].wait_for_turn(request, session.user)
        async with request.app[_TURNS].of((session.user.id, audience.takes_long)):
            if session.user.role is not Role.PLAYER or audience.takes_long or request.method not in _READING:
                return await handler(request)
            async with request.app[_READS].of(rate_limit_key(address_in(request))):
                return await handler(request)
    return await handler(request)


async def _session_of(request: web.Request) -> Session:
    token = token_in(request)
    sessions = request.app[SESSION_CACHE] if request.method in _READING else request.app[SESSIONS]
    session = await sessions.find(token) if token else None
    if session is None:
        raise Reason.NOT_AUTHENTICATED.refusal()
    return session
