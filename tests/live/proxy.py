"""TCP proxy with network faults: delay, silence in either direction, disconnects, half-open connections.

It stands between a client and the service, or between the service and PostgreSQL.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

_CHUNK = 65_536

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """`up` is the way to the target, `down` the way back."""

    def __init__(self, target: str | Path) -> None:
        self._target = target
        self._flows = {"up": asyncio.Event(), "down": asyncio.Event()}
        self._near: set[asyncio.StreamWriter] = set()
        self._far: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.address = ""
        self.port = 0
        self.delay_seconds = 0.0
        self._is_refusing = False
        self.flow()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"

    def stall(self, *ways: str) -> None:
        """Stops all data, in both or in these directions, without closing a connection."""
        for way in ways or self._flows:
            self._flows[way].clear()

    def refuse(self) -> None:
        """Every new connection breaks off at once, until all flows again."""
        self._is_refusing = True

    def flow(self) -> None:
        """What was held up arrives after all, and new connections are taken."""
        self._is_refusing = False
        for flow in self._flows.values():
            flow.set()

    def cut(self) -> None:
        """Every connection breaks off now, in the middle of whatever was on its way."""
        self._stop()
        self._abort(self._near)
        self._abort(self._far)

    def forget(self) -> None:
        """Stops all data on existing connections without closing them; new ones work."""
        self._stop()

    def half_open(self) -> None:
        """Closes the connections of the far side; the near side notices nothing."""
        self._stop()
        self._abort(self._far)

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _abort(self, writers: set[asyncio.StreamWriter]) -> None:
        for writer in writers:
            writer.transport.abort()
        writers.clear()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_refusing:
            writer.transport.abort()
            return
        self._near.add(writer)
        try:
            there = await self._connected()
        except OSError:  # the target is down
            self._near.discard(writer)
            writer.transport.abort()
            return
        self._far.add(there[1])
        for way, source, sink in (("up", reader, there[1]), ("down", there[0], writer)):
            task = asyncio.create_task(self._pump(self._flows[way], source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connected(self) -> Stream:
        if isinstance(self._target, Path):
            return await asyncio.open_unix_connection(self._target)
        place = urlsplit(self._target)
        return await asyncio.open_connection(place.hostname, place.port)

    async def _pump(self, flow: asyncio.Event, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await source.read(_CHUNK):
                if self.delay_seconds:
                    await asyncio.sleep(self.delay_seconds)
                await flow.wait()
                sink.write(chunk)
                await sink.drain()
        await flow.wait()  # the end of a connection gets lost on a stalled line like everything else
        sink.close()
        self._near.discard(sink)
        self._far.discard(sink)


@asynccontextmanager
async def proxy_to(target: str | Path) -> AsyncIterator[Proxy]:
    proxy = Proxy(target)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()
