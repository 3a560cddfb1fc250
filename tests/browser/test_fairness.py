"""Fairness display: commitment and own seed before the bet, the check of the shuffle after the round."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.people import Screen, Visitors
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def opened(screen: Screen, name: str) -> Locator:
    await screen.page.locator("nav").get_by_role("button", name=name, exact=True).click()
    panel = screen.page.get_by_role("dialog")
    await expect(panel).to_be_visible()
    return panel


async def test_player_sees_the_seed_before_betting_and_checks_the_shuffle(
    visitors: Visitors, service: LiveService
) -> None:
    screen = await visitors.guest(service.table("fair"))
    await expect(screen.ribbon).to_contain_text("Place your bets")
    panel = await opened(screen, "Help and rules")
    await expect(panel.get_by_text(re.compile("Fingerprint: [0-9a-f]{64}"))).to_be_visible()
    seed = panel.get_by_label("Your seed")
    await expect(seed).to_have_attribute("placeholder", re.compile("[0-9]+-[0-9]+-[0-9]+"))
    own = str(await seed.get_attribute("placeholder"))
    await seed.fill("lykke på æ")
    await expect(seed).to_have_value("lykke p ")
    await seed.fill("")
    await screen.page.keyboard.press("Escape")
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await screen.table.locator(".options .play_4x").click()
    await expect(screen.ribbon).to_contain_text("Place your bets")  # of the next round
    panel = await opened(screen, "History")
    await panel.get_by_role("button", name="Staked").click()
    await expect(panel.locator(".spots :is(.win, .lose, .push)")).not_to_have_count(0)  # the result, not the bets
    await panel.get_by_role("button", name="Verify the shuffle").click()
    await expect(panel.get_by_role("status").filter(has_text="Fair:")).to_be_in_viewport()
    await expect(panel.get_by_text(f"Your seed: {own}")).to_be_visible()
