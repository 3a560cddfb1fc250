"""Layout: no overlaps, no cut words, and large enough touch targets, on every screen in a whole round.

The screens stand side by side at one table, so that one round is enough for all of them.
"""

import asyncio
import json
from typing import Final

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.people import Screen, Visitors
from tests.deep import DEEP
from tests.live.clients import Clients, Host
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")

Sizes = tuple[tuple[int, int], ...]
SIZES: Final[Sizes] = ((390, 844), (320, 568), (844, 390), (1440, 900), (1024, 768), (820, 1180), (550, 660))
"""A whole round is looked at on the first four, in `make test-deep` on all; seven seats need them all."""

# Parts that a player reads or touches: none overlaps another, except a tag on its spot.
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
  const overlap = (a, b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return wide > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  };
  const covered = [...document.querySelectorAll('.card, .named, .tag, .seats li:not(.mine) .plate')].filter(seen);
  for (const cover of [...document.querySelectorAll('.named, .tag, .automatic, .rule, .ribbon span')].filter(seen)) {
    for (const other of covered.filter((one) => one !== cover && overlap(boxOf(cover), boxOf(one)))) {
      faults.push(`${called(cover)} covers ${other.ariaLabel ?? called(other)}`);
    }
  }
  for (const felt of document.querySelectorAll('.felt')) {
    const dealers = felt.closest('[data-table]').querySelector('.dealer .slots');
    if (boxOf(dealers).top < boxOf(felt).top) faults.push("the dealer's cards lie on the rail");
    for (const well of felt.closest('[data-table]').querySelectorAll('[data-spot] .well')) {
      if (boxOf(well).bottom > boxOf(felt).bottom) faults.push(`${called(well.parentElement)} lies below the felt`);
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

AT_REST: Final = """async (apart) => {
  const places = () => [...document.querySelectorAll(apart)].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join();
  }).join(' ');
  let before = null;
  for (let tries = 0; tries < 200; tries++) {
    const now = places();
    if (now === before) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error('the page never comes to rest');
}"""


class Screens(list[Screen]):
    """One of each size. What does not fit is kept, so that one run tells all of it."""

    def __init__(self, screens: list[Screen], sizes: Sizes) -> None:
        super().__init__(screens)
        self._sizes = sizes
        self.faults: dict[str, list[str]] = {}

    async def look(self, state: str) -> None:
        # A page that got no processor time for long says that its connection is lost, until it has come back.
        await asyncio.gather(*(expect(screen.page.get_by_text("Connection lost")).to_have_count(0) for screen in self))
        await asyncio.gather(*(screen.page.evaluate(AT_REST, APART) for screen in self))
        found = await asyncio.gather(*(screen.page.evaluate(FAULTS, APART) for screen in self))
        for (width, height), faults in zip(self._sizes, found, strict=True):
            if faults:
                self.faults[f"{state} at {width}x{height}"] = faults
        for screen in self:
            await screen.does_not_scroll()

    async def board_tops(self) -> list[int]:
        boxes = await asyncio.gather(*(screen.table.locator(".board .slots").bounding_box() for screen in self))
        return [round(box["y"]) for box in boxes if box]

    def verify(self) -> None:
        assert self.faults == {}, json.dumps(self.faults, indent=1, ensure_ascii=False)


async def seated(visitors: Visitors, clients: Clients, table_id: str, sizes: Sizes) -> tuple[Screens, Host]:
    host = await clients.host()
    await host.take_over(table_id)
    views = [ViewportSize(width=width, height=height) for width, height in sizes]
    coming = [visitors.guest(table_id, view, reduced_motion="reduce") for view in views]
    return Screens(list(await asyncio.gather(*coming)), sizes), host


async def everybody(screens: list[Screen], button: str) -> None:
    await asyncio.gather(*(screen.button(button).click() for screen in screens))


async def test_one_hand_for_all_fits_every_screen_from_the_first_chip_to_the_result(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screens, host = await seated(visitors, clients, table_id, SIZES if DEEP else SIZES[:4])
    await screens.look("waiting")
    round_id = await host.start(table_id)
    await asyncio.gather(*(expect(screen.ribbon).to_contain_text("Place your bets") for screen in screens))
    await screens.look("betting")
    await asyncio.gather(*(screen.place("ante", "100.00") for screen in screens))
    await asyncio.gather(*(screen.place("trips", "25.00") for screen in screens))
    await asyncio.gather(*(screen.shows("trips", "25.00") for screen in screens))
    await screens.look("bet")
    before = await screens.board_tops()
    await host.end_betting(table_id, round_id)
    await asyncio.gather(*(expect(screen.ribbon).to_have_text("Betting closed") for screen in screens))
    assert await screens.board_tops() == before, "the felt moves when betting closes"
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
    await host.scan(table_id, round_id, "As Kd")  # two long names, and a win with the longest reason at every spot
    results = [screen.table.get_by_role("region", name="Results") for screen in screens]
    await asyncio.gather(*(expect(result).to_be_visible() for result in results))
    await screens.look("result")
    screens.verify()


async def test_seven_own_hands_fit_every_screen(visitors: Visitors, service: LiveService, clients: Clients) -> None:
    table_id = service.table("own")
    screens, host = await seated(visitors, clients, table_id, SIZES)
    await screens.look("free seats")
    round_id = await host.start(table_id)
    await asyncio.gather(*(screen.place("ante", "25.00") for screen in screens))
    await asyncio.gather(*(screen.shows("ante", "25.00") for screen in screens))
    await host.end_betting(table_id, round_id)
    await host.scan(table_id, round_id, "As Ad 3h 4s 5c 6c 7d 8d 9h Th Jc Qc Ks Kh")
    await asyncio.gather(*(expect(screen.button("PLAY 4x")).to_be_visible() for screen in screens))
    await screens.look("deciding")
    await everybody(screens, "PLAY 4x")
    await host.phase(table_id, round_id, "dealing_flop")
    await host.scan(table_id, round_id, "2c 6d 9c")
    await asyncio.gather(*(expect(screen.table.locator(".seats em")).to_have_count(6) for screen in screens))
    await screens.look("decided")
    screens.verify()
