"""Liveness, readiness and metrics."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.bootstrap.all_in_one import AllInOne
from casino.bootstrap.service import build_app
from casino.errors import Refusal
from casino.http.health import READINESS
from casino.http.lobby import EmptyTables
from casino.http.static_pages import Pages
from casino.live_table.messages import Drain
from casino.settings import ServiceSettings, Settings
from casino.settings.service import Metrics
from casino.storage.database import Database
from casino.storage.heartbeat import Heartbeat
from casino.users.sessions import Lifetime, Sessions
from tests.databases import sqlite_url
from tests.http.conftest import Asker
from tests.http.test_accounts import error_of
from tests.live_table.live import table_settings

if TYPE_CHECKING:
    from casino.live_table.table import Table


async def test_ready_with_its_database_and_tables(asker: Asker) -> None:
    answer = await asker.get("/readyz")
    assert (answer.status, await answer.json()) == (200, {"status": "ready"})


async def test_not_ready_before_the_tables_are_up(one_asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmptyTables, "are_up", False)
    assert await error_of(await one_asker.get("/readyz")) == (503, "internal")
    assert (await one_asker.get("/healthz")).status == 200


async def test_not_ready_while_stopping(one_asker: Asker) -> None:
    one_asker.app[READINESS].is_stopping = True
    assert await error_of(await one_asker.get("/readyz")) == (503, "internal")


async def test_not_ready_while_a_write_fails_or_hangs_and_says_no_more(one_asker: Asker) -> None:
    elapsed = 0.0
    stalled, failing = asyncio.Event(), asyncio.Event()

    class Unwilling:
        @asynccontextmanager
        async def writing(self, *, for_table: bool) -> AsyncIterator[AsyncConnection]:
            assert for_table
            await stalled.wait()
            if failing.is_set():
                raise OperationalError("secret", {}, Exception("secret host"))
            async with one_asker.database.writing(for_table=True) as connection:
                yield connection

    heartbeat = Heartbeat(cast("Database", Unwilling()), seconds=lambda: elapsed)
    readiness = one_asker.app[READINESS]
    readiness.heartbeat = heartbeat

    async def status() -> int:
        answer = await one_asker.get("/readyz")
        assert "secret" not in await answer.text()
        return answer.status

    beat = asyncio.create_task(heartbeat.beat())
    await asyncio.sleep(0)
    elapsed = 5.0
    assert await status() == 200
    elapsed = 5.1
    assert await status() == 503
    failing.set()
    stalled.set()
    await beat
    assert await status() == 503, "it has failed"
    elapsed = 60.0
    assert await status() == 503, "and stays so until one succeeds"
    failing.clear()
    await heartbeat.beat()
    assert await status() == 200


async def test_not_ready_while_the_task_of_a_table_has_stopped_by_a_defect(tmp_path: Path) -> None:
    tables = (table_settings(), table_settings(id="uth-2"))
    settings = Settings(ServiceSettings(), tables)
    database = await Database.open(sqlite_url(tmp_path))
    running = AllInOne(settings, database, Sessions(database, Lifetime(1_000_000, 1_000_000)))
    await running.open("sixteen letters!")
    app = build_app(settings, database, Pages(tmp_path), running)
    async with TestClient(TestServer(app), cookie_jar=DummyCookieJar()) as client:
        assert (await client.get("/readyz")).status == 200
        actor = running.tables.actors["uth-2"]
        actor._table = cast("Table", None)  # whatever it does next is a defect
        with pytest.raises(Refusal):
            await asyncio.wait_for(actor.ask(Drain()), 60)
        assert (await client.get("/readyz")).status == 503
        assert (await client.get("/healthz")).status == 200
    await running.drop_everything()
    await database.close()


async def figures(asker: Asker) -> str:
    return await (await asker.get("/metrics")).text()


async def test_figures_count_requests_by_route_and_not_by_what_was_asked(one_asker: Asker) -> None:
    for path in ("/api/tables/uth-1", "/api/tables/nothing", "/nowhere-1", "/nowhere-2"):
        await one_asker.get(path)
    await one_asker.client.request("PATCH", "/healthz")
    text = await figures(one_asker)
    assert 'casino_http_requests_total{method="GET",route="/api/tables/{table_id}",status="200"} 1.0' in text
    assert 'casino_http_requests_total{method="GET",route="/api/tables/{table_id}",status="404"} 1.0' in text
    assert 'casino_http_requests_total{method="GET",route="none",status="404"} 2.0' in text
    assert 'method="other"' in text
    assert "nowhere" not in text
    assert "process_resident_memory_bytes" in text
    assert "casino_http_request_seconds_bucket" in text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
async def test_figures_are_not_shown_through_a_proxy(one_asker: Asker, header: str) -> None:
    answer = await one_asker.client.get("/metrics", headers={header: "127.0.0.1"})
    assert await error_of(answer) == (403, "forbidden")


class TestOtherNetworks:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(update={"metrics": Metrics(allowed_from=["192.0.2.0/24"])})

    async def test_figures_are_shown_only_where_allowed(self, one_asker: Asker) -> None:
        assert await error_of(await one_asker.get("/metrics")) == (403, "forbidden")


async def test_many_asking_at_once_are_all_answered(one_asker: Asker) -> None:
    answers = await asyncio.gather(*(one_asker.get("/readyz") for _ in range(50)))
    assert {answer.status for answer in answers} == {200}
