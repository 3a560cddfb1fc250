"""Screenshots of every state of the host console, on desktop and tablet, each state played once."""

from pathlib import Path

from playwright.async_api import Browser, ViewportSize

from casino.cards.card import DECK
from tests.browser.consoles import Console, Consoles
from tests.live.clients import Clients, Player
from tests.live.service import Kind, LiveService

SIZES = {"desk": ViewportSize(width=1920, height=1080), "tablet": ViewportSize(width=1280, height=800)}
CALM = {"betting": 5.0, "decide_preflop": 90.0, "decide_flop": 90.0, "decide_river": 90.0, "confirm": 4.0}
QUICK = {"betting": 2.0, "decide_preflop": 4.0, "decide_flop": 4.0, "decide_river": 4.0, "confirm": 0.5}
DECKS = "\n".join(
    [f"[scanner.decks.{deck}]", *(f'{deck[0]}{at:02} = "{card}"' for at, card in enumerate(DECK))][at]
    for deck in ("red", "blue")
    for at in range(53)
)
KINDS = {
    "live": Kind(2, seconds=CALM),
    "counted": Kind(1, seconds=CALM, more=f"[deck]\ncount_within_rounds = 3\n{DECKS}"),
    "own": Kind(1, hands="own", seconds=CALM),
    "practice": Kind(1, seconds=QUICK, more="practice = true"),
    "machine": Kind(1, dealing="auto", seconds=CALM),
}
MOVING_MS = 400
"""Until what moves has arrived, and the page has taken its new size."""


class Album:
    def __init__(self, browser: Browser, service: LiveService, clients: Clients, folder: Path) -> None:
        self.browser, self.service, self.clients, self.folder = browser, service, clients, folder
        self.consoles = Consoles(browser, service.address)

    async def shoot(self, console: Console, what: str) -> None:
        for size, screen in SIZES.items():
            await console.page.set_viewport_size(screen)
            await console.page.wait_for_timeout(MOVING_MS)
            await console.page.screenshot(path=self.folder / f"host-{size}-{what}.png")

    async def come(self, name: str) -> Console:
        return await self.consoles.of(name, SIZES["desk"])

    async def sit_down(self, paula: Console, table_id: str) -> None:
        """By touch, and as the first shift of this table."""
        await paula.page.get_by_role("button", name=f"Table {table_id}").click()
        await paula.page.mouse.move(0, 0)  # whatever lies under the pointer would look chosen
        await paula.shows("START SHIFT")

    async def leave(self, paula: Console) -> None:
        await paula.page.get_by_role("button", name="Tables", exact=True).click()

    async def bet(self, paula: Console, table_id: str, players: list[Player]) -> str:
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
