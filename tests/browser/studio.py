"""Screenshot setup: one window size and one language, with the users of one part.

Everything is done by keys and by classes, never by the words on the screen, so that it works in every language.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Browser, Locator, ViewportSize, WebSocketRoute, expect

from tests.browser.people import DESKTOP, PHONE, Screen, Visitors
from tests.live.clients import Clients, Host, clients_of
from tests.live.hands import WAYS, Hand
from tests.live.service import LiveService

SIZES = {"desktop": DESKTOP, "phone": PHONE, "sideways": ViewportSize(width=844, height=390)}
ITEMS = ("lobby", "results", "history", "tip", "cashier", "limits", "help", "settings")
"""What the menu offers, in its order."""
_SPOTS = {"a": "ante", "t": "trips"}
_AFTER = ("dealing_flop", "dealing_river", "showdown")


class Window(NamedTuple):
    name: str
    locale: str

    @property
    def size(self) -> ViewportSize:
        return SIZES[self.name]

    def __str__(self) -> str:
        return self.name if self.locale.startswith("en") else f"{self.name}-{self.locale[:2]}"


class Studio:
    def __init__(
        self, service: LiveService, clients: Clients, visitors: Visitors, folder: Path, window: Window
    ) -> None:
        self.service, self.clients, self.visitors, self.folder, self.window = service, clients, visitors, folder, window
        self.is_small = window.name != "desktop"

    @classmethod
    @asynccontextmanager
    async def at(cls, browser: Browser, service: LiveService, folder: Path, window: Window) -> AsyncIterator["Studio"]:
        """Whoever came for one part goes again with it: a presenter has only so many connections."""
        async with clients_of(service) as clients, Visitors.at(browser, service.address) as visitors:
            yield cls(service, clients, visitors, folder, window)

    async def shoot(self, screen: Screen, what: str, wait_ms: int = 700) -> None:
        await screen.page.wait_for_timeout(wait_ms)  # until what moves has arrived
        await screen.page.screenshot(path=self.folder / f"{self.window}-{what}.png")

    async def guest(self, table_id: str) -> Screen:
        return await self.visitors.guest(table_id, self.window.size, locale=self.window.locale)

    async def hosted(self, kind: str = "live") -> tuple[Screen, Host, str]:
        table_id = self.service.table(kind)
        host = await self.clients.host()
        await host.take_over(table_id)
        return await self.guest(table_id), host, table_id

    async def keys(self, screen: Screen, keys: str) -> None:
        """Digits choose chips, `a` and `t` put them on ANTE and TRIPS; each as soon as the one before is accepted."""
        await expect(screen.table.locator("[role=radiogroup]")).to_be_visible()
        for key in keys.split():
            if spot := _SPOTS.get(key):
                await screen.table.locator(f"[data-spot={spot}]").press("Enter")
            else:
                await screen.page.keyboard.press(key)
            await screen.page.wait_for_timeout(150)
        await expect(screen.table.locator(".pending")).to_have_count(0)

    async def open(self, screen: Screen, item: str) -> None:
        if self.is_small:
            await screen.page.locator("nav .menu").click()
        await screen.page.locator("nav .items button").nth(ITEMS.index(item)).click()
        await expect(self.panel(screen)).to_be_visible()

    def panel(self, screen: Screen) -> Locator:
        return screen.page.get_by_role("dialog")

    async def ask(self, screen: Screen, method: str, path: str, data: object = None) -> None:
        answer = await screen.page.request.fetch(f"{self.service.address}{path}", method=method, data=data)
        assert answer.ok, (path, answer.status, await answer.text())

    async def change(self, screen: Screen, **settings: object) -> None:
        known = await (await screen.page.request.get(f"{self.service.address}/api/settings")).json()
        await self.ask(screen, "PUT", "/api/settings", known | settings)


async def play(host: Host, screen: Screen, round_id: str, hand: Hand, action: str) -> None:
    """From the hole cards to the end, answered so."""
    way, table_id = WAYS[action], screen.table_id
    await host.phase(table_id, round_id, "dealing_hole")
    for number, cards in enumerate(hand.streets):
        await host.scan(table_id, round_id, cards)
        if number < len(way):
            await screen.table.locator(f".options .{way[number]}").click()
        await host.phase(table_id, round_id, _AFTER[number])
    await host.scan(table_id, round_id, hand.dealer)
    await host.phase(table_id, round_id, "settled")


class SlowLine:
    """Everything the page says is held back while the line is slow: so bets and answers can be seen on their way."""

    def __init__(self) -> None:
        self._is_free = asyncio.Event()
        self._is_free.set()

    async def lead(self, screen: Screen) -> None:
        await screen.page.context.route_web_socket("**/socket.io/**", self._follow)
        await screen.page.reload()
        await expect(screen.table).to_be_visible()

    def slow(self) -> None:
        self._is_free.clear()

    def free(self) -> None:
        self._is_free.set()

    def _follow(self, route: WebSocketRoute) -> None:
        service = route.connect_to_server()

        async def forward(message: str | bytes) -> None:
            await self._is_free.wait()
            service.send(message)

        route.on_message(forward)
