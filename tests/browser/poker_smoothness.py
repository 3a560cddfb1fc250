"""Browser cost of four poker tables, measured: `python -m tests.browser.poker_smoothness [SECONDS]`.

Four tables are played beside each other, the guest inside the page and two callers over sockets. The figures are those
of `smoothness.py`; besides, the frames from a click on a decision to the one that shows it was taken, and the seconds
from opening the page as a new guest to the first cards at a table where hands are played.
"""

import asyncio
import json
import sys
import time
from typing import Final

from playwright.async_api import async_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.people import DESKTOP
from tests.browser.poker_people import Guests, callers
from tests.browser.smoothness import spread, summary, traced
from tests.live.poker_service import started_poker
from tests.live.service import LiveService

TABLES: Final = 4
EMPTY_STAKE: Final = "t5"
# A click is acknowledged once its buttons are gone; the frame after that shows it.
PLAYER: Final = """() => {
  window.longTasks = [];
  window.acknowledged = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask' });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  setInterval(async () => {
    for (const table of document.querySelectorAll('[data-table]')) {
      const button = table.querySelector('[data-act=check]:enabled, [data-act=call]:enabled');
      if (!button) continue;
      button.click();
      let frames = 1;
      await frame();
      while (button.isConnected && frames < 60) { frames++; await frame(); }
      window.acknowledged.push(frames);
    }
  }, 300);
}"""


async def first_hand(guests: Guests, service: LiveService) -> float:
    async with callers(service, 3) as others:
        for caller in others:
            await caller.sit(EMPTY_STAKE)
        began = time.monotonic()
        guest = await guests.come(DESKTOP)
        await guest.sit(EMPTY_STAKE)
        await guest.find(".seat.own .card").first.wait_for()
        taken = time.monotonic() - began
        await guest.page.context.close()
        return taken


async def measure(seconds: float) -> None:
    with started_poker(between_hands="1", after_showdown="1") as service:
        async with async_playwright() as playwright, callers(service) as others:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            guests = Guests(browser, service.address)
            first = await first_hand(guests, service)
            guest = await guests.come(DESKTOP)
            for number in range(1, TABLES + 1):
                if number > 1:
                    await guest.button("Lobby").click()
                for caller in others:
                    await caller.sit(f"t{number}")
                await guest.sit(f"t{number}")
                await guest.find(f"[data-table] >> nth={number - 1}").wait_for()
            await guest.page.evaluate(PLAYER)
            await asyncio.sleep(seconds / 2)  # what is fetched once is fetched
            await guest.page.evaluate("longTasks.length = acknowledged.length = 0")
            await asyncio.sleep(seconds)
            long_tasks = await guest.page.evaluate("longTasks")
            frames = [float(count) for count in await guest.page.evaluate("acknowledged")]
            cdp = await guest.page.context.new_cdp_session(guest.page)
            found = summary(await traced(cdp, seconds), long_tasks)
            found["decisions"] = {"count": len(frames), "frames until acknowledged": spread(frames)}
            found["first hand, s"] = round(first, 1)
            sys.stdout.write(json.dumps(found, indent=1) + "\n")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 30))
