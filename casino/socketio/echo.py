"""Example server: echoes events and acknowledgements, for newcomers and for outside conformance suites.

`python -m casino.socketio.echo` serves the namespaces `/` and `/custom` at `/socket.io/`, and an echo of Engine.IO
messages at `/engine.io/`. It listens on this machine only, accepts any origin and has binary packets on.
"""

import argparse
import asyncio
import contextlib
import time
from typing import Any, Final

from aiohttp import web

from casino.security.unauthenticated_pool import Pool, PoolLimits
from casino.socketio.engine_server import EngineServer, any_origin, peer_address
from casino.socketio.engine_session import EngineSession, Handshake, Reason
from casino.socketio.limits import Counters, Limits, Occupancy
from casino.socketio.namespace_session import Accept, Answer
from casino.socketio.packets import Attachment
from casino.socketio.server import SocketServer

PORT: Final = 3000
NAMESPACES: Final = ("/", "/custom")
_MEGABYTE: Final = 1_000_000


def echo_limits(ping_s: float, pong_s: float) -> Limits:
    """Limits wide enough for a client that echoes the largest message."""
    return Limits(
        connections_per_address_max=10_000,
        message_bytes_max=_MEGABYTE,
        fragments_max=64,
        bytes_per_second_max=64 * _MEGABYTE,
        unsent_bytes_max=16 * _MEGABYTE,
        messages_per_second_max=10_000,
        binary=True,
        ping_s=ping_s,
        pong_s=pong_s,
        connect_s=1.0,
        close_timeout_s=0.2,
    )


class EchoNamespace:
    """Emits `auth` to a new client, answers `message` with `message-back`, acknowledges `message-with-ack`."""

    def __init__(self, server: SocketServer) -> None:
        self._server = server

    async def connect(self, sid: str, _handshake: Handshake, auth: object) -> Accept:
        return Accept(then=lambda: self._server.emit(sid, "auth", {} if auth is None else auth))

    def event(self, sid: str, name: str, args: list[Any]) -> Answer:
        if name == "message":
            self._server.emit(sid, "message-back", *args)
        return tuple(args) if name == "message-with-ack" else ()

    def disconnect(self, sid: str, reason: str) -> None:
        """Nothing is kept about a client."""


class EngineEcho:
    """Sends every Engine.IO message back to its sender."""

    def opened(self, session: EngineSession) -> None:
        pass

    def message(self, session: EngineSession, text: str) -> None:
        session.send(b"4" + text.encode())

    def binary(self, session: EngineSession, data: bytes) -> None:
        session.send(Attachment(data))

    def ended(self, session: EngineSession, reason: Reason) -> None:
        pass


def echo_application(limits: Limits) -> web.Application:
    app = web.Application()
    pool = Pool(PoolLimits(total=10_000, from_loopback=10_000), time.monotonic)
    server = SocketServer(limits, origin_allowed=any_origin, pool=pool)
    for name in NAMESPACES:
        server.namespace(name, EchoNamespace(server))
    server.attach(app)
    engine = EngineServer(
        EngineEcho(),
        limits,
        occupancy=Occupancy(limits),
        counters=Counters(),
        pool=pool,
        cookie="session",
        origin_allowed=any_origin,
        address_of=peer_address,
    )
    engine.attach(app, "/engine.io")

    async def end_sessions(_app: web.Application) -> None:
        engine.end_all(Reason.SHUTDOWN)

    app.on_shutdown.append(end_sessions)
    return app


async def serve(port: int, limits: Limits) -> None:
    """Listens on IPv4 and, where the machine has it, IPv6 loopback; prints the address once it is ready."""
    runner = web.AppRunner(echo_application(limits), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        port = runner.addresses[0][1]
        with contextlib.suppress(OSError):
            await web.TCPSite(runner, "::1", port).start()
        print(f"http://localhost:{port}", flush=True)  # noqa: T201  for scripts that start it
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m casino.socketio.echo", description="Run a Socket.IO echo server.")
    parser.add_argument("--port", type=int, default=PORT, help="TCP port; 0 picks a free one (default: %(default)s)")
    parser.add_argument("--ping", type=float, default=0.3, help="seconds between pings (default: %(default)s)")
    parser.add_argument("--pong", type=float, default=0.2, help="seconds to wait for a pong (default: %(default)s)")
    wanted = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(wanted.port, echo_limits(wanted.ping, wanted.pong)))


if __name__ == "__main__":
    main()
