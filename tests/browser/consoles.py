"""Page objects of the host console: signed-in staff with keyboard and scanner, found by the texts on the screen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, expect

from casino.cards.card import INDEX, written
from tests.live.service import PASSWORD

DESK = ViewportSize(width=1440, height=900)


def shown(code: str) -> str:
    """A code as the console shows it: a card as people read it."""
    card = f"{code[0].upper()}{code[1:].lower()}"
    return written(card) if card in INDEX else code


class Console:
    """One window. Cards are typed as a scanner types them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.scanner = page.get_by_role("status", name="Scanner")

    async def shows(self, text: str) -> None:
        await expect(self.page.get_by_text(text, exact=True).first).to_be_visible()

    async def press(self, key: str) -> None:
        await self.page.keyboard.press(key)

    async def scan(self, *codes: str) -> None:
        """Each as fast as a scanner, the next once the last one was answered."""
        for code in codes:
            await self.page.keyboard.type(code)
            await self.page.keyboard.press("Enter")
            await expect(self.scanner).to_contain_text(shown(code), ignore_case=True)

    async def click(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def fill(self, label: str, text: str) -> None:
        await self.page.get_by_label(label, exact=True).fill(text)

    def slot(self, name: str) -> str:
        return f'[data-slot="{name}"]'

    async def card_at(self, slot: str, name: str) -> None:
        lying = self.page.locator(self.slot(slot)).get_by_role("img", name=name)
        await expect(lying.last).to_be_visible()  # for a moment it lies in the incident that ends as well

    async def sit_down(self, table_id: str) -> None:
        """Choose the table and begin the shift, by keys alone."""
        row = self.page.get_by_role("button", name=f"Table {table_id}")
        number = await row.locator("kbd").inner_text()
        await self.press(number)
        await self.shows("START SHIFT")
        await self.press("Enter")


class Consoles:
    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    @classmethod
    @asynccontextmanager
    async def at(cls, browser: Browser, address: str) -> AsyncIterator["Consoles"]:
        consoles = cls(browser, address)
        try:
            yield consoles
        finally:
            for context in consoles._contexts:
                await context.close()

    async def of(self, name: str, screen: ViewportSize = DESK) -> Console:
        context = await self._browser.new_context(viewport=screen, locale="en-GB")
        self._contexts.append(context)
        page = await context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await page.goto(f"{self._address}/host")
        console = Console(page)
        await console.fill("Name", name)
        await console.fill("Password", PASSWORD)
        await console.press("Enter")
        await expect(page.get_by_role("button", name="STOP ESC", exact=True)).to_be_visible()
        return console
