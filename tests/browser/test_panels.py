"""Page around the table: panels, settings, languages, chat, tips, cashier, limits."""

import pytest
from playwright.async_api import expect

from tests.browser.people import Visitors
from tests.live.clients import Clients
from tests.live.service import LiveService
from tests.live.test_responsible import been_here

pytestmark = pytest.mark.asyncio(loop_scope="session")

PANELS = ("Lobby", "Results", "History", "Cashier", "Responsible gaming", "Help and rules", "Settings")


async def test_every_panel_opens_over_the_felt_and_closes_with_escape(visitors: Visitors, service: LiveService) -> None:
    screen = await visitors.guest(service.table("live"))
    for name in PANELS:
        await screen.page.locator("nav").get_by_role("button", name=name, exact=True).click()
        panel = screen.page.get_by_role("dialog")
        await expect(panel).to_be_visible()
        await screen.axe()
        await screen.page.keyboard.press("Escape")
        await expect(panel).to_have_count(0)
    await screen.page.get_by_role("button", name="Full screen").click()
    await screen.page.get_by_role("button", name="Exit full screen").click()
    await expect(screen.page.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


async def test_a_panel_does_not_change_the_looks_of_the_next(visitors: Visitors, service: LiveService) -> None:
    """Styles loaded with one panel stay loaded: those of the lobby must not suffer from them."""
    screen = await visitors.guest(service.table("live"))
    for name in ("Help and rules", "Lobby", "Settings", "Add table"):
        await screen.page.locator("nav").get_by_role("button", name=name, exact=True).click()
        await expect(screen.page.get_by_role("dialog")).to_be_visible()
        await screen.page.wait_for_timeout(400)  # until the panel has slid in
        await screen.axe()
        await screen.page.keyboard.press("Escape")
        await expect(screen.page.get_by_role("dialog")).to_have_count(0)


async def test_settings_hold_on_every_device_at_once(visitors: Visitors, service: LiveService) -> None:
    first_id, second_id = service.table("live"), service.table("live")
    first = await visitors.guest(first_id)
    second = await visitors.again(first, second_id)
    await first.page.get_by_role("button", name="Settings").click()
    await first.page.get_by_label("Classic, with traffic lights").check()
    await expect(second.table).to_contain_class("classic")
    await first.page.get_by_label("Language").select_option("da")
    await expect(first.page.get_by_role("heading", name="Indstillinger")).to_be_visible()
    await expect(second.notice).to_contain_text("Der er ingen vært ved dette bord")


@pytest.mark.parametrize(("locale", "sentence"), [("da-DK", "Der er ingen vært"), ("fr-FR", "Aucun présentateur")])
async def test_the_page_speaks_the_language_of_the_browser(
    visitors: Visitors, service: LiveService, locale: str, sentence: str
) -> None:
    screen = await visitors.guest(service.table("live"), locale=locale)
    await expect(screen.notice).to_contain_text(sentence)
    await expect(screen.table.locator("[data-balance]")).to_contain_text("1.000,00" if locale == "da-DK" else "000,00")
    await expect(screen.page.locator("html")).to_have_attribute("lang", locale[:2])
    await screen.axe()


async def test_players_and_presenter_talk_and_a_tip_is_thanked(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    page = screen.page
    await page.get_by_role("button", name="Chat", exact=True).click()
    await page.get_by_label("Write to the table").fill("<b>Good evening</b>")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("log")).to_contain_text("<b>Good evening</b>")
    await host.ok("say", {"table_id": table_id, "text": "Welcome to the table."})
    await expect(page.get_by_role("log")).to_contain_text("Welcome to the table.")
    await screen.axe()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Tip the presenter").click()
    panel = page.get_by_role("dialog", name="Tip the presenter")
    await screen.axe()
    hundred = panel.get_by_role("button", name="Chip 100.00")
    for _ in range(10):
        await hundred.click()
    await expect(hundred).to_be_disabled()
    await hundred.click(force=True)  # disabled, but it answers
    await expect(panel.get_by_role("status")).to_have_text("Your balance doesn’t cover this")
    await panel.get_by_role("button", name="Clear").click()
    await panel.get_by_role("button", name="Chip 5.00").click()
    await panel.get_by_role("button", name="Tip").click()
    await expect(panel.get_by_role("status")).to_contain_text("paula says thank you")
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "99500")


async def test_deposit_arrives_and_its_limit_is_enforced(visitors: Visitors, service: LiveService) -> None:
    screen = await visitors.guest(service.table("live"))
    page = screen.page
    await page.get_by_role("button", name="Cashier").click()
    await page.get_by_label("Amount").fill("fifty")
    await page.get_by_role("button", name="Deposit").click()
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Enter an amount")
    await page.get_by_label("Amount").fill("50")
    await page.get_by_role("button", name="Deposit").click()
    await expect(page.get_by_role("dialog")).to_contain_text("1,050.00")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Responsible gaming").click()
    await page.get_by_label("Losses per day").fill("30")
    await page.get_by_role("button", name="Set", exact=True).nth(3).click()
    await expect(page.get_by_role("dialog")).to_contain_text("30.00 left")
    await screen.axe()


async def test_reality_check_waits_for_its_answer_and_self_exclusion_is_confirmed(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    guest = await clients.guest()
    status, _ = await clients.ask("PUT", "/api/responsible/reality-check", guest["token"], {"minutes": 30})
    assert status == 200
    been_here(service, guest["user"]["id"], 31)
    screen = await visitors.known(guest["token"], table_id)
    page = screen.page
    check = page.get_by_role("alertdialog", name="Reality check")
    await expect(check).to_contain_text("You have been playing for")
    await screen.axe()
    await check.get_by_role("button", name="Limits and breaks").click()
    await expect(check).to_have_count(0)
    panel = page.get_by_role("dialog", name="Responsible gaming")
    await panel.get_by_role("button", name="6 months").click()
    await panel.get_by_role("button", name="Yes").click()
    await expect(panel.get_by_role("alert")).to_contain_text("until")
    await page.keyboard.press("Escape")
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await expect(screen.table.locator(".controls .hint")).to_contain_text("You have excluded yourself until")
    await expect(screen.chip("5.00")).to_be_disabled()
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "100000")
