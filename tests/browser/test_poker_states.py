"""States of a seat at a poker table in a browser: from the queue to leaving, and what may go wrong on the way."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Final

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.people import DESKTOP, PHONE
from tests.browser.poker_layout import faults
from tests.browser.poker_people import SIDEWAYS, TABLET, Caller, Guest, Guests, callers
from tests.live.poker_service import TOP, order_of, started_poker
from tests.live.service import LiveService
from tests.live.test_poker import ask, token_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
STAKE: Final = """
[[stake]]
id = "{}"
game = "{}"
sb = {}
bb = {}
permille = 35
cap = 100
"""
STAKES: Final = [f"t{number}" for number in range(1, 9)]
STRAIGHT: Final = "2s 4h As 2d 4c Kd 3c 7h Qs 3s 7c Jh Ts 9s 8c 2h 3d"
"""Four cards each for three players: the button has a straight on the flop, with queen and jack."""


@pytest.fixture(scope="module")
def room() -> Iterator[LiveService]:
    texts = [STAKE.format(name, "nlhe", 5, 10) for name in STAKES]
    texts += [STAKE.format("omaha", "plo", 5, 10), STAKE.format("dear", "nlhe", 2_000, 4_000)]
    with started_poker(
        "max",
        stakes="".join(texts),
        chat="true",
        between_hands="2",
        after_showdown="2",
        decision="40",
        after_restart="3",
        buy_in_offer="8",
        rebuy_offer="8",
        remove_everywhere_after="15",
    ) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def guests(browser: Browser, room: LiveService) -> AsyncIterator[Guests]:
    async with Guests.at(browser, room) as coming:
        yield coming


async def come(guests: Guests, locale: str = "en-GB") -> Guest:
    return await guests.come(DESKTOP, locale, pools=len(STAKES) + 2)


async def sit_together(guest: Guest, others: list[Caller], stake: str, *buy_ins: int) -> None:
    """The guest sits down first, and so has the button; with three players it acts first."""
    await guest.sit(stake)
    for caller, buy_in in zip(others, buy_ins or [1_000] * len(others), strict=True):
        await caller.sit(stake, buy_in)
    await expect(guest.find("[data-act]:enabled").first).to_be_visible()


async def test_way_from_the_queue_over_the_big_blind_to_removal(guests: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await come(guests)
        await guest.find('[data-pool="dear:FUN"] .do button').click()
        await guest.shows("[role=dialog] [role=alert]", "The smallest buy-in is 2,000.00. You have less.")
        await expect(guest.button("Take a seat")).to_be_disabled()
        await guest.keyboard.press("Escape")
        await guest.page.get_by_role("tab", name="My poker").click()
        await guest.button("Choose a stake").click()
        await guest.sit("t1")
        await guest.shows('[data-pool="t1:FUN"] .queue', "Place 1: 2 more and a table opens")
        await guest.page.get_by_role("tab", name="My poker").click()
        await guest.shows('[data-queue="t1:FUN"]', "Place 1")
        await guest.accessible()
        for caller in others:
            await caller.sit("t1")
        await expect(guest.find("[data-act]:enabled").first).to_be_visible()  # the table opened by itself

        newcomer = await come(guests)
        await newcomer.find('[data-pool="t1:FUN"] .do button').click()
        await newcomer.page.get_by_role("radio", name="Wait for the big blind").check()
        await newcomer.button("Take a seat").click()
        await newcomer.shows("[data-own-seat]", "You are dealt in with the big blind, or sooner for a post of 0.10.")
        await newcomer.accessible()
        await newcomer.button("Post now").click()
        await newcomer.shows("[data-own-seat]", "You post 0.10 and are dealt in with the next hand.")
        await expect(newcomer.find(".seat.own .card [role=img]")).to_have_count(0)

        await guest.button("Sit out").click()
        await guest.shows("[data-going-out]", "You sit out after this hand.")
        await guest.play("fold")
        await guest.shows("[data-sit-out]", "Removed in 9:5")
        await expect(newcomer.find(".seat.own .card [role=img]")).to_have_count(2)
        await guest.accessible()

        # At two tables the time is shorter, and the player leaves both.
        await guest.button("Lobby").click()
        await sit_at_second(guest, others)
        await guest.find('[data-act="check"]:enabled').wait_for()
        others[1].hold()  # on the flop, before the guest: a decision of the own hides the other buttons
        await guest.play("check")
        await guest.find('[data-do="sit-out"]').click()
        await expect(guest.find("[data-going-out]")).to_have_count(1)
        others[1].release()
        for _street in ("flop", "turn", "river"):
            await guest.play("check")
        await expect(guest.find("[data-sit-out]")).to_have_count(2)
        await expect(guest.button("I'm back at all tables")).to_have_count(2)
        removed = guest.page.get_by_text("You sat out for too long and were removed from the table.")
        await expect(removed).to_have_count(2)
        await guest.accessible()
        for _ in range(2):
            await guest.button("Close").first.click()
        # Known defect: the page may keep the balance of the first return. Without the reload this fails at times.
        await guest.page.reload()
        await guest.shows("[data-available]", "FUN 999.90")  # the big blind of the last hand went to aces


async def sit_at_second(guest: Guest, others: list[Caller]) -> None:
    for caller in others:
        await caller.sit("t2")
    await guest.page.get_by_role("tab", name="Cash").click()
    await guest.sit("t2")
    await guest.find("[data-table] >> nth=1").wait_for()


async def test_reserved_seat_waits_for_the_buy_in_and_lapses(guests: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await come(guests)
        await sit_together(guest, others, "t3")
        await guest.play("fold")
        await guest.find(".won").first.wait_for()
        await guest.button("Leave").click()
        await guest.button("Close").click()
        join, reserved = guest.find('[data-pool="t3:FUN"] .do button'), guest.find("[data-reserved]")
        await join.click()
        await guest.find("[data-buy-in]").fill("600")
        await guest.button("Take a seat").click()
        await expect(reserved).to_contain_text("Your buy-in at this table: 10.00")
        await expect(reserved).to_contain_text("You left here with 10.00 a short while ago.")
        await guest.accessible()
        await guest.page.reload()  # the seat is still there
        await expect(reserved).to_contain_text("Your buy-in at this table: 10.00")
        await guest.shows('[data-pool="t3:FUN"] .queue', "Your reserved seat was given away.")
        await expect(reserved).to_have_count(0)
        await join.click()
        await guest.button("Take a seat").click()
        await guest.button("Give the seat back").click()
        await expect(reserved).to_have_count(0)
        await join.click()
        await guest.button("Take a seat").click()
        await guest.button("Sit down with 10.00").click()
        await expect(guest.find(".seat.own .stack")).to_have_text("10.00")


async def test_player_without_chips_meets_a_limit_and_a_break(guests: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await come(guests)
        limit = {"kind": "loss", "period": "day", "amount": 1_500}
        answer = await guest.page.request.put(f"{room.address}/api/responsible/limits", data=limit)
        assert answer.ok, await answer.text()
        await sit_together(guest, others, "t4")
        await guest.button("All-in").click()
        await guest.play("raise")
        await guest.play("raise")
        await guest.shows("[data-own-seat]", "You have no chips. Top up within")
        await guest.accessible()
        # Ten of fifteen are lost: another ten would be too much.
        await guest.button("Top up 10.00").click()
        await expect(guest.find(".refusal")).to_contain_text("limit")
        await guest.page.get_by_role("slider", name="Buy-in").fill("500")
        await guest.button("Top up 5.00").click()
        await expect(guest.find(".seat.own .stack")).to_have_text("5.00")
        answer = await guest.page.request.post(f"{room.address}/api/responsible/time-out", data={"days": 1})
        assert answer.ok, await answer.text()
        left = guest.page.get_by_text("You asked for a break, so you have left this table with your chips.")
        await expect(left).to_be_visible()
        await guest.accessible()


async def test_table_that_cannot_play_closes_and_its_player_is_moved(guests: Guests, room: LiveService) -> None:
    async with callers(room, 5) as first, callers(room, 3) as second:
        guest = await come(guests)
        await guest.sit("t5")
        for caller in first[:2]:
            await caller.sit("t5")
        table_id = await guest.find("[data-table]").get_attribute("data-table")
        for caller in [*first[2:], *second]:  # three find a seat here, and three wait for a table
            await caller.sit("t5")
        await expect(guest.find("[data-act]:enabled").first).to_be_visible()
        await guest.play("fold")
        for caller in first:
            await caller.say("leave", table_id=table_id)
        await guest.shows("[data-moved]", "was closed. You play on here with your chips.")
        await expect(guest.find("[data-table]")).to_have_count(1)
        await expect(guest.find(".seat.own .stack")).to_have_text("10.00")
        assert await guest.find("[data-table]").get_attribute("data-table") != table_id
        await guest.accessible()


async def test_chat_is_closed_at_first_and_says_who_may_not_write(guests: Guests, room: LiveService) -> None:
    async with callers(room) as others, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        guest = await come(guests)
        await sit_together(guest, others, "t6")
        await expect(guest.page.get_by_role("dialog")).to_have_count(0)
        chat = guest.find(".tools button").nth(1)
        await chat.click()
        await guest.shows("[data-with-cards]", "You can’t write while you have cards.")
        # The decision is not covered, on no screen.
        for size in (DESKTOP, TABLET, PHONE, SIDEWAYS):
            await guest.page.set_viewport_size(size)
            await guest.find('[data-act="fold"]').click(trial=True)
            await guest.find('[data-act="raise"]').click(trial=True)
        await guest.accessible()
        await guest.page.set_viewport_size(DESKTOP)
        await guest.keyboard.press("Escape")
        others[0].hold()
        await guest.play("fold")
        table_id = await guest.find("[data-table]").get_attribute("data-table")
        await guest.find(".tools button").nth(1).click()
        entry = guest.page.get_by_role("textbox", name="Message")
        await entry.fill("Good evening")
        await guest.button("Send").click()
        await guest.shows("[role=log]", "Good evening")
        await guest.keyboard.press("Escape")
        manager = await token_of(web, room, "manager")
        floor = f"{room.address}/api/host/poker/tables/{table_id}"
        # A pause in a hand begins after it; a void hand under a pause says both.
        await ask(web, f"{floor}/pause", manager, {"reason": "A question"})
        await guest.shows(".waits", "The table pauses after this hand. A question")
        preview = await ask(web, f"{floor}/void/preview", manager, {})
        await ask(web, f"{floor}/void", manager, {"hand_id": preview["hand_id"], "reason": "The deal was wrong"})
        await guest.shows(".waits", "The hand is void. All bets are back. The table is paused. A question")
        await expect(guest.find(".seat .stack")).to_have_text(["10.00"] * 3)
        await guest.accessible()


async def test_own_cards_are_shown_after_the_hand_for_some_seconds(guests: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await come(guests)
        await sit_together(guest, others, "t7")
        await expect(guest.button("Last hand")).to_be_disabled()  # the own turn needs the felt
        await guest.play("fold")
        await guest.find(".won").first.wait_for()
        await expect(guest.find("[data-show]")).to_have_count(0)  # others went on to the showdown
        for _street in ("preflop", "flop", "turn"):
            await guest.play("check")
        await guest.play("fold")
        await expect(guest.find('[data-act="fold"]')).to_have_text("Fold? Checking is free")
        await guest.page.wait_for_timeout(600)  # the second half of a double click is no answer
        await guest.play("fold")
        await guest.button("Show my cards").click()
        kings = await others[0].until("step", lambda step: step["kind"] == "shown" and step["seat"] == 1)
        assert kings["cards"] == ["Kh", "Kd"]
        await expect(guest.find("[data-show]")).to_have_count(0)


async def test_omaha_names_the_two_cards_that_count_and_fits_every_screen(guests: Guests, room: LiveService) -> None:
    order_of(room).write(STRAIGHT)
    try:
        async with callers(room) as others:
            guest = await come(guests)
            await sit_together(guest, others, "omaha")
            await guest.play("call")
            await guest.shows("[data-own-hand]", "Queen-high straight with Q♠ J♥")
            await expect(guest.find(".seat.own .card [role=img]")).to_have_count(4)
            await expect(guest.find('[data-act="check"]:enabled')).to_be_visible()
            for size in (DESKTOP, TABLET, PHONE, SIDEWAYS):
                await guest.page.set_viewport_size(size)
                assert await faults(guest) == [], size
            await guest.accessible()
            for _street in ("flop", "turn", "river"):
                await guest.play("check")
            await expect(guest.find(".seat.own .won")).to_have_text("+0.29")
            await guest.find("[data-to-history]").click()
            await guest.find("[data-hand]").first.click()
            await guest.button("Check fairness").click()
            await guest.shows("[data-verdict]", "Fair: all 17 cards were in their places")
    finally:
        order_of(room).write(TOP)


async def test_hand_is_void_after_the_service_was_killed(guests: Guests, room: LiveService) -> None:
    """Last, because the service stops: for a player who comes back at once, and for one who comes back later."""
    async with callers(room, 1) as others:
        guest, late = await come(guests), await come(guests)
        await guest.sit("t8")
        await late.sit("t8")
        await others[0].sit("t8")
        await guest.play("call")
        await late.play("call")
        await expect(guest.find("[data-board] [role=img]")).to_have_count(3)
        await late.page.context.set_offline(True)
        await asyncio.to_thread(room.kill)
        await guest.shows("[data-away]", "The connection is lost. Trying again…")
        await guest.accessible()
        await asyncio.to_thread(room.start)
        for player in (guest, late):
            await player.page.context.set_offline(False)
            await player.shows(".waits", "The service was restarted. If a hand was running, it is void")
            await expect(player.find(".seat.own .stack")).to_have_text("10.00")
            await expect(player.find("[data-away]")).to_have_count(0)
        await guest.accessible()
