"""Player's money: affordable PLAY bets, the way to the cashier, and the totals of the session."""

import asyncio
import sqlite3
import time
from contextlib import closing

import pytest
from playwright.async_api import Route, expect

from tests.browser.people import Screen, Visitors
from tests.live.clients import Clients, Host
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _bet(visitors: Visitors, service: LiveService, clients: Clients, chips: int) -> tuple[Screen, Host, str]:
    """A guest with 1,000.00 puts so many chips of 100.00 on the ANTE."""
    table_id = service.table("live")
    screen = await visitors.guest(table_id)
    host = await clients.host()
    await host.take_over(table_id)
    round_id = await host.start(table_id)
    for _ in range(chips):
        await screen.place("ante", "100.00")
    await screen.shows("ante", f"{chips}00.00")
    return screen, host, round_id


async def test_the_warning_names_the_play_bets_that_the_rest_covers(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, _, _ = await _bet(visitors, service, clients, 2)
    shown = screen.table.locator(".controls .hint")
    await expect(shown).to_contain_text("Your remaining 600.00 only covers PLAY 1x to 3x")
    await screen.place("ante", "100.00")
    await expect(shown).to_contain_text("Your remaining 400.00 only covers PLAY 1x")
    await screen.place("ante", "100.00")
    await expect(shown).to_contain_text("Your remaining 200.00 covers no PLAY: you can only check or fold")
    await screen.axe()
    await shown.get_by_role("button", name="Cashier").click()
    await expect(screen.page.get_by_role("dialog", name="Cashier")).to_be_visible()


async def test_a_play_that_is_not_covered_stays_in_sight_until_a_deposit_covers_it(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screen, host, round_id = await _bet(visitors, service, clients, 2)
    await host.end_betting(screen.table_id, round_id)
    await host.scan(screen.table_id, round_id, "As Kd")
    options = screen.table.locator(".options button")
    await expect(options).to_contain_text(["PLAY 4x 800.00 Balance too low", "PLAY 3x 600.00", "CHECK", "Cashier"])
    await expect(screen.button("PLAY 4x")).to_be_disabled()
    await expect(screen.button("PLAY 3x")).to_be_enabled()
    await screen.axe()
    await screen.button("Cashier").click()
    await screen.page.get_by_label("Amount").fill("200")
    await screen.page.get_by_role("button", name="Deposit").click()
    await screen.page.keyboard.press("Escape")
    await expect(screen.button("Cashier")).to_have_count(0)
    await screen.button("PLAY 4x").click()
    await screen.shows("play", "800.00")


async def test_the_session_counts_a_round_that_was_open_on_arrival(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    """The bet is of an earlier session; the round ends in this one, and loading the page again changes nothing."""
    table_id = service.table("live")
    host = await clients.host()
    await host.take_over(table_id)
    player = await clients.player()
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 2_500)
    await host.end_betting(table_id, round_id)
    await asyncio.to_thread(_wait_for_visit, service, player.id, 1)  # a visit that ends before that is never stored
    await player.close()
    await asyncio.to_thread(_as_if_left_long_ago, service, player.id)
    screen = await visitors.known(player.signed_in["token"], table_id)
    session = screen.page.locator("[data-session]")
    await host.scan(table_id, round_id, "As Kd")
    await screen.button("PLAY 4x").click()
    for cards, after in (("7h 4c 2s", "dealing_river"), ("Jd 9c", "showdown"), ("7d 7s", "settled")):
        await host.scan(table_id, round_id, cards)
        await host.phase(table_id, round_id, after)
    await expect(session).to_contain_text("−150.00")
    await screen.page.reload()
    await expect(session).to_contain_text("−150.00")
    status, shown = await clients.ask("GET", "/api/responsible", player.signed_in["token"])
    assert (status, shown["session"]["staked"], shown["session"]["net"]) == (200, 15_000, -15_000)


async def test_an_answer_overtaken_by_a_bet_brings_no_old_amount_back(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    """The page reads the account after leaving a table; the answer is older than a bet that was accepted meanwhile."""
    first_id, second_id = service.table("live"), service.table("live")
    screen = await visitors.guest(first_id)
    page, host = screen.page, await clients.host()
    await host.take_over(first_id)
    await host.start(first_id)
    await page.get_by_role("button", name="Add table").click()
    await page.get_by_role("button", name=f"Add table: Table {second_id}", exact=True).click()
    is_read, may_arrive = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        answer = await route.fetch()
        is_read.set()
        await may_arrive.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/me", hold)
    await Screen(page, second_id).button(f"Leave Table {second_id}").click()
    async with asyncio.timeout(60):
        await is_read.wait()
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    assert await screen.money() == 99_000
    async with page.expect_response("**/api/me"):
        may_arrive.set()
    me = await page.evaluate("fetch('/api/me').then((answer) => answer.json())")
    assert me["available"] == await screen.money() == 99_000


def _as_if_left_long_ago(service: LiveService, player_id: str) -> None:
    """Ends the player's session, once the service has noted that the connection is closed."""
    _wait_for_visit(service, player_id, time.time_ns() // 1_000_000)
    earlier = "UPDATE visits SET from_ms = from_ms - 3600000, until_ms = until_ms - 3600000 WHERE player_id = ?"
    with closing(_books(service)) as books, books:
        books.execute(earlier, (player_id,))


def _wait_for_visit(service: LiveService, player_id: str, until_ms: int) -> None:
    """Waits until a visit of the player is stored that lasts at least until this moment."""
    seen = "SELECT count(*) FROM visits WHERE player_id = ? AND until_ms >= ?"
    ends = time.monotonic() + 60
    with closing(_books(service)) as books:
        while books.execute(seen, (player_id, until_ms)).fetchone() == (0,):
            assert time.monotonic() < ends, "the visit is not stored"
            time.sleep(0.1)


def _books(service: LiveService) -> sqlite3.Connection:
    return sqlite3.connect(service.database.removeprefix("sqlite:///"), timeout=30)
