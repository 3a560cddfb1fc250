"""Screenshots of the player's page in its states, on desktop and phone, for people to look at. Nothing is compared.

`python -m tests.browser.screenshots FOLDER [PART…]` takes all of them, or only those of some parts, which are named
like the functions that take them, or those of one window: `round desktop`, `chat phone-da`.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from playwright.async_api import async_playwright

from tests.browser import pictures_around as around
from tests.browser import pictures_at_table as table
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.people import CALM, HASTY
from tests.browser.studio import Studio, Window
from tests.live.service import Kind, started_service

KINDS = {
    "live": Kind(20, seconds=CALM | {"betting": 20.0}),
    "quick": Kind(60, seconds=CALM | {"betting": 6.0}),
    "open": Kind(30, seconds=CALM | {"betting": 600.0}),
    "hasty": Kind(8, seconds=HASTY | {"betting": 8.0, "decide_preflop": 3.0}),
    "machine": Kind(16, dealing="auto", seconds=CALM | {"betting": 8.0, "card": 0.3, "between_rounds": 20.0}),
    "seven": Kind(8, dealing="auto", hands="own", seconds=CALM | {"betting": 16.0, "card": 0.1}),
    "several": Kind(4, seconds=CALM | {"betting": 20.0}),
}
Part = Callable[[Studio], Awaitable[None]]
MOST: tuple[Part, ...] = (table.round_, table.outcomes, table.messages, table.states)
AT_TABLE: tuple[Part, ...] = (*MOST, table.absences, table.silence, table.own_hands)
AROUND: tuple[Part, ...] = (around.first_visit, around.panels, around.chat, around.advice, around.reality)
# In which window and language what is looked at: everything in English at a desk and upright in a hand.
WINDOWS: dict[Window, tuple[Part, ...]] = {
    Window("desktop", "en-GB"): (*AT_TABLE, *AROUND, table.several),
    Window("phone", "en-GB"): (*AT_TABLE, *AROUND),
    Window("sideways", "en-GB"): (
        table.round_,
        table.outcomes,
        table.messages,
        table.states,
        table.own_hands,
        around.chat,
        around.advice,
    ),
    Window("phone", "da-DK"): (table.round_, table.outcomes, table.messages, table.states, *AROUND),
    Window("phone", "fr-FR"): (table.round_, table.outcomes, table.messages, table.states, *AROUND),
    Window("desktop", "da-DK"): (table.round_, table.silence, around.first_visit),
    Window("desktop", "fr-FR"): (table.round_, table.silence, around.first_visit),
}
AT_ONCE = 3  # most of the time is spent waiting for the clocks of the tables


async def shoot_all(folder: Path, wanted: list[str]) -> None:
    with started_service(KINDS, staff=("paula", "max")) as service:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            free = asyncio.Semaphore(AT_ONCE)
            taking = [
                _take(free, Studio.at(browser, service, folder, window), part)
                for window, parts in WINDOWS.items()
                for part in parts
                if _is_wanted(wanted, part, window)
            ]
            failures = [one for one in await asyncio.gather(*taking, return_exceptions=True) if one is not None]
            await browser.close()
    if failures:
        raise BaseExceptionGroup("some pictures could not be taken", failures)


def _is_wanted(wanted: list[str], part: Part, window: Window) -> bool:
    windows = [name for name in wanted if name in map(str, WINDOWS)]
    parts = [name for name in wanted if name not in windows]
    return (not parts or part.__name__.strip("_") in parts) and (not windows or str(window) in windows)


async def _take(free: asyncio.Semaphore, opened: AbstractAsyncContextManager[Studio], part: Part) -> None:
    """Failures are reported at the end, so that the other pictures are taken."""
    async with free, opened as studio:
        try:
            await part(studio)
        except Exception as failure:
            failure.add_note(f"while taking {part.__name__} in {studio.window}")
            raise


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot_all(target, sys.argv[2:]))
