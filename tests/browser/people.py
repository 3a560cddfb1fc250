"""Page objects of the player's page: actions and visible state, found by the texts on the screen."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from casino.security.credentials import COOKIE

CALM = {"betting": 4.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0, "between_rounds": 6.0}
HASTY = {"betting": 3.0, "decide_preflop": 1.0, "decide_flop": 1.0, "decide_river": 1.0, "between_rounds": 6.0}
DESKTOP = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
IN_MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}
"""For a guest whose page moves; `make test` reduces motion elsewhere."""
LINE_LOST = ("ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED", "WebSocket connection to")


class Screen:
    """One window at one table."""

    def __init__(self, page: Page, table_id: str) -> None:
        self.page = page
        self.table_id = table_id
        self.table: Locator = page.locator(f'[data-table="{table_id}"]')
        self.ribbon = self.table.locator(".ribbon")
        self.notice = self.table.locator(".notice")

    def spot(self, name: str) -> Locator:
        return self.table.locator(f'[data-spot="{name}"]')

    def button(self, name: str) -> Locator:
        return self.table.get_by_role("button", name=name)

    def chip(self, amount: str) -> Locator:
        return self.table.get_by_role("radio", name=f"Chip {amount}", exact=True)

    async def place(self, spot: str, chip: str) -> None:
        await self.chip(chip).click()
        await self.spot(spot).click()

    async def shows(self, spot: str, text: str) -> None:
        """An amount that the service has accepted."""
        await expect(self.spot(spot).locator(".amount")).to_have_text(text)
        await expect(self.spot(spot)).not_to_contain_class("pending")

    async def money(self) -> int:
        return int(await self.table.locator("[data-balance]").get_attribute("data-balance") or "")

    async def axe(self) -> None:
        """Checks the accessibility of this screen."""
        await self.page.evaluate(AXE.read_text())
        found: dict[str, Any] = await self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        problems = [
            (violation["id"], [node["html"][:120] for node in violation["nodes"]]) for violation in found["violations"]
        ]
        assert problems == [], json.dumps(problems, indent=2)

    async def does_not_scroll(self) -> None:
        page = "document.documentElement"
        beyond = f"[{page}.scrollWidth - innerWidth, {page}.scrollHeight - innerHeight]"
        assert await self.page.evaluate(beyond) == [0, 0]


class Visitors:
    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected = list(LINE_LOST)

    @classmethod
    @asynccontextmanager
    async def at(cls, browser: Browser, address: str) -> AsyncIterator["Visitors"]:
        visitors = cls(browser, address)
        try:
            yield visitors
        finally:
            for context in visitors._contexts:
                await context.close()

    async def guest(self, table_id: str, screen: ViewportSize = DESKTOP, **options: Any) -> Screen:  # noqa: ANN401
        """Comes for the first time, by an address that names the table."""
        context = await self._browser.new_context(viewport=screen, **{"locale": "en-GB", **options})
        self._contexts.append(context)
        page = await self._page(context, table_id)
        await page.locator("button.gold").click()
        return await self._seated(page, table_id)

    async def outside(self, screen: ViewportSize = DESKTOP, locale: str = "en-GB") -> Screen:
        """Comes for the first time and looks around."""
        context = await self._browser.new_context(viewport=screen, locale=locale)
        self._contexts.append(context)
        page = await self._page(context, "")
        await expect(page.locator("button.gold")).to_be_visible()
        return Screen(page, "")

    async def known(self, token: str, table_id: str, screen: ViewportSize = DESKTOP, locale: str = "en-GB") -> Screen:
        """Somebody who has signed in before."""
        context = await self._browser.new_context(viewport=screen, locale=locale)
        self._contexts.append(context)
        await context.add_cookies([{"name": COOKIE, "value": token, "url": self._address}])
        return await self._seated(await self._page(context, table_id), table_id)

    async def becomes(self, screen: Screen, token: str) -> None:
        """Signs in elsewhere and reloads the page."""
        await screen.page.context.add_cookies([{"name": COOKIE, "value": token, "url": self._address}])
        await screen.page.reload()

    async def again(self, screen: Screen, table_id: str) -> Screen:
        """The same person in one more window."""
        return await self._seated(await self._page(screen.page.context, table_id), table_id)

    async def _page(self, context: BrowserContext, table_id: str) -> Page:
        page = await context.new_page()
        page.on("console", lambda message: self._complain(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await page.goto(f"{self._address}/#{table_id}")
        return page

    async def _seated(self, page: Page, table_id: str) -> Screen:
        screen = Screen(page, table_id)
        await expect(screen.table).to_be_visible()
        await expect(screen.table.locator("h1")).to_have_text(f"Table {table_id}")
        return screen

    def _complain(self, text: str) -> None:
        """A line that is cut on purpose, or a request refused on purpose, is no fault of the page."""
        if not any(known in text for known in self.expected):
            self.complaints.append(text)
