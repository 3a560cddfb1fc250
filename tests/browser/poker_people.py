"""Page objects of the poker room: guests with a browser, and callers, who play over sockets."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import aiohttp
from playwright.async_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.people import DESKTOP, LINE_LOST, Screen
from tests.live.poker_players import PokerPlayer
from tests.live.poker_players import guest as new_guest
from tests.live.poker_service import POOLS
from tests.live.service import Json, LiveService

SIDEWAYS: Final = ViewportSize(width=844, height=390)
TABLET: Final = ViewportSize(width=1024, height=768)
WIDE: Final = ViewportSize(width=1920, height=1080)
TABS_MAX: Final = 200
TARGET: Final = 44
# What can be pressed and is smaller: a box with a label counts as the label, and an `::after` may make a target larger.
SMALL_TARGETS: Final = """(least) => {
  const controls = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=radio]';
  const found = [];
  for (const control of document.querySelectorAll(controls)) {
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    const target = control.matches('[type=checkbox], [type=radio]') ? (control.closest('label') ?? control) : control;
    let { width, height } = target.getBoundingClientRect();
    if (width <= 1) continue;  // for ears alone
    const after = getComputedStyle(target, '::after');
    if (after.content !== 'none' && after.position === 'absolute') {
      height = Math.max(height, parseFloat(after.height));
      width = Math.max(width, parseFloat(after.width));
    }
    if (Math.round(width) < least || Math.round(height) < least)
      found.push(`${Math.round(width)} x ${Math.round(height)}: ${control.outerHTML.slice(0, 150)}`);
  }
  return found;
}"""


class Guest:
    """One page of one guest."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keyboard = page.keyboard

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    async def accessible(self) -> None:
        """Checks this state of the page by axe, and the sizes of all targets."""
        await Screen(self.page, "").axe()
        small = await self.page.evaluate(SMALL_TARGETS, TARGET)
        assert small == [], "\n".join(small)

    async def reach(self, selector: str) -> None:
        """Moves the focus there with the Tab key alone."""
        for _ in range(TABS_MAX):
            if await self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            await self.keyboard.press("Tab")
        raise AssertionError(f"The Tab key does not reach {selector}")

    async def sit(self, stake: str) -> None:
        """Takes a seat with the largest buy-in."""
        await self.find(f'[data-pool="{stake}:FUN"] .do button').click()
        await self.find("[role=dialog] form button.gold").click()
        await expect(self.find("[role=dialog] form")).to_have_count(0)  # the house has answered

    async def play(self, *actions: str) -> None:
        """The first of these actions that is offered once it is the player's turn."""
        await self.find(", ".join(f'[data-act="{action}"]' for action in actions)).first.click()

    async def shows(self, selector: str, text: str) -> None:
        await expect(self.find(selector).first).to_contain_text(text)


class Guests:
    """Pages of guests in the lobby of the room; what the browser complains about is kept."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self.complaints: list[str] = []
        self.expected = list(LINE_LOST)
        self._contexts: list[BrowserContext] = []

    @classmethod
    @asynccontextmanager
    async def at(cls, browser: Browser, service: LiveService) -> AsyncIterator["Guests"]:
        coming = cls(browser, service.address)
        try:
            yield coming
        finally:
            for context in coming._contexts:
                await context.close()
        assert coming.complaints == [], coming.complaints

    async def come(
        self,
        screen: ViewportSize = DESKTOP,
        locale: str = "en-GB",
        pools: int = POOLS,
        **options: Any,  # noqa: ANN401  those of a browser context
    ) -> Guest:
        guest = await self.outside(screen, locale, **options)
        await guest.find("button.gold").click()
        await expect(guest.find("[data-pool]")).to_have_count(pools)
        return guest

    async def outside(
        self,
        screen: ViewportSize = DESKTOP,
        locale: str = "en-GB",
        **options: Any,  # noqa: ANN401  those of a browser context
    ) -> Guest:
        """In front of the sign-in."""
        context = await self._browser.new_context(viewport=screen, locale=locale, **options)
        self._contexts.append(context)
        return Guest(await self._page(context, ""))

    async def again(self, guest: Guest, screen: ViewportSize = DESKTOP, address: str = "") -> Guest:
        """The same person on another device."""
        context = await self._browser.new_context(
            viewport=screen, locale="en-GB", storage_state=await guest.page.context.storage_state()
        )
        self._contexts.append(context)
        return Guest(await self._page(context, address))

    async def _page(self, context: BrowserContext, address: str) -> Page:
        page = await context.new_page()
        page.on("console", lambda message: self._complain(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await page.goto(f"{self._address}/poker{address}")
        return page

    def _complain(self, text: str) -> None:
        if not any(known in text for known in self.expected):
            self.complaints.append(text)


class Caller(PokerPlayer):
    """Checks or calls at once, unless it is held. A bold one bets everything with the ace of hearts."""

    def __init__(self, web: aiohttp.ClientSession, address: str, signed_in: Json) -> None:
        super().__init__(web, address, signed_in)
        self.is_bold = False
        self._free = asyncio.Event()
        self._free.set()
        self._asked = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None

    def hold(self) -> None:
        self._free.clear()

    def release(self) -> None:
        self._free.set()

    async def step(self) -> None:
        """Held, it answers the next question and no other."""
        await self._asked.wait()
        self._asked.clear()
        self._free.set()
        self._free.clear()

    async def sit(self, stake: str, buy_in: int = 1_000) -> None:
        await self.accepted("join_pool", pool=f"{stake}:FUN", buy_in=buy_in, key=secrets.token_hex(8))

    def begin(self) -> None:
        self._playing = asyncio.create_task(self._play())

    async def stop(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        await self.close()

    async def _play(self) -> None:
        """Joins every table with a seat, and answers every question once."""
        joined: set[str] = set()
        looked_at = 0
        answered: set[tuple[str, int]] = set()
        while True:
            self._arrived.clear()  # what comes while this round is at work begins another one
            seats = self.all("seat")[looked_at:]
            looked_at += len(seats)
            for seat in seats:
                table_id = seat["table_id"]
                if seat["state"] == "gone":
                    joined.discard(table_id)  # a player of a tournament may be moved back
                elif table_id is not None and table_id not in joined:
                    joined.add(table_id)
                    snapshot = await self.say("join", table_id=table_id)
                    if snapshot["ok"] and snapshot["options"] is not None:
                        self.received.append(("options", snapshot["options"]))
            for options in self.all("options"):
                if options["turn"] is None or (options["hand_id"], options["turn"]) in answered:
                    continue
                answered.add((options["hand_id"], options["turn"]))
                self._asked.set()
                await self._free.wait()
                self._asked.clear()
                at = {key: options[key] for key in ("table_id", "hand_id", "turn")}
                if self.is_bold and options["raise"] is not None and self._has_ace(options["hand_id"]):
                    await self.say("act", **at, action="raise_to", amount=options["raise"]["max"])
                else:
                    await self.say("act", **at, action="check" if options["check"] else "call")
            await self._arrived.wait()

    def _has_ace(self, hand_id: str) -> bool:
        return any(one["hand_id"] == hand_id and "Ah" in one["cards"] for one in self.all("cards"))


@asynccontextmanager
async def callers(service: LiveService, count: int = 2) -> AsyncIterator[list[Caller]]:
    """Connected callers, who sit nowhere yet."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        coming = [Caller(web, service.address, await new_guest(web, service)) for _ in range(count)]
        try:
            for caller in coming:
                await caller.connect()
                caller.begin()
            yield coming
        finally:
            for caller in coming:
                await caller.stop()
