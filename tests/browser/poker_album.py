"""Album of the poker pages: guests in one language, each of whose states is photographed in every size of a screen."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from playwright.async_api import Locator, expect

from tests.browser.people import DESKTOP, PHONE
from tests.browser.poker_people import SIDEWAYS, TABLET, Caller, Guest, Guests, callers
from tests.live.service import LiveService

SIZES: Final = {"desktop": DESKTOP, "tablet": TABLET, "phone": PHONE, "sideways": SIDEWAYS}
MOVING_MS: Final = 500
"""Until what moves has arrived, and the page has taken its new size."""
OTHERS: Final = 4
"""Callers at a table: one of its six seats stays empty."""


class Album:
    """Everything is done by marks and classes, never by the words on the screen, so that it works in every language."""

    def __init__(
        self, guests: Guests, service: LiveService, folder: Path, *, locale: str, stakes: Iterator[str], pools: int
    ) -> None:
        self.guests, self.service, self.folder = guests, service, folder
        self._locale, self._stakes, self._pools = locale, stakes, pools

    def stake(self) -> str:
        """A stake that no other state uses."""
        return next(self._stakes)

    async def come(self) -> Guest:
        return await self.guests.come(DESKTOP, self._locale, self._pools)

    async def shoot(self, guest: Guest, what: str) -> None:
        language = "" if self._locale.startswith("en") else f"-{self._locale[:2]}"
        for name, size in SIZES.items():
            await guest.page.set_viewport_size(size)
            await guest.page.wait_for_timeout(MOVING_MS)
            await guest.page.screenshot(path=self.folder / f"poker-{what}-{name}{language}.png")
        await guest.page.set_viewport_size(DESKTOP)

    @asynccontextmanager
    async def seated(self, stake: str = "", buy_in: int = 1_000) -> AsyncIterator[tuple[Guest, list[Caller]]]:
        """A guest who has the button at a table with callers, and is to act."""
        stake = stake or self.stake()
        async with callers(self.service, OTHERS) as others:
            guest = await self.come()
            await guest.sit(stake)
            for caller in others:
                await caller.sit(stake, buy_in)
            await expect(guest.find("[data-table]")).to_have_count(1)
            yield guest, others


def own(guest: Guest, what: str) -> Locator:
    """A button of the own seat."""
    return guest.find(f'[data-do="{what}"]').first


def turn(guest: Guest) -> Locator:
    return guest.find("[data-act]:enabled").first
