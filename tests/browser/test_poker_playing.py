"""Playing at poker tables in a browser: the bet box by mouse, guards, pre-actions, chips, two tables, keys alone."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from tests.browser.people import DESKTOP, PHONE
from tests.browser.poker_people import TABLET, Guest, Guests, callers
from tests.live.poker_service import started_poker
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
# Everything a page moves by more than a fade, from now on; timer rings turn, they do not move.
MOVES: Final = """() => {
  window.moves = [];
  const isMove = (frame) => frame.transform || frame.translate || frame.scale;
  const look = () => {
    for (const { effect } of document.getAnimations()) {
      const isSlow = effect.getComputedTiming().duration > 1 && !effect.target.closest('.ring');
      if (isSlow && effect.getKeyframes().some(isMove)) window.moves.push(effect.target.outerHTML.slice(0, 100));
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
HEARD: Final = """() => {
  window.heard = [];
  const list = document.querySelector('[data-spoken]');
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) heard.push(...[...addedNodes].map((node) => node.textContent));
  }).observe(list, { childList: true });
}"""


@pytest.fixture(scope="module")
def room() -> Iterator[LiveService]:
    """A room with long decisions and short pauses."""
    with started_poker(between_hands="1", after_showdown="1", decision="60") as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def players(browser: Browser, room: LiveService) -> AsyncIterator[Guests]:
    async with Guests.at(browser, room) as coming:
        yield coming


async def says(button: Locator, text: str, small: str) -> None:
    """The decision on the button, and what is smaller below it."""
    await expect(button).to_have_text(re.compile(f"^{re.escape(text)}\\s*{re.escape(small)}$"))


async def test_bet_box_by_mouse_and_by_typing(players: Guests, room: LiveService) -> None:
    async with callers(room) as (button, big):
        big.hold()
        guest = await players.come()
        await button.sit("t1")
        await guest.sit("t1")
        await big.sit("t1")
        raises, typed = guest.find('[data-act="raise"]'), guest.find(".typed")
        await says(raises, "Raise to 0.20", "0.15 more")
        await expect(guest.find("[data-range]")).to_have_text("0.20 to 10.00")
        for preset, text, more in (
            ("2.2x", "Raise to 0.22", "0.17 more"),
            ("2.5x", "Raise to 0.25", "0.20 more"),
            ("3x", "Raise to 0.30", "0.25 more"),
            ("Pot", "Raise to 0.40", "0.35 more"),
        ):
            await guest.button(preset).click()
            await says(raises, text, more)
            await expect(guest.button(preset)).to_have_attribute("aria-pressed", "true")
        slider = guest.find(".slide [type=range]")
        width = (await slider.bounding_box() or {"width": 0.0})["width"]
        await slider.click(position={"x": width - 2, "y": 20})
        await says(raises, "All-in 10.00", "9.95 more")
        await slider.click(position={"x": 2, "y": 20})
        await says(raises, "Raise to 0.20", "0.15 more")
        for name, text in (("More", "0.30"), ("More", "0.40"), ("Less", "0.30"), ("Less", "0.20"), ("Less", "0.20")):
            await guest.page.get_by_role("button", name=name, exact=True).click()
            await expect(raises).to_contain_text(f"Raise to {text}")
        await guest.page.mouse.move(500, 400)
        for turn, text in ((-100, "0.30"), (-100, "0.40"), (100, "0.30")):
            await guest.page.mouse.wheel(0, turn)
            await expect(raises).to_contain_text(f"Raise to {text}")
        # The field takes an amount, says what became of it, and gives the keys back.
        for text, key, shown, amount in (
            ("0,55", "Enter", "0.55", "Raise to 0.55"),
            ("0.01", "Enter", "0.20", "Raise to 0.20"),
            ("much", "Enter", "0.20", "Raise to 0.20"),
            ("0.90", "Escape", "0.20", "Raise to 0.20"),
            ("99", "Tab", "10.00", "All-in 10.00"),
        ):
            await typed.fill(text)
            await typed.press(key)
            await expect(typed).not_to_be_focused()
            await expect(typed).to_have_value(shown)
            await expect(raises).to_contain_text(amount)
        await guest.button("BB: Show big blinds").click()
        await expect(guest.find("[data-range]")).to_have_text("2 BB to 100 BB")
        await typed.fill("2.5")
        await typed.press("Enter")
        await says(raises, "Raise to 2.5 BB", "2 BB more")


async def test_large_bets_are_pressed_twice_or_held(players: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await players.come()
        await guest.sit("t7")
        for caller in others:
            caller.hold()
            await caller.sit("t7")
        raises = guest.find('[data-act="raise"]')
        await guest.button("All-in").click()
        await raises.dblclick()
        await says(raises, "All-in 10.00", "Press again to confirm")
        await guest.button("3x").click()  # another amount: the question is over
        await expect(raises).to_have_text("Raise to 0.30")
        await guest.find("[data-menu]").click()
        await guest.button("Settings").click()
        await guest.page.get_by_label("Bets over four fifths of your stack").select_option("hold")
        await guest.accessible()
        await guest.keyboard.press("Escape")
        await guest.button("All-in").click()
        for _short in range(2):
            await raises.click()
            await says(raises, "All-in 10.00", "Hold to confirm")
        await raises.hover()
        await guest.page.mouse.down()
        await expect(raises).to_have_count(0)
        await guest.page.mouse.up()
        await expect(guest.find(".seat.own .badge")).to_have_text("All-in")


async def test_free_folds_are_asked_about_and_decisions_in_advance(players: Guests, room: LiveService) -> None:
    async with callers(room) as (button, small):
        guest = await players.come(TABLET)
        await button.sit("t2")
        await small.sit("t2")
        await guest.sit("t2")
        fold = guest.find('[data-act="fold"]:enabled')
        await fold.click()
        await expect(fold).to_have_text("Fold? Checking is free")
        await guest.keyboard.press("Escape")
        small.hold()
        button.hold()
        await guest.play("check")
        pre = guest.find("[data-pre]")
        await expect(pre).to_have_text(["Check/Fold", "Check", "Call any", "Fold"])
        await guest.accessible()
        for number in range(4):
            await pre.nth(number).click()
            await expect(guest.find("[data-pre][aria-pressed=true]")).to_have_count(1)
            await expect(pre.nth(number)).to_have_attribute("aria-pressed", "true")
        await guest.find('[data-pre="check"]').click()
        await small.step()
        await button.step()
        # Checked ahead on the flop; on the turn nothing is chosen.
        await expect(guest.find("[data-board] [role=img]")).to_have_count(4)
        await expect(pre).to_have_count(4)
        await expect(guest.find("[data-pre][aria-pressed=true]")).to_have_count(0)
        await guest.find('[data-pre="fold"]').click()
        await expect(guest.find('[data-pre="fold"][aria-pressed=true]')).to_have_count(1)
        await small.step()
        await expect(guest.find(".seat.own")).to_contain_class("folded")
        button.release()
        small.hold()
        await small.step()  # the river
        await expect(guest.find('[data-pre="call"]')).to_have_text("Call 0.05")
        await guest.find('[data-pre="call_any"]').click()
        await expect(guest.find('[data-pre="call_any"][aria-pressed=true]')).to_have_count(1)
        button.hold()
        await small.step()
        await expect(guest.find(".seat.own")).to_contain_text("Call")
        await expect(guest.find("[data-act]")).to_have_count(0)


async def test_chips_of_the_own_seat_come_and_go(players: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await players.come(TABLET)
        available, chips = guest.find("[data-available]"), guest.find(".chips [type=range]")
        await guest.find('[data-pool="t3:FUN"] .do button').click()
        await guest.button("Smallest").click()
        await guest.accessible()
        await guest.button("Take a seat").click()
        await expect(guest.button("Take a seat")).to_have_count(0)
        for caller in others:
            await caller.sit("t3")
        await expect(available).to_have_text("FUN 995.00")
        # Queens lose against aces: the seat waits for new chips.
        await guest.button("All-in").click()
        await guest.play("raise")
        await guest.play("raise")
        await guest.shows("[data-own-seat]", "You have no chips")
        await guest.accessible()
        await chips.focus()
        await guest.keyboard.press("Home")
        await guest.button("Top up 5.00").click()
        await expect(available).to_have_text("FUN 990.00")

        # Folded blinds are filled up to the buy-in after the hand: one of three hands has one.
        seat = guest.page.get_by_role("button", name="Seat", exact=True)
        await expect(guest.find('[data-act="fold"]')).to_be_enabled()
        await seat.click()
        await guest.accessible()
        await guest.page.get_by_label("Automatic top-up").check()
        for _hand in range(3):
            await fold(guest)
        await expect(guest.find('[data-act="fold"]')).to_be_enabled()
        await expect(available).to_have_text(re.compile(r"FUN\s989\.\d\d"))
        # During a hand all that is missing is promised for its end.
        await guest.button("Fill up to 10.00 after this hand").click()
        await guest.shows("[data-filling]", "Your chips are filled up after this hand.")
        await fold(guest)
        await expect(available).to_have_text(re.compile(r"FUN\s984\.\d\d"))
        await expect(guest.find("[data-filling]")).to_have_count(0)
        await guest.page.get_by_label("Sit out at the next big blind").check()
        while not await guest.find("[data-sit-out]").count():
            await expect(guest.find('[data-act="fold"]:enabled, [data-sit-out]').first).to_be_visible()
            if await guest.find('[data-act="fold"]').count():
                await fold(guest)


async def fold(guest: Guest) -> None:
    """Folds, also where checking is free."""
    await guest.play("fold")
    if await guest.find('[data-act="fold"]').count():
        await guest.play("fold")


async def test_keys_and_views_move_between_two_tables(players: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await players.come()
        for number, stake in enumerate(("t4", "t5")):
            if number:
                await guest.button("Lobby").click()
            await guest.sit(stake)
            for caller in others:
                caller.hold()
                await caller.sit(stake)
            await expect(guest.find(".table.asks")).to_have_count(number + 1)
        await guest.find("[data-menu]").click()
        await guest.button("Settings").click()
        await guest.find("[data-keys-on]").check()
        await guest.keyboard.press("Escape")
        await guest.accessible()
        active, asking = guest.find(".table.active"), guest.find(".table.asks")
        first = await active.get_attribute("data-table")
        await guest.keyboard.press("Tab")
        await expect(active).not_to_have_attribute("data-table", str(first))
        second = await active.get_attribute("data-table")
        await guest.keyboard.press("3")
        await expect(active.locator('[data-act="raise"]')).to_contain_text("Raise to 0.30")
        await expect(guest.find(f'[data-table="{first}"] [data-act="raise"]')).to_contain_text("Raise to 0.20")

        await guest.page.context.set_offline(True)
        await expect(guest.find("[data-away]")).to_be_visible()
        await guest.page.context.set_offline(False)
        await expect(guest.find("[data-away]")).to_have_count(0)
        await expect(asking).to_have_count(2)

        # On a phone one table is shown. The player may look at the other one although this one asks.
        phone = await players.again(guest, PHONE)
        await expect(phone.find("[data-mini].asks")).to_have_count(2)
        for table_id in (first, second, first):
            await phone.find(f'[data-mini="{table_id}"]').click()
            await expect(phone.find("[data-table]")).to_have_attribute("data-table", str(table_id))
            await expect(phone.find(f'[data-mini="{table_id}"]')).to_have_attribute("aria-current", "true")
        await phone.accessible()
        await phone.play("fold")
        # One is answered: the other one comes forward by itself.
        await expect(phone.find("[data-table]")).to_have_attribute("data-table", str(second))
        await expect(phone.find("[data-mini].asks")).to_have_count(1)


async def test_hand_from_the_sign_in_to_the_exit_by_keys_alone_and_by_ear(players: Guests, room: LiveService) -> None:
    async with callers(room) as others:
        guest = await players.outside(DESKTOP, reduced_motion="reduce")
        await guest.reach("button.gold")
        await guest.keyboard.press("Enter")
        await expect(guest.find("[data-pool]").first).to_be_visible()
        await guest.page.evaluate(HEARD)
        await guest.page.evaluate(MOVES)
        await guest.reach('[data-pool="t6:FUN"] .do button')
        await guest.keyboard.press("Enter")
        await guest.reach("[role=dialog] button.gold")
        await guest.keyboard.press("Enter")
        await expect(guest.page.get_by_role("dialog")).to_have_count(0)
        for caller in others:
            await caller.sit("t6")
        await press(guest, ".presets button:last-child")
        await expect(guest.find('[data-act="raise"]')).to_contain_text("All-in 10.00")
        await press(guest, ".presets button:first-child")
        await press(guest, '[data-act="raise"]')
        for _street in ("flop", "turn", "river"):
            await press(guest, '[data-act="check"]:enabled')
        await expect(guest.find(".won").first).to_be_visible()
        await guest.reach("[data-own-seat] .row button:nth-child(2)")
        await guest.keyboard.press("Enter")
        sure = guest.button("Leave? Your hand is folded.")  # the next hand may have begun
        left_text = guest.page.get_by_text("You have left this table.")
        await expect(sure.or_(left_text)).to_be_visible()
        if await sure.count():
            await guest.keyboard.press("Enter")
        await expect(left_text).to_be_visible()
        heard = await guest.page.evaluate("heard")
        names = [re.escape(caller.name) for caller in others]
        expected = [
            rf"Hand 1\. You 10\.00, Button; {names[0]} 9\.95; {names[1]} 9\.90\.",
            "Your cards: queen of hearts, queen of diamonds",
            r"Your turn\. 0\.10 to call\. Pair of queens\. Raise to 0\.20 to 10\.00\.",
            f"{names[0]} calls",
            "Flop: two of clubs, seven of diamonds, nine of spades",
            f"{names[0]} checks",
            "Your turn. Nothing to call. Pair of queens",
            "Turn: three of hearts",
            "River: four of spades",
            f"{names[0]} shows ace of hearts, ace of diamonds: Pair of aces",
            f"{names[0]} wins",
            "Hand over: −0.22",
        ]
        left = iter(heard)
        for sentence in expected:
            assert any(re.search(sentence, line) for line in left), (sentence, heard)
        assert await guest.page.evaluate("document.documentElement.dataset.motion") == "reduced"
        assert await guest.page.evaluate("moves") == []


async def press(guest: Guest, selector: str) -> None:
    await expect(guest.find(selector)).to_be_enabled()
    await guest.reach(selector)
    await guest.keyboard.press("Enter")
