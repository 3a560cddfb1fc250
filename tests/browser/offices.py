"""Page objects of the back office: a small month in the books, and finance staff who read it."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from casino.audit.signing_keys import begin_signing
from casino.settings import ServiceSettings
from casino.storage.database import Database
from casino.storage.secret_key import secret_key
from casino.uth import rtp_cache
from casino.uth.analysis.variance import Dispersion, RoundVariance
from casino.uth.bets import Action
from casino.uth.paytable import STANDARD
from tests.browser.people import AXE, DESKTOP
from tests.finance.month import build_month
from tests.live.clients import clients_of
from tests.live.service import PASSWORD, Kind, LiveService

OCTOBER = "from=2026-10-01&to=2026-10-31"
CLOSED = "2026-10-03"
KINDS = {"uth": Kind(2), "own": Kind(1, hands="own")}  # the tables of the month
CALM_CHANCE = RoundVariance({action: Dispersion(Fraction(1), Fraction(0)) for action in Action}, {}, Fraction(1))
"""Less than chance does, so that some lines of a small month are farther away than three deviations."""


async def _fill(url: str, players: int, rounds: int, currency: str) -> None:
    database = await Database.open(url)
    settings = ServiceSettings()  # the service that serves these books later has the same key
    await begin_signing(database, secret_key(settings, url), 1, may_replace=False)
    await build_month(database, players=players, rounds=rounds, currency=currency)
    await database.close()


def _keep_returns(home: Path, variance: RoundVariance) -> None:
    """What would take a minute to count, as if it had been counted."""
    folder = home / ".cache" / "casino" / "returns"
    rtp_cache.exact_return(STANDARD, rtp_cache.cache_folder())
    shutil.copytree(rtp_cache.cache_folder(), folder)
    rtp_cache._store_record(*rtp_cache._variance_file(STANDARD, folder), variance.to_json())


@contextmanager
def service_with_a_month(
    variance: RoundVariance | None = None, players: int = 16, rounds: int = 60, currency: str = "EUR"
) -> Iterator[LiveService]:
    with tempfile.TemporaryDirectory(prefix="casino-month-") as folder:
        service = LiveService(Path(folder), KINDS)
        with (service.config / "casino.toml").open("a") as configured:
            configured.write(f'[service]\ncurrency = "{currency}"\n')
        asyncio.run(_fill(service.database, players, rounds, currency))
        try:
            with pytest.MonkeyPatch.context() as patch:
                if variance is not None:
                    home = Path(folder) / "home"
                    _keep_returns(home, variance)
                    patch.setenv("HOME", str(home))
                service.start()
                service.add_staff("fiona", "max")
                closed = service.command("close", CLOSED)
                assert closed.returncode == 0, closed.stderr
            yield service
        finally:
            service.close()


def minor(text: str) -> int:
    """An amount as the page writes it."""
    return int(text.strip().replace("−", "-").replace(",", "").replace(".", ""))


async def propose_correction(month: LiveService, clerk: "Clerk") -> str:
    """A correction by the manager, of the newest settled round; its round."""
    rows: Any = (await clerk.api("/api/finance/rows?from=2026-10-20&to=2026-10-31&status=settled&table=uth-1"))["rows"]
    round_id = str(rows[-1]["round_id"])
    seen: Any = await clerk.api(f"/api/host/rounds/{round_id}")
    out = {one["card"] for one in seen["cards"]}
    card = next(card for card in ("As", "Ah", "Ad", "Ac", "Ks", "Kh", "Kd", "Kc", "2c", "2d") if card not in out)
    async with clients_of(month) as clients:
        manager = await clients.sign_in("max")
        body = {"round_id": round_id, "cards": {"dealer_1": card}, "reason": "The camera shows it."}
        status, reply = await clients.ask("POST", "/api/host/corrections", manager["token"], body)
    assert status == 200, reply
    return round_id


class Clerk:
    """Somebody in front of the back office."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self._address = address

    async def go(self, place: str) -> None:
        await self.page.goto(f"{self._address}/finance#{place}")

    async def sign_in(self, name: str) -> None:
        await self.page.get_by_label("Name").fill(name)
        await self.page.get_by_label("Password").fill(PASSWORD)
        await self.page.keyboard.press("Enter")

    async def api(self, path: str) -> Any:  # noqa: ANN401  as JSON has it
        answer = await self.page.context.request.get(self._address + path)
        assert answer.status == 200, await answer.text()
        return await answer.json()

    def purse(self, currency: str) -> Locator:
        return self.page.locator(f'[data-currency="{currency}"]')

    async def cells(self, table: Locator) -> list[dict[str, str]]:
        """Every row in the words on the screen, by the names of the columns; the total among them, if there is one."""
        await expect(table).to_be_visible()
        await expect(self.page.locator("[aria-busy=true]")).to_have_count(
            0
        )  # else the answer before may still be shown
        read = """table => {
            const names = [...table.querySelectorAll('th')].map(head => head.innerText.replace(/[▾▴]/, '').trim());
            const rows = [...table.querySelectorAll('tr')].filter(row => row.querySelector('td'));
            return rows.map(row => Object.fromEntries(
                [...row.querySelectorAll('td')].map((cell, at) => [names[at], cell.innerText.trim()])));
        }"""
        found: list[dict[str, str]] = await table.evaluate(read)
        return found

    async def downloaded(self, link: Locator) -> Path:
        async with self.page.expect_download() as coming:
            await link.click()
        return await (await coming.value).path()

    async def axe(self) -> None:
        await self.page.evaluate(AXE.read_text())
        found: dict[str, Any] = await self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        reply = [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]]
        assert reply == [], json.dumps(reply, indent=2)


class Offices:
    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected: list[str] = ["status of 401"]  # who is not signed in yet is asked to

    @classmethod
    @asynccontextmanager
    async def at(cls, browser: Browser, address: str) -> AsyncIterator["Offices"]:
        offices = cls(browser, address)
        try:
            yield offices
        finally:
            for context in offices._contexts:
                await context.close()

    async def visitor(self, place: str, screen: ViewportSize = DESKTOP) -> Clerk:
        """Somebody who is not signed in yet."""
        context = await self._browser.new_context(viewport=screen, locale="en-GB", accept_downloads=True)
        self._contexts.append(context)
        page = await context.new_page()
        page.on("console", lambda message: self._complain(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        clerk = Clerk(page, self._address)
        await clerk.go(place)
        return clerk

    async def clerk(self, place: str, name: str = "fiona", screen: ViewportSize = DESKTOP) -> Clerk:
        clerk = await self.visitor(place, screen)
        await clerk.sign_in(name)
        await expect(clerk.page.get_by_role("button", name="Sign out")).to_be_visible()
        return clerk

    def _complain(self, text: str) -> None:
        if not any(known in text for known in self.expected):
            self.complaints.append(text)
