"""The HTTP side: who may open a session, and which way each request of a session goes.

Decides on origin, protocol version, transport and the number of connections. Refuses to know namespaces, events and
accounts. JSONP is not spoken: a foreign page could read it.
"""

import secrets
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import orjson
from aiohttp import web

from casino.sockets.transport import packets, polling, websocket
from casino.sockets.transport.connection import Connection, Handshake, Listener, Reason
from casino.sockets.transport.limits import Counters, Limits, Occupancy

_PROTOCOL = "4"
_UNKNOWN_TRANSPORT, _UNKNOWN_SESSION, _BAD_METHOD, _BAD_REQUEST, _FORBIDDEN, _BAD_VERSION = range(6)


def same_host(origin: str, request: web.Request) -> bool:
    """The rule when no other is given: pages of this very host."""
    return urlsplit(origin).netloc == request.host


def peer_address(request: web.Request) -> str:
    """The rule when no other is given; behind a proxy the application knows better."""
    return request.remote or ""


class Sessions:
    def __init__(
        self,
        listener: Listener,
        limits: Limits,
        *,
        occupancy: Occupancy,
        counters: Counters,
        origin_allowed: Callable[[str, web.Request], bool],
        address_of: Callable[[web.Request], str],
    ) -> None:
        self._listener = listener
        self._limits = limits
        self._occupancy = occupancy
        self._counters = counters
        self._origin_allowed = origin_allowed
        self._address_of = address_of
        self._open: dict[str, Connection] = {}

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def attach(self, app: web.Application, path: str) -> None:
        place = f"/{path.strip('/')}/"
        app.router.add_get(place, self._get, allow_head=False)
        app.router.add_post(place, self._post)
        app.router.add_options(place, self._preflight)

    def forget(self, connection: Connection) -> None:
        if self._open.pop(connection.id, None) is not None:
            self._occupancy.leave(connection.handshake.address)

    async def _get(self, request: web.Request) -> web.StreamResponse:
        complaint = self._complaint(request)
        if complaint is not None:
            return complaint
        by_websocket = request.query.get("transport") == "websocket"
        session_id = request.query.get("sid")
        if session_id is None:
            return await self._begin(request, by_websocket=by_websocket)
        connection = self._open.get(session_id)
        if connection is None:
            return self._refuse(400, _UNKNOWN_SESSION, "Session ID unknown")
        if connection.direct or (by_websocket and connection.probing):
            return self._refuse(400, _BAD_REQUEST, "Bad request")
        if by_websocket:
            return await websocket.upgrade(connection, request, self._limits)
        return self._allow(request, await polling.answer_poll(connection))

    async def _post(self, request: web.Request) -> web.StreamResponse:
        complaint = self._complaint(request)
        if complaint is not None:
            return complaint
        connection = self._open.get(request.query.get("sid", ""))
        if connection is None:
            return self._refuse(400, _UNKNOWN_SESSION, "Session ID unknown")
        if connection.direct or request.query.get("transport") != "polling":
            return self._refuse(400, _BAD_REQUEST, "Bad request")
        return self._allow(request, await polling.take_post(connection, request, self._limits))

    async def _preflight(self, request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is None or not self._origin_allowed(origin, request):
            return self._refuse(403, _FORBIDDEN, "Forbidden")
        methods = {"Access-Control-Allow-Methods": "GET, POST", "Access-Control-Allow-Headers": "Content-Type"}
        return self._allow(request, web.Response(status=204, headers=methods))

    def _complaint(self, request: web.Request) -> web.Response | None:
        origin = request.headers.get("Origin")
        if origin is not None and not self._origin_allowed(origin, request):
            return self._refuse(403, _FORBIDDEN, "Forbidden")
        if request.query.get("transport") not in {"polling", "websocket"}:
            return self._refuse(400, _UNKNOWN_TRANSPORT, "Transport unknown")
        if request.query.get("EIO") != _PROTOCOL:
            return self._refuse(400, _BAD_VERSION, "Unsupported protocol version")
        if "j" in request.query:
            return self._refuse(400, _BAD_REQUEST, "Bad request")
        return None

    async def _begin(self, request: web.Request, *, by_websocket: bool) -> web.StreamResponse:
        address = self._address_of(request)
        if self._occupancy.full:
            return self._refuse(503, _FORBIDDEN, "Too many connections")
        if self._occupancy.address_full(address):
            return self._refuse(429, _FORBIDDEN, "Too many connections from this address")
        connection = self._open_session(request, address)
        upgrades = [] if by_websocket else ["websocket"]
        connection.send(
            packets.opened(
                connection.id,
                upgrades=upgrades,
                ping_ms=round(self._limits.ping_s * 1000),
                pong_ms=round(self._limits.pong_s * 1000),
                bytes_max=self._limits.message_bytes_max,
            )
        )
        if by_websocket:
            return await websocket.begin(connection, request, self._limits)
        return self._allow(request, await polling.answer_poll(connection))

    def _open_session(self, request: web.Request, address: str) -> Connection:
        origin = request.headers.get("Origin")
        handshake = Handshake(address, origin, request.headers, request.cookies)
        connection = Connection(secrets.token_urlsafe(15), handshake, self._listener, self._limits)
        self._open[connection.id] = connection
        self._occupancy.enter(address)
        self._counters.opened += 1
        self._listener.opened(connection)
        return connection

    def _allow(self, request: web.Request, response: web.Response) -> web.Response:
        """A page of another host that may connect may also read the answer."""
        origin = request.headers.get("Origin")
        response.headers["Cache-Control"] = "no-store"
        if origin is not None:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Allow-Credentials"] = "true"
            response.headers["Vary"] = "Origin"
        return response

    def _refuse(self, status: int, code: int, message: str) -> web.Response:
        self._counters.refused += 1
        body = orjson.dumps({"code": code, "message": message})
        return web.Response(status=status, body=body, content_type="application/json")

    def end_all(self, reason: Reason) -> None:
        for connection in self:
            connection.end(reason)
