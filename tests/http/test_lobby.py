"""Lobby, and exact returns computed in another process."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from casino.http import rtp as returns_module
from casino.http.rtp import Returns
from casino.uth.analysis import cache_key
from casino.uth.paytable import STANDARD, Paytable, paytable
from casino.uth.rtp_cache import ReturnFigures, figures, known_return, store
from casino.uth.settlement import OUTCOMES
from tests.http.conftest import Asker
from tests.uth.test_rtp_cache import MADE_UP

OTHER = paytable(trips={})


async def test_lobby_lists_the_tables_without_a_session(one_asker: Asker) -> None:
    body = await (await one_asker.get("/api/tables")).json()
    tables = {table["id"]: table for table in body["tables"]}
    assert list(tables) == ["uth-1", "live-1", "own-1"]
    assert [tables[id_]["status"] for id_ in tables] == ["open", "closed", "open"]
    assert [tables[id_]["seats"] for id_ in tables] == [None, None, 7]
    assert tables["live-1"]["dealing"] == "presenter"
    assert tables["uth-1"]["players"] == 0
    assert tables["uth-1"]["presenter"] is None


async def test_table_route_returns_its_terms(one_asker: Asker) -> None:
    table = await (await one_asker.get("/api/tables/uth-1")).json()
    assert table["limits"] == {"ante_min": 100, "ante_max": 50_000, "trips_min": 100, "trips_max": 25_000}
    assert table["chips"] == [100, 500, 2500, 10_000]
    assert table["seconds"]["betting"] == 15
    assert (table["paytables"]["blind"]["flush"], table["paytables"]["blind"]["pair"]) == ("3:2", "push")
    assert (table["paytables"]["trips"]["royal_flush"], table["paytables"]["trips"]["pair"]) == ("50:1", "lose")
    assert set(table["paytables"]["trips"]) == set(table["paytables"]["blind"])
    assert "returns" in table


class Counting:
    """Computes on request, as a slow process would."""

    def __init__(self) -> None:
        self.asked: list[Paytable] = []
        self.may_finish = asyncio.Event()

    async def __call__(self, wanted: Paytable) -> ReturnFigures:
        self.asked.append(wanted)
        await self.may_finish.wait()
        if wanted is OTHER:
            raise ValueError("cannot be counted")
        return figures(MADE_UP)


@pytest.fixture
async def counting() -> Counting:
    return Counting()


@pytest.fixture
async def returns(counting: Counting, tmp_path: Path) -> AsyncIterator[Returns]:
    made = Returns([OTHER, STANDARD], folder=tmp_path, count=counting)
    made.start()
    yield made
    await made.stop()


async def until(condition: Any) -> None:  # noqa: ANN401 - any question
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - it has no event to wait for
            await asyncio.sleep(0.01)


async def test_returns_are_computed_on_the_first_request(returns: Returns, counting: Counting) -> None:
    await asyncio.sleep(0.1)
    assert counting.asked == []
    assert returns.of(STANDARD) is None
    await until(lambda: counting.asked)


async def test_unknown_return_is_null_until_it_is_counted(returns: Returns, counting: Counting) -> None:
    assert returns.of(STANDARD) is None
    await until(lambda: counting.asked)
    assert returns.of(STANDARD) is None
    counting.may_finish.set()
    await until(lambda: returns.of(STANDARD))
    assert returns.of(STANDARD) == figures(MADE_UP)
    assert returns.of(OTHER) is None, "one that cannot be counted stops no other"


async def test_after_a_while_it_is_counted_without_being_asked_for(
    counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(returns_module, "BEGIN_AFTER_SECONDS", 0.01)
    returns = Returns([STANDARD], folder=tmp_path, count=counting)
    returns.start()
    await until(lambda: counting.asked)
    await returns.stop()


async def test_what_another_process_finds_comes_back_from_it(tmp_path: Path) -> None:
    key = cache_key(STANDARD, OUTCOMES)
    store(tmp_path / f"return-{key}.json", key, MADE_UP)  # which spares that process the counting
    found = await returns_module._counted_in_process(STANDARD, tmp_path)
    assert found == figures(MADE_UP)


async def test_stopping_ends_a_count_in_its_own_process_at_once(tmp_path: Path) -> None:
    returns = Returns([STANDARD], folder=tmp_path)
    returns.start()
    assert returns.of(STANDARD) is None
    await asyncio.sleep(1)
    async with asyncio.timeout(5):
        await returns.stop()
    assert known_return(STANDARD, tmp_path) is None
