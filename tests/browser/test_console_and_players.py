"""Presenter, manager and two players in their own windows: whole rounds, and every class of incident."""

import asyncio
import tomllib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from casino.cards.card import DECK
from tests.browser.consoles import Console, Consoles, shown
from tests.browser.people import Screen, Visitors
from tests.deep import DEEP
from tests.live.hands import Hand
from tests.live.service import Kind, LiveService, started_service

pytestmark = pytest.mark.asyncio(loop_scope="session")

CREDIT: Final = 100_000
HAND: Final = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
SHIPPED: Final = Path(__file__).parents[2] / "config" / "incidents.toml"
CLASSES: Final[dict[str, dict[str, Any]]] = tomllib.loads(SHIPPED.read_text())["classes"]
WAYS: Final = {
    "correct_card": "Correct a card Choose the wrong card, then the right one",
    "resume": "Resume The round goes on, with full time to decide",
    "cancel": "Cancel and refund All bets will be refunded",
}
NET: Final = {
    # of ANTE 5.00 with TRIPS 1.00, and of ANTE 1.00 alone, both with PLAY 4x
    "cancel": (0, 0),
    "resume": (-500 - 500 - 100 - 2000, -100 - 100 - 400),  # a pair of sevens against queens and sevens
    "correct_card": (500 - 100 + 2000, 100 + 400),  # aces and sevens; the BLIND pushes, TRIPS lose
}
SECONDS: Final = {"betting": 300.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0}
NAMES: Final = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


@pytest.fixture(scope="module")
def full_house() -> Iterator[LiveService]:
    """Its books must be right at the end."""
    with started_service({"live": Kind(3, seconds=SECONDS)}, staff=("paula", "max"), is_driven=True) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def consoles(browser: Browser, full_house: LiveService) -> AsyncIterator[Consoles]:
    async with Consoles.at(browser, full_house.address) as opened:
        yield opened
        assert opened.complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def players(browser: Browser, full_house: LiveService) -> AsyncIterator[Visitors]:
    async with Visitors.at(browser, full_house.address) as coming:
        yield coming
        assert coming.complaints == []


class Evening:
    """The four of them at one table."""

    def __init__(self, house: LiveService, paula: Console, manager: Console, ann: Screen, bob: Screen) -> None:
        self.house, self.paula, self.manager, self.ann, self.bob = house, paula, manager, ann, bob
        self._has_bet = False

    @classmethod
    async def at(cls, house: LiveService, consoles: Consoles, players: Visitors) -> "Evening":
        table_id = house.table("live")
        ann, bob = await players.guest(table_id), await players.guest(table_id)
        paula, manager = await consoles.of("paula"), await consoles.of("max")
        await paula.sit_down(table_id)
        await manager.page.locator(f'[data-floor="{table_id}"]').click()
        await expect(manager.page.get_by_text("paula is on shift")).to_be_visible()
        return cls(house, paula, manager, ann, bob)

    async def betting(self) -> None:
        await self.paula.press("Space")
        await expect(self.paula.page.get_by_text("BETTING", exact=False).first).to_be_visible()
        await asyncio.gather(self._bet_of(self.ann, ante="5.00", trips="1.00"), self._bet_of(self.bob, ante="1.00"))
        await expect(self.paula.page.locator('[data-total="ante"]')).to_have_text("FUN 6.00")
        self._has_bet = True
        self.house.end_betting(self.ann.table_id)
        await expect(self.paula.page.get_by_text("DEAL PLAYER 1")).to_be_visible()

    async def _bet_of(self, screen: Screen, **chips: str) -> None:
        """By chips the first time, then by REPEAT."""
        if self._has_bet:
            await screen.button("REPEAT").click()
        else:
            for spot, chip in chips.items():
                await screen.place(spot, chip)
        for spot, chip in chips.items():
            await screen.shows(spot, chip)

    async def both_play_4x(self) -> None:
        for screen in (self.ann, self.bob):
            await screen.button("PLAY 4x").click()

    async def have(self, ann: int, bob: int) -> None:
        """On their screens, and in the books."""
        for screen, balance in ((self.ann, ann), (self.bob, bob)):
            await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", str(balance))
            me = await screen.page.evaluate("fetch('/api/me').then((answer) => answer.json())")
            assert (me["balance"], me["available"]) == (balance, balance)


async def by_scanner(paula: Console, cards: str) -> None:
    await paula.scan(*cards.split())


async def by_pad(paula: Console, cards: str) -> None:
    for card in cards.split():
        await paula.click(f"{card[0]} of {NAMES[card[1]]}")
        await expect(paula.scanner).to_contain_text(f"{shown(card)} is at")


@pytest.mark.parametrize("deal", [by_scanner, by_pad])
async def test_whole_round_of_presenter_manager_and_two_players(
    deal: Any,  # noqa: ANN401
    full_house: LiveService,
    consoles: Consoles,
    players: Visitors,
) -> None:
    here = await Evening.at(full_house, consoles, players)
    await here.betting()
    await deal(here.paula, HAND.player)
    await here.ann.button("PLAY 4x").click()
    await expect(here.paula.page.get_by_text("1 player to go")).to_be_visible()
    await here.bob.button("CHECK").click()
    await here.paula.shows("DEAL FLOP 1")
    await deal(here.paula, HAND.flop)
    await here.bob.button("CHECK").click()
    await here.paula.shows("DEAL TURN")
    await deal(here.paula, HAND.turn_river)
    await here.bob.button("FOLD").click()
    await here.paula.shows("TURN DEALER 1")
    await deal(here.paula, "8h 9d")
    await here.paula.shows("Player wins with a pair of sevens.")
    await expect(here.manager.page.locator('[data-slot="dealer_2"]').get_by_role("img")).to_be_visible()
    await here.have(CREDIT + 500 + 2000 - 100, CREDIT - 100 - 100)
    await here.paula.click("End shift")
    await expect(here.manager.page.get_by_text("no presenter")).to_be_visible()
    assert full_house.errors() == []


async def test_every_class_of_incident_is_played_through_at_the_console(
    full_house: LiveService, consoles: Consoles, players: Visitors
) -> None:
    here = await Evening.at(full_house, consoles, players)
    balances, ended = [CREDIT, CREDIT], set()
    for number, known in enumerate(CLASSES.values(), start=1):
        way = known["resolutions"][number % len(known["resolutions"])]
        if known.get("change_presenter"):
            way = "cancel"  # the same presenter cannot continue
        if way in ended and not known.get("count_deck") and not DEEP:
            continue  # one class for each resolution; `make test-deep` plays all of them
        ended.add(way)
        await here.betting()
        await here.paula.scan("As", "Kd")
        await expect(here.ann.button("PLAY 4x")).to_be_visible()
        await stop(here, number, known)
        await end(here.manager, known, way)
        if way != "cancel":
            await here.both_play_4x()
            await here.paula.shows("DEAL FLOP 1")
            await here.paula.scan(*HAND.flop.split(), *HAND.turn_river.split(), *HAND.dealer.split())
            await here.paula.shows("RESULT")
        else:
            if known.get("count_deck"):
                await here.paula.shows("COUNT THE DECK")
                await here.paula.press("Space")
                await here.paula.shows("DECK COUNT")
                await here.paula.scan(*DECK[:-1])
                await here.paula.page.keyboard.type(DECK[-1])
                await here.paula.press("Enter")
            await here.paula.shows("ROUND CANCELLED")
        balances = [balance + net for balance, net in zip(balances, NET[way], strict=True)]
        await here.have(*balances)
        for screen in (here.ann, here.bob) if way == "cancel" else ():
            await expect(screen.notice).to_contain_text("refunded")
            await screen.button("OK").click()
    assert ended == set(WAYS)


async def stop(here: Evening, number: int, known: dict[str, Any]) -> None:
    """The presenter stops the round and classifies the incident by its digit; all players see it."""
    await here.paula.press("Escape")
    await expect(here.paula.page.get_by_text("What happened?")).to_be_visible()
    await here.paula.press(str(number % 10))
    for step in known["steps"]:
        await here.paula.shows(step)
    for screen in (here.ann, here.bob):
        await expect(screen.notice).to_contain_text("The round is paused")


async def end(manager: Console, known: dict[str, Any], way: str) -> None:
    await expect(manager.page.get_by_role("heading", name=known["title"])).to_be_visible()
    for one, label in WAYS.items():
        offered = manager.page.get_by_role("button", name=label, exact=True)
        await expect(offered).to_have_count(int(one in known["resolutions"]))
    if way == "correct_card":
        await manager.click(WAYS[way])
        await manager.fill("Reason", "The camera shows diamonds.")
        await manager.page.get_by_role("button", name="PLAYER 2 K♦", exact=True).click()
        await manager.click("A of diamonds")
        await expect(manager.page.get_by_text("PLAYER 2: K♦ → A♦")).to_be_visible()  # and nothing is done yet
        await manager.click("Confirm: Correct a card")
        await manager.card_at("player_2", "ace of diamonds")
        way = "resume"
    await manager.click(WAYS[way])
    if way == "cancel":
        await expect(manager.page.locator("[data-move]")).to_have_count(2)
    await manager.fill("Reason", "As the procedure says.")
    await manager.click(f"Confirm: {'Resume' if way == 'resume' else 'Cancel and refund'}")
    await expect(manager.page.get_by_text("by max. As the procedure says.")).to_be_visible()
