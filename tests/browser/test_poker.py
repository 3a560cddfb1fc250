"""Poker room in a browser: three guests sit down at one stake and play a whole hand."""

from typing import Final

import pytest
from playwright.async_api import expect

from tests.browser.people import DESKTOP, IN_MOTION, PHONE
from tests.browser.poker_people import SIDEWAYS, Guests

pytestmark = pytest.mark.asyncio(loop_scope="session")
SCREENS: Final = (DESKTOP, PHONE, SIDEWAYS)
SMALL_AND_BIG_BLIND: Final = "Pot 0.15"


async def test_three_guests_play_a_hand_to_its_showdown(guests: Guests) -> None:
    pages = [await guests.come(screen, **IN_MOTION) for screen in SCREENS]
    await pages[0].accessible()
    for waiting, page in enumerate(pages):
        await page.sit("t1")
        if waiting < 2:
            await expect(page.find('[data-pool="t1:FUN"] .queue')).to_contain_text(f"Place {waiting + 1}")
    for page in pages:
        await expect(page.find("[data-pot]")).to_contain_text(SMALL_AND_BIG_BLIND)
        await expect(page.find(".seat.own .card [role=img]")).to_have_count(2)

    # The button acts first, then both blinds; afterwards the small blind leads.
    order = [0, 1, 2]
    await pages[0].accessible()
    await pages[0].play("call")
    await pages[1].play("call")
    await pages[2].play("check")
    for _street in ("flop", "turn", "river"):
        for player in order[1:] + order[:1]:
            await pages[player].play("check")

    # Aces are dealt left of the button: the second player wins 0.29 after a cent of rake.
    for page in pages:
        await expect(page.find(".won")).to_have_text(["+0.29"])
        await expect(page.find("[data-board] [role=img]")).to_have_count(5)
        await expect(page.find(".seat .card [role=img]")).to_have_count(6)
    await expect(pages[1].find(".seat.own .won")).to_have_text("+0.29")


async def test_a_large_raise_and_a_fold_for_free_are_asked_about_twice(guests: Guests) -> None:
    pages = [await guests.come(DESKTOP) for _ in range(3)]
    for page in pages:
        await page.sit("t2")
    button, small, big = pages
    await expect(button.find('[data-act="raise"]')).to_have_text("Raise to 0.20")
    await button.button("All-in").click()
    raise_button = button.find('[data-act="raise"]')
    await expect(raise_button).to_have_text("All-in 10.00")
    await raise_button.click()
    await expect(raise_button).to_contain_text("Press again to confirm")
    await expect(small.find('[data-act="call"]')).to_have_count(0)
    await raise_button.click()
    await expect(small.find('[data-act="call"]')).to_have_text("Call all-in 9.95")
    await small.find('[data-act="fold"]').click()
    await big.find('[data-act="fold"]').click()
    await expect(button.find(".seat.own .won")).to_have_text("+0.25")


async def test_a_player_who_leaves_gets_the_chips_back(guests: Guests) -> None:
    pages = [await guests.come(DESKTOP) for _ in range(3)]
    for page in pages:
        await page.sit("t3")
    big = pages[2]
    await expect(big.find("[data-available]")).to_have_text("FUN 990.00")
    await expect(big.find(".seat.own .card [role=img]")).to_have_count(2)
    await big.button("Leave").click()
    await big.button("Leave? Your hand is folded.").click()
    await pages[0].play("fold")
    await pages[1].play("call", "check")
    await expect(big.page.get_by_text("You have left this table.")).to_be_visible()
    await big.button("Close").click()
    await expect(big.find("[data-lobby]")).to_be_visible()
    await expect(big.find("[data-available]")).to_have_text("FUN 999.90")
