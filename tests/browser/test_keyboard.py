"""Keyboard shortcuts: their effects, and no effect of any other key at the table."""

import pytest
from playwright.async_api import expect

from tests.browser.people import Screen, Visitors
from tests.live.clients import Clients, Host
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
DECIDED = ".options .check, .options .play_4x"


async def _bet(visitors: Visitors, service: LiveService, clients: Clients) -> tuple[Screen, Host, str]:
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    return screen, host, round_id


async def _to_first_decision(screen: Screen, host: Host, round_id: str) -> None:
    await host.end_betting(screen.table_id, round_id)
    await host.scan(screen.table_id, round_id, "As Kd")
    await expect(screen.table.locator(".options .check")).to_be_enabled()


async def test_typed_letters_neither_bet_nor_decide(visitors: Visitors, service: LiveService, clients: Clients) -> None:
    """Words meant for the chat, typed while no field has the focus, with the chat closed and open."""
    screen, host, round_id = await _bet(visitors, service, clients)
    page = screen.page
    await page.keyboard.type("whatastart")
    await page.get_by_role("button", name="Chat").first.click()
    await expect(page.get_by_role("dialog", name="Chat")).to_be_visible()
    await screen.table.locator("h1").click()  # the chat stays open without the focus
    await page.keyboard.type("whatastart")
    await screen.shows("ante", "5.00")
    await expect(screen.spot("trips").locator(".amount")).to_have_count(0)
    await _to_first_decision(screen, host, round_id)
    await page.keyboard.type("flopplease")
    await page.keyboard.press("Alt+p")  # not switched on in the settings
    await page.wait_for_timeout(500)
    await expect(screen.table.locator(DECIDED)).to_have_count(2)
    assert await screen.money() == 99_000


async def test_space_repeats_whatever_the_mouse_has_touched(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await _bet(visitors, service, clients)
    await screen.page.keyboard.press("1")  # a key after the click makes the spot look focused
    await screen.page.keyboard.press("Space")
    await screen.shows("ante", "10.00")
    await screen.page.get_by_role("button", name="Mute", exact=True).click()
    await screen.page.keyboard.press("Space")
    await screen.shows("ante", "20.00")
    await screen.spot("ante").press("Enter")
    await screen.shows("ante", "21.00")


async def test_space_belongs_to_the_bets_until_tab_moves_the_focus(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    """A closed panel gives the focus back to its button in the bar, and so does the chat."""
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await screen.place("ante", "1.00")
    await screen.shows("ante", "1.00")
    page = screen.page
    bar, panel = page.locator("nav"), page.get_by_role("dialog")
    for name, amount in (("Help and rules", "2.00"), ("Chat", "4.00")):
        await bar.get_by_role("button", name=name).click()
        await panel.get_by_role("button", name="Close").click()
        await expect(bar.get_by_role("button", name=name)).to_be_focused()
        await page.keyboard.press("Space")
        await screen.shows("ante", amount)
        await expect(panel).to_have_count(0)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    await expect(page.get_by_role("dialog", name="Lobby")).to_be_visible()
    await screen.shows("ante", "4.00")


async def test_decision_keys_are_switched_on_in_the_settings_and_need_alt(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, round_id = await _bet(visitors, service, clients)
    page = screen.page
    await page.get_by_role("button", name="Settings").first.click()
    await page.get_by_label("Decide by keyboard").check()
    await page.keyboard.press("Escape")
    await _to_first_decision(screen, host, round_id)
    await page.keyboard.press("p")
    await page.get_by_role("button", name="Chat").first.click()
    await expect(page.get_by_role("dialog", name="Chat")).to_be_visible()
    await screen.table.locator("h1").click()
    await page.keyboard.press("Alt+p")  # never while the chat is open
    await page.wait_for_timeout(500)
    await expect(screen.table.locator(DECIDED)).to_have_count(2)
    await page.get_by_role("dialog", name="Chat").press("Escape")
    await page.keyboard.press("Alt+p")
    await expect(screen.spot("play").locator(".amount")).to_have_text("20.00")
