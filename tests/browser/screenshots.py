"""Pictures of the player's page in its states, on a desk and in a hand, for people to look at; nothing is compared.

`python -m tests.browser.screenshots FOLDER [PART…]` takes all of them, or only some parts: door round states limits
own_hands panels classic languages several.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Browser, ViewportSize, async_playwright, expect

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.people import CALM, DESKTOP, HASTY, PHONE, Screen, Visitors
from tests.live.clients import Door, Host, door_of
from tests.live.hands import Hand
from tests.live.house import House, Kind, open_house

FLUSH = Hand.of("As Ks | 7s 2s 9d Jh 3s | Qh Qd")
SIZES = {"desktop": DESKTOP, "phone": PHONE, "sideways": ViewportSize(width=844, height=390)}
PANELS = ("Lobby", "Results", "History", "Cashier", "Responsible gaming", "Help and rules", "Settings")
KINDS = {
    "live": Kind(20, seconds=CALM | {"betting": 16.0}),
    "hasty": Kind(3, seconds=HASTY | {"betting": 12.0}),
    "machine": Kind(8, dealing="auto", seconds=CALM | {"card": 0.3}),
    "seven": Kind(3, dealing="auto", hands="own", seconds=CALM | {"betting": 16.0, "card": 0.1}),
}
Shoot = Callable[[Screen, str], Awaitable[None]]


class Studio:
    def __init__(self, browser: Browser, house: House, door: Door, folder: Path) -> None:
        self.house, self.door, self.folder = house, door, folder
        self.visitors = Visitors(browser, house.address)

    async def take(self, parts: list[str]) -> None:
        for name, size in SIZES.items():
            hand_held = (self.panels, self.door_, self.limits) if size is not SIZES["sideways"] else ()
            for part in (self.round, self.states, self.own_hands, self.classic, *hand_held):
                if part.__name__.strip("_") in parts or not parts:
                    await part(name, size)
        for whole in (self.languages, self.several):
            if whole.__name__ in parts or not parts:
                await whole()

    def _shooting(self, size: str) -> Shoot:
        async def shoot(screen: Screen, what: str) -> None:
            await screen.page.wait_for_timeout(700)  # until what moves has arrived
            await screen.page.screenshot(path=self.folder / f"{size}-{what}.png")

        return shoot

    async def _hosted(self, size: ViewportSize) -> tuple[Screen, Host, str]:
        table_id = self.house.table("live")
        host = await self.door.host()
        await host.take_over(table_id)
        return await self.visitors.guest(table_id, size), host, table_id

    async def round(self, name: str, size: ViewportSize) -> None:
        shoot = self._shooting(name)
        screen, host, table_id = await self._hosted(size)
        round_id = await host.start(table_id)
        await shoot(screen, "betting")
        await screen.place("ante", "25.00")
        await screen.place("trips", "5.00")
        await shoot(screen, "bet")
        await host.phase(table_id, round_id, "dealing_hole")
        for cards, action in zip(FLUSH.streets, ("CHECK", "CHECK", "PLAY 1x"), strict=True):
            await host.scan(table_id, round_id, cards)
            await expect(screen.button(action)).to_be_visible()
            await shoot(screen, f"deciding-{len(cards)}-{action[:4]}")
            await screen.button(action).click()
            await host.phase(table_id, round_id, "dealing_flop", "dealing_river", "showdown")
        await host.phase(table_id, round_id, "showdown")
        await host.scan(table_id, round_id, FLUSH.dealer)
        await shoot(screen, "showdown-dealer")
        await expect(screen.ribbon).to_contain_text("You win")
        await shoot(screen, "showdown-hands")
        await expect(screen.table.locator(".celebration")).to_be_attached()
        await shoot(screen, "showdown-won")

    async def states(self, name: str, size: ViewportSize) -> None:
        shoot = self._shooting(name)
        screen, host, table_id = await self._hosted(size)
        await shoot(screen, "waiting")
        round_id = await host.start(table_id)
        await screen.place("ante", "5.00")
        await screen.shows("ante", "5.00")
        await host.phase(table_id, round_id, "dealing_hole")
        await host.scan(table_id, round_id, FLUSH.player)
        await screen.page.context.set_offline(True)
        await expect(screen.standing).to_be_visible()
        await shoot(screen, "reconnecting")
        await screen.page.context.set_offline(False)
        await expect(screen.standing).to_have_count(0)
        second = await self.visitors.again(screen, table_id)
        await expect(screen.standing).to_contain_text("another device")
        await shoot(screen, "moved")
        await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
        await shoot(second, "paused")
        manager = await self.door.host("max")
        await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is not complete."})
        await shoot(second, "cancelled")
        await second.button("OK").click()
        await host.ok("close_table", {"table_id": table_id})
        await expect(second.standing).to_contain_text("No presenter")
        await shoot(second, "no-presenter")
        await second.page.context.set_offline(True)
        await expect(second.standing).to_contain_text("cannot be reached", timeout=30_000)
        await shoot(second, "service-gone")

    async def door_(self, name: str, size: ViewportSize) -> None:
        """The first visit, and an account."""
        shoot = self._shooting(name)
        screen = await self.visitors.outside(size)
        await shoot(screen, "first-visit")
        await screen.page.get_by_role("button", name="New here? Create an account").click()
        await screen.page.get_by_label("Name").fill("Ann")
        await screen.page.get_by_label("Password").fill("short")
        await screen.page.get_by_role("button", name="Create an account").click()
        await shoot(screen, "register")

    async def limits(self, name: str, size: ViewportSize) -> None:
        """A limit of one's own is reached, and a balance that covers no bet."""
        shoot = self._shooting(name)
        screen, host, table_id = await self._hosted(size)
        await host.start(table_id)
        limit = {"kind": "loss", "period": "day", "amount": 500}
        await screen.page.request.put(f"{self.house.address}/api/responsible/limits", data=limit)
        await screen.place("ante", "5.00")
        await expect(screen.spot("ante").get_by_role("status")).to_contain_text("limit")
        await shoot(screen, "limit-reached")

    async def classic(self, name: str, size: ViewportSize) -> None:
        """The other view, with traffic lights; and silence, which is answered for the player."""
        shoot = self._shooting(name)
        table_id = self.house.table("hasty")
        host = await self.door.host()
        await host.take_over(table_id)
        screen = await self.visitors.guest(table_id, size)
        settings = await (await screen.page.request.get(f"{self.house.address}/api/settings")).json()
        await screen.page.request.put(f"{self.house.address}/api/settings", data=settings | {"view": "classic"})
        await expect(screen.table).to_contain_class("classic")
        round_id = await host.start(table_id)
        await screen.place("ante", "25.00")
        await screen.shows("ante", "25.00")
        await shoot(screen, "classic-betting")
        await host.phase(table_id, round_id, "dealing_hole")
        await host.scan(table_id, round_id, FLUSH.player)
        await host.phase(table_id, round_id, "dealing_flop")
        await shoot(screen, "classic-auto-checked")

    async def languages(self) -> None:
        for locale in ("da-DK", "fr-FR"):
            for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
                shoot = self._shooting(f"{name}-{locale[:2]}")
                table_id = self.house.table("live")
                host = await self.door.host()
                await host.take_over(table_id)
                screen = await self.visitors.guest(table_id, size, locale=locale)
                round_id = await host.start(table_id)
                await shoot(screen, "betting")
                await screen.spot("ante").click()
                await screen.shows("ante", "1,00")
                await host.phase(table_id, round_id, "dealing_hole")
                await host.scan(table_id, round_id, FLUSH.player)
                await shoot(screen, "deciding")
                await screen.table.locator(".play_3x").click()
                for cards, phase in ((FLUSH.flop, "dealing_river"), (FLUSH.turn_river, "showdown")):
                    await host.scan(table_id, round_id, cards)
                    await host.phase(table_id, round_id, phase)
                await host.scan(table_id, round_id, FLUSH.dealer)
                await expect(screen.table.locator(".celebration")).to_be_attached()
                await shoot(screen, "won")

    async def own_hands(self, name: str, size: ViewportSize) -> None:
        shoot = self._shooting(name)
        table_id = self.house.table("seven")
        screen = await self.visitors.guest(table_id, size)
        others = [await self.door.player() for _ in range(4)]
        for other in others:
            joined = await other.join(table_id)
            await other.bet(table_id, joined["round"]["round_id"], 500)
        await screen.place("ante", "25.00")
        await shoot(screen, "own-hands-betting")
        await expect(screen.button("CHECK")).to_be_visible(timeout=20_000)
        await shoot(screen, "own-hands-deciding")
        for other in others:
            await other.close()

    async def panels(self, name: str, size: ViewportSize) -> None:
        shoot = self._shooting(name)
        screen = await self.visitors.guest(self.house.table("machine"), size)
        await screen.place("ante", "1.00")
        await screen.button("PLAY 3x").click()
        await expect(screen.table.get_by_role("region", name="Results")).to_be_visible(timeout=20_000)
        for panel in PANELS:
            if size is PHONE:
                await screen.page.get_by_role("button", name="Menu", exact=True).click()
            await screen.page.locator("nav").get_by_role("button", name=panel, exact=True).click()
            await shoot(screen, f"panel-{panel.split()[0].lower()}")
            await screen.page.keyboard.press("Escape")
        await screen.page.locator("nav").get_by_role("button", name="Chat").click()
        await screen.page.get_by_label("Write to the table").fill("Good evening everybody")
        await screen.page.keyboard.press("Enter")
        await shoot(screen, "panel-chat")

    async def several(self) -> None:
        shoot = self._shooting("desktop")
        screen = await self.visitors.guest(self.house.table("machine"))
        for count in (2, 3, 4):
            table_id = self.house.table("machine")
            await screen.page.get_by_role("button", name="Add a table").click()
            await screen.page.get_by_role("button", name=f"Play beside: Table {table_id}", exact=True).click()
            await shoot(screen, f"tables-{count}")


async def shoot_all(folder: Path, parts: list[str]) -> None:
    with open_house(KINDS, staff=("paula", "max")) as house:
        async with door_of(house) as door, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            await Studio(browser, house, door, folder).take(parts)
            await browser.close()


if __name__ == "__main__":
    wanted = Path(sys.argv[1])
    wanted.mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot_all(wanted, sys.argv[2:]))
