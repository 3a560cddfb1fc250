"""Screenshots of the poker pages in their states: `python -m tests.browser.poker_screenshots FOLDER [STATE…] [da|fr]`.

They are for people to look at; nothing is compared. States are named like the functions that lead to them.
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import async_playwright, expect

from tests.browser import poker_states as states
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.poker_album import Album
from tests.browser.poker_people import Guests
from tests.live.poker_service import order_of, started_poker

STATES = (
    states.entrance,
    states.queue,
    states.reserved,
    states.waiting,
    states.sitting_out,
    states.without_chips,
    states.limits,
    states.closed,
    states.talk,
    states.hand,
    states.omaha,
    states.panels,
    states.interruptions,
)
LOCALES = {"en": "en-GB", "da": "da-DK", "fr": "fr-FR"}
STAKES = [f"t{number}" for number in range(1, 21)]
STAKE = """
[[stake]]
id = "{}"
game = "{}"
sb = {}
bb = {}
permille = 35
cap = 100
"""


async def shoot_all(folder: Path, wanted: list[str], language: str) -> None:
    expect.set_options(timeout=30_000)
    texts = [STAKE.format(name, "nlhe", 5, 10) for name in STAKES]
    texts += [STAKE.format("omaha", "plo", 5, 10), STAKE.format("dear", "nlhe", 2_000, 4_000)]
    with started_poker(
        "max",
        stakes="".join(texts),
        chat="true",
        min_to_start="5",
        between_hands="9",
        after_showdown="8",
        decision="90",
        buy_in_offer="12",
        rebuy_offer="25",
        remove_everywhere_after="45",
    ) as service:
        order_of(service).write(states.PAIRS)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            stakes, failures = iter(STAKES), []
            for state in STATES:
                if wanted and state.__name__ not in wanted:
                    continue
                try:
                    async with Guests.at(browser, service) as guests:
                        await state(
                            Album(guests, service, folder, locale=LOCALES[language], stakes=stakes, pools=len(texts))
                        )
                except Exception as failure:  # noqa: BLE001  the other states are photographed, too
                    failure.add_note(f"while photographing {state.__name__}")
                    failures.append(failure)
            await browser.close()
    if failures:
        raise ExceptionGroup("some states could not be photographed", failures)


if __name__ == "__main__":
    target, *names = sys.argv[1:]
    Path(target).mkdir(parents=True, exist_ok=True)
    spoken = next((name for name in names if name in LOCALES), "en")
    asyncio.run(shoot_all(Path(target), [name for name in names if name not in LOCALES], spoken))
