"""Controls of a poker table in a browser: keys, sizes, side pots, pre-actions, sitting out, notes, and lost lines."""

from typing import Final

import aiohttp
import pytest
from playwright.async_api import Page, Response, expect

from tests.browser.people import DESKTOP, PHONE
from tests.browser.poker_people import Guests, callers
from tests.live.service import LiveService
from tests.live.test_poker import ask, token_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
BUY_INS: Final = (500, 750)


async def test_whole_hand_is_played_by_keys_which_are_asked_for_first(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        await guest.sit("t4")
        for caller in others:
            await caller.sit("t4")
        raise_button = guest.find('[data-act="raise"]:enabled')
        await expect(raise_button).to_have_text("Raise to 0.20")
        await guest.keyboard.press("f")
        await expect(guest.page.get_by_role("alertdialog")).to_contain_text("Play with the keyboard?")
        await guest.button("Use shortcuts").click()
        await expect(raise_button).to_be_visible()
        steps = [
            ("r", "Raise to 0.20"),
            ("ArrowUp", "Raise to 0.30"),
            ("Shift+ArrowUp", "Raise to 0.80"),
            ("ArrowDown", "Raise to 0.70"),
            ("Escape", "Raise to 0.20"),
            ("1", "Raise to 0.22"),
            ("b", "Raise to 2.2 BB"),
            ("b", "Raise to 0.22"),
            ("5", "All-in 10.00"),
            ("3", "Raise to 0.30"),
        ]
        for key, text in steps:
            await guest.keyboard.press(key)
            await expect(raise_button).to_have_text(text)
        others[0].hold()
        await guest.keyboard.press("r")
        # Before the own turn the space bar folds ahead; pressed again it takes that back.
        await expect(guest.find('[data-pre="check_fold"]')).to_be_visible()
        await guest.keyboard.press("Space")
        await expect(guest.find('[data-pre="check_fold"]')).to_have_attribute("aria-pressed", "true")
        await guest.keyboard.press("Space")
        await expect(guest.find('[data-pre="check_fold"]')).to_have_attribute("aria-pressed", "false")
        others[0].release()
        for cards in (3, 4, 5):
            await expect(guest.find("[data-board] [role=img]")).to_have_count(cards)
            await expect(guest.find('[data-act="check"]:enabled')).to_be_visible()
            await guest.keyboard.press("c")
        await expect(guest.find(".won")).to_have_text(["+0.87"])
        spoken = guest.find("[data-spoken]")
        await expect(spoken).to_contain_text("Hand over: −0.30.")
        await guest.keyboard.press("l")
        await expect(guest.find("[data-replay]")).to_be_visible()
        await guest.accessible()
        await guest.keyboard.press("l")
        await expect(guest.find("[data-replay]")).to_have_count(0)


async def test_keys_and_sizes_are_the_players_own(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        await guest.find("[data-menu]").click()
        await guest.button("Settings").click()
        await guest.find("[data-keys-on]").check()
        await guest.find('[data-key="call"]').click()
        await guest.keyboard.press("x")
        await expect(guest.find('[data-key="call"]')).to_have_text("X")
        await guest.find('[data-sizes="preflop"]').fill("half")
        await guest.find('[data-sizes="preflop"]').blur()
        await expect(guest.page.get_by_role("alert")).to_contain_text("Write at most 6 sizes")
        await guest.find('[data-sizes="preflop"]').fill("4x, pot")
        await guest.find('[data-sizes="preflop"]').blur()
        await guest.accessible()
        await guest.keyboard.press("Escape")
        others[0].hold()
        await guest.sit("t5")
        for caller in others:
            await caller.sit("t5")
        await expect(guest.find(".presets button")).to_have_text(["4x", "Pot"])
        await guest.find(".presets button").first.click()
        await expect(guest.find('[data-act="raise"]')).to_have_text("Raise to 0.40")
        await guest.find(".typed").fill("0.55")
        await guest.find(".typed").blur()
        await expect(guest.find('[data-act="raise"]')).to_have_text("Raise to 0.55")
        await guest.keyboard.press("c")
        await expect(guest.find('[data-act="call"]')).to_be_visible()
        await guest.keyboard.press("x")
        await expect(guest.find('[data-act="call"]')).to_have_count(0)


async def test_all_ins_of_three_sizes_make_side_pots(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        others[1].hold()
        await guest.sit("t6")
        for caller, buy_in in zip(others, BUY_INS, strict=True):
            await caller.sit("t6", buy_in)
        await guest.button("All-in").click()
        await guest.play("raise")
        await guest.play("raise")
        # Ten and five are in, the big blind has posted: what it may win is a pot of its own.
        await expect(guest.find("[data-side-pot]").first).to_contain_text("Main pot")
        await expect(guest.find("[data-side-pot]").nth(1)).to_contain_text("Side pot 1")
        await guest.accessible()
        others[1].release()
        # Aces win the main pot of 15.00 and kings the side pot of 5.00, less rake; 2.50 were called by nobody.
        await expect(guest.find(".won")).to_have_count(2)
        await expect(guest.find(".seat.own .won")).to_have_count(0)
        await expect(guest.find(".seat.own .stack")).to_have_text("2.50")
        await expect(guest.find("[data-board] [role=img]")).to_have_count(5)
        await expect(guest.find("[data-won]")).to_have_count(2)


async def test_pre_actions_clear_when_the_price_changes(guests: Guests, poker: LiveService) -> None:
    async with callers(poker, 1) as (caller,):
        first, second = await guests.come(), await guests.come(PHONE)
        await first.sit("t7")
        await second.sit("t7")
        await caller.sit("t7")
        call = second.find('[data-pre="call"]')
        await expect(call).to_contain_text("0.05")
        await call.click()
        await expect(call).to_have_attribute("aria-pressed", "true")
        await first.button("2.5x").click()
        caller.hold()
        await first.play("raise")
        # The price is another one: the player is asked instead of calling more than was seen.
        await expect(second.find('[data-act="call"]')).to_have_text("Call 0.20")
        await second.play("fold")
        await expect(second.find(".seat.own")).to_contain_class("folded")


async def test_sitting_out_counts_down_and_comes_back(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        await guest.sit("t8")
        for caller in others:
            await caller.sit("t8")
        await guest.play("fold")
        await guest.button("Sit out").click()
        await guest.shows("[data-sit-out]", "Removed in")
        await guest.accessible()
        await guest.button("I'm back").click()
        await expect(guest.find("[data-sit-out]")).to_have_count(0)
        await guest.button("Seat").click()
        await guest.page.get_by_label("Automatic top-up").check()
        await guest.page.get_by_label("Sit out at the next big blind").check()
        await guest.keyboard.press("Escape")
        await guest.button("Leave").click()
        await expect(guest.page.get_by_text("You have left this table.")).to_be_visible()


async def test_note_about_a_player_stays_in_the_browser(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        sent: list[str] = []
        guest.page.on("request", lambda request: sent.append(request.post_data or ""))
        guest.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
        await guest.sit("t9")
        for caller in others:
            await caller.sit("t9")
        await guest.find("button.plate").first.click()
        await guest.page.get_by_role("textbox", name="Your note").fill("bluffs rivers")
        await guest.accessible()
        await guest.button("Save").click()
        await expect(guest.find(".note")).to_have_count(1)
        await guest.page.reload()
        await expect(guest.find(".note")).to_have_attribute("title", "bluffs rivers")
        assert not any("bluffs" in text for text in sent)
        # Another account in the same browser has notes of its own.
        await guest.find("[data-menu]").click()
        await guest.button("Sign out").click()
        await guest.find("button.gold").click()
        await expect(guest.find("[data-pool]").first).to_be_visible()
        assert await guest.page.evaluate("Object.keys(localStorage).filter(key => key.includes('notes')).length") == 1


async def test_connection_lost_on_every_street_leads_back_to_the_same_hand(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        await guest.sit("t10")
        for caller in others:
            await caller.sit("t10")
        for cards in (0, 3, 4, 5):
            await expect(guest.find("[data-board] [role=img]")).to_have_count(cards)
            await expect(guest.find("[data-act]").first).to_be_visible()
            await _cut_line(guest.page)
            await expect(guest.find("[data-away]")).to_have_count(0)
            await expect(guest.find(".seat.own .card [role=img]")).to_have_count(2)
            await guest.play("check", "call")
        await expect(guest.find(".won").first).to_be_visible()


async def _cut_line(page: Page) -> None:
    """Offline until the page says so, then online again."""
    await page.context.set_offline(True)
    await expect(page.locator("[data-away]")).to_be_visible()
    await page.context.set_offline(False)


async def test_paused_table_and_void_hand_say_what_happened(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        guest = await guests.come(DESKTOP)
        await guest.sit("t11")
        for caller in others:
            await caller.sit("t11")
        table_id = await guest.find("[data-table]").get_attribute("data-table")
        await expect(guest.find("[data-act]").first).to_be_visible()
        manager, room = await token_of(web, poker, "manager"), f"{poker.address}/api/host/poker/tables/{table_id}"
        await ask(web, f"{room}/pause", manager, {"reason": "A question of the floor"})
        preview = await ask(web, f"{room}/void/preview", manager, {})
        await ask(web, f"{room}/void", manager, {"hand_id": preview["hand_id"], "reason": "The deal was wrong"})
        await guest.shows(".waits", "The table is paused.")
        await expect(guest.find(".seat.own .stack")).to_have_text("10.00")
        await ask(web, f"{room}/resume", manager, {})
        await expect(guest.find("[data-act]").first).to_be_visible()


async def test_limit_of_the_player_is_named_before_the_buy_in(guests: Guests) -> None:
    guest = await guests.come(PHONE)
    await guest.find("[data-menu]").click()
    await guest.button("Responsible gaming").click()

    def is_limits(response: Response) -> bool:
        return response.url.endswith("/api/responsible/time-out")

    async with guest.page.expect_response(is_limits):
        await guest.page.evaluate(
            "fetch('/api/responsible/time-out', {method: 'POST', headers: {'Content-Type': 'application/json'}, "
            "body: JSON.stringify({days: 1})})"
        )
    await guest.page.reload()
    await guest.find('[data-pool="t1:FUN"] .do button').click()
    await guest.shows("[data-halt]", "You can’t buy in at the moment.")
    await expect(guest.button("Take a seat")).to_be_disabled()
    await guest.accessible()
