"""Betting: chips, tools and keys while betting is open."""

import pytest
from playwright.async_api import expect

from tests.browser.people import Screen, Visitors
from tests.live.clients import Clients, Host
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def betting(visitors: Visitors, service: LiveService, clients: Clients) -> tuple[Screen, Host, str]:
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    await host.start(table_id)
    await expect(screen.ribbon).to_contain_text("Place your bets")
    return screen, host, table_id


async def test_chips_are_placed_by_click_and_drag_and_removed_again(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await betting(visitors, service, clients)
    await screen.spot("trips").click()
    await expect(screen.spot("trips")).to_contain_text("Place your ANTE first")
    await screen.chip("25.00").drag_to(screen.spot("ante"))
    await screen.shows("ante", "25.00")
    await screen.place("trips", "5.00")
    await screen.shows("trips", "5.00")
    assert await screen.money() == 94_500
    await screen.button("DOUBLE").click()
    await screen.shows("ante", "50.00")
    await screen.shows("trips", "10.00")
    await screen.button("UNDO").click()
    await screen.shows("ante", "25.00")
    await screen.button("UNDO").click(delay=1_200)  # held down
    await expect(screen.spot("ante").locator(".amount")).to_have_count(0)
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "100000")


async def test_the_maximum_and_a_balance_that_does_not_reach_are_said_at_the_spot(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await betting(visitors, service, clients)
    for _ in range(3):
        await screen.place("ante", "100.00")
    await screen.shows("ante", "300.00")
    await expect(screen.table.get_by_text("Your remaining 400.00 only covers PLAY 1x")).to_be_visible()
    await screen.place("ante", "100.00")
    await screen.place("ante", "100.00")
    await expect(screen.spot("ante").get_by_role("status")).to_have_text("Maximum 500.00")
    await screen.shows("ante", "500.00")
    for amount in ("1.00", "5.00", "25.00", "100.00"):
        await expect(screen.chip(amount)).to_be_disabled()
    await expect(screen.button("DOUBLE")).to_be_disabled()


async def test_a_refused_bet_comes_back_with_its_reason(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await betting(visitors, service, clients)
    limit = {"kind": "loss", "period": "day", "amount": 3_000}
    answer = await screen.page.request.put(f"{service.address}/api/responsible/limits", data=limit)
    assert answer.ok
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await screen.spot("ante").click()
    await expect(screen.spot("ante").get_by_role("status")).to_contain_text("limit")
    await screen.shows("ante", "5.00")
    assert await screen.money() == 99_000


async def test_everything_can_be_bet_by_keys(visitors: Visitors, service: LiveService, clients: Clients) -> None:
    screen, host, table_id = await betting(visitors, service, clients)
    keyboard, ante, trips = screen.page.keyboard, screen.spot("ante"), screen.spot("trips")
    await keyboard.press("2")
    await ante.press("Enter")
    await screen.shows("ante", "5.00")
    await keyboard.press("1")
    await trips.press("Enter")
    await screen.shows("trips", "1.00")
    await keyboard.press("Space")  # nothing to repeat any more: it doubles
    await screen.shows("ante", "10.00")
    await keyboard.press("Control+z")
    await screen.shows("ante", "5.00")
    await keyboard.press("Delete")
    await expect(trips.locator(".amount")).to_have_count(0)
    await keyboard.press("Backspace")
    await expect(ante.locator(".amount")).to_have_count(0)
    for _ in range(2):
        await ante.press("Enter")
    await screen.shows("ante", "2.00")
    await keyboard.down("Delete")
    await screen.shows("ante", "1.00")
    await ante.press("Enter")
    await screen.shows("ante", "2.00")
    await screen.page.wait_for_timeout(3_000)  # held for so long, the key clears everything
    await keyboard.down("Delete")
    await expect(ante.locator(".amount")).to_have_count(0)
    await keyboard.up("Delete")
    await ante.press("Enter")
    await screen.shows("ante", "1.00")
    manager = await clients.host("max")
    await manager.ok("watch", {"table_id": table_id})
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "A test."})
    await screen.table.get_by_role("button", name="OK").click()
    await host.start(table_id)
    await expect(screen.button("REPEAT")).to_be_enabled()
    await keyboard.press("Space")
    await screen.shows("ante", "1.00")


async def test_bets_of_several_tables_are_kept_apart(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, first_id = await betting(visitors, service, clients)
    second_id = service.table("live")
    host = await clients.host()
    await host.take_over(second_id)
    await host.start(second_id)
    await screen.page.get_by_role("button", name="Add table").click()
    lobby = screen.page.get_by_role("dialog", name="Add table")
    await lobby.get_by_role("button", name=f"Add table: Table {second_id}", exact=True).click()
    second = Screen(screen.page, second_id)
    await screen.place("ante", "5.00")
    await second.place("ante", "25.00")
    await screen.shows("ante", "5.00")
    await second.shows("ante", "25.00")
    assert await screen.money() == await second.money() == 94_000
    await screen.axe()
    await second.button(f"Leave Table {second_id}").click()
    await expect(second.table).to_have_count(0)
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "99000")
    await screen.shows("ante", "5.00")
    assert first_id != second_id
