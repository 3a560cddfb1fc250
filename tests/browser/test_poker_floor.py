"""Manager's floor of the poker room in a browser: a hand is voided, reports are read, a player is muted."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.browser.consoles import Consoles
from tests.live.poker_players import seated_players
from tests.live.poker_service import started_poker
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
PAUSE = "Pause the table A running hand is played to its end. Then no hand begins."
VOID = "Void the hand All stacks go back to the start of the hand."
RESUME = "Resume Hands begin again."


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    with started_poker("max", chat="true") as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


async def test_manager_pauses_voids_and_resumes_a_poker_table(browser: Browser, service: LiveService) -> None:
    async with Consoles.at(browser, service.address) as consoles, seated_players(service) as seats:
        await seats.act(1, "raise_to", 30)
        author = seats.players[0]
        other = next(seat for seat in seats.hand["seats"] if seat["name"] != author.name)
        reported = {"hand_id": seats.hand["hand_id"], "seat_no": other["seat_no"], "text": "Plays with seat 3"}
        await author.accepted("report", table_id=seats.table_id, **reported)
        max_ = await consoles.of("max")
        await max_.click("Poker")
        plate = max_.page.locator(f'[data-poker="{seats.table_id}"]')
        await expect(plate).to_contain_text("3 playing, 3 of 6 seats taken")
        await expect(plate).to_contain_text("pot FUN 0.45")
        await expect(max_.page.locator("[data-report]")).to_contain_text("Plays with seat 3")
        await plate.click()
        await max_.click(PAUSE)
        await max_.fill("Reason", "A question of the floor")
        await max_.click("Confirm: Pause the table")
        await expect(max_.page.get_by_text("PAUSED: A question of the floor")).to_be_visible()
        await max_.click(VOID)
        returns = max_.page.locator("[data-return]")
        await expect(returns).to_have_count(3)
        await expect(max_.page.locator('[data-return="1"]')).to_contain_text("FUN 9.70FUN 10.00")
        await max_.fill("Reason", "The deal was wrong")
        await max_.click("Confirm: Void the hand")
        await author.until("step", lambda step: step["kind"] == "void")
        await author.accepted("chat", table_id=seats.table_id, text="You all cheat")
        await max_.click(f"Mute {author.name}")
        await max_.click("Mute")
        await author.until("notice", lambda notice: notice["code"] == "muted")
        assert await author.code("chat", table_id=seats.table_id, text="But why?") == "muted"
        await max_.click(f"Unmute {author.name}")
        await author.until("notice", lambda notice: notice["code"] == "unmuted")
        await expect(max_.page.get_by_role("button", name=VOID)).to_be_disabled()
        tab = max_.page.get_by_role("navigation").get_by_role("button", name="Poker")
        await expect(tab).to_have_text("Poker1")
        await max_.click(RESUME)
        await max_.fill("Reason", "Solved")
        await max_.click("Confirm: Resume")
        await author.until("hand", lambda hand: hand["number"] == 2)
        await expect(tab).to_have_text("Poker")
        await max_.page.set_viewport_size({"width": 390, "height": 844})
        assert await max_.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert consoles.complaints == []
