"""Webhook calls: delivered if the receiver confirms, and without exceptions."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from casino.observability.webhook import call_webhook

pytestmark = pytest.mark.req("SEC-9")


class Receiver:
    def __init__(self) -> None:
        self.status = 204
        self.received: list[Any] = []
        self.address = ""

    async def take(self, request: web.Request) -> web.Response:
        self.received.append(await request.json())
        if self.status == 0:
            await asyncio.sleep(60)
        return web.Response(status=self.status, headers={"Location": f"{self.address}/elsewhere"})

    async def elsewhere(self, _request: web.Request) -> web.Response:
        raise AssertionError("a redirect is not followed")


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    asked = Receiver()
    app = web.Application()
    app.router.add_post("/", asked.take)
    app.router.add_post("/elsewhere", asked.elsewhere)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    asked.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield asked
    await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (200, None),
        (204, None),
        (302, "status 302"),
        (307, "status 307"),
        (404, "status 404"),
        (503, "status 503"),
        (0, "TimeoutError"),
    ],
)
async def test_only_a_success_is_a_delivery(receiver: Receiver, status: int, failure: str | None) -> None:
    receiver.status = status
    assert await call_webhook(receiver.address, {"event": "table_stopped"}, 60 if status else 0.5) == failure
    assert receiver.received == [{"event": "table_stopped"}]


async def test_receiver_that_is_away_is_a_failure_without_its_address() -> None:
    failure = await call_webhook("http://127.0.0.1:1/secret-token", {}, 60)
    assert failure == "ClientConnectorError"
