"""Who may use which route. A route that says nothing is for nobody.

Routes are added through `add_route`, or declared with `declare` where a library adds them itself. The session behind
a request is looked up here and nowhere else, only where the audience asks for one, and again for every request: who
was disabled or signed out a moment ago is out. One person's requests are answered a few at a time, however many come:
all of them read and write the same books as everybody's bets. Staff are no exception, least of all those who ask for
whole months; but what takes long, such as an export, queues by itself, so that a page does not stand still behind it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web

from casino.api.answers import Handler
from casino.door.tokens import COOKIE, token_of
from casino.door.turns import Turns
from casino.errors import Code, Refusal
from casino.people.roles import Role
from casino.people.sessions import Session, Sessions


@dataclass(frozen=True, slots=True)
class Audience:
    """`roles` is empty for what anybody may see."""

    roles: frozenset[Role] = frozenset()
    takes_long: bool = False

    @property
    def needs_session(self) -> bool:
        return bool(self.roles)


EVERYBODY: Final = Audience()
SIGNED_IN: Final = Audience(frozenset(Role))


def only(*roles: Role, takes_long: bool = False) -> Audience:
    assert roles, "an audience without anybody is a mistake"
    return Audience(frozenset(roles), takes_long)


SESSIONS: Final = web.AppKey("sessions", Sessions)
SESSION: Final = web.RequestKey("session", Session)
_AUDIENCES: Final = web.AppKey("audiences", dict[tuple[str, str], Audience])
_TURNS: Final = web.AppKey("turns", Turns)
_ANY_METHOD: Final = "*"
_AT_ONCE: Final = 4  # as many as a page asks for at most

_log = structlog.get_logger()


def add_route(app: web.Application, method: str, path: str, handler: Handler, audience: Audience) -> None:
    declare(app, path, audience, methods=[method])
    if method == "GET":
        app.router.add_get(path, handler)  # answers HEAD too
    else:
        app.router.add_route(method, path, handler)


def declare(app: web.Application, path: str, audience: Audience, *, methods: Iterable[str] = (_ANY_METHOD,)) -> None:
    """`path` is written as the route writes it, such as `/api/tables/{table_id}`."""
    audiences = app.setdefault(_AUDIENCES, {})
    app.setdefault(_TURNS, Turns(_AT_ONCE))
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
async def only_the_audience(request: web.Request, handler: Handler) -> web.StreamResponse:
    if request.match_info.http_exception is not None:  # no such route
        return await handler(request)
    audience = audience_of(request.app, request.match_info.route)
    if audience is None:
        _log.error("route_without_audience", path=request.path)
        raise Refusal(Code.FORBIDDEN, "This address is for nobody.")
    if audience.needs_session:
        session = await _session_of(request)
        if session.user.role not in audience.roles:
            raise Refusal(Code.FORBIDDEN, "Your role does not allow this.")
        request[SESSION] = session
        async with request.app[_TURNS].of((session.user.id, audience.takes_long)):
            return await handler(request)
    return await handler(request)


async def _session_of(request: web.Request) -> Session:
    token = token_in(request)
    session = await request.app[SESSIONS].find(token) if token else None
    if session is None:
        raise Refusal(Code.NOT_AUTHENTICATED, "Please sign in.")
    return session
