"""Tournaments in a browser: Sit & Go, HexaPro and a scheduled tournament with two tables, from entry to prize."""

import re
import secrets
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.people import DESKTOP, IN_MOTION, PHONE
from tests.browser.poker_people import SIDEWAYS, TABLET, Caller, Guest, Guests, callers
from tests.live.poker_service import order_of, started_poker
from tests.live.service import Json, LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
NUTS_FIRST: Final = "Ah 5c Tc 5s Ts 2h 3h 4h 6h Td 7h 8h 9h Jh Qh Kh 5d"
"""The ace of hearts for the player left of the button, and four hearts on the board of every table of two to six."""
ACE: Final = "ace of hearts"
STARTS_IN: Final = timedelta(seconds=40)
SCHEDULE: Final = """
[[tournament]]
id = "quick"
name = "Quick Five"
at = {at}
total = 500
structure = "turbo"
stack = 1000
reentries_max = 1
unregister_until_minutes = 0
sync_breaks = false

[[tournament]]
id = "omaha"
name = "Omaha Guaranteed"
at = {later}
game = "plo"
total = 1000
guarantee = 50000
"""


@pytest.fixture(scope="module")
def room() -> Iterator[LiveService]:
    """A room with quick pauses, a tournament that starts soon, and a guaranteed one that starts tomorrow."""
    at = datetime.now(UTC) + STARTS_IN
    schedule = SCHEDULE.format(at=at.isoformat(), later=(at + timedelta(hours=20)).isoformat())
    with started_poker(first_hand="1", hexapro_reveal="12", decision="40", files={"schedule.toml": schedule}) as opened:
        order_of(opened).write(NUTS_FIRST)
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def players(browser: Browser, room: LiveService) -> AsyncIterator[Guests]:
    async with Guests.at(browser, room) as coming:
        yield coming


async def rows(caller: Caller, source: str) -> list[Json]:
    _, listed = await caller.get("/api/poker/tournaments?currency=FUN")
    return [row for row in listed["tournaments"] if row["source"] == source]


async def enter(source: str, *others: Caller) -> None:
    """Registers callers for the open tournament of this source."""
    for other in others:
        (row,) = [row for row in await rows(other, source) if row["is_registration_open"]]
        await other.accepted("register", tournament_id=row["tournament_id"], key=secrets.token_hex(8))


async def open_tab(guest: Guest, name: str) -> None:
    lobby = guest.page.get_by_role("button", name="Lobby", exact=True)
    if await lobby.get_attribute("aria-pressed") == "false":
        await lobby.click()
    await guest.page.get_by_role("tab", name=name).click()


async def bet_everything(guest: Guest) -> None:
    """Raises to all chips, which is asked about again; calls where the rules allow no raise.

    A stack of few big blinds has one size, and no presets. A raise that no opponent could pay is not offered.
    """
    if await guest.find("[data-act=raise]").count() == 0:
        await guest.play("call", "check")
        return
    all_in = guest.find(".presets").get_by_role("button", name="All-in")
    if await all_in.count() > 0:
        await all_in.click()
    await guest.play("raise")
    await guest.play("raise")


async def play_until(guest: Guest, *ends: str, with_ace: bool) -> None:
    """Bets everything with the ace of hearts, or without it, and folds otherwise, until one of these can be seen."""
    end = guest.find(", ".join(ends)).first
    question = guest.find("[data-question]").first
    while True:
        await expect(end.or_(question).first).to_be_visible()
        if await end.is_visible():
            return
        asked = await question.get_attribute("data-question")
        label = await guest.find(".seat.own .card [role=img]").first.get_attribute("aria-label")
        if (label == ACE) == with_ace:
            await bet_everything(guest)
        else:
            await guest.play("fold")
            if await guest.find("[data-act=fold]").get_by_text("Checking is free").count() > 0:
                await guest.play("fold")
        await expect(guest.find(f'[data-question="{asked}"]')).to_have_count(0)


async def test_tournament_is_entered_again_and_leads_to_another_table(players: Guests, room: LiveService) -> None:
    async with callers(room, 12) as others:
        await enter("quick-fun", *others)
        guest = await players.come(DESKTOP)
        await open_tab(guest, "Tournaments")
        await expect(guest.find("[data-tournament]")).to_have_count(2)
        await guest.find("[data-filter=guaranteed]").check()
        await expect(guest.find("[data-tournament]")).to_have_count(1)
        await guest.shows("[data-tournament]", "500.00 overlay so far")
        await guest.find("[data-filter=speed]").select_option("regular")
        await guest.find("[data-filter=mine]").check()
        await guest.button("Show all").click()
        await guest.accessible()
        await guest.find('[data-tournament="omaha-fun"] a').click()
        await guest.shows("[data-standing=registering]", "Starts in")
        for tab, text in (
            ("Prizes", "Prizes follow"),
            ("Tables", "drawn at the start"),
            ("Structure", "Unregister until"),
        ):
            await guest.page.get_by_role("tab", name=tab).click()
            await guest.shows("[data-page]", text)
        await guest.accessible()
        await guest.button("Tournaments").click()
        await guest.find('[data-tournament="quick-fun"] a').click()
        await guest.page.get_by_label("Search for a player").fill(others[0].name)
        await expect(guest.find("[data-page=players] tbody tr")).to_have_count(1)
        # Entering late leads to the same table; a slow machine gets there after the start.
        await guest.find("[data-entry-actions] .gold").click()
        await guest.find("[data-confirm]").click()

        await guest.shows("[data-strip]", "of 13")
        await play_until(guest, "[data-end]", with_ace=False)
        await guest.shows("[data-end]", "You finished in")
        again = guest.button("Re-enter for 5.00")
        await again.click()
        await guest.button("Press again to confirm").click()
        await expect(guest.find("[data-end]")).to_have_count(0)
        await guest.shows("[data-strip]", "Place")
        await expect(guest.find("[data-available]")).to_have_text("FUN 990.00")

        # Somebody else looks on from the lobby of the tournament, and sees no cards.
        watcher = await players.come(SIDEWAYS)
        await open_tab(watcher, "Tournaments")
        await watcher.find('[data-tournament="quick-fun"] a').click()
        await watcher.page.get_by_role("tab", name="Tables").click()
        await watcher.find("[data-page=tables] button").first.click()
        await watcher.shows("[data-own-seat=watching]", "You are watching")
        await expect(watcher.find(".seat .plate").first).to_be_visible()
        await watcher.accessible()
        await watcher.button("Stop watching").click()
        await expect(watcher.find("[data-table]")).to_have_count(0)

        # With the best hand the guest is called by the whole table, which breaks then.
        await play_until(guest, "[data-moved]", "[data-end]", with_ace=True)
        await guest.shows("[data-moved]", "You were moved here")
        await guest.accessible()
        await play_until(guest, "[data-end]", with_ace=True)
        await guest.shows('[data-end="1"]', "You won the tournament")


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
        await enter("sng-2-100-fun", other)
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
        await guest.button("Close").click()
        await open_tab(guest, "HexaPro")
        await expect(guest.page.get_by_role("tabpanel")).to_contain_text("×")
