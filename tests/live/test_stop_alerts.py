"""Stop alerts: a webhook call for each incident of a table that stays stopped, repeated if it fails."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from tests.live.clients import Clients, clients_of
from tests.live.service import CALM, Json, Kind, LiveService

pytestmark = [pytest.mark.req("SEC-9")]
STOPPED_SECONDS = 1.0


class Pager:
    """Receives the calls; the first one is redirected to an unread address."""

    def __init__(self) -> None:
        self.calls: asyncio.Queue[Json] = asyncio.Queue()
        self.is_failing = True
        self.address = ""

    async def take(self, request: web.Request) -> web.Response:
        await self.calls.put(await request.json())
        status, self.is_failing = (302 if self.is_failing else 204), False
        return web.Response(status=status)


@pytest.fixture
async def pager() -> AsyncIterator[Pager]:
    called = Pager()
    app = web.Application()
    app.router.add_post("/stopped", called.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    called.address = f"http://127.0.0.1:{runner.addresses[0][1]}/stopped"
    yield called
    await runner.cleanup()


@pytest.fixture
async def alerted(pager: Pager, tmp_path: Path) -> AsyncIterator[Clients]:
    service = LiveService(tmp_path, {"live": Kind(1, seconds=CALM)})
    with (service.config / "casino.toml").open("a") as settings:
        settings.write(f'\n[alerts]\nwebhook = "{pager.address}"\nstopped_seconds = {STOPPED_SECONDS}\n')
    try:
        service.start()
        service.add_staff("paula", "max")
        async with clients_of(service) as clients:
            yield clients
        assert not service.errors()
    finally:
        service.close()


async def test_stopped_table_is_escalated_once_for_each_incident(alerted: Clients, pager: Pager) -> None:
    table_id, host, player = alerted.service.table("live"), await alerted.host(), await alerted.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    stop = {"table_id": table_id, "reason": "A card fell.", "incident_class": "card_dropped"}
    await host.ok("report_problem", stop)
    for _ in range(2):  # the first call is not taken, so there is a second one
        alert = await asyncio.wait_for(pager.calls.get(), 60)
        assert {
            "event": "table_stopped",
            "table_id": table_id,
            "incident_class": "card_dropped",
        }.items() <= alert.items()
        assert (alert["title"], alert["presenter"]) == ("Card dropped", "paula")
        assert alert["sent_at"] - alert["stopped_at"] >= STOPPED_SECONDS * 1000
    manager = await alerted.host("max")
    await manager.ok("resume", {"table_id": table_id})
    await host.ok("report_problem", stop)
    again = await asyncio.wait_for(pager.calls.get(), 60)
    assert again["incident_id"] != alert["incident_id"]
    assert pager.calls.empty()
