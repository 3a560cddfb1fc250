"""Currencies with no or three decimals: the back office formats amounts as the exports do."""

import csv
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from casino.money import decimals
from tests.browser.offices import OCTOBER, Clerk, Offices, service_with_a_month
from tests.live.service import LiveService

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.req("LED-9")]

AMOUNTS = {"Turnover": "turnover", "Payouts": "payout", "House result": "house_result"}
PLACES = (f"overview?{OCTOBER}&by=table", f"tips?{OCTOBER}", f"cashier?{OCTOBER}", "balance")


def in_words(written: str) -> str:
    """An amount of an export as people read it: `-1234.50` is `−1,234.50`."""
    whole, point, fraction = written.removeprefix("-").partition(".")
    return ("−" if written.startswith("-") else "") + f"{int(whole):,}{point}{fraction}"


async def _have_decimals(clerk: Clerk, currency: str) -> None:
    """Every amount of this purse, if there is one here; what is not known is a dash."""
    written = await clerk.purse(currency).locator("td.money").all_inner_texts()
    scale = decimals(currency)
    ending = re.compile(rf"\.[0-9]{{{scale}}}$" if scale else "^[^.]*$")
    assert [text for text in written if text.strip() != "–" and not ending.search(text.strip())] == []


@pytest.fixture(scope="module", params=["JPY", "KWD"])
def month(request: pytest.FixtureRequest) -> Iterator[tuple[LiveService, str]]:
    with service_with_a_month(players=8, rounds=24, currency=request.param) as opened:
        yield opened, request.param


async def test_amounts_have_the_decimals_of_their_currency(browser: Browser, month: tuple[LiveService, str]) -> None:
    service, currency = month
    async with Offices.at(browser, service.address) as offices:
        clerk = await offices.clerk(PLACES[0])
        await _overview_is_the_export(clerk, currency)
        for place in PLACES:
            await clerk.go(place)
            await expect(clerk.purse(currency).locator("td.money").first).to_be_visible()
            for one in (currency, "FUN"):
                await _have_decimals(clerk, one)
        assert offices.complaints == []


async def _overview_is_the_export(clerk: Clerk, currency: str) -> None:
    reply = await clerk.api(f"/api/finance/overview?{OCTOBER}&by=table")
    scale = decimals(currency)
    table = clerk.purse(currency).get_by_role("table", name="By table")
    shown = {row["Table"]: row for row in await clerk.cells(table)}
    lines = [line for line in reply["rows"] if line["currency"] == currency]
    wanted = {
        (line["name"], name): f"{line[key] / 10**scale:.{scale}f}" for line in lines for name, key in AMOUNTS.items()
    }
    assert {place: shown[place[0]][place[1]] for place in wanted} == {at: in_words(text) for at, text in wanted.items()}
    path = await clerk.downloaded(clerk.purse(currency).get_by_role("button", name="By table"))
    with path.open(newline="", encoding="utf-8") as file:
        kept = {row["Table"]: row for row in csv.DictReader(file)}
    assert {place: kept[place[0]][place[1]] for place in wanted} == wanted
    result = reply["totals"][currency]["house_result"] / 10**scale
    caption = clerk.purse(currency).locator("figcaption")  # the chart has whole units
    await expect(caption.get_by_text("House result").last).to_contain_text(in_words(f"{result:.0f}"))
