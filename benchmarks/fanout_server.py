"""Server of the fan-out benchmark, in its own process: `ours`, or `stock` python-socketio on uvloop.

Commands arrive as lines, each is answered with one; benchmarks/node/fanout_server.mjs speaks the same.
"""

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

import orjson
import socketio
import uvloop
from aiohttp import web

from casino.socketio import Accept, Answer, Handshake, Limits, SocketServer

QUIET_S = 600.0  # no pings while something is measured


class AdmitAll:
    async def connect(self, _sid: str, _handshake: Handshake, _auth: object) -> Accept:
        return Accept(rooms=("all",))

    def event(self, _sid: str, _name: str, args: list[Any]) -> Answer:
        return {"ok": True, "data": args[0]}

    def disconnect(self, sid: str, reason: str) -> None:
        pass


Cast = Callable[[object], Coroutine[Any, Any, None]]


def ours(app: web.Application) -> tuple[Cast, Callable[[], int]]:
    many = 100_000
    limits = Limits(connections_max=many, connections_per_address_max=many, ping_s=QUIET_S, pong_s=QUIET_S)
    server = SocketServer(limits)
    server.namespace("/table", AdmitAll())
    server.attach(app)

    async def cast(payload: object) -> None:
        server.emit_room("/table", "all", "round", payload)

    return cast, lambda: len(server.inside("/table", "all"))


def stock(app: web.Application) -> tuple[Cast, Callable[[], int]]:
    server = socketio.AsyncServer(ping_interval=QUIET_S, ping_timeout=QUIET_S, max_http_buffer_size=16 * 1024)
    server.attach(app)

    async def connect(sid: str, _environ: object, _auth: object) -> None:
        await server.enter_room(sid, "all", namespace="/table")

    server.on("connect", connect, namespace="/table")

    async def cast(payload: object) -> None:
        await server.emit("round", payload, room="all", namespace="/table")

    return cast, lambda: len(list(server.manager.get_participants("/table", "all")))


class StallWatch:
    """The longest time in which the loop did nothing else."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            self.longest = max(self.longest, now - last - 0.001)
            last = now

    def take(self) -> float:
        longest, self.longest = self.longest, 0.0
        return longest


async def serve(which: str, payload: object) -> None:
    app = web.Application()
    cast, clients = {"ours": ours, "stock": stock}[which](app)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    watch = StallWatch()
    watching = asyncio.create_task(watch.run())
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    print(runner.addresses[0][1], flush=True)
    while line := (await commands.readline()).decode().strip():
        answer = "done"
        if line == "cast":
            answer = str(time.monotonic_ns())
            await cast(payload)
        elif line == "stall":
            answer = str(watch.take())
        elif line == "clients":
            answer = str(clients())
        elif line == "settle":
            gc.collect()
            gc.freeze()
        print(answer, flush=True)
    watching.cancel()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1], orjson.loads(sys.argv[2])))
