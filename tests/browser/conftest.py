"""Fixtures of the browser tests: a browser, a live service with short windows, and its users.

Playwright's asynchronous side is used on purpose: its synchronous side keeps an event loop running between tests,
in which no asynchronous test of the same run can start. One browser serves all tests, each in its own context.
"""

from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.browser.people import CALM, HASTY, Visitors
from tests.browser.poker_people import Guests
from tests.deep import DEEP
from tests.live.clients import Clients, clients_of
from tests.live.poker_service import started_poker
from tests.live.service import Kind, LiveService, started_service

CHROMIUM = "/usr/bin/chromium-headless-shell"  # Debian's Chromium without windows, at half the processor time
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# A limit against hanging alone: a busy machine may take its time.
expect.set_options(timeout=60_000)
# Tests end betting at the tables of presenters; machines end it by their clock.
OPEN = CALM | {"betting": 300.0}
KINDS = {
    "live": Kind(112, seconds=OPEN),
    "machine": Kind(5, dealing="auto", seconds=CALM | {"betting": 8.0}),
    "fair": Kind(1, dealing="auto", seconds=CALM | {"betting": 12.0}),
    "brief": Kind(4, seconds=OPEN | {"decide_preflop": 5.0}),
    "dear": Kind(1, seconds=OPEN, more="[limits]\nante_min = 500\n"),
    "hasty": Kind(4, seconds=HASTY | {"betting": 300.0}),
    "own": Kind(2, hands="own", seconds=OPEN),
}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with pytest.MonkeyPatch.context() as patch:
            if not DEEP:  # moving pixels take half of the processor time; tests that need motion ask for it
                patch.setattr(browser, "new_context", partial(browser.new_context, reduced_motion="reduce"))
            yield browser
        await browser.close()


@pytest.fixture(scope="session")
def service() -> Iterator[LiveService]:
    """One service for all tests; its books must be right after the last one."""
    with started_service(KINDS, staff=("paula", "max", "fiona"), is_driven=True) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture(scope="session")
def poker() -> Iterator[LiveService]:
    """One poker room for all tests: known decks, and time to look at a result."""
    with started_poker("max", between_hands="6", after_showdown="6", decision="40") as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def guests(browser: Browser, poker: LiveService) -> AsyncIterator[Guests]:
    """Guests of the poker room. Whatever the browser complains about fails the test."""
    async with Guests.at(browser, poker) as coming:
        yield coming


@pytest_asyncio.fixture(loop_scope="session")
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(service) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def visitors(browser: Browser, service: LiveService) -> AsyncIterator[Visitors]:
    """People with a browser. Whatever the browser complains about, of the policy or of a fault, fails the test."""
    async with Visitors.at(browser, service.address) as coming:
        yield coming
        assert coming.complaints == []
