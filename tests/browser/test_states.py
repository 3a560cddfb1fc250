"""Interruptions between player and table: every state is shown in words, with the status of the bet."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.people import PHONE, Screen, Visitors
from tests.live.clients import Clients, Host
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def seated(
    visitors: Visitors, service: LiveService, clients: Clients, kind: str
) -> tuple[Screen, Host, str, str]:
    table_id = service.table(kind)
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    return screen, host, table_id, round_id


async def test_player_who_reconnects_or_reloads_in_time_continues_the_decision(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, table_id, round_id = await seated(visitors, service, clients, "live")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    await expect(screen.button("PLAY 4x")).to_be_visible()
    await screen.page.context.set_offline(True)
    await expect(screen.notice).to_contain_text("Connection lost. Reconnecting")
    await screen.page.context.set_offline(False)
    await expect(screen.notice).to_have_count(0)
    await expect(screen.button("PLAY 4x")).to_be_visible()
    await screen.page.reload()
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await screen.page.context.set_offline(True)
    await expect(screen.notice).to_contain_text("Connection lost. Reconnecting")
    for cards, after in (("7h 4c 2s", "dealing_river"), ("Jd 9c", "showdown"), ("7d 7s", "settled")):
        await host.scan(table_id, round_id, cards)
        await host.phase(table_id, round_id, after)
    await host.start(table_id)
    await screen.page.context.set_offline(False)
    await expect(screen.notice).to_contain_text("ended while you were away")
    await screen.button("OK").click()
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "97000")


async def test_lost_service_is_shown_and_open_bets_as_returned(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _, _ = await seated(visitors, service, clients, "live")
    await screen.page.context.set_offline(True)
    await expect(screen.notice).to_contain_text("Connection lost")
    await expect(screen.ribbon).to_be_hidden()  # the notice covers it
    await expect(screen.notice).to_contain_text("We can’t reach the service")
    await screen.page.context.set_offline(False)
    await expect(screen.notice).to_contain_text("10.00 returned: you were disconnected while betting was open")
    await screen.axe()
    await screen.button("OK").click()
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "100000")
    await screen.button("REPEAT").click()
    await screen.shows("ante", "5.00")


async def test_the_seat_moves_to_another_window_and_back(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    first, _, table_id, _ = await seated(visitors, service, clients, "live")
    second = await visitors.again(first, table_id)
    await second.shows("ante", "5.00")
    await expect(first.notice).to_contain_text("You’re playing at this table on another device")
    await expect(first.chip("1.00")).to_have_count(0)  # nothing can be staked from here
    await first.axe()
    await first.button("Continue here").click()
    await first.shows("ante", "5.00")
    await expect(second.notice).to_contain_text("You’re playing at this table on another device")


async def test_every_device_counts_a_round_that_moved_between_devices(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    first, host, table_id, round_id = await seated(visitors, service, clients, "live")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    second = await visitors.again(first, table_id)
    await second.button("PLAY 4x").click()
    await second.shows("play", "20.00")
    for cards, after in (("7h 4c 2s", "dealing_river"), ("Jd 9c", "showdown"), ("7d 7s", "settled")):
        await host.scan(table_id, round_id, cards)
        await host.phase(table_id, round_id, after)
    for screen in (first, second):
        await expect(screen.page.locator("[data-session]")).to_contain_text("−30.00")
    await first.button("Continue here").click()
    await expect(second.notice).to_contain_text("You’re playing at this table on another device")
    for screen in (first, second):
        await expect(screen.page.locator("[data-session]")).to_contain_text("−30.00")


async def test_pause_and_cancelled_round_explain_the_effect_on_the_bet(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, table_id, round_id = await seated(visitors, service, clients, "live")
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Kd")
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "20.00")
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    await expect(screen.notice).to_contain_text("The round is paused")
    await expect(screen.notice).to_contain_text("A card fell to the floor.")
    await expect(screen.notice).to_contain_text("Incident")
    await screen.axe()
    manager = await clients.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is not complete."})
    await expect(screen.notice).to_contain_text("Round cancelled, 30.00 refunded.")
    await expect(screen.notice).to_contain_text("Incident")
    await screen.button("OK").click()
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "100000")


async def test_a_table_without_its_presenter_and_a_closed_one_say_so(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, PHONE)
    await expect(screen.notice).to_contain_text("There is no presenter at this table")
    host = await clients.host()
    await host.take_over(table_id)
    await expect(screen.ribbon).to_have_text("Waiting for the presenter to open betting")
    await host.ok("close_table", {"table_id": table_id})
    await expect(screen.notice).to_contain_text("at this table")
    await screen.button("Lobby").click()
    await expect(screen.page.get_by_role("dialog", name="Lobby")).to_be_visible()
    await screen.axe()


async def test_sign_out_leads_to_the_sign_in_page(visitors: Visitors, service: LiveService) -> None:
    screen = await visitors.guest(service.table("machine"))
    page = screen.page
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("button", name="Play now as a guest")).to_be_visible()
    await screen.axe()
    await page.get_by_role("button", name="New here? Create an account").click()
    await page.get_by_label("Name").fill("Ann of the browser")
    visitors.expected.append("status of 400")
    await page.get_by_label("Password").fill("short")
    await page.get_by_role("button", name="Create an account").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.get_by_label("Password").fill("a long enough password")
    await page.get_by_role("button", name="Create an account").click()
    await expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    await screen.axe()


@pytest.mark.parametrize(("name", "desk"), [("paula", "/host"), ("fiona", "/finance")])
async def test_staff_who_sign_in_at_the_players_page_are_sent_to_their_own(
    visitors: Visitors, clients: Clients, name: str, desk: str
) -> None:
    screen = await visitors.outside(PHONE)
    await visitors.becomes(screen, (await clients.sign_in(name))["token"])
    await expect(screen.page.get_by_role("alert")).to_contain_text("signed in as staff")
    await screen.axe()
    link = screen.page.get_by_role("link", name="Go to your desk")
    await expect(link).to_have_attribute("href", desk)
    await link.click()
    await expect(screen.page).to_have_url(re.compile(f"{desk}(#.*)?$"))
