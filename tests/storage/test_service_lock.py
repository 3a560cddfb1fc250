"""Service lock: one service per database, also after a restart of PostgreSQL or a lost connection."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from casino.storage import service_lock
from casino.storage.database import Database
from casino.storage.service_lock import single_instance
from casino.storage.url import UnusableDatabaseError
from tests.databases import PostgresServer, sqlite_url
from tests.live.proxy import proxy_to

pytestmark = pytest.mark.req("RND-1")
_HOLDER = """SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
_STRIKE = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@pytest.fixture
async def postgres_url(postgres: PostgresServer) -> AsyncIterator[str]:
    lent = postgres.lent_database()
    yield await asyncio.to_thread(lent.__enter__)
    await asyncio.to_thread(lent.__exit__, None, None, None)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_lock, "LOOK_SECONDS", 0.05)


class Losses:
    def __init__(self) -> None:
        self.notified = asyncio.Event()

    def __call__(self) -> None:
        self.notified.set()


async def strike(database: Database) -> None:
    """Every connection but the one that says so, as a restart of PostgreSQL does it."""
    async with database.autocommit() as connection:
        await connection.execute(text(_STRIKE))
        await connection.invalidate()


async def holder(database: Database, but: int | None = None) -> int:
    """The connection that has the lock, once it is another one than before."""
    async with asyncio.timeout(20):
        while True:
            async with database.reading() as connection:
                found = await connection.scalar(text(_HOLDER))
            if found not in (None, but):
                return int(found)
            await asyncio.sleep(0.02)


async def test_second_service_is_refused_until_the_first_has_stopped(database: Database) -> None:
    other = await Database.open(database.url)
    try:
        async with single_instance(database, Losses()):
            if not database.is_sqlite:  # locks of files are for processes: tests/http/test_real_process.py
                with pytest.raises(UnusableDatabaseError, match="another service"):
                    async with single_instance(other, Losses(), patience_seconds=0.2):
                        pass
        async with single_instance(other, Losses(), patience_seconds=0.2):
            pass
    finally:
        await other.close()


async def test_lock_lost_with_its_connection_is_taken_again(postgres_url: str) -> None:
    first, second = await Database.open(postgres_url), await Database.open(postgres_url)
    lost = Losses()
    try:
        async with single_instance(first, lost):
            before = await holder(second)
            await strike(second)
            await holder(second, but=before)
            with pytest.raises(UnusableDatabaseError, match="another service"):
                async with single_instance(second, Losses(), patience_seconds=0.2):
                    pass
            assert not lost.notified.is_set()
    finally:
        await first.close()
        await second.close()


async def test_holder_is_notified_if_another_service_has_the_lock(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await Database.open(postgres_url), await Database.open(postgres_url)
    lost = Losses()
    monkeypatch.setattr(service_lock, "LOOK_SECONDS", 1.0)
    try:
        async with single_instance(first, lost, patience_seconds=0.2):
            await strike(second)
            async with single_instance(second, Losses()):
                async with asyncio.timeout(20):
                    await lost.notified.wait()
    finally:
        await first.close()
        await second.close()


async def test_lock_held_by_a_dead_connection_of_the_same_service_is_taken_over(
    postgres: PostgresServer, postgres_url: str
) -> None:
    """PostgreSQL has not noticed the dead connection; the service must not take it for another service."""
    async with proxy_to(postgres.socket) as proxy:
        line = make_url(postgres_url).set(host="127.0.0.1", port=proxy.port, query={})
        first = await Database.open(line.render_as_string(hide_password=False), answer_seconds=1.0)
        direct = await Database.open(postgres_url)
        lost = Losses()
        try:
            async with single_instance(first, lost, patience_seconds=0.5):
                before = await holder(direct)
                proxy.forget()
                await holder(direct, but=before)
                with pytest.raises(UnusableDatabaseError, match="another service"):
                    async with single_instance(direct, Losses(), patience_seconds=0.2):
                        pass
                assert not lost.notified.is_set()
        finally:
            await first.close()
            await direct.close()


async def test_one_file_has_one_lock_whichever_way_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    names = (sqlite_url(tmp_path), sqlite_url(tmp_path / "elsewhere"), f"sqlite:///file:{tmp_path}/casino.db?uri=true")
    locks = set()
    for name in names:
        database = await Database.open(name)
        with service_lock._open_lock_file(database) as lock:
            locks.add(lock.name)
        await database.close()
    assert len(locks) == 1
