"""Betting tools: UNDO and REPEAT through pauses, reloads and table changes, bets below the minimum, lasting hints."""

import pytest
from playwright.async_api import expect

from tests.browser.people import Screen, Visitors
from tests.browser.test_betting import betting
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_undo_works_after_a_pause_and_after_taking_the_seat_over(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, table_id = await betting(visitors, service, clients)
    manager = await clients.host("max")
    for total in ("5.00", "10.00", "15.00"):
        await screen.place("ante", "5.00")
        await screen.shows("ante", total)
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    await expect(screen.notice).to_contain_text("The round is paused")
    await manager.ok("watch", {"table_id": table_id})
    await manager.ok("resume", {"table_id": table_id})
    await screen.button("UNDO").click()
    await screen.shows("ante", "10.00")
    second = await visitors.again(screen, table_id)
    await second.shows("ante", "10.00")
    await screen.notice.get_by_role("button").click()
    await screen.shows("ante", "10.00")
    await screen.button("UNDO").click()
    await screen.shows("ante", "5.00")
    await second.notice.get_by_role("button").click()
    await second.shows("ante", "5.00")
    await second.button("UNDO").click()  # this window does not know the steps of the other one
    await expect(second.spot("ante").locator(".amount")).to_have_count(0)
    await expect(second.button("UNDO")).to_be_disabled()


async def test_repeat_survives_a_reload_and_a_table_change(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, table_id = await betting(visitors, service, clients)
    other = service.table("live")
    await host.take_over(other)
    await host.start(other)
    await screen.place("ante", "25.00")
    await screen.place("trips", "5.00")
    await screen.shows("trips", "5.00")
    await screen.page.reload()  # leaves the table for a moment, so the house returns the bet
    await expect(screen.notice).to_contain_text("55.00 returned: you were disconnected while betting was open")
    await screen.button("OK").click()
    await screen.button("REPEAT").click()
    await screen.shows("trips", "5.00")
    manager = await clients.host("max")
    await manager.ok("watch", {"table_id": table_id})
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "A test."})
    await host.start(table_id)
    await screen.page.reload()
    await screen.button("REPEAT").click()
    await screen.shows("ante", "25.00")
    await screen.shows("trips", "5.00")
    await screen.page.locator("nav").get_by_role("button", name="Lobby").click()
    await screen.page.get_by_role("button", name=f"Switch to this table: Table {other}", exact=True).click()
    there = Screen(screen.page, other)
    await there.button("REPEAT").click()
    await there.shows("ante", "25.00")
    await there.shows("trips", "5.00")


async def test_a_bet_below_the_minimum_is_marked_and_says_what_is_missing(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("dear")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await expect(screen.chip("1.00")).to_contain_class("small")
    await expect(screen.chip("5.00")).not_to_contain_class("small")
    await screen.place("ante", "1.00")
    await screen.place("ante", "1.00")
    await expect(screen.spot("ante")).to_contain_class("short")
    await screen.page.wait_for_timeout(5_000)  # longer than any hint of this length
    await expect(screen.spot("ante").get_by_role("status")).to_have_text("3.00 more to reach the minimum")
    await screen.axe()
    await screen.place("ante", "5.00")
    await screen.shows("ante", "7.00")
    await expect(screen.spot("ante")).not_to_contain_class("short")
    await expect(screen.spot("ante").get_by_role("status")).to_have_count(0)
    await screen.button("UNDO").click()
    await expect(screen.spot("ante")).to_contain_class("short")
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    below = "Your ANTE was below the minimum of 5.00, so it is back in your balance."
    await expect(screen.table.locator("p.hint")).to_have_text(below)


async def test_a_hint_stays_as_long_as_its_length_needs(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await betting(visitors, service, clients)
    await screen.page.clock.install()
    hint = screen.spot("blind").get_by_role("status")
    await screen.spot("blind").click(force=True)  # disabled, but it answers
    await expect(hint).to_have_text("BLIND is placed automatically, equal to your ANTE")
    await screen.page.clock.run_for(3_400)
    await expect(hint).to_be_visible()
    await screen.page.clock.run_for(1_000)
    await expect(hint).to_have_count(0)
