"""Slow, silent, half-open and flapping connections between the page and the service.

The page reports them, shows no unconfirmed bet as placed, and returns to exactly the state of the service.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.people import Screen, Visitors
from tests.deep import representative
from tests.live.clients import Clients, Host
from tests.live.proxy import Proxy, proxy_to
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOTICED_MS = 30_000
"""Within the interval of the pings, the time for their answer, and a busy machine."""
BACK_SECONDS_MAX = 30


@dataclass
class Seat:
    """A player at a table behind the proxy, and a console that shows the stored bets."""

    screen: Screen
    proxy: Proxy
    host: Host
    table_id: str
    round_id: str

    async def stands(self) -> tuple[str, int]:
        """State of the service: ANTE and PLAY as the page formats them, and the available amount."""
        state = (await self.host.ok("watch", {"table_id": self.table_id}))["host"]
        answer = await self.screen.page.context.request.get(f"{self.proxy.address}/api/me")
        shown = " ".join(_text(state["totals"][spot]) for spot in ("ante", "play"))
        return shown, (await answer.json())["available"]

    async def shows(self) -> tuple[str, int]:
        """Accepted amounts on the page; others are shown as pending."""
        amounts = []
        for name in ("ante", "play"):
            spot = self.screen.spot(name)
            if "pending" in (await spot.get_attribute("class") or "") or not await spot.locator(".amount").count():
                amounts.append("-")
            else:
                amounts.append(await spot.locator(".amount").inner_text() or "-")
        return " ".join(amounts), await self.screen.money()

    async def agrees(self) -> None:
        """Waits until page and service agree and nothing is pending."""
        shown = stands = None
        try:
            async with asyncio.timeout(BACK_SECONDS_MAX):
                while (shown := await self.shows()) != (stands := await self.stands()):  # noqa: ASYNC110  a page
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"the page shows {shown}, the house has {stands}") from None

    async def deals(self, cards: str) -> None:
        await self.host.end_betting(self.table_id, self.round_id)
        await self.host.scan(self.table_id, self.round_id, cards)


def _text(minor: int) -> str:
    return f"{minor / 100:.2f}" if minor else "-"


@pytest_asyncio.fixture(loop_scope="session")
async def behind_a_proxy(browser: Browser, service: LiveService) -> AsyncIterator[tuple[Visitors, Proxy]]:
    async with proxy_to(service.address) as proxy, Visitors.at(browser, proxy.address) as visitors:
        visitors.expected += ["ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_NOT_CONNECTED", "400 (Bad Request)"]
        yield visitors, proxy
        assert visitors.complaints == []


async def seated(behind: tuple[Visitors, Proxy], service: LiveService, clients: Clients, kind: str) -> Seat:
    visitors, proxy = behind
    table_id = service.table(kind)
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    return Seat(screen, proxy, host, table_id, round_id)


Behind = tuple[Visitors, Proxy]


@pytest.mark.req("RND-7")
@pytest.mark.parametrize("how", representative(["stall", "half_open"], lambda how: how == "stall"))
async def test_lost_connection_while_betting_is_shown_and_no_chip_is_lost(
    behind_a_proxy: Behind, service: LiveService, clients: Clients, how: str
) -> None:
    """A chip placed while the connection is silent waits, is never shown as accepted, and its outcome is shown."""
    seat = await seated(behind_a_proxy, service, clients, "live")
    if how == "half_open":
        seat.proxy.half_open()
    seat.proxy.stall()
    await seat.screen.spot("ante").click()
    await expect(seat.screen.spot("ante")).to_contain_class("pending")
    await expect(seat.screen.notice).to_contain_text("Connection lost. Reconnecting", timeout=NOTICED_MS)
    seat.proxy.flow()
    await expect(seat.screen.notice).not_to_contain_text("Connection lost", timeout=NOTICED_MS)
    await seat.agrees()
    if await seat.screen.notice.count():  # the bet went back with the line, and the page says how much
        await expect(seat.screen.notice).to_contain_text("returned: you were disconnected while betting was open")
        await seat.screen.button("OK").click()
    await seat.screen.place("ante", "25.00")
    await expect(seat.screen.spot("ante")).not_to_contain_class("pending")
    await seat.agrees()


@pytest.mark.req("RND-7")
@pytest.mark.parametrize("how", representative(["stall", "half_open"], lambda how: how == "half_open"))
async def test_lost_connection_during_a_decision_is_shown_and_the_decision_is_sent_once(
    behind_a_proxy: Behind, service: LiveService, clients: Clients, how: str
) -> None:
    seat = await seated(behind_a_proxy, service, clients, "live")
    await seat.deals("As Kd")
    await expect(seat.screen.button("PLAY 4x")).to_be_visible()
    if how == "half_open":
        seat.proxy.half_open()
    seat.proxy.stall()
    await seat.screen.button("PLAY 4x").click()
    assert (await seat.shows())[0] == "5.00 -", "nobody has taken it yet"
    await expect(seat.screen.notice).to_contain_text("Connection lost. Reconnecting", timeout=NOTICED_MS)
    seat.proxy.flow()
    await expect(seat.screen.notice).to_have_count(0, timeout=NOTICED_MS)
    await seat.agrees()
    if await seat.screen.button("PLAY 4x").count():
        await seat.screen.button("PLAY 4x").click()
    await seat.screen.shows("play", "20.00")
    await seat.agrees()
    assert (await seat.stands())[1] == 100_000 - 3_000


@pytest.mark.req("RND-7")
async def test_flapping_connection_ends_in_the_state_of_the_server(
    behind_a_proxy: Behind, service: LiveService, clients: Clients
) -> None:
    seat = await seated(behind_a_proxy, service, clients, "live")
    await seat.deals("As Kd")
    await expect(seat.screen.button("CHECK")).to_be_visible()
    for number in range(8):
        seat.proxy.cut()
        await asyncio.sleep(0.15 * (number % 4))
        seat.proxy.stall()
        await asyncio.sleep(0.1 * (number % 5))
        seat.proxy.flow()
        await asyncio.sleep(0.2 * (number % 3))
    await expect(seat.screen.notice).to_have_count(0, timeout=NOTICED_MS)
    await seat.agrees()
    await seat.screen.button("PLAY 3x").click()
    await seat.screen.shows("play", "15.00")
    await seat.agrees()


async def test_slow_connection_shows_a_bet_as_accepted_only_once_stored(
    behind_a_proxy: Behind, service: LiveService, clients: Clients
) -> None:
    """800 ms there and back."""
    seat = await seated(behind_a_proxy, service, clients, "live")
    seat.proxy.delay_seconds = 0.4
    for _ in range(3):
        await seat.screen.spot("ante").click()
    await expect(seat.screen.spot("ante")).to_contain_class("pending")
    assert (await seat.shows())[0].startswith("- ")
    await seat.screen.shows("ante", "20.00")
    await seat.agrees()
    await seat.screen.button("UNDO").click()
    await seat.screen.shows("ante", "15.00")
    await seat.agrees()
