"""Readiness of the real service while nothing can be stored: no table is active, and reads may still work."""

import asyncio
import resource
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Final

import aiohttp
import pytest
from sqlalchemy import make_url

from tests.databases import PostgresServer
from tests.live.proxy import proxy_to
from tests.live.service import CALM, Kind, LiveService, started_service

KINDS: Final = {"calm": Kind(2, seconds=CALM)}
FAILING_SECONDS_MAX: Final = 30.0
ANSWER_SECONDS_MAX: Final = 5.0  # less than the time limit of a statement, also on a busy machine
BACK_SECONDS_MAX: Final = 30.0  # SQLite waits up to ten seconds for its lock, and the machine may be busy


async def readiness(web: aiohttp.ClientSession, service: LiveService) -> int:
    begun = time.monotonic()
    async with web.get(f"{service.address}/readyz") as answer:
        await answer.read()
    assert time.monotonic() - begun < ANSWER_SECONDS_MAX
    return answer.status


async def seconds_until(web: aiohttp.ClientSession, service: LiveService, status: int, seconds_max: float) -> float:
    begun = time.monotonic()
    async with asyncio.timeout(seconds_max):
        while await readiness(web, service) != status:  # noqa: ASYNC110  it is another process
            await asyncio.sleep(0.1)
    return time.monotonic() - begun


@pytest.fixture
async def web() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@contextmanager
def locked(service: LiveService) -> Iterator[None]:
    """Another process holds SQLite's only write lock; reading goes on as ever."""
    with closing(sqlite3.connect(service.database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def full(service: LiveService) -> Iterator[None]:
    """No file of the service may grow: the system answers as it does when the disk is full."""
    limit = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (0, limit[1]))
    yield
    resource.prlimit(service.pid, resource.RLIMIT_FSIZE, limit)


@pytest.mark.parametrize("trouble", [locked, full])
async def test_sqlite_that_stores_nothing_is_not_ready_until_a_write_succeeds(
    trouble: Callable[[LiveService], AbstractContextManager[None]], web: aiohttp.ClientSession
) -> None:
    with started_service(KINDS, staff=()) as service:
        assert await readiness(web, service) == 200
        with trouble(service):
            await seconds_until(web, service, 503, FAILING_SECONDS_MAX)
            async with web.get(f"{service.address}/healthz") as answer:
                assert answer.status == 200
            await asyncio.sleep(3.0)  # longer than the pause between two attempts
            assert await readiness(web, service) == 503
        await seconds_until(web, service, 200, BACK_SECONDS_MAX)


async def test_postgresql_that_falls_silent_is_not_ready_until_a_write_succeeds(
    postgres: PostgresServer, web: aiohttp.ClientSession
) -> None:
    url = await asyncio.to_thread(postgres.fresh_database)
    async with proxy_to(postgres.socket) as proxy:
        line = make_url(url).set(host="127.0.0.1", port=proxy.port, query={}).render_as_string(hide_password=False)
        opening = started_service(KINDS, staff=(), database=url, line=line)
        service = await asyncio.to_thread(opening.__enter__)  # not in this thread: the proxy lives in it
        try:
            assert await readiness(web, service) == 200
            proxy.stall()
            await seconds_until(web, service, 503, FAILING_SECONDS_MAX)
            proxy.flow()
            await seconds_until(web, service, 200, BACK_SECONDS_MAX)
        finally:
            await asyncio.to_thread(opening.__exit__, None, None, None)
