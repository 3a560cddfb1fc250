"""Tournaments in a browser, from entry to prize: scheduled ones of every kind, Sit & Go, and HexaPro."""

import re
import secrets
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.people import DESKTOP, IN_MOTION, PHONE
from tests.browser.poker_people import SIDEWAYS, TABLET, Guest, Guests, callers
from tests.browser.tournament_people import (
    ACE,
    NUTS_FIRST,
    Manager,
    bold,
    enter,
    open_tab,
    open_tournament,
    play_until,
)
from tests.live.poker_service import TournamentClocks, order_of, started_poker
from tests.live.service import POKER_CONFIG, LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
SCHEDULE: Final = """
[[tournament]]
id = "omaha"
name = "Omaha Guaranteed"
at = {later}
game = "plo"
total = 1000
guarantee = 50000

[[tournament]]
id = "stairs"
name = "Choose Your Price"
at = {later}
total = 1000
multi_buy_in = {{ min = 1000, max = 5000, step = 1000 }}
"""
STRUCTURES: Final = """
[levels.quick]
levels = ["10/20", "20/40", "30/60", "50/100", "100/200", "200/400", "400/800"]

[structures.brief]
levels = "quick"
minutes = 1
stack = 1000

[structures.calm]
levels = "quick"
minutes = 60
stack = 1000
"""
CLOCKS: Final = TournamentClocks(minute=30_000, hour=24_000, add_on=20_000, rebuy_offer=59_000)
"""A level of the brief structure, the time between two breaks, the add-on pause, and time enough to press twice."""


@pytest.fixture(scope="module")
def room() -> Iterator[LiveService]:
    """A room with quick pauses and levels, and two tournaments that start tomorrow."""
    later = datetime.now(UTC) + timedelta(hours=20)
    shipped = (POKER_CONFIG / "structures.toml").read_text()
    files = {"schedule.toml": SCHEDULE.format(later=later.isoformat()), "structures.toml": shipped + STRUCTURES}
    with started_poker(
        "max", files=files, clocks=CLOCKS, first_hand="1", hexapro_reveal="12", decision="300"
    ) as opened:
        order_of(opened).write(NUTS_FIRST)
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def players(browser: Browser, room: LiveService) -> AsyncIterator[Guests]:
    async with Guests.at(browser, room) as coming:
        yield coming


async def filter_schedule(guest: Guest) -> None:
    """By every filter, until none of them holds any more."""
    await guest.find("[data-filter=guaranteed]").check()
    await expect(guest.find("[data-tournament]")).to_have_count(1)
    await guest.shows("[data-tournament]", "500.00 overlay so far")
    for name, text in (("speed", "regular"), ("game", "plo"), ("price", "middle"), ("type", "freezeout")):
        await guest.find(f"[data-filter={name}]").select_option(text)
    await expect(guest.find("[data-tournament]")).to_have_count(1)
    await guest.find("[data-filter=mine]").check()
    await guest.button("Show all").click()


async def look_results_up(guest: Guest, tournament_id: str, *, entries: int) -> None:
    """Everybody finds them in the list of finished tournaments. Its filter is kept."""
    await open_tab(guest, "Tournaments")
    await guest.find("[data-filter=when]").select_option("finished")
    await guest.accessible()
    await guest.find(f'[data-finished-row="{tournament_id}"] a').click()
    await guest.shows("[data-finished=finished]", "Winner")
    await guest.shows("[data-own-place]", "1st place")
    await expect(guest.find("[data-page=results] tbody tr")).to_have_count(entries)
    await guest.accessible()
    await guest.page.get_by_role("tab", name="Structure").click()
    await guest.shows("[data-page=structure]", "1 re-entry")
    await guest.button("Tournaments").click()
    await expect(guest.find(f'[data-finished-row="{tournament_id}"]')).to_be_visible()


async def test_schedule_leads_to_an_entry_a_re_entry_and_results(players: Guests, room: LiveService) -> None:
    """Two tables of four: the hand that knocks the guest out leaves others in the tournament."""
    async with callers(room, 7) as others:
        guest = await players.come(DESKTOP)
        await open_tab(guest, "Tournaments")
        await expect(guest.find("[data-tournament]")).to_have_count(2)
        await filter_schedule(guest)
        await guest.accessible()
        await guest.find('[data-tournament="omaha-fun"] a').click()
        await guest.shows("[data-standing=registering]", "Starts in")
        for tab, text in (
            ("Prizes", "Prizes depend"),
            ("Tables", "drawn at the start"),
            ("Structure", "Unregister until"),
        ):
            await guest.page.get_by_role("tab", name=tab).click()
            await guest.shows("[data-page]", text)
        await guest.accessible()
        manager = Manager(room)
        quick = await manager.announce("Quick Five", structure="calm", reentries_max=1, starts_in=timedelta(seconds=15))
        await enter(quick, *others)
        await open_tournament(guest, quick)
        await guest.page.get_by_label("Search for a player").fill(others[0].name)
        await expect(guest.find("[data-page=players] tbody tr")).to_have_count(1)
        # Entering late leads to the same table; a slow machine gets there after the start.
        await guest.find("[data-entry-actions] .gold").click()
        await guest.find("[data-confirm]").click()

        await guest.shows("[data-strip]", "of 8")
        await play_until(guest, "[data-end]", with_ace=False)
        await guest.shows("[data-end]", "You finished in")
        await guest.button("Re-enter for 5.00").click()
        await guest.button("Press again to confirm").click()
        await expect(guest.find("[data-end]")).to_have_count(0)
        await guest.shows("[data-strip]", "Place")
        await expect(guest.find("[data-available]")).to_have_text("FUN 990.00")

        # With the best hand the guest is called by the whole table.
        await play_until(guest, "[data-end]", with_ace=True)
        await guest.shows('[data-end="1"]', "You won the tournament")

        await guest.button("Close").click()
        await look_results_up(guest, quick, entries=9)


async def test_tables_play_hand_for_hand_until_the_rest_is_paid(players: Guests, room: LiveService) -> None:
    """Six players at three tables of two: knock-outs at other tables, the bubble, a move, bounties, and the end."""
    async with callers(room, 5) as others:
        bold(others)
        guest, watcher = await players.come(PHONE), await players.come(SIDEWAYS)
        bubble = await Manager(room).announce(
            "Bubble", seats=2, bounty={"kind": "progressive"}, hand_for_hand_from=2, structure="calm"
        )
        await enter(bubble, guest, *others)
        await guest.shows("[data-strip]", "Hand-for-hand, 2 before the money")
        await expect(guest.find(".seat .bounty").first).to_contain_text("2.25")
        await guest.accessible()

        await open_tournament(watcher, bubble)
        await watcher.shows("[data-standing=running]", "2 more eliminations")
        await watcher.page.get_by_role("tab", name="Tables").click()
        await expect(watcher.find("[data-page=tables] tbody tr")).to_have_count(3)  # no move before the hand is over
        own_table = (await guest.find("[data-table]").get_attribute("data-table") or "").rpartition("-")[2]
        await watcher.button(f"Watch table {own_table}").click()
        await watcher.shows("[data-own-seat=watching]", "You are watching")
        await expect(watcher.find(".seat .plate").first).to_be_visible()
        await expect(watcher.find(".seat.own")).to_have_count(0)
        await expect(watcher.find(f'.seat [aria-label="{ACE}"]')).to_have_count(0)
        await watcher.accessible()
        await open_tournament(watcher, bubble)

        # With the end of the own hand the tables move together, and in the next round of hands one more goes.
        await play_until(guest, '[data-banner=bubble]:has-text("On the bubble")', with_ace=None)
        await play_until(guest, "[data-banner=money]", "[data-end]", with_ace=True)
        await guest.shows("[data-strip]", "In the money")
        await guest.accessible()
        await watcher.shows("[data-standing=running]", "All remaining players are in the money")
        await watcher.shows(".figures", "closed")
        await watcher.page.get_by_role("tab", name="Tables").click()
        await expect(watcher.find("[data-page=tables] tbody tr")).to_have_count(1)  # the last two were moved together
        await watcher.page.get_by_role("tab", name="Prizes").click()
        await watcher.shows("[data-page=prizes]", "Final")
        await play_until(guest, "[data-end]", with_ace=True)
        await guest.shows("[data-end]", "is in your account")

        # The page that was open shows the results now.
        await watcher.shows("[data-finished=finished]", "Winner")
        await watcher.page.get_by_role("tab", name="Final table").click()
        await expect(watcher.find("[data-icm] tbody tr")).to_have_count(2)
        await watcher.accessible()


async def test_rebuy_add_on_break_and_cancellation(players: Guests, room: LiveService) -> None:
    async with callers(room, 2) as others:
        guest, manager = await players.come(TABLET), Manager(room)
        # Chips enough to fold every hand of two levels, however many are dealt in their time.
        rebuys = await manager.announce(
            "Rebuys", stack=5000, rebuy={"levels": 1}, addon={}, sync_breaks=True, late_levels=0
        )
        await enter(rebuys, guest, *others)
        await play_until(guest, "[data-end]", with_ace=False)
        await guest.shows("[data-end]", "Time left to rebuy: 0:")
        await guest.accessible()
        await guest.button("Rebuy 5,000 for 4.50").click()
        await guest.button("Press again to confirm").click()
        await expect(guest.find("[data-end]")).to_have_count(0)
        await expect(guest.find("[data-available]")).to_have_text("FUN 990.50")
        await play_until(guest, '[data-own-seat] button:has-text("Add 10,000")', with_ace=None)
        await guest.shows("[data-own-seat]", "Add-on: 0:")
        await guest.shows("[data-strip]", "Break")
        await guest.button("Add 10,000 for 4.50").click()
        await guest.button("Press again to confirm").click()
        await expect(guest.find("[data-available]")).to_have_text("FUN 986.00")
        await play_until(guest, '[data-strip]:has-text("Level 2")', with_ace=None)
        await play_until(guest, "[data-banner=break]", "[data-end]", with_ace=None)
        await manager.cancel(rebuys, "Power failure")
        await guest.shows("[data-end]", "The tournament was cancelled")
        await guest.shows("[data-end]", "is back in your account")
        await open_tournament(guest, rebuys)
        await guest.shows("[data-finished=cancelled]", "Reason: Power failure")
        await guest.shows("[data-page=results]", "Refund")
        await guest.shows("[data-page=results]", "1 rebuy · Add-on")
        await guest.accessible()


async def test_satellite_ticket_pays_for_an_entry(players: Guests, room: LiveService) -> None:
    async with callers(room, 1) as others:
        guest, manager = await players.come(PHONE), Manager(room)
        await open_tab(guest, "Tournaments")
        await guest.find('[data-tournament="stairs-fun"] button').click()
        slider = guest.page.get_by_role("slider")
        await slider.fill("3000")
        await guest.shows("[data-register]", "27.00")
        await guest.accessible()
        await guest.find("[data-confirm]").click()
        await expect(guest.find("[data-available]")).to_have_text("FUN 970.00")
        satellite = await manager.announce(
            "Satellite", satellite_to="stairs", total=600, entries_min=2, structure="calm"
        )
        await enter(satellite, guest, *others)
        await play_until(guest, "[data-end]", with_ace=True)
        await guest.shows("[data-end]", "You won a ticket")
        await guest.button("Close").click()
        await open_tab(guest, "My poker")
        await guest.shows("[data-ticket=open]", "won in a satellite")
        await guest.shows("[data-result]", "Ticket of 10.00")
        await guest.accessible()

        # The entry of the highest price is taken back, and the ticket pays for the usual one.
        await guest.find('[data-own-tournament^="mtt"]').get_by_role("button", name="Unregister").click()
        await expect(guest.find("[data-available]")).to_have_text("FUN 994.00")
        await open_tab(guest, "Tournaments")
        await guest.find('[data-tournament="stairs-fun"] button').click()
        await guest.shows("[data-register]", "With a ticket of 10.00")
        await guest.find("[data-confirm]").click()
        await guest.shows("[data-tournament=stairs-fun]", "Registered")
        await expect(guest.find("[data-available]")).to_have_text("FUN 994.00")
        await open_tab(guest, "My poker")
        await guest.shows("[data-ticket=used]", "Used")


async def test_sit_and_go_is_won_and_listed(players: Guests, room: LiveService) -> None:
    async with callers(room, 1) as (other,):
        guest = await players.come(TABLET)
        await open_tab(guest, "Sit & Go")
        open_game = guest.find('[data-sng="sng-2-100-fun"]')
        await guest.accessible()
        await open_game.get_by_role("button", name="Register").click()
        await guest.shows("[data-register]", "0.96")
        await guest.accessible()
        await guest.find("[data-confirm]").click()
        await expect(open_game).to_contain_text("1 more and it starts")
        await expect(guest.find("[data-available]")).to_have_text("FUN 999.00")
        # Taken back and entered again.
        await open_game.get_by_role("button", name="Unregister").click()
        await expect(guest.find("[data-available]")).to_have_text("FUN 1,000.00")
        await open_game.get_by_role("button", name="Register").click()
        await guest.find("[data-confirm]").click()
        _, listed = await other.get("/api/poker/tournaments?currency=FUN&status=registering&type=sng")
        (game,) = [row for row in listed["tournaments"] if row["source"] == "sng-2-100-fun"]
        await enter(game["tournament_id"], other)
        # The table opens by itself, in chips.
        await guest.shows("[data-strip]", "Level 1, next in")
        await guest.shows("[data-strip]", "Place 1 of 2")
        await expect(guest.find(".seat.own .stack")).to_have_text(re.compile("1,4[89]0"))
        await guest.accessible()
        await play_until(guest, "[data-end]", with_ace=True)
        await guest.shows('[data-end="1"]', "You won the tournament")
        await guest.shows("[data-end]", "You won FUN 1.92")
        await expect(guest.find("[data-available]")).to_have_text("FUN 1,000.92")
        await guest.accessible()
        await guest.button("Close").click()
        await open_tab(guest, "My poker")
        await guest.shows("[data-result]", "1st place")
        await guest.shows("[data-result]", "+0.92")
        await guest.accessible()
        # Its hands are in the history, in chips.
        await guest.find("[data-to-history]").click()
        await guest.shows("[data-hand]", "Tournament")
        await guest.shows("[data-hand]", "chips")


async def test_hexapro_game_reveals_a_draw_that_was_fixed_before(players: Guests, room: LiveService) -> None:
    async with callers(room, 2) as others:
        guest = await players.come(PHONE, **IN_MOTION)
        await open_tab(guest, "HexaPro")
        await expect(guest.find("[data-odds-table]")).to_have_count(0)
        await guest.find("[data-odds-button]").click()
        await guest.shows("[data-odds-table]", "1 in 100,000")
        await guest.shows("[data-odds-table]", "80 / 12 / 8 %")
        await guest.accessible()
        await guest.button("One game more").click()
        await guest.button("Play 2 games: 2.00").click()
        waiting = guest.find("[data-hexa-entry=waiting]")
        await expect(waiting).to_have_count(2)
        await waiting.first.get_by_role("button", name="Take back").click()
        await expect(waiting).to_have_count(1)
        await expect(guest.find("[data-available]")).to_have_text("FUN 999.00")
        for other in others:
            await other.accepted("hexa_register", product="classic", buy_in=100, games=1, key=secrets.token_hex(8))
        await expect(guest.find("[data-reveal]")).to_be_visible()
        await guest.keyboard.press("x")  # any key skips the count
        await guest.shows("[data-reveal=done]", "The prize pool is")
        await guest.shows("[data-reveal=done]", "Chance of this multiplier")
        await guest.shows("[data-fair=true]", "fixed before you registered")
        await guest.accessible()
        await guest.find("[data-reveal] button").click()
        await guest.shows("[data-strip]", "of 3")
        await play_until(guest, "[data-end]", with_ace=False)
        await guest.shows("[data-end]", "You finished in")
        bold(others)  # the game ends soon
        await guest.button("Close").click()
        await open_tab(guest, "HexaPro")
        await expect(guest.find("[data-hexa-result]")).to_have_count(2)
        await expect(guest.find("[data-hexa-result]").last).to_contain_text("Refunded")
        await expect(guest.find("[data-hexa-result]").last).to_contain_text("HexaPro Classic")
        await guest.shows("[data-hexa-result]", "×")
        players.expected.append("status of 404")  # the page may ask for the game in the moment in which it ends
        await guest.find("[data-hexa-result] a").first.click()
        await guest.shows("[data-finished=finished]", "×")
        await guest.shows("[data-fair=true]", "published before the game")
        await guest.accessible()
