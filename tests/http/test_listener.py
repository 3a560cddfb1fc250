"""Listener: a burst of connections is bounded, and a late turn accepts as few as any other."""

import asyncio
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any, Final

import pytest
from aiohttp import web

from casino.http.connection import BoundedConnection
from casino.http.listener import Listener, _bind
from casino.security.client_address import Networks
from casino.security.rate_limit import BURST
from casino.security.unauthenticated_pool import Pool, PoolLimits

pytestmark = [pytest.mark.req("SEC-4"), pytest.mark.req("SEC-5")]

CONNECTIONS: Final = 60
PER_SECOND: Final = 500


class CountingServer(web.Server):
    def __init__(self) -> None:
        super().__init__(answered)
        self.opened = 0
        self.has_opened_all = asyncio.Event()

    def __call__(self) -> BoundedConnection:
        self.opened += 1
        if self.opened == CONNECTIONS:
            self.has_opened_all.set()
        return BoundedConnection(self, loop=asyncio.get_running_loop())


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=CONNECTIONS) as one:
        one.setblocking(False)  # noqa: FBT003 - the name of the argument is positional
        yield one


async def answered(_request: web.BaseRequest) -> Any:  # noqa: ANN401
    return web.Response()


async def test_connections_beyond_a_burst_are_opened_one_by_one_however_late_the_server_is(
    listening: socket.socket,
) -> None:
    server = CountingServer()
    pool = Pool(PoolLimits(), time.monotonic)
    listener = Listener(server, [listening], pool, Networks([]), per_second=PER_SECOND)
    with ExitStack() as dialled:
        for _ in range(CONNECTIONS):
            dialled.enter_context(socket.create_connection(listening.getsockname()))
        opened = [0]
        for _ in range(12):
            time.sleep(0.05)  # noqa: ASYNC251 - the server is late
            await asyncio.sleep(0.001)
            opened.append(server.opened)
        steps = [after - before for before, after in pairwise(opened)]
        assert max(steps[:2]) <= BURST
        assert max(steps[2:]) <= 2, "one in each turn, of at most two turns"
        assert sum(steps[2:]) > 0
        async with asyncio.timeout(30):
            await server.has_opened_all.wait()
    listener.close()
    await server.shutdown(0.1)


def test_every_connection_has_a_small_receive_buffer() -> None:
    """The kernel buffers little unread data of a client. Linux counts its own overhead, too."""
    with socket.socket() as one:
        _bind(one, ("127.0.0.1", 0), 1)
        with socket.create_connection(one.getsockname()), select.epoll() as ready:
            ready.register(one, select.EPOLLIN)
            assert ready.poll(30)
            accepted, _ = one.accept()
            with accepted:
                assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) <= 2 * 32 * 1024
