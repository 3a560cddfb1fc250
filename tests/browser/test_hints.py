"""Hints and tags at betting spots: on the screen, in one line, and over no card or other text."""

import asyncio

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.people import DESKTOP, PHONE, Screen, Visitors
from tests.live.clients import Clients, Host
from tests.live.hands import Hand
from tests.live.service import LiveService
from tests.live.test_outcomes import ROWS

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL = ViewportSize(width=320, height=568)
SIDEWAYS = ViewportSize(width=844, height=390)
TILE = ViewportSize(width=718, height=420)  # one of four tables
TABLET = ViewportSize(width=768, height=1024)
# Elements under a hint or beyond the window, and texts of the tray that are wider than their button.
FAULTS = """() => {
  const boxOf = (element) => element.getBoundingClientRect();
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const faults = [];
  for (const hint of document.querySelectorAll('.hint')) {
    const box = boxOf(hint);
    if (box.left < 0 || box.right > innerWidth || box.top < 0) faults.push(`outside: ${hint.textContent}`);
    for (const other of document.querySelectorAll('.card, .named, .ribbon span, [data-spot] .well')) {
      const isSpot = other.matches('.well');
      // Later what is said stands over the chips, where no card lies.
      if (isSpot && (other.parentElement === hint.parentElement || !hint.closest('[data-spot]'))) continue;
      if (overlap(box, boxOf(other))) faults.push(`"${hint.textContent}" covers ${other.parentElement.className}`);
    }
  }
  for (const tool of document.querySelectorAll('.tool')) {
    const words = boxOf(tool.querySelector('span'));
    if (words.left < boxOf(tool).left || words.right > boxOf(tool).right) faults.push(`cut: ${tool.textContent}`);
  }
  return faults;
}"""


async def _seated(
    visitors: Visitors, service: LiveService, clients: Clients, kind: str, locale: str, *sizes: ViewportSize
) -> tuple[list[Screen], Host, str]:
    table_id = service.table(kind)
    host = await clients.host()
    await host.take_over(table_id)
    known = [(await clients.guest())["token"] for _ in sizes]
    coming = [visitors.known(token, table_id, size, locale) for token, size in zip(known, sizes, strict=True)]
    screens = list(await asyncio.gather(*coming))
    round_id = await host.start(table_id)
    return screens, host, round_id


async def _touched(screen: Screen, spot: str) -> None:
    """A spot that takes no chip is disabled, but it answers."""
    await screen.spot(spot).click(force=True)
    await expect(screen.table.locator(".hint").last).to_be_visible()
    assert await screen.page.evaluate(FAULTS) == [], (spot, screen.page.viewport_size)


async def _hundred(screen: Screen) -> None:
    await screen.table.get_by_role("radio").last.click()
    await screen.spot("ante").click()


async def test_hints_stay_on_the_screen_and_cover_no_other_spot(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    sizes = (DESKTOP, TABLET, PHONE, SIDEWAYS, SMALL)
    screens, _, _ = await _seated(visitors, service, clients, "live", "fr-FR", *sizes)
    for screen in screens:
        await expect(screen.spot("ante").locator(".hint")).to_have_text("Un jeton, puis ANTE")
        assert await screen.page.evaluate(FAULTS) == []
    for spot in ("trips", "blind", "play"):
        await asyncio.gather(*(_touched(screen, spot) for screen in screens))
    for _ in range(4):
        await asyncio.gather(*(_hundred(screen) for screen in screens))
    for screen in screens:
        await expect(screen.table.locator(".controls .hint")).to_contain_text("ne couvrent aucun PLAY")
        assert await screen.page.evaluate(FAULTS) == [], screen.page.viewport_size


async def test_a_spot_touched_in_mid_round_answers_without_covering_the_cards(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    screens, host, round_id = await _seated(visitors, service, clients, "live", "fr-FR", DESKTOP, PHONE, SMALL)
    await asyncio.gather(*(screen.spot("ante").click() for screen in screens))
    await host.end_betting(screens[0].table_id, round_id)
    await host.scan(screens[0].table_id, round_id, "As Kd")
    for screen in screens:
        await expect(screen.table.locator(".mine .named")).to_be_visible()
    for spot in ("ante", "play"):
        await asyncio.gather(*(_touched(screen, spot) for screen in screens))


async def test_the_play_spot_answers_what_the_moment_asks_for(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    """Before a chip is placed the hint is about later; it disappears with the chip and returns in the decision."""
    (screen,), host, round_id = await _seated(visitors, service, clients, "live", "en-GB", DESKTOP)
    message = screen.spot("play").get_by_role("status")
    await screen.spot("play").click(force=True)
    await expect(message).to_have_text("PLAY is placed when you decide")
    await screen.spot("ante").click()
    await expect(message).to_have_count(0)
    await host.end_betting(screen.table_id, round_id)
    await host.scan(screen.table_id, round_id, "As Kd")
    await expect(screen.button("CHECK")).to_be_visible()
    await screen.spot("play").click(force=True)
    await expect(screen.table.locator("p.hint")).to_have_text("PLAY is placed when you decide")
    await screen.spot("ante").click(force=True)
    await expect(screen.table.locator("p.hint")).to_have_text("Betting is closed. It opens again after this round.")


async def test_a_tag_has_one_line_and_the_last_round_leaves_the_next_sentence_free(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    """The longest word is the French one; side by side with its amount it fits no phone."""
    sizes = (TABLET, PHONE, SIDEWAYS, TILE)
    screens, host, round_id = await _seated(visitors, service, clients, "live", "fr-FR", *sizes)
    table_id = screens[0].table_id
    for spot in ("ante", "trips"):
        await asyncio.gather(*(screen.spot(spot).click() for screen in screens))
        for screen in screens:
            await screen.shows(spot, "1,00")
    hand = Hand.of(ROWS["qualified, player loses"].cards)
    await host.end_betting(table_id, round_id)
    for number, (cards, after) in enumerate(
        zip(hand.streets, ("dealing_flop", "dealing_river", "showdown"), strict=True)
    ):
        await host.scan(table_id, round_id, cards)
        if number == 0:
            await asyncio.gather(*(screen.table.locator(".options .play_4x").click() for screen in screens))
        await host.phase(table_id, round_id, after)
    await host.scan(table_id, round_id, hand.dealer)
    for screen in screens:
        tag = screen.spot("ante").locator(".tag")
        await expect(tag).to_contain_text("−1,00")
        lines = "tag => tag.clientHeight / parseFloat(getComputedStyle(tag).fontSize)"
        assert await tag.evaluate(lines) < 2
        assert await tag.locator("b").is_visible()
    await host.phase(table_id, round_id, "settled")
    await host.start(table_id)
    for screen in screens:
        explained = screen.table.locator(".explained section")
        await expect(explained).to_be_visible()
        above = await screen.table.locator(".explained").bounding_box()
        below = await screen.ribbon.locator("span").bounding_box()
        assert above is not None
        assert below is not None
        apart = above["y"] + above["height"] <= below["y"] + 1 or below["y"] + below["height"] <= above["y"] + 1
        assert apart, screen.page.viewport_size
