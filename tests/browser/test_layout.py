"""Nothing lies over anything else, no word is cut, and a finger hits what it means: on every screen, in a whole round.

The screens stand side by side at one table, so that one round is enough for all of them.
"""

import asyncio
import json
from typing import Final

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.people import Screen, Visitors
from tests.live.clients import Door, Host
from tests.live.house import House

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES: Final = ((390, 844), (844, 390), (1440, 900), (1024, 768), (768, 1024), (320, 568))
# What a player reads or touches. The name of a hand may lie on its cards and a tag on its spot; these may not.
APART: Final = (
    "header h1, header p, nav .session, nav > button, nav .items button, .ribbon span, .ribbon b, .slots, "
    "[data-spot] .well, .money dl > div, [role=timer], .tray button, .options button, h2, .quiet, .steps li, "
    "[aria-label^=Results] li, .seats li > *"
)
FAULTS: Final = """(apart) => {
  const faults = [];
  const boxOf = (element) => element.getBoundingClientRect();
  const seen = (element) => {
    const { width, height } = boxOf(element);
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const called = (element) => {
    const words = (element.textContent || element.ariaLabel || '').trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}.${element.className} "${words}"`;
  };
  const parts = [...document.querySelectorAll(apart)].filter(seen);
  for (const [at, one] of parts.entries()) {
    const a = boxOf(one);
    if (a.left < -1 || a.top < -1 || a.right > innerWidth + 1 || a.bottom > innerHeight + 1) {
      faults.push(`outside the window: ${called(one)}`);
    }
    for (const other of parts.slice(at + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const b = boxOf(other);
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const size = `${Math.round(wide)}x${Math.round(high)}`;
      if (wide > 2 && high > 2) faults.push(`${size}: ${called(one)} and ${called(other)}`);
    }
  }
  for (const element of document.querySelectorAll('main *')) {
    const isText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!isText || !seen(element) || element.closest('.spoken, svg')) continue;
    const { overflowX } = getComputedStyle(element);
    if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && !element.title) {
      faults.push(`cut: ${called(element)}`);
    }
    if (parseFloat(getComputedStyle(element).fontSize) < 9) faults.push(`too small to read: ${called(element)}`);
  }
  for (const element of document.querySelectorAll('button, input, select, [role=radio]')) {
    const { width, height } = boxOf(element);
    if (seen(element) && (width < 43.5 || height < 43.5)) {
      faults.push(`${Math.round(width)}x${Math.round(height)} is no target: ${called(element)}`);
    }
  }
  return faults;
}"""


class Screens(list[Screen]):
    """One of each size. What does not fit is kept, so that one run tells all of it."""

    def __init__(self, screens: list[Screen]) -> None:
        super().__init__(screens)
        self.faults: dict[str, list[str]] = {}

    async def look(self, state: str) -> None:
        await asyncio.sleep(0.6)  # until what moves has arrived
        found = await asyncio.gather(*(screen.page.evaluate(FAULTS, APART) for screen in self))
        for (width, height), faults in zip(SIZES, found, strict=True):
            if faults:
                self.faults[f"{state} at {width}x{height}"] = faults
        for screen in self:
            await screen.does_not_scroll()

    def verify(self) -> None:
        assert self.faults == {}, json.dumps(self.faults, indent=1, ensure_ascii=False)


async def seated(visitors: Visitors, door: Door, table_id: str) -> tuple[Screens, Host]:
    host = await door.host()
    await host.take_over(table_id)
    sizes = [ViewportSize(width=width, height=height) for width, height in SIZES]
    return Screens(
        list(await asyncio.gather(*(visitors.guest(table_id, size, reduced_motion="reduce") for size in sizes)))
    ), host


async def everybody(screens: list[Screen], button: str) -> None:
    await asyncio.gather(*(screen.button(button).click() for screen in screens))


async def test_one_hand_for_all_fits_every_screen_from_the_first_chip_to_the_result(
    visitors: Visitors, house: House, door: Door
) -> None:
    table_id = house.table("roomy")
    screens, host = await seated(visitors, door, table_id)
    await screens.look("waiting")
    round_id = await host.start(table_id)
    await asyncio.gather(*(expect(screen.ribbon).to_contain_text("Place your bets") for screen in screens))
    await screens.look("betting")
    await asyncio.gather(*(screen.place("ante", "100.00") for screen in screens))
    await asyncio.gather(*(screen.place("trips", "25.00") for screen in screens))
    await asyncio.gather(*(screen.shows("trips", "25.00") for screen in screens))
    await screens.look("bet")
    await host.phase(table_id, round_id, "dealing_hole")
    for cards, action, after in (
        ("9s 5h", "CHECK", "dealing_flop"),
        ("3s 8h 3d", "CHECK", "dealing_river"),
        ("8c 9c", "PLAY 1x", "showdown"),
    ):
        await host.scan(table_id, round_id, cards)
        await asyncio.gather(*(expect(screen.button(action)).to_be_visible() for screen in screens))
        await screens.look(f"{action} {after}")
        await everybody(screens, action)
        await host.phase(table_id, round_id, after)
    await host.scan(table_id, round_id, "Js 8s")  # no two hands have longer names
    results = [screen.table.get_by_role("region", name="Results") for screen in screens]
    await asyncio.gather(*(expect(result).to_be_visible(timeout=20_000) for result in results))
    await screens.look("result")
    screens.verify()


async def test_seven_own_hands_fit_every_screen(visitors: Visitors, house: House, door: Door) -> None:
    table_id = house.table("crowded")
    screens, host = await seated(visitors, door, table_id)
    await screens.look("free seats")
    round_id = await host.start(table_id)
    await asyncio.gather(*(screen.place("ante", "25.00") for screen in screens))
    await asyncio.gather(*(screen.shows("ante", "25.00") for screen in screens))
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As Ad 3h 4s 5c 6c 7d 8d 9h Th Jc Qc")
    await asyncio.gather(*(expect(screen.button("PLAY 4x")).to_be_visible() for screen in screens))
    await screens.look("deciding")
    await everybody(screens, "PLAY 4x")
    await host.phase(table_id, round_id, "dealing_flop")
    await host.scan(table_id, round_id, "2c 6d 9c")
    await asyncio.gather(*(expect(screen.table.locator(".seats em")).to_have_count(5) for screen in screens))
    await screens.look("decided")
    screens.verify()
