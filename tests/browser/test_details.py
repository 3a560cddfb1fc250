"""Small details for players: intermediate amounts, names before cards, unknown addresses."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.people import IN_MOTION, PHONE, Visitors
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")

BALANCES = """() => {
  const shown = window.balances = new Set();
  const balance = document.querySelector('[data-balance]');
  const note = () => { shown.add(balance.textContent.trim()); requestAnimationFrame(note); };
  note();
}"""
# How many cards of the player still move when the name of the hand can be read.
MOVING = """() => new Promise((resolve) => {
  const look = () => {
    const name = document.querySelector('.mine .named');
    const isShown = name !== null && getComputedStyle(name).visibility === 'visible';
    const moving = document.querySelector('.mine .slots').getAnimations({ subtree: true });
    if (isShown) resolve(moving.length);
    else requestAnimationFrame(look);
  };
  look();
})"""


async def test_the_balance_shows_only_amounts_that_existed(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, **IN_MOTION)
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await screen.page.evaluate(BALANCES)
    await screen.place("ante", "25.00")
    await screen.shows("ante", "25.00")
    await screen.page.wait_for_timeout(700)
    assert set(await screen.page.evaluate("[...balances]")) == {"FUN\u00a01,000.00", "FUN\u00a0950.00"}


async def test_disabled_buttons_say_why(visitors: Visitors, service: LiveService, clients: Clients) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, PHONE, has_touch=True)
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    for name, why in (("UNDO", "Nothing to undo"), ("REPEAT", "No bets to repeat yet"), ("DOUBLE", "Place your ANTE")):
        await expect(screen.button(name)).to_be_disabled()
        await expect(screen.button(name)).to_have_attribute("title", re.compile(why))
        # A touch screen has no tooltips: a tap says it. Playwright waits for enabled buttons unless forced.
        await screen.button(name).tap(force=True)
        await expect(screen.table.locator("p.hint")).to_have_text(re.compile(why))
    for key, why in (("Space", "Place your ANTE first"), ("Delete", "Nothing to undo")):
        await screen.page.keyboard.press(key)
        await expect(screen.table.locator("p.hint")).to_have_text(why)
    await screen.place("ante", "25.00")
    await expect(screen.button("REPEAT")).to_have_attribute("title", "REPEAT works before the first chip")
    await expect(screen.button("DOUBLE")).not_to_have_attribute("title", re.compile("."))


async def test_a_hand_is_named_once_its_card_is_seen(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, **IN_MOTION)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await host.end_betting(table_id, round_id)
    waiting = screen.page.evaluate(MOVING)
    await host.scan(table_id, round_id, "As Kd")
    assert await waiting == 0
    await expect(screen.table.locator(".mine .named")).to_have_text("Ace high")


async def test_the_address_follows_the_player_and_leads_back(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id, other_id = service.table("live"), service.table("live")
    screen = await visitors.guest(table_id)
    page = screen.page
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await page.get_by_role("button", name="Help and rules").click()
    await expect(page).to_have_url(f"{service.address}/#{table_id}/help")
    await page.keyboard.press("Escape")
    await expect(page).to_have_url(f"{service.address}/#{table_id}")
    service.end_betting(table_id)
    await expect(screen.ribbon).to_contain_text("Betting closed")
    await page.get_by_role("button", name="History").click()
    await page.get_by_role("dialog").get_by_role("listitem").get_by_role("button").click()
    await expect(page).to_have_url(re.compile(rf"/#{table_id}/history/.+"))
    replay = page.url
    link = await page.context.new_page()
    await link.goto(replay)
    await expect(link.get_by_role("dialog", name="History").get_by_label("Next step")).to_be_visible()
    await expect(link.locator(f'[data-table="{table_id}"]')).to_be_visible()
    await link.get_by_role("button", name="All rounds").click()
    await expect(link).to_have_url(f"{service.address}/#{table_id}/history")
    await link.evaluate(f"location.hash = '#{other_id}/settings'")
    await expect(link.get_by_role("dialog", name="Settings")).to_be_visible()
    await link.get_by_role("button", name="Stay").click()  # the hand is not over
    await link.evaluate("location.hash = '#uth-99'")
    lobby = link.get_by_role("dialog", name="Lobby")
    await expect(lobby.get_by_role("alert")).to_have_text("There is no table called “uth-99”. Choose one of these.")
    await link.keyboard.press("Escape")
    await expect(link).to_have_url(f"{service.address}/#{table_id}")


async def test_an_unknown_address_leads_back_to_the_tables(visitors: Visitors, service: LiveService) -> None:
    visitors.expected.append("404")
    screen = await visitors.outside()
    answer = await screen.page.goto(f"{service.address}/tables/uth-99")
    assert answer is not None
    assert answer.status == 404
    await expect(screen.page.get_by_role("heading")).to_have_text("This page doesn’t exist")
    await screen.axe()
    await screen.page.get_by_role("link").click()
    await expect(screen.page.locator("button.gold")).to_be_visible()
    await screen.page.goto(f"{service.address}/#%uth-99")  # this would not even be a table
    await screen.page.reload()
    await screen.page.locator("button.gold").click()
    await expect(screen.page.get_by_role("heading", name="Lobby")).to_be_visible()
    await expect(screen.page.get_by_role("alert")).to_have_text(
        "There is no table called “%uth-99”. Choose one of these."
    )
    await expect(screen.page).to_have_url(f"{service.address}/")
    await screen.axe()


async def test_policy_names_help_in_the_players_country_first(visitors: Visitors, service: LiveService) -> None:
    screen = await visitors.guest(service.table("live"), locale="da-DK")
    await screen.page.get_by_role("button", name="Ansvarligt spil").click()
    panel = screen.page.get_by_role("dialog", name="Ansvarligt spil")
    await expect(panel.get_by_role("heading", name="Politik for ansvarligt spil")).to_be_visible()
    first = panel.get_by_role("list").last.get_by_role("listitem").first
    await expect(first).to_contain_text("StopSpillet Danmark")
    await expect(first.get_by_role("link").first).to_have_attribute("href", "tel:70222825")
    await screen.axe()


async def test_both_digits_of_a_ten_can_be_read(visitors: Visitors) -> None:
    screen = await visitors.outside()
    ten = screen.page.locator("text", has_text="10").first
    await expect(ten).to_be_attached()
    one, zero = await ten.evaluate(
        "text => [0, 1].map((at) => text.getExtentOfChar(at)).map(({ x, width }) => [x, width])"
    )
    assert one[0] + one[1] <= zero[0] + 0.5


async def test_the_bar_names_its_figures_and_offers_no_tip_to_a_machine(
    visitors: Visitors, service: LiveService
) -> None:
    screen = await visitors.guest(service.table("machine"))
    bar = screen.page.locator("nav")
    for name in await bar.locator("[data-session] span").all():
        box = await name.bounding_box()
        assert box is not None
        assert box["width"] > 10
    await expect(bar.get_by_role("button", name="History")).to_be_visible()
    await expect(bar.get_by_role("button", name="Tip the presenter")).to_have_count(0)
