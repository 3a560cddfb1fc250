"""Published rules around the table: bet limits, settings in groups, tables added from the lobby."""

import re

import pytest
from playwright.async_api import FloatRect, Locator, Page, Response, expect

from tests.browser.people import PHONE, Screen, Visitors
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
LIMITS = "ANTE 1.00 – 500.00 BLIND equal to the ANTE TRIPS 1.00 – 250.00 PLAY 4x, 3x, 2x or 1x the ANTE"


async def _shows_limits(screen: Screen) -> None:
    await screen.button("Bet limits").click()
    limits = screen.table.get_by_role("region", name="Bet limits")
    await expect(limits.locator("dl")).to_have_text(re.compile(LIMITS.replace(" ", r"\s*")))
    box = await _box(limits)
    table = await _box(screen.table)
    assert box["x"] >= table["x"]
    assert box["x"] + box["width"] <= table["x"] + table["width"]
    await screen.axe()
    await screen.page.keyboard.press("Escape")
    await expect(limits).to_have_count(0)


async def test_bet_limits_are_shown_on_a_phone_with_trips(visitors: Visitors, service: LiveService) -> None:
    await _shows_limits(await visitors.guest(service.table("live"), PHONE))


async def test_the_lobby_adds_tables_and_their_pictures_switch(visitors: Visitors, service: LiveService) -> None:
    first_id, second_id, third_id = (service.table("live") for _ in range(3))
    first = await visitors.guest(first_id)
    page = first.page
    await _open_lobby(page)
    await page.get_by_role("dialog").get_by_role("button", name=f"Add table: Table {second_id}", exact=True).click()
    second = Screen(page, second_id)
    await expect(first.table).to_be_visible()
    await _shows_limits(second)
    await expect(second.table).not_to_contain_class("inactive")
    await _open_lobby(page)
    await _picture(page, first_id).click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(second.table).to_contain_class("inactive")
    await _open_lobby(page)
    await _picture(page, third_id).click()
    await expect(Screen(page, third_id).table).to_be_visible()
    await expect(first.table).to_have_count(0)
    await expect(second.table).to_be_visible()


async def test_settings_are_grouped_and_those_without_effect_are_hidden(
    visitors: Visitors, service: LiveService
) -> None:
    screen = await visitors.guest(service.table("live"))
    await screen.page.get_by_role("button", name="Settings").click()
    panel = screen.page.get_by_role("dialog", name="Settings")
    await expect(panel.get_by_role("heading", level=3)).to_have_text(["General", "Video", "Sound", "Account"])
    await expect(panel.get_by_text("Video quality")).to_have_count(0)
    await expect(panel.get_by_text("Presenter’s voice")).to_have_count(0)
    await screen.axe()


async def test_changing_the_clock_of_the_device_moves_no_timer(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await expect(screen.table.get_by_role("timer")).to_be_visible()
    await screen.page.evaluate("() => { const real = Date.now; Date.now = () => real() + 3600e3; }")
    await screen.page.wait_for_timeout(300)
    left = await screen.table.get_by_role("timer").get_attribute("aria-label")
    assert 0 < int(left or "0") <= 300
    session = await screen.page.locator("[data-session]").inner_text()
    assert re.search(r"\b\d:\d\d:\d\d\b", session) is None, session


async def test_the_chat_stays_within_reach(visitors: Visitors, service: LiveService) -> None:
    screen = await visitors.guest(service.table("live"))
    page = screen.page
    await page.get_by_role("button", name="Chat", exact=True).click()
    window = page.get_by_role("dialog", name="Chat")
    for x, y in ((3000, 3000), (-3000, -3000), (3000, -3000), (720, 3000)):
        grip = await _box(window.locator(".grip"))
        await page.mouse.move(grip["x"] + 60, grip["y"] + 20)
        await page.mouse.down()
        await page.mouse.move(x, y, steps=3)
        await page.mouse.up()
        await _is_inside(page, window)
    await page.set_viewport_size({"width": 800, "height": 600})
    await _is_inside(page, window)


async def test_times_are_in_the_zone_of_the_game_number_and_say_so(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, timezone_id="America/New_York")
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    head = screen.table.locator("header")
    await expect(head).to_contain_text(re.compile(r"Game \d\d:\d\d:\d\d GMT"))
    game = await head.locator("[data-game]").inner_text()
    service.end_betting(table_id)
    await expect(screen.ribbon).to_contain_text("Betting closed")
    await screen.page.get_by_role("button", name="History").click()
    await expect(screen.page.get_by_role("dialog").get_by_role("listitem").first).to_contain_text(f"{game} GMT")


async def test_scripts_and_styles_come_compressed(visitors: Visitors) -> None:
    screen = await visitors.outside()
    codings: list[str | None] = []

    def record(answer: Response) -> None:
        if re.search(r"\.(js|css)$", answer.url):
            codings.append(answer.headers.get("content-encoding"))

    screen.page.on("response", record)
    await screen.page.reload()
    await expect(screen.page.locator("button.gold")).to_be_visible()
    assert len(codings) > 2
    assert set(codings) <= {"br", "gzip"}


async def _open_lobby(page: Page) -> None:
    await page.locator("nav").get_by_role("button", name="Lobby").click()
    await expect(page.get_by_role("dialog", name="Lobby")).to_be_visible()


def _picture(page: Page, table_id: str) -> Locator:
    heading = page.get_by_role("heading", name=f"Table {table_id}", exact=True)
    return page.get_by_role("dialog").get_by_role("listitem").filter(has=heading).locator(".felt")


async def _box(element: Locator) -> FloatRect:
    box = await element.bounding_box()
    assert box is not None
    return box


async def _is_inside(page: Page, element: Locator) -> None:
    box, size = await _box(element), page.viewport_size
    assert size is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"] + 1
    assert box["y"] + box["height"] <= size["height"] + 1
