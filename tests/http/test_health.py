"""Alive, ready, and what the figures say."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.api.health import READINESS
from casino.api.lobby import QuietTables
from casino.settings import HouseSettings
from casino.settings.house import Metrics
from tests.api.conftest import Asker
from tests.api.test_accounts import error_of


async def test_ready_with_its_database_and_tables(asker: Asker) -> None:
    answer = await asker.get("/readyz")
    assert (answer.status, await answer.json()) == (200, {"status": "ready"})


async def test_not_ready_before_the_tables_are_up(one_asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuietTables, "are_up", False)
    assert await error_of(await one_asker.get("/readyz")) == (503, "internal")
    assert (await one_asker.get("/healthz")).status == 200


async def test_not_ready_while_stopping(one_asker: Asker) -> None:
    one_asker.app[READINESS].is_stopping = True
    assert await error_of(await one_asker.get("/readyz")) == (503, "internal")


@pytest.mark.parametrize("failure", [OperationalError("SELECT 1", {}, Exception("secret host")), TimeoutError()])
@pytest.mark.parametrize("whose", ["tables", "everybody else"])
async def test_not_ready_without_the_database_and_says_no_more(
    one_asker: Asker, monkeypatch: pytest.MonkeyPatch, failure: Exception, whose: str
) -> None:
    reading = one_asker.database.reading

    def broken(*, for_table: bool) -> AbstractAsyncContextManager[AsyncConnection]:
        if for_table is (whose == "tables"):
            raise failure
        return reading(for_table=for_table)

    monkeypatch.setattr(one_asker.database, "reading", broken)
    answer = await one_asker.get("/readyz")
    assert await error_of(answer) == (503, "internal")
    assert "secret" not in await answer.text()


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
    def house(self) -> HouseSettings:
        return HouseSettings().model_copy(update={"metrics": Metrics(allowed_from=["192.0.2.0/24"])})

    async def test_figures_are_shown_only_where_allowed(self, one_asker: Asker) -> None:
        assert await error_of(await one_asker.get("/metrics")) == (403, "forbidden")


async def test_many_asking_at_once_are_all_answered(one_asker: Asker) -> None:
    answers = await asyncio.gather(*(one_asker.get("/readyz") for _ in range(50)))
    assert {answer.status for answer in answers} == {200}
