"""Engine.IO server: admits new sessions and routes each HTTP request to the transport of its session.

Checks origin, protocol version, transport and the number of connections. JSONP is refused: a foreign page could read
it.
"""

import secrets
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import urlsplit

import orjson
from aiohttp import web

from casino.security.unauthenticated_pool import Pool, Slot
from casino.socketio import packets, polling, websocket
from casino.socketio.engine_session import EngineSession, Handshake, Listener, Reason, TurnEnd
from casino.socketio.limits import Counters, Limits, Occupancy

_PROTOCOL = "4"
_UNKNOWN_TRANSPORT, _UNKNOWN_SESSION, _BAD_METHOD, _BAD_REQUEST, _FORBIDDEN, _BAD_VERSION = range(6)


def same_host(origin: str, request: web.Request) -> bool:
    """Default origin rule: pages of this host."""
    return urlsplit(origin).netloc == request.host


def any_origin(_origin: str, _request: web.Request) -> bool:
    """Origin rule of a public service: pages of every host."""
    return True


def peer_address(request: web.Request) -> str:
    """Default address rule; behind a proxy the application has to supply its own."""
    return request.remote or ""


def slot_of(request: web.Request) -> Slot | None:
    """Returns the place of the request's connection in the pool, if the HTTP server keeps one."""
    return getattr(request.protocol, "slot", None)


class EngineServer:
    def __init__(
        self,
        listener: Listener,
        limits: Limits,
        *,
        occupancy: Occupancy,
        counters: Counters,
        pool: Pool,
        cookie: str,
        origin_allowed: Callable[[str, web.Request], bool],
        address_of: Callable[[web.Request], str],
    ) -> None:
        self._listener = listener
        self._limits = limits
        self._occupancy = occupancy
        self._counters = counters
        self._pool = pool
        self._cookie = cookie
        self._origin_allowed = origin_allowed
        self._address_of = address_of
        self._open: dict[str, EngineSession] = {}
        self._turn_end = TurnEnd()

    def __iter__(self) -> Iterator[EngineSession]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def attach(self, app: web.Application, path: str) -> None:
        place = f"/{path.strip('/')}/"
        app.router.add_get(place, self._get, allow_head=False)
        app.router.add_post(place, self._post)
        app.router.add_options(place, self._preflight)
        app.router.add_route("*", place, self._bad_method)

    def _forget(self, session: EngineSession) -> None:
        if self._open.pop(session.id, None) is not None and session.is_signed_in:
            self._occupancy.leave(session.handshake.address)

    async def _get(self, request: web.Request) -> web.StreamResponse:
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        by_websocket = request.query.get("transport") == "websocket"
        session_id = request.query.get("sid")
        if session_id is None:
            return await self._begin(request, by_websocket=by_websocket)
        session = self._open.get(session_id)
        if session is None:
            return self._refuse(request, 400, _UNKNOWN_SESSION, "Session ID unknown")
        self._count_as_signed_in(request, session)
        if by_websocket:
            return await websocket.upgrade(session, request, self._limits)
        if session.direct:
            return self._refuse(request, 400, _BAD_REQUEST, "Bad request")
        return self._allow(request, await polling.answer_poll(session))

    async def _post(self, request: web.Request) -> web.StreamResponse:
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        session_id = request.query.get("sid")
        if session_id is None:
            return self._refuse(request, 400, _BAD_METHOD, "Bad handshake method")
        session = self._open.get(session_id)
        if session is None:
            return self._refuse(request, 400, _UNKNOWN_SESSION, "Session ID unknown")
        self._count_as_signed_in(request, session)
        if session.direct or request.query.get("transport") != "polling":
            return self._refuse(request, 400, _BAD_REQUEST, "Bad request")
        return self._allow(request, await polling.take_post(session, request, self._limits))

    async def _preflight(self, request: web.Request) -> web.StreamResponse:
        if "Origin" not in request.headers or not self._is_origin_allowed(request):
            return self._refuse(request, 403, _FORBIDDEN, "Forbidden")
        methods = {"Access-Control-Allow-Methods": "GET, POST", "Access-Control-Allow-Headers": "Content-Type"}
        return self._allow(request, web.Response(status=204, headers=methods))

    async def _bad_method(self, request: web.Request) -> web.StreamResponse:
        return self._refusal(request) or self._refuse(request, 400, _BAD_METHOD, "Bad handshake method")

    def _is_origin_allowed(self, request: web.Request) -> bool:
        origin = request.headers.get("Origin")
        return origin is None or self._origin_allowed(origin, request)

    def _refusal(self, request: web.Request) -> web.Response | None:
        if not self._is_origin_allowed(request):
            return self._refuse(request, 403, _FORBIDDEN, "Forbidden")
        if request.query.get("transport") not in {"polling", "websocket"}:
            return self._refuse(request, 400, _UNKNOWN_TRANSPORT, "Transport unknown")
        if request.query.get("EIO") != _PROTOCOL:
            return self._refuse(request, 400, _BAD_VERSION, "Unsupported protocol version")
        if "j" in request.query:
            return self._refuse(request, 400, _BAD_REQUEST, "Bad request")
        if request.query.get("transport") == "websocket" and websocket.accept_key(request) is None:
            return self._refuse(request, 400, _BAD_REQUEST, "No WebSocket handshake")
        return None

    async def _begin(self, request: web.Request, *, by_websocket: bool) -> web.StreamResponse:
        address = self._address_of(request)
        if self._occupancy.full:
            return self._refuse(request, 503, _FORBIDDEN, "Too many connections")
        if self._occupancy.address_full(address):
            return self._refuse(request, 429, _FORBIDDEN, "Too many connections from this address")
        slot = slot_of(request) if by_websocket else None
        session = self._open_session(request, address)
        if slot is None:
            slot = self._pool.enter(address, partial(session.end, Reason.UNAUTHENTICATED))
            if slot is None:
                session.end(Reason.UNAUTHENTICATED)
                return self._refuse(request, 429, _FORBIDDEN, "Too many connections that have not signed in")
            session.occupy(slot)
        upgrades = [] if by_websocket else ["websocket"]
        session.send(
            packets.opened(
                session.id,
                upgrades=upgrades,
                ping_ms=round(self._limits.ping_s * 1000),
                pong_ms=round(self._limits.pong_s * 1000),
                bytes_max=self._limits.message_bytes_max,
            )
        )
        if by_websocket:
            return await websocket.begin(session, request, self._limits)
        return self._allow(request, await polling.answer_poll(session))

    def _open_session(self, request: web.Request, address: str) -> EngineSession:
        origin = request.headers.get("Origin")
        cookie = request.cookies.get(self._cookie)
        handshake = Handshake(address, origin, {} if cookie is None else {self._cookie: cookie})
        session = EngineSession(
            secrets.token_urlsafe(15),
            handshake,
            self._listener,
            self._limits,
            turn_end=self._turn_end,
            forget=self._forget,
        )
        self._open[session.id] = session
        self._counters.opened += 1
        self._listener.opened(session)
        return session

    def is_signed_in(self, session_id: str) -> bool:
        session = self._open.get(session_id)
        return session is not None and session.is_signed_in

    def _count_as_signed_in(self, request: web.Request, session: EngineSession) -> None:
        slot = slot_of(request)
        if slot is not None and session.is_signed_in:
            slot.authenticate()

    def _allow(self, request: web.Request, response: web.Response) -> web.Response:
        """Lets a page of another, allowed origin read the response (CORS)."""
        origin = request.headers.get("Origin")
        response.headers["Cache-Control"] = "no-store"
        if origin is not None:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Allow-Credentials"] = "true"
            response.headers["Vary"] = "Origin"
        return response

    def _refuse(self, request: web.Request, status: int, code: int, message: str) -> web.Response:
        self._counters.refused += 1
        body = orjson.dumps({"code": code, "message": message})
        response = web.Response(status=status, body=body, content_type="application/json")
        return self._allow(request, response) if self._is_origin_allowed(request) else response

    def end_all(self, reason: Reason) -> None:
        for session in self:
            session.end(reason)
