"""Screenshots of the back office in its views and states: `python -m tests.browser.finance_screenshots FOLDER`.

They are for people to look at; nothing is compared. What is printed is kept as PDF.
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Browser, ViewportSize, async_playwright, expect

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.offices import CALM_CHANCE, OCTOBER, Clerk, Offices, propose_correction, service_with_a_month
from tests.live.service import LiveService

SIZES = {"wide": ViewportSize(width=1920, height=1080), "narrow": ViewportSize(width=1280, height=800)}
DAY = "from=2026-10-03&to=2026-10-03"
VIEWS = {
    "month": f"overview?{OCTOBER}",
    "week": "overview?from=2026-10-05&to=2026-10-11",
    "day": f"overview?{DAY}&by=table",
    "presenters": f"overview?{OCTOBER}&by=presenter",
    "players": f"overview?{OCTOBER}&by=player",
    "tips": f"tips?{OCTOBER}",
    "refunds": f"refunds?{OCTOBER}",
    "unresolved": "unresolved",
    "cashier": f"cashier?{OCTOBER}",
    "balance": "balance",
    "accounts": "accounts?kind=player&currency=EUR",
    "days": f"days?{OCTOBER}",
    "corrections": "corrections",
    "receivables": "receivables",
    "rows": f"rows?{OCTOBER}&currency=EUR",
    "postings": f"postings?{OCTOBER}&currency=EUR&kind=settle",
}
FOREIGN = {name: VIEWS[name] for name in ("month", "cashier", "balance", "days", "rows")}
EMPTY = {name: VIEWS[name] for name in ("month", "tips", "refunds", "unresolved", "cashier", "balance", "days", "rows")}
PATIENCE_MS = 120_000  # a picture is worth waiting for on a busy machine
LONG = ("rows", "postings")  # of these the first screen is enough: no picture of two hundred rows can be read
PAPER = ViewportSize(width=1032, height=703)  # A4 landscape without its margins


class Album:
    def __init__(self, folder: Path, offices: Offices) -> None:
        self._folder, self._offices = folder, offices

    async def take(self, size: str, views: dict[str, str], title: str = "") -> Clerk:
        clerk = await self._offices.clerk("balance", screen=SIZES[size])
        clerk.page.set_default_timeout(PATIENCE_MS)
        for name, place in views.items():
            await clerk.go(place)
            await self._shot(clerk, f"{size}-{title}{name}")
        return clerk

    async def sign_in(self, size: str) -> None:
        clerk = await self._offices.visitor("overview", screen=SIZES[size])
        await self._shot(clerk, f"{size}-sign-in")
        await clerk.sign_in("nobody")
        await expect(clerk.page.get_by_role("alert")).to_be_visible()
        await self._shot(clerk, f"{size}-sign-in-refused")

    async def corrections(self, service: LiveService, size: str) -> None:
        """Of one round, proposed by a manager, who is not let in here; and when it is done."""
        clerk = await self._offices.clerk("corrections", screen=SIZES[size])
        await self._shot(await self._offices.clerk("corrections", "max", SIZES[size]), f"{size}-stranger")
        await propose_correction(service, clerk)
        await clerk.page.reload()
        await expect(clerk.page.get_by_role("table").first).to_be_visible()
        await self._shot(clerk, f"{size}-corrections-open")
        await clerk.page.get_by_role("button", name="Approve").click()
        await expect(clerk.page.get_by_role("status")).to_be_visible()
        await self._shot(clerk, f"{size}-corrections-approved")

    async def detail(self, clerk: Clerk, size: str) -> None:
        """The way from a number to a round, and what is found there."""
        await clerk.go(VIEWS["month"])
        await clerk.page.get_by_text("Download", exact=True).click()
        await self._shot(clerk, f"{size}-download")
        for status in ("corrected", "cancelled"):
            await clerk.go(f"rows?{OCTOBER}&currency=EUR&status={status}")
            await clerk.page.locator("tbody a").first.click()
            await self._shot(clerk, f"{size}-round-{status}")
            path = await clerk.downloaded(clerk.page.get_by_role("link", name="Round file HTML"))
            file = await clerk.page.context.new_page()
            await file.set_content(path.read_text())
            await file.screenshot(path=self._folder / f"finance-{size}-round-file-{status}.png", full_page=True)
            await file.close()

    async def printed(self, clerk: Clerk) -> None:
        """Every page as it is printed, in a file and in a picture."""
        for name, place in VIEWS.items():
            await clerk.go(place)
            await self._print(clerk, name)
        await clerk.go(f"rows?{OCTOBER}&currency=EUR&status=corrected")
        await clerk.page.locator("tbody a").first.click()
        await self._print(clerk, "round")
        path = await clerk.downloaded(clerk.page.get_by_role("link", name="Round file HTML"))
        file = await clerk.page.context.new_page()
        await file.set_content(path.read_text())
        await file.pdf(path=self._folder / "finance-print-round-file.pdf", format="A4", prefer_css_page_size=True)
        await file.set_viewport_size({"width": 688, "height": 1000})
        await file.emulate_media(media="print")
        await file.screenshot(path=self._folder / "finance-print-round-file.png", full_page=True)
        await file.close()

    async def _print(self, clerk: Clerk, name: str) -> None:
        await expect(clerk.page.get_by_role("status")).to_have_count(0, timeout=PATIENCE_MS)
        await expect(clerk.page.locator(".waiting, [aria-busy=true]")).to_have_count(0, timeout=PATIENCE_MS)
        path = self._folder / f"finance-print-{name}.pdf"
        await clerk.page.pdf(path=path, format="A4", prefer_css_page_size=True)
        await clerk.page.set_viewport_size(PAPER)
        await clerk.page.emulate_media(media="print")
        await clerk.page.screenshot(path=path.with_suffix(".png"), full_page=name not in LONG)
        await clerk.page.emulate_media(media="screen")
        await clerk.page.set_viewport_size(SIZES["narrow"])

    async def _shot(self, clerk: Clerk, name: str) -> None:
        await expect(clerk.page.locator(".waiting, [aria-busy=true]")).to_have_count(0, timeout=PATIENCE_MS)
        await clerk.page.wait_for_timeout(200)  # until the chart is drawn
        is_whole = not name.endswith(LONG)
        await clerk.page.screenshot(path=self._folder / f"finance-{name}.png", full_page=is_whole)


async def _busy_month(album: Album, service: LiveService) -> None:
    await album.sign_in("wide")
    for size in SIZES:
        clerk = await album.take(size, VIEWS)
    await album.detail(clerk, size)
    await album.printed(clerk)
    await album.corrections(service, size)


async def _shoot(browser: Browser, service: LiveService, folder: Path, views: dict[str, str], title: str) -> None:
    async with Offices.at(browser, service.address) as offices:
        album = Album(folder, offices)
        if views:
            await album.take("wide", views, title)
        else:
            await _busy_month(album, service)


async def _open(service: LiveService, folder: Path, views: dict[str, str], title: str = "") -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        await _shoot(browser, service, folder, views, title)
        await browser.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with service_with_a_month(CALM_CHANCE, players=24, rounds=150) as service:
        service.command("credit", "Zoë", "9999999999.00", "--reason", "more than a page is used to")
        asyncio.run(_open(service, folder, {}))
    with service_with_a_month(players=2, rounds=0) as service:
        asyncio.run(_open(service, folder, EMPTY, "empty-"))
    for currency in ("JPY", "KWD"):
        with service_with_a_month(players=8, rounds=24, currency=currency) as service:
            views = {name: place.replace("EUR", currency) for name, place in FOREIGN.items()}
            asyncio.run(_open(service, folder, views, f"{currency.lower()}-"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
