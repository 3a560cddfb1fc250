"""Pictures of the host console in its states: `python -m tests.browser.host_screenshots FOLDER`.

On a desk and on a tablet. They are for people to look at; nothing is compared.
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Browser, ViewportSize, async_playwright, expect

from casino.cards.card import DECK
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.consoles import Console, Consoles
from tests.live.clients import Door, Player, door_of
from tests.live.hands import Hand
from tests.live.house import House, Kind, open_house

SIZES = {"desk": ViewportSize(width=1920, height=1080), "tablet": ViewportSize(width=1280, height=800)}
CALM = {"betting": 5.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0, "confirm": 2.5}
HAND = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
DECKS = "\n".join(
    [f"[scanner.decks.{deck}]", *(f'{deck[0]}{at:02} = "{card}"' for at, card in enumerate(DECK))][at]
    for deck in ("red", "blue")
    for at in range(53)
)
KINDS = {
    "live": Kind(4, seconds=CALM),
    "counted": Kind(2, seconds=CALM, more=f"[deck]\ncount_within_rounds = 3\n{DECKS}"),
    "own": Kind(2, hands="own", seconds=CALM),
    "practice": Kind(1, seconds=CALM, more="practice = true"),
    "machine": Kind(1, dealing="auto", seconds=CALM),
}


class Studio:
    def __init__(self, browser: Browser, house: House, door: Door, folder: Path) -> None:
        self.browser, self.house, self.door, self.folder = browser, house, door, folder
        self.consoles = Consoles(browser, house.address)
        self.size = ""

    async def all(self) -> None:
        for self.size, screen in SIZES.items():
            await self._signing_in(screen)
            paula, max_ = await self.consoles.of("paula", screen), await self.consoles.of("max", screen)
            await self._shift(paula)
            players = await self.door.players(2)
            table_id = await self._round(paula, players)
            await self._wrong_card_and_stop(paula, max_, players, table_id)
            await self._rounds(max_, table_id)
            await self._own_hands(paula)
            await self._count(paula)
            await self._around(max_)

    async def shoot(self, console: Console, what: str) -> None:
        await console.page.wait_for_timeout(500)  # until what moves has arrived
        await console.page.screenshot(path=self.folder / f"host-{self.size}-{what}.png")

    async def _signing_in(self, screen: ViewportSize) -> None:
        page = await self.browser.new_page(viewport=screen)
        await page.goto(f"{self.house.address}/host")
        await expect(page.get_by_label("Password")).to_be_visible()
        await self.shoot(Console(page), "01-sign-in")
        await page.close()

    async def _shift(self, paula: Console) -> None:
        await self.shoot(paula, "02-choose-table")

    async def _sit_down(self, paula: Console, table_id: str) -> None:
        """By touch, and as the first shift of this table."""
        await paula.page.get_by_role("button", name=f"Table {table_id}").click()
        await paula.shows("START SHIFT")

    async def _leave(self, paula: Console) -> None:
        await paula.page.get_by_role("button", name="Tables", exact=True).click()

    async def _bet(self, paula: Console, table_id: str, players: list[Player]) -> str:
        joined = [await player.join(table_id) for player in players]
        known = joined[0]["round"]["round_id"]
        await paula.press("Space")
        begun = await players[0].until(
            "round",
            lambda view: (view["table_id"], view["phase"]) == (table_id, "betting") and view["round_id"] != known,
        )
        for number, player in enumerate(players, start=1):
            await player.bet(table_id, begun["round_id"], 500 * number, 100)
        return str(begun["round_id"])

    async def _round(self, paula: Console, players: list[Player]) -> str:
        table_id = self.house.table("live")
        await self._sit_down(paula, table_id)
        await self.shoot(paula, "03-start-shift")
        await paula.press("Enter")
        await paula.shows("OPEN BETTING")
        await self.shoot(paula, "04-open-betting")
        round_id = await self._bet(paula, table_id, players)
        await players[0].ok("chat", {"table_id": table_id, "text": "Good evening, Paula"})
        await players[1].ok("tip", {"table_id": table_id, "amount": 500, "key": self.size})
        await self.shoot(paula, "05-betting")
        await paula.shows("DEAL PLAYER 1")
        await self.shoot(paula, "06-deal-player")
        await paula.scan("As", "Kd")
        await self.shoot(paula, "07-check-the-cards")
        await players[0].phase(table_id, round_id, "deciding_preflop")
        await self.shoot(paula, "08-players-decide")
        await players[0].decide(table_id, round_id, "play_4x")
        await players[1].decide(table_id, round_id, "play_4x")
        await paula.shows("DEAL FLOP 1")
        await paula.scan("7h", "7c")
        await self.shoot(paula, "09-deal-flop")
        await paula.page.context.set_offline(True)
        await paula.shows("NO CONNECTION")
        await self.shoot(paula, "10-no-connection")
        await paula.page.context.set_offline(False)
        await paula.shows("DEAL FLOP 3")
        await paula.scan("2s")
        await paula.shows("DEAL TURN")
        await paula.scan("Jd", "3c")
        await paula.shows("TURN DEALER 1")
        await self.shoot(paula, "11-turn-dealer")
        await paula.scan("Qh", "Qd")
        await paula.shows("RESULT")
        await self.shoot(paula, "12-result")
        return table_id

    async def _wrong_card_and_stop(self, paula: Console, max_: Console, players: list[Player], table_id: str) -> None:
        round_id = await self._bet(paula, table_id, players)
        await paula.shows("DEAL PLAYER 1")
        await paula.scan("As", "As")
        await self.shoot(paula, "13-already-out")
        await paula.scan("9780201379624")
        await self.shoot(paula, "14-not-a-card")
        await paula.press("Escape")
        await expect(paula.page.get_by_text("What happened?")).to_be_visible()
        await self.shoot(paula, "15-what-happened")
        await self.shoot(max_, "30-floor-alarm")
        await paula.press("2")
        await paula.shows("Show the card on the table to the camera.")
        await self.shoot(paula, "16-stopped")
        await max_.page.locator(f'[data-floor="{table_id}"]').click()
        await max_.shows("What is to be done?")
        await self.shoot(max_, "31-incident")
        await max_.click("Correct a card Choose the wrong card, then the right one")
        await max_.page.get_by_role("button", name="PLAYER 1 As", exact=True).click()
        await max_.click("A of hearts")
        await self.shoot(max_, "32-correct-a-card")
        await max_.click("Back")
        await max_.click("Cancel and refund Every bet goes back")
        await max_.fill("Reason", "The deck is not complete.")
        await expect(max_.page.locator("[data-move]")).to_have_count(2)
        await self.shoot(max_, "33-preview")
        await max_.click("Confirm: Cancel and refund")
        await players[0].result(round_id)
        await paula.shows("ROUND CANCELLED")
        await self.shoot(paula, "17-cancelled")
        await self.shoot(max_, "34-ended")
        await max_.click("Change limits")
        await self.shoot(max_, "35-limits")
        await self._leave(paula)

    async def _rounds(self, max_: Console, table_id: str) -> None:
        await max_.click("Rounds")
        await max_.fill("Table", table_id)
        await max_.click("Search")
        await expect(max_.page.get_by_role("button", name=f"{table_id}")).to_have_count(2)
        await self.shoot(max_, "36-rounds")
        await max_.page.get_by_role("button", name=f"{table_id}").last.click()
        await self.shoot(max_, "37-replay")
        await max_.click("Correct this round")
        await max_.page.get_by_role("button", name="DEALER 1 Qh", exact=True).click()
        await self.shoot(max_, "38-correct-this-round")
        await max_.click("8 of hearts")
        await expect(max_.page.locator("[data-move]")).to_have_count(2)
        await max_.fill("Reason", "The camera shows 8h.")
        await self.shoot(max_, "39-correction-preview")
        await max_.click("Propose correction")
        await max_.click("Corrections")
        await expect(max_.page.locator("[data-move]").first).to_be_visible()
        await self.shoot(max_, "40-corrections")

    async def _own_hands(self, paula: Console) -> None:
        table_id, players = self.house.table("own"), await self.door.players(7)
        await self._sit_down(paula, table_id)
        await paula.press("Enter")
        await paula.shows("OPEN BETTING")
        round_id = await self._bet(paula, table_id, players)
        await paula.shows("DEAL SEAT 1 · CARD 1")
        await paula.scan(*DECK[:9])
        await self.shoot(paula, "18-own-hands")
        await paula.scan(*DECK[9:14])
        await players[0].phase(table_id, round_id, "deciding_preflop")
        for player in players:
            await player.decide(table_id, round_id, "play_4x")
        await paula.shows("DEAL FLOP 1")
        await paula.scan(*DECK[20:23])
        await paula.shows("DEAL TURN")
        await paula.scan(*DECK[30:32])
        await paula.shows("TURN DEALER 1")
        await paula.scan(*DECK[40:42])
        await expect(paula.page.get_by_text("Dealer has", exact=False).first).to_be_visible()
        await self.shoot(paula, "19-own-result")
        await self._leave(paula)

    async def _count(self, paula: Console) -> None:
        await self._sit_down(paula, self.house.table("counted"))
        await paula.press("Enter")
        await paula.shows("COUNT THE DECK")
        await self.shoot(paula, "20-count-the-deck")
        await paula.press("Space")
        await expect(paula.page.get_by_text("DECK COUNT")).to_be_visible()
        await paula.scan(*DECK[:44])
        await self.shoot(paula, "21-counting")
        await paula.scan(DECK[0], "b07", "b08")
        await self.shoot(paula, "22-not-whole")
        await paula.click("Stop counting")
        await self._leave(paula)

    async def _around(self, max_: Console) -> None:
        await max_.click("Audit log")
        await self.shoot(max_, "41-audit")
        await max_.click("Floor")
        await self.shoot(max_, "42-floor")


async def shoot_all(folder: Path) -> None:
    expect.set_options(timeout=15_000)
    with open_house(KINDS, staff=("paula", "max")) as house:
        async with door_of(house) as door, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            await Studio(browser, house, door, folder).all()
            await browser.close()


if __name__ == "__main__":
    wanted = Path(sys.argv[1])
    wanted.mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot_all(wanted))
