"""Poker room in a browser: three guests sit down at one stake and play a whole hand."""

from collections.abc import AsyncIterator, Iterator
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.people import DESKTOP, PHONE, Screen
from tests.live.poker_service import started_poker
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIDEWAYS: Final = ViewportSize(width=844, height=390)
SCREENS: Final = (DESKTOP, PHONE, SIDEWAYS)
STAKES_OF_TEN_CENTS: Final = 16
SMALL_AND_BIG_BLIND: Final = "Pot 0.15"


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    with started_poker(between_hands="12") as opened:  # long enough to look at a result
        yield opened
        opened.verify()
        assert not opened.errors()


class Guests:
    """Pages of guests in the lobby of the room; what the browser complains about is kept."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self.complaints: list[str] = []
        self.pages: list[Page] = []

    async def come(self, screen: ViewportSize, locale: str = "en-GB") -> Page:
        context = await self._browser.new_context(viewport=screen, locale=locale)
        page = await context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await page.goto(f"{self._address}/poker")
        await page.locator("button.gold").click()
        await expect(page.locator("[data-pool]")).to_have_count(STAKES_OF_TEN_CENTS)
        self.pages.append(page)
        return page


@pytest_asyncio.fixture(loop_scope="session")
async def guests(browser: Browser, service: LiveService) -> AsyncIterator[Guests]:
    coming = Guests(browser, service.address)
    yield coming
    for page in coming.pages:
        await page.context.close()
    assert coming.complaints == []


async def take_a_seat(page: Page, pool: str) -> None:
    await page.locator(f'[data-pool="{pool}:FUN"] button').click()
    await page.get_by_role("button", name="Take a seat").click()


async def play(page: Page, *actions: str) -> None:
    """The first of these actions that is offered once it is the player's turn."""
    offered: Locator = page.locator(", ".join(f'[data-act="{action}"]' for action in actions))
    await offered.first.click()


async def test_three_guests_play_a_hand_to_its_showdown(guests: Guests) -> None:
    pages = [await guests.come(screen) for screen in SCREENS]
    await Screen(pages[0], "").axe()
    for waiting, page in enumerate(pages):
        await take_a_seat(page, "t1")
        if waiting < 2:
            await expect(page.locator('[data-pool="t1:FUN"] .queue')).to_contain_text(f"Place {waiting + 1}")
    for page in pages:
        await expect(page.locator("[data-pot]")).to_contain_text(SMALL_AND_BIG_BLIND)
        await expect(page.locator(".seat.own .card [role=img]")).to_have_count(2)

    # The button acts first, then both blinds; afterwards the small blind leads.
    order = [0, 1, 2]
    await Screen(pages[0], "").axe()
    await play(pages[0], "call")
    await play(pages[1], "call")
    await play(pages[2], "check")
    for _street in ("flop", "turn", "river"):
        for player in order[1:] + order[:1]:
            await play(pages[player], "check")

    # Aces are dealt left of the button: the second player wins 0.29 after a cent of rake.
    for page in pages:
        await expect(page.locator(".won")).to_have_text(["+0.29"])
        await expect(page.locator("[data-board] [role=img]")).to_have_count(5)
        await expect(page.locator(".seat .card [role=img]")).to_have_count(6)
    await expect(pages[1].locator(".seat.own .won")).to_have_text("+0.29")


async def test_a_large_raise_and_a_fold_for_free_are_asked_about_twice(guests: Guests) -> None:
    pages = [await guests.come(DESKTOP) for _ in range(3)]
    for page in pages:
        await take_a_seat(page, "t2")
    button, small, big = pages
    await expect(button.locator('[data-act="raise"]')).to_have_text("Raise to 0.20")
    await button.get_by_role("button", name="All-in").click()
    raise_button = button.locator('[data-act="raise"]')
    await expect(raise_button).to_have_text("All-in 10.00")
    await raise_button.click()
    await expect(raise_button).to_contain_text("Press again to confirm")
    await expect(small.locator('[data-act="call"]')).to_have_count(0)
    await raise_button.click()
    await expect(small.locator('[data-act="call"]')).to_have_text("Call all-in 9.95")
    await small.locator('[data-act="fold"]').click()
    await big.locator('[data-act="fold"]').click()
    await expect(button.locator(".seat.own .won")).to_have_text("+0.25")


async def test_a_player_who_leaves_gets_the_chips_back(guests: Guests) -> None:
    pages = [await guests.come(DESKTOP) for _ in range(3)]
    for page in pages:
        await take_a_seat(page, "t3")
    big = pages[2]
    await expect(big.locator("[data-available]")).to_have_text("FUN 990.00")
    await expect(big.locator(".seat.own .card [role=img]")).to_have_count(2)
    await big.get_by_role("button", name="Leave").click()
    await big.get_by_role("button", name="Leave? Your hand is folded.").click()
    await play(pages[0], "fold")
    await play(pages[1], "call", "check")
    await expect(big.get_by_text("You have left this table.")).to_be_visible()
    await big.get_by_role("button", name="Close").click()
    await expect(big.locator("[data-lobby]")).to_be_visible()
    await expect(big.locator("[data-available]")).to_have_text("FUN 999.90")
