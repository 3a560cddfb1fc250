"""Status texts after a late arrival, a lost acknowledgement, or with the chat in the corner."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.people import Visitors
from tests.browser.studio import SlowLine
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_page_reports_a_decision_that_did_not_arrive(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("brief")
    screen = await visitors.guest(table_id)
    line = SlowLine()
    await line.lead(screen)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    await expect(screen.button("PLAY 4x")).to_be_enabled()
    line.slow()
    await screen.button("PLAY 4x").click()
    await host.phase(table_id, round_id, "dealing_flop")
    await expect(screen.ribbon).to_have_text("The flop")
    line.free()
    await expect(screen.table.locator(".quiet")).to_contain_text("AUTO CHECKED: your PLAY 4x did not arrive in time")
    await host.scan(table_id, round_id, "7h 4c 2s")
    await screen.button("CHECK").click()
    await expect(screen.table.locator(".quiet")).to_contain_text("You checked")


async def test_late_arrival_sees_the_phase_and_the_next_betting_time_and_a_tapped_spot_responds(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("machine")
    player = await clients.player()
    joined = await player.join(table_id)
    round_id = joined["round"]["round_id"] or (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    await player.phase(table_id, round_id, "deciding_preflop")
    screen = await visitors.guest(table_id)
    await expect(screen.ribbon).to_contain_text("1 player is deciding")
    status = screen.table.locator(".quiet")
    # Three windows of 60 s and 6 s between the rounds.
    await expect(status).to_contain_text(re.compile(r"Betting opens in 1[678]\d s at the latest\."))
    await screen.spot("ante").click(force=True)  # disabled, but it answers
    hint = screen.table.locator("p.hint")
    await expect(hint).to_have_text("Betting is closed. It opens again after this round.")
    await screen.axe()
    await player.decide(table_id, round_id, "check")
    await player.phase(table_id, round_id, "deciding_flop")
    await expect(status).to_contain_text(re.compile(r"Betting opens in 1[12]\d s at the latest\."))


async def test_the_last_line_of_the_chat_fades(visitors: Visitors, service: LiveService, clients: Clients) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    await host.ok("say", {"table_id": table_id, "text": "Welcome to the table."})
    line = screen.page.get_by_text("Welcome to the table.")
    await expect(line).to_be_visible()
    await expect(line).to_be_hidden()
    await host.ok("say", {"table_id": table_id, "text": "Good luck."})
    await expect(screen.page.get_by_text("Good luck.")).to_be_visible()
    await screen.page.reload()  # what was said before is no news
    await expect(screen.table.locator("h1")).to_have_text(f"Table {table_id}")
    await expect(screen.ribbon).to_contain_text("Waiting for the presenter")
    await expect(screen.page.get_by_text("Good luck.")).to_have_count(0)


async def test_sound_is_muted_on_one_device_and_until_the_player_changes_tables(
    visitors: Visitors, service: LiveService
) -> None:
    first_id, second_id, third_id = (service.table("live") for _ in range(3))
    screen = await visitors.guest(first_id)
    page = screen.page
    phone = await visitors.again(screen, third_id)
    await page.get_by_role("button", name="Mute", exact=True).click()
    muted = page.get_by_role("button", name="Unmute")
    await expect(muted).to_be_visible()
    await page.get_by_role("button", name="Add table").click()
    await page.get_by_role("button", name=f"Add table: Table {second_id}", exact=True).click()
    await page.locator(f'[data-table="{first_id}"] h1').click()
    await page.locator(f'[data-table="{second_id}"] h1').click()
    await page.wait_for_timeout(600)  # until a change would be stored and sent
    await expect(muted).to_be_visible()
    await expect(phone.page.get_by_role("button", name="Mute", exact=True)).to_be_visible()


async def test_the_last_round_stays_explained_until_the_first_chip_and_opens_its_replay(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    for cards, after in (("7h 4c 2s", "dealing_river"), ("Jd 9c", "showdown"), ("Ad Qs", "settled")):
        await host.scan(table_id, round_id, cards)
        await host.phase(table_id, round_id, after)
    await expect(screen.ribbon).to_have_text("You win: ace\u2011king beats ace\u2011queen")
    lit = screen.table.locator(".card.lifted")
    await expect(lit).to_have_count(5)
    assert {await card.get_attribute("aria-label") for card in await lit.all()} == {
        "ace of spades",
        "king of diamonds",
        "jack of diamonds",
        "nine of clubs",
        "seven of hearts",
    }
    summary = screen.table.get_by_role("region", name="Results")
    await expect(summary).to_be_visible()
    await host.start(table_id)
    await expect(screen.ribbon).to_contain_text("Place your bets")
    await expect(summary.get_by_role("heading")).to_have_text("You win 20.00")
    await screen.place("ante", "5.00")
    await expect(summary).to_have_count(0)
    await screen.button("Last round").click()
    panel = screen.page.get_by_role("dialog", name="History")
    await expect(panel.get_by_text("The round is settled")).to_be_visible()
    await expect(panel.get_by_role("img", name="king of diamonds")).to_be_visible()
