"""Own poker hands in a browser: filters, replay with odds, fairness check, links, exports; and the lobby's tabs."""

import re

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.people import PHONE, Screen
from tests.browser.poker_people import SIDEWAYS, TABLET, WIDE, Guests, callers
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_hand_is_replayed_proven_fair_filtered_and_linked(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come()
        await guest.sit("t12")
        for caller in others:
            await caller.sit("t12")
        await guest.play("call")
        for _street in ("flop", "turn", "river"):
            await guest.play("check")
        await expect(guest.find(".won")).to_have_text(["+0.29"])
        await guest.find("[data-to-history]").click()
        await guest.find("[data-hand]").first.click()
        # Aces, kings and queens before the flop: every known hand has its odds, which add up.
        odds = guest.find("[data-odds]")
        await expect(odds).to_have_count(3)
        shares = [int(text.rstrip("%")) for text in await odds.all_text_contents()]
        assert shares[0] < 30
        assert abs(sum(shares) - 100) <= 1
        await guest.button("Next street").click()
        await expect(guest.find("[data-board] [role=img]")).to_have_count(3)
        await guest.shows("[data-replay-step]", "Flop: 2♣ 7♦ 9♠. Pot 0.30")
        await guest.button("Next street").click()
        await guest.button("Next street").click()
        await guest.button("Next street").click()
        await guest.shows("[data-replay-step]", "The hand is over. Rake 0.01.")
        await expect(guest.find("[data-won]")).to_have_count(1)
        await guest.button("Check fairness").click()
        await guest.shows("[data-verdict]", "Fair: all 11 cards were in their places")
        await guest.shows("[data-fairness]", "which this page received before the cards")
        await guest.accessible()
        address = re.sub("^[^#]*", "", guest.page.url)
        assert address.startswith("#hand/")

        for outcome, count in (("won", 0), ("lost", 1), ("showdown", 1)):
            await guest.find('[data-filter="outcome"]').select_option(outcome)
            await expect(guest.find("[data-hand]")).to_have_count(count)
        await guest.find('[data-filter="pool"]').select_option("t1:FUN")
        await expect(guest.find("[data-hand]")).to_have_count(0)
        await expect(guest.page.get_by_text("No hands match.")).to_be_visible()
        export = await guest.find('a[href*="format=phh"]').get_attribute("href")
        assert (await guest.page.context.request.get(poker.address + str(export))).status == 200

        phone = await guests.again(guest, PHONE, address)
        await expect(phone.find("[data-past-hand]")).to_be_visible()
        await phone.button("Check fairness").click()
        await phone.shows("[data-verdict]", "Fair")
        await phone.shows("[data-fairness]", "was not at the table when the hand began")
        await phone.accessible()


async def test_lobby_names_the_result_of_today_and_a_stack_left_with(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come(TABLET)
        await guest.sit("t13")
        for caller in others:
            await caller.sit("t13")
        await guest.play("fold")
        await guest.find(".won").first.wait_for()
        await guest.button("Leave").click()
        await guest.button("Close").click()
        await guest.find('[data-pool="t13:FUN"] .do button').click()
        await guest.shows("[data-left]", "You left table")
        await guest.shows("[data-left]", "with 10.00")
        await guest.keyboard.press("Escape")
        await guest.page.get_by_role("tab", name="My poker").click()
        await guest.shows("[data-today]", "Hands1")
        await guest.accessible()


@pytest.mark.parametrize(
    ("locale", "screen", "texts"),
    [("da-DK", PHONE, ("Tag plads", "Syn 0,10")), ("fr-FR", SIDEWAYS, ("S'asseoir", "Suivre 0,10"))],
)
async def test_room_speaks_the_language_of_the_browser(
    guests: Guests, poker: LiveService, locale: str, screen: ViewportSize, texts: tuple[str, str]
) -> None:
    join, call = texts
    async with callers(poker) as others:
        stake = "t14" if locale == "da-DK" else "t15"
        guest = await guests.come(screen, locale)
        await guest.accessible()
        await guest.find(f'[data-pool="{stake}:FUN"] .do button').click()
        await guest.button(join).click()
        await expect(guest.button(join)).to_have_count(0)
        for caller in others:
            await caller.sit(stake)
        await expect(guest.find('[data-act="call"]')).to_have_text(call)
        await guest.accessible()
        await Screen(guest.page, "").does_not_scroll()


async def test_eight_tables_have_one_queue_and_move_to_another_device(guests: Guests, poker: LiveService) -> None:
    async with callers(poker) as others:
        guest = await guests.come(WIDE)
        stakes = [f"t{number}" for number in range(17, 25)]
        for count, stake in enumerate(stakes, 1):
            if count > 1:
                await guest.button("Lobby").click()
            for caller in others:
                await caller.sit(stake)
            await guest.sit(stake)
            await expect(guest.find("[data-table]")).to_have_count(count)
        await expect(guest.find(".tables")).to_have_attribute("data-count", "8")
        # The keys are where a decision is due, and Tab moves them on.
        await expect(guest.find(".table.asks.active")).to_have_count(1)
        await guest.page.evaluate("localStorage.setItem('casino.poker', JSON.stringify({keys: true}))")
        await guest.accessible()

        phone = await guests.again(guest, PHONE)
        await expect(phone.find("[data-mini]")).to_have_count(8)
        await expect(phone.find("[data-table]")).to_have_count(1)
        await expect(phone.find("[data-mini].asks").first).to_be_visible()
        await phone.accessible()
        await guest.shows("[data-table]", "You play this table on another device.")
        await guest.button("Play here").first.click()
        await expect(guest.button("Play here")).to_have_count(7)
