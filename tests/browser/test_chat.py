"""Chat and panels on small screens: a strip next to the table, which keeps its cards, clock, spots and buttons."""

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.people import DESKTOP, PHONE, Visitors
from tests.browser.test_layout import APART, FAULTS
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL = [PHONE, *(ViewportSize(width=w, height=h) for w, h in ((320, 568), (844, 390), (600, 500), (1024, 768)))]
# What a player needs during a hand, if the chat or the edge of the window covers any of it.
COVERED = """() => {
  const strip = '[data-chat], [data-docked]';
  const chat = document.querySelector(strip).getBoundingClientRect();
  const needed = `.slots, [data-spot] .well, .ribbon span, [role=timer], .options button, .tray button, .money dd,
    [data-chat] input`;
  const faults = [];
  for (const element of document.querySelectorAll(needed)) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    const isUnder = Math.min(right, chat.right) - Math.max(left, chat.left) > 1
      && Math.min(bottom, chat.bottom) - Math.max(top, chat.top) > 1;
    const isChat = element.closest(strip) !== null;
    if (!isInside || (isUnder && !isChat)) faults.push(`${element.className} ${element.textContent}`);
  }
  return faults;
}"""


async def test_the_open_chat_covers_nothing_that_is_needed_on_a_small_screen(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, PHONE)
    page = screen.page
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    chat = page.get_by_role("dialog", name="Chat")
    await page.get_by_role("button", name="Chat", exact=True).click()
    await expect(chat).to_be_visible()
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    assert await page.evaluate(COVERED) == []
    await chat.get_by_label("Write to the table").fill("Good evening")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    await expect(screen.button("PLAY 4x")).to_be_visible()
    for size in SMALL:
        await page.set_viewport_size(size)
        await page.wait_for_timeout(400)  # until the cards lie
        assert await page.evaluate(COVERED) == [], size
        assert await page.evaluate(FAULTS, APART) == [], size
        await screen.does_not_scroll()
    await screen.axe()
    await chat.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("log")).to_contain_text("Good evening")
    await page.reload()  # on a large screen it would be open again
    await expect(screen.button("PLAY 4x")).to_be_visible()
    await expect(chat).to_have_count(0)
    await page.set_viewport_size(PHONE)
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Cashier", exact=True).click()
    await expect(page.get_by_role("dialog", name="Cashier")).to_be_visible()
    for size in SMALL:
        await page.set_viewport_size(size)
        await page.wait_for_timeout(400)  # until the cards lie
        assert await page.evaluate(COVERED) == [], size
    await screen.axe()
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await expect(chat).to_have_count(0)
    await page.get_by_role("button", name="Chat", exact=True).click()
    await expect(chat).to_be_visible()
    await page.set_viewport_size(DESKTOP)
    await expect(chat.get_by_role("button", name="Enlarge")).to_be_visible()
    await page.reload()
    await expect(chat).to_be_visible()
