"""Leaving a table: a confirmation during a hand, and the result shown on any page."""

import pytest
from playwright.async_api import Dialog, Locator, expect

from tests.browser.people import PHONE, Screen, Visitors
from tests.live.clients import Clients, Host
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
FOLDED = "Your bets of 10.00 stay in play and are folded automatically."


async def _hand(
    visitors: Visitors, service: LiveService, clients: Clients, through: str | None = None
) -> tuple[Screen, Host, str]:
    """A guest with 5.00 on the ANTE, at the first decision, perhaps after a look at another table."""
    table_id = service.table("live")
    screen = await visitors.guest(through or table_id)
    if through:
        screen = await _switched(screen, table_id)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    await expect(screen.button("CHECK")).to_be_enabled()
    return screen, host, round_id


async def _switched(screen: Screen, table_id: str) -> Screen:
    await screen.page.locator("nav").get_by_role("button", name="Lobby").click()
    await screen.page.get_by_role("button", name=f"Switch to this table: Table {table_id}", exact=True).click()
    there = Screen(screen.page, table_id)
    await expect(there.table).to_be_visible()
    return there


async def _to_the_end(host: Host, screen: Screen, round_id: str) -> None:
    """The player has played: a pair of sevens beats an ace."""
    for cards, after in (("7h 4c 2s", "dealing_river"), ("Jd 9c", "showdown"), ("7d 7s", "settled")):
        await host.scan(screen.table_id, round_id, cards)
        await host.phase(screen.table_id, round_id, after)


def _question(screen: Screen) -> Locator:
    return screen.page.get_by_role("alertdialog", name="Leave during your hand?")


async def test_switching_tables_during_a_hand_asks_first_and_shows_the_result_at_the_other_table(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, round_id = await _hand(visitors, service, clients)
    page, other = screen.page, service.table("live")
    await page.locator("nav").get_by_role("button", name="Lobby").click()
    switch = page.get_by_role("button", name=f"Switch to this table: Table {other}", exact=True)
    await switch.click()
    await expect(_question(screen)).to_contain_text(FOLDED)
    await screen.axe()
    await _question(screen).get_by_role("button", name="Stay").click()
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await page.locator("nav").get_by_role("button", name="Lobby").click()
    await switch.click()
    await expect(_question(screen)).to_contain_text("Your bets of 30.00 stay in play. We’ll tell you the result.")
    await _question(screen).get_by_role("button", name="Leave").click()
    await expect(page.locator(f'[data-table="{other}"]')).to_be_visible()
    await expect(screen.table).to_have_count(0)
    await _to_the_end(host, screen, round_id)
    message = page.locator(".toast")
    await expect(message).to_contain_text(f"Table {screen.table_id}")
    await expect(message).to_contain_text("You lose 30.00")
    await screen.axe()
    await expect(page.locator("[data-session]")).to_contain_text("−30.00")
    await expect(page.locator("[data-balance]")).to_have_attribute("data-balance", "97000")
    await message.get_by_role("button", name="Close").click()
    await expect(message).to_have_count(0)


async def test_leaving_one_of_two_tables_asks_first_and_coming_back_in_time_goes_on_with_the_hand(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await _hand(visitors, service, clients)
    page, other = screen.page, service.table("live")
    await page.get_by_role("button", name="Add table").click()
    await page.get_by_role("button", name=f"Add table: Table {other}", exact=True).click()
    await screen.button(f"Leave Table {screen.table_id}").click()
    await expect(_question(screen)).to_contain_text(FOLDED)
    await expect(_question(screen)).to_contain_text(f"Table {screen.table_id}")
    await screen.button("CHECK").click(trial=True)  # nothing lies over the tables, whose clocks run on
    await _question(screen).press("Escape")
    await expect(screen.button("CHECK")).to_be_visible()
    await screen.button(f"Leave Table {screen.table_id}").click()
    await _question(screen).get_by_role("button", name="Leave").click()
    await expect(screen.table).to_have_count(0)
    await page.get_by_role("button", name="Add table").click()
    await page.get_by_role("button", name=f"Add table: Table {screen.table_id}", exact=True).click()
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await page.get_by_role("button", name=f"Leave Table {other}").click()  # no hand there, so nothing is asked
    await expect(page.locator("[data-table]")).to_have_count(1)


async def test_back_closes_panels_then_leads_to_the_lobby_and_asks_during_a_hand(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, round_id = await _hand(visitors, service, clients, service.table("live"))
    page = screen.page
    panel = page.get_by_role("dialog")
    address = f"{service.address}/#{screen.table_id}"
    await expect(page).to_have_url(address)
    await page.locator("nav").get_by_role("button", name="Help and rules").click()
    await expect(panel).to_be_visible()
    await page.go_back()
    await expect(panel).to_have_count(0)
    await expect(screen.button("CHECK")).to_be_visible()
    await page.locator("nav").get_by_role("button", name="History").click()
    await expect(panel).to_be_visible()
    await page.keyboard.press("Escape")  # the entry of the panel goes with it
    await page.go_back()
    await expect(_question(screen)).to_contain_text(FOLDED)
    await _question(screen).get_by_role("button", name="Stay").click()
    await expect(page).to_have_url(address)
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await page.go_back()
    await _question(screen).get_by_role("button", name="Leave").click()
    await expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    await expect(page).to_have_url(f"{service.address}/")
    await expect(screen.table).to_have_count(0)
    await _to_the_end(host, screen, round_id)
    await expect(page.locator(".toast")).to_contain_text("You lose 30.00")
    await page.get_by_role("button", name=f"Sit down: Table {screen.table_id}", exact=True).click()
    await expect(screen.table).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", name="Lobby")).to_be_visible()


async def test_result_behind_a_panel_is_shown_over_it_and_counts_on_every_device(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, round_id = await _hand(visitors, service, clients)
    await screen.page.set_viewport_size(PHONE)
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await screen.page.locator("nav .menu").click()
    await screen.page.locator("nav").get_by_role("button", name="Help and rules").click()
    await expect(screen.page.get_by_role("dialog")).to_be_visible()
    await host.scan(screen.table_id, round_id, "7h 4c 2s")
    await host.phase(screen.table_id, round_id, "dealing_river")
    await host.scan(screen.table_id, round_id, "Jd 9c")
    await host.phase(screen.table_id, round_id, "showdown")
    second = await visitors.again(screen, service.table("live"))
    await expect(second.page.locator("[data-session]")).to_contain_text("0.00")
    await host.scan(screen.table_id, round_id, "7d 7s")
    await expect(screen.page.locator(".toast")).to_contain_text("You lose 30.00")
    # A device at another table counts the round, too.
    await expect(second.page.locator("[data-session]")).to_contain_text("−30.00")
    await expect(second.table.locator("[data-balance]")).to_have_attribute("data-balance", "97000")


async def test_closing_the_window_during_a_hand_asks_first_and_a_question_gives_way_to_the_result(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, round_id = await _hand(visitors, service, clients)
    asked: list[str] = []

    async def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.dismiss()

    screen.page.on("dialog", stay)
    async with screen.page.expect_event("dialog"):
        await screen.page.close(run_before_unload=True)
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    assert asked == ["beforeunload"]
    await screen.page.go_back()
    await expect(_question(screen)).to_be_visible()
    await _to_the_end(host, screen, round_id)
    await expect(_question(screen)).to_have_count(0)
    over = screen.page.get_by_role("status").filter(has_text="Your hand is over")
    await expect(over).to_be_visible()
    await expect(screen.table.get_by_role("region", name="Results")).to_contain_text("You lose 30.00")
    await over.get_by_role("button", name="Leave").click()
    await expect(screen.page.get_by_role("heading", name="Lobby")).to_be_visible()
