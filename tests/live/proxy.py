"""A TCP proxy between a client and the service, for what networks do: stall without a word, cut, delay."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

_CHUNK = 65_536


class Proxy:
    def __init__(self, target: str) -> None:
        place = urlsplit(target)
        assert place.hostname is not None
        assert place.port is not None
        self._target = (place.hostname, place.port)
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.address = ""
        self.delay_seconds = 0.0

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def stall(self) -> None:
        """From now on nothing arrives, in either direction, and no side is told: the link is half open."""
        self._flowing.clear()

    def flow(self) -> None:
        """What was held up arrives after all."""
        self._flowing.set()

    def cut(self) -> None:
        """Every connection breaks off now, in the middle of whatever was on its way."""
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection(*self._target)
        except OSError:  # the service is down
            writer.transport.abort()
            return
        self._writers |= {writer, there[1]}
        for source, sink in ((reader, there[1]), (there[0], writer)):
            task = asyncio.create_task(self._pump(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await source.read(_CHUNK):
                await self._flowing.wait()
                if self.delay_seconds:
                    await asyncio.sleep(self.delay_seconds)
                sink.write(chunk)
                await sink.drain()
        await self._flowing.wait()  # the end of a connection gets lost on a stalled link like everything else
        sink.close()
        self._writers.discard(sink)


@asynccontextmanager
async def proxy_to(target: str) -> AsyncIterator[Proxy]:
    proxy = Proxy(target)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()
