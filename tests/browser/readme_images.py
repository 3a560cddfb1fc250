"""Screenshots of the README: `python -m tests.browser.readme_images docs/images`.

The pictures are committed, so they are small: JPEG at one pixel per CSS pixel.
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.host_album import Album as ConsoleAlbum
from tests.browser.offices import CALM_CHANCE, OCTOBER, Offices, service_with_a_month
from tests.browser.people import CALM
from tests.browser.poker_people import Guests, callers
from tests.browser.studio import Studio, Window
from tests.live.clients import clients_of
from tests.live.hands import Hand
from tests.live.poker_service import order_of, started_poker
from tests.live.service import POKER_CONFIG, Kind, LiveService, started_service

HAND = Hand.of("As Ks | 7s 2s 9d Jh 3s | Qh Qd")
KINDS = {"live": Kind(4, seconds=CALM | {"betting": 6.0, "decide_preflop": 60.0, "decide_flop": 60.0, "confirm": 1.0})}
BACK_OFFICE: ViewportSize = {"width": 1440, "height": 900}
POKER: ViewportSize = {"width": 1440, "height": 900}
STAKES = (POKER_CONFIG / "stakes.toml").read_text()
OTHERS = 5
FLUSH = "Ah Kd 9c 8h Jc 5d  Kh 9d 4c 8s Jd 5s  Qh 7h 2s Tc 3d"
"""Two cards of six players, left of the button first, and the board."""


async def take_player(browser: Browser, service: LiveService, folder: Path, window: str) -> None:
    """The decision on the flop, with a bet and a drawn flush to come."""
    async with Studio.at(browser, service, folder, Window(window, "en-GB")) as studio:
        screen, host, table_id = await studio.hosted()
        round_id = await host.start(table_id)
        await studio.keys(screen, "3 a 2 t")
        await host.phase(table_id, round_id, "dealing_hole")
        await host.scan(table_id, round_id, HAND.player)
        await screen.table.locator(".options .check").click()
        await host.phase(table_id, round_id, "dealing_flop")
        await host.scan(table_id, round_id, HAND.flop)
        await expect(screen.table.locator(".options .play_2x")).to_be_visible()
        await _save(screen.page, folder / f"player-{window}.jpg")


async def take_console(browser: Browser, service: LiveService, folder: Path) -> None:
    """The presenter deals the flop, two players have bet."""
    async with clients_of(service) as clients:
        album = ConsoleAlbum(browser, service, clients, folder)
        paula = await album.consoles.of("paula", {"width": 1440, "height": 900})
        table_id, players = service.table("live"), await clients.players(2)
        await album.sit_down(paula, table_id)
        await paula.press("Enter")
        await paula.shows("OPEN BETTING")
        round_id = await album.bet(paula, table_id, players)
        await players[0].ok("chat", {"table_id": table_id, "text": "Good evening, Paula"})
        await paula.shows("DEAL PLAYER 1")
        await paula.scan("As", "Ks")
        await players[0].phase(table_id, round_id, "deciding_preflop")
        for player in players:
            await player.decide(table_id, round_id, "check")
        await paula.shows("DEAL FLOP 1")
        await paula.scan("7s", "2s")
        await paula.shows("DEAL FLOP 3")
        await _save(paula.page, folder / "host-console.jpg")


async def take_back_office(browser: Browser, service: LiveService, folder: Path) -> None:
    async with Offices.at(browser, service.address) as offices:
        clerk = await offices.clerk(f"overview?{OCTOBER}", screen=BACK_OFFICE)
        await expect(clerk.page.locator(".waiting, [aria-busy=true]")).to_have_count(0, timeout=60_000)
        await _save(clerk.page, folder / "back-office.jpg")


async def take_poker(browser: Browser, folder: Path) -> None:
    """The lobby with players at some stakes, and the own turn on the flop of a full table."""
    with started_poker("max", stakes=STAKES, decision="60", between_hands="1") as service:
        order_of(service).write(FLUSH)
        async with callers(service, 9) as players, Guests.at(browser, service) as guests:
            guest = await guests.come(POKER, pools=STAKES.count("enabled = true"))
            for player in players[OTHERS:]:
                await player.sit("nl25", 2_500)
            for player in players[:OTHERS]:
                await player.sit("nl10")
            await guest.sit("nl10")
            await guest.play("check", "call")
            await expect(guest.find("[data-board] [role=img]")).to_have_count(3)
            await expect(guest.find('[data-act="raise"]')).to_be_visible()
            await _save(guest.page, folder / "poker-table.jpg")
            await guest.button("Lobby").first.click()
            await guest.shows('[data-pool="nl25:FUN"] [data-label="Average pot"]', "1.00")
            await _save(guest.page, folder / "poker-lobby.jpg")


async def _save(page: Page, path: Path) -> None:
    await page.wait_for_timeout(900)  # until animations have ended
    await page.screenshot(path=path, scale="css", type="jpeg", quality=72)


async def take_all(folder: Path, service: LiveService, month: LiveService) -> None:
    expect.set_options(timeout=15_000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for window in ("desktop", "phone"):
            await take_player(browser, service, folder, window)
        await take_console(browser, service, folder)
        await take_back_office(browser, month, folder)
        await take_poker(browser, folder)
        await browser.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        started_service(KINDS, staff=("paula", "max")) as service,
        service_with_a_month(CALM_CHANCE, players=24, rounds=150) as month,
    ):
        asyncio.run(take_all(folder, service, month))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
