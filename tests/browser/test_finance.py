"""Back office in a browser: its numbers match the export, and each leads to its rows and rounds."""

import csv
import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from tests.browser.offices import (
    CALM_CHANCE,
    CLOSED,
    OCTOBER,
    Offices,
    minor,
    propose_correction,
    service_with_a_month,
)
from tests.live.service import LiveService

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.req("LED-9")]

AMOUNTS = {"Turnover": "turnover", "Payouts": "payout", "House result": "house_result", "Refunded": "refunded"}
ROWS_BEHIND = {
    "settlements": "rows",
    "summary": "rows",
    "ledger": "postings",
    "poker_hands": None,  # no page lists hands; their rows are in the download
    "poker_players": None,
}
PLACES = ("overview", "tips", "refunds", "unresolved", "cashier", "balance", "days", "corrections")


@pytest.fixture(scope="module")
def month() -> Iterator[LiveService]:
    with service_with_a_month(CALM_CHANCE) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def offices(browser: Browser, month: LiveService) -> AsyncIterator[Offices]:
    async with Offices.at(browser, month.address) as opened:
        yield opened
        assert opened.complaints == []


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sums_of(rows: list[dict[str, str]], table_id: str | None, currency: str) -> dict[str, int]:
    own = [row for row in rows if table_id in (None, row["table_id"]) and row["currency"] == currency]
    sums: Counter[str] = Counter()
    for row in own:
        is_refund = row["status"] == "cancelled"
        sums["turnover"] += 0 if is_refund else minor(row["staked"])
        sums["payout"] += 0 if is_refund else minor(row["returned"])
        sums["refunded"] += minor(row["returned"]) if is_refund else 0
    return {"house_result": sums["turnover"] - sums["payout"], **sums}


async def test_numbers_are_those_of_the_export_and_currencies_stay_apart(offices: Offices) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}&by=table")
    await clerk.page.get_by_text("Download", exact=True).click()
    exported = read_csv(await clerk.downloaded(clerk.page.get_by_role("link", name="settlements CSV")))
    for currency in ("EUR", "FUN"):
        purse = clerk.purse(currency)
        total, *lines = await clerk.cells(purse.get_by_role("table", name="By table"))
        assert {line["Table"] for line in lines} == {"uth-1", "uth-2", "own-1"}
        for line, table_id in [(total, None), *((line, line["Table"]) for line in lines)]:
            expected = sums_of(exported, table_id, currency)
            assert {name: minor(line[shown]) for shown, name in AMOUNTS.items()} == expected
        headline = await purse.locator(".totals div", has_text="House result").locator("dd").inner_text()
        assert headline == total["House result"]
    await expect(clerk.purse("FUN").get_by_role("heading", name="Play money of guests (FUN)")).to_be_visible()
    await expect(clerk.purse("EUR").locator("canvas")).to_be_visible()
    assert await clerk.page.locator(".purse").evaluate_all("all => all.map(one => one.dataset.currency)") == [
        "EUR",
        "FUN",
    ]


async def test_improbable_results_are_marked(offices: Offices) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}&by=player")
    reply: Any = await clerk.api(f"/api/finance/overview?{OCTOBER}&by=player")
    table = clerk.purse("EUR").get_by_role("table", name="By player")
    shown = {line["Player"]: line["Deviation (σ)"] for line in (await clerk.cells(table))[1:]}
    outliers = {line["name"]: line["is_outlier"] for line in reply["rows"] if line["currency"] == "EUR"}
    assert set(outliers.values()) == {True, False}
    assert {name: "beyond 3 σ" in away for name, away in shown.items()} == outliers
    await clerk.page.get_by_role("button", name="Deviation (σ)").first.click()
    ordered = [float(line["Deviation (σ)"].split(" ")[0].replace("−", "-")) for line in (await clerk.cells(table))[1:]]
    assert ordered == sorted(ordered, reverse=True)


async def test_every_number_leads_to_its_rows_and_a_row_to_its_round_and_file(offices: Offices) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}&by=player")
    table = clerk.purse("EUR").get_by_role("table", name="By player")
    line = (await clerk.cells(table))[1]
    await table.locator("tbody tr").first.get_by_role("link", name=line["Turnover"], exact=True).first.click()
    rows = clerk.page.get_by_role("table", name="Settlements behind the number")
    total, *behind = await clerk.cells(rows)
    assert total["Stakes"] == line["Turnover"]
    assert sum(minor(row["Stakes"]) for row in behind) == minor(line["Turnover"])
    assert {row["Player"] for row in behind} == {line["Player"]}
    kept = read_csv(await clerk.downloaded(clerk.page.get_by_role("button", name="this table as CSV")))
    assert [minor(row["House result"]) for row in kept] == [minor(row["House result"]) for row in behind]
    assert total["House result"] == line["House result"]
    await clerk.axe()
    await rows.locator("tbody a").first.click()
    postings = await clerk.cells(clerk.page.get_by_role("table", name="Postings of this round"))
    settled = await clerk.cells(clerk.page.get_by_role("table", name="Settlements of this round"))
    staked = sum(minor(row["Amount"]) for row in postings if row["Kind"] in ("Bets placed", "PLAY bets"))
    assert staked == sum(minor(row["Stakes"]) for row in settled if row["Status"] in ("settled", "cancelled"))
    await clerk.axe()
    file = await clerk.downloaded(clerk.page.get_by_role("link", name="Round file JSON"))
    reply = json.loads(file.read_text())
    heading = clerk.page.get_by_role("heading", level=2).first
    await expect(heading).to_contain_text(f"Game {reply['round']['game_number']} of ")
    await expect(heading).to_contain_text(f"table {reply['round']['table_id']}")
    page = await clerk.downloaded(clerk.page.get_by_role("link", name="Round file HTML"))
    assert reply["round"]["round_id"] in page.read_text()
    copy = await clerk.downloaded(clerk.page.get_by_role("link", name="Copy for one player").first)
    assert "it leaves out other players" in copy.read_text()


async def test_refunds_lead_to_the_rows_of_cancelled_rounds(offices: Offices) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}&by=table")
    reply: Any = (await clerk.api(f"/api/finance/rows?{OCTOBER}&currency=EUR&status=cancelled"))["rows"]
    assert reply
    total = clerk.purse("EUR").locator(".totals div", has_text="Refunded").locator("dd a")
    shown = await total.inner_text()
    await total.click()
    sum_, *rows = await clerk.cells(clerk.page.get_by_role("table", name="Settlements behind the number"))
    assert (len(rows), sum_["Returns"]) == (len(reply), shown)
    assert {row["Status"] for row in rows} == {"cancelled"}


async def test_every_back_office_page_has_an_address(offices: Offices) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}")
    sections = clerk.page.get_by_role("navigation", name="Sections")
    for number, place in enumerate(PLACES):
        await sections.get_by_role("link").nth(number).click()
        await expect(clerk.page.get_by_role("status")).to_have_count(0)
        assert f"#{place}" in clerk.page.url
        assert await clerk.page.get_by_role("alert").count() == 0
        await clerk.axe()
    await clerk.page.emulate_media(media="print")
    await expect(sections).to_be_hidden()


async def test_printed_pages_have_every_row_and_no_controls(offices: Offices) -> None:
    clerk = await offices.clerk("balance")

    async def many(route: Route) -> None:
        reply = await (await route.fetch()).json()
        reply["rows"] *= 30
        await route.fulfill(json=reply)

    await clerk.page.route("**/api/finance/overview?*by=player", many)
    await clerk.go(f"overview?{OCTOBER}&by=player")
    rows = clerk.purse("EUR").locator("tbody tr")
    await expect(rows).to_have_count(200)
    await clerk.page.emulate_media(media="print")
    await clerk.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await expect(rows).not_to_have_count(200)
    assert await rows.count() > 200
    round_id = (await clerk.api(f"/api/finance/rows?{OCTOBER}"))["rows"][0]["round_id"]
    for place in (f"days?{OCTOBER}", "receivables", "corrections", f"round?id={round_id}", f"rows?{OCTOBER}"):
        await clerk.go(place)
        await expect(clerk.page.locator(".waiting, [aria-busy=true]")).to_have_count(0)
        await expect(clerk.page.locator("button:not(th button):visible, input:visible, .button:visible")).to_have_count(
            0
        )
        assert await clerk.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place


async def test_tips_cashier_and_balance_agree_with_the_ledger(offices: Offices) -> None:
    clerk = await offices.clerk(f"tips?{OCTOBER}")
    ledger: Any = (await clerk.api(f"/api/finance/ledger?{OCTOBER}&format=json"))["rows"]

    def moved(kind: str) -> int:
        return sum(minor(row["amount"]) for row in ledger if row["kind"] == kind and row["currency"] == "EUR")

    tips = clerk.purse("EUR").get_by_role("table")
    assert minor((await clerk.cells(tips))[0]["Amount"]) == moved("tip")
    await tips.locator("tbody a").first.click()
    behind = await clerk.cells(clerk.page.get_by_role("table", name="Postings behind the number"))
    assert minor(behind[0]["In"]) == moved("tip")
    await clerk.go(f"cashier?{OCTOBER}")
    for kind, name in (("deposit", "Deposits"), ("payout", "Withdrawals paid out")):
        sum_ = clerk.purse("EUR").locator(".totals div", has_text=name).locator("dd")
        assert minor(await sum_.inner_text()) == moved(kind)
    await clerk.go("balance")
    await expect(clerk.page.get_by_text("The sum is zero")).to_have_count(2)
    service = clerk.purse("EUR").get_by_role("row", name="house")
    balance = await service.get_by_role("cell").nth(2).inner_text()
    await service.get_by_role("link").first.click()
    accounts = await clerk.cells(clerk.page.get_by_role("table", name="Accounts", exact=True))
    assert (accounts[1]["Account"], accounts[1]["Balance"]) == ("house:EUR", balance)
    await clerk.page.get_by_role("table", name="Accounts", exact=True).locator("tbody a").first.click()
    statement = clerk.page.get_by_role("table", name="Postings behind the number")
    total, *moves = await clerk.cells(statement)
    assert total["Balance"] == balance
    following = clerk.page.get_by_role("link", name="Next")
    for page in range(1, 100):
        if not await following.count():
            break
        await following.click()
        await expect(clerk.page.get_by_text(f"Page {page + 1}")).to_be_visible()
        same, *rest = await clerk.cells(statement)
        assert same == total, "totals are those of all pages"
        moves += rest
    moved_in, moved_out = (sum(minor(row[way]) for row in moves if row[way] != "–") for way in ("In", "Out"))
    assert (moved_in, moved_out) == (minor(total["In"]), minor(total["Out"]))
    assert moved_in - moved_out == minor(balance)
    assert moves[-1]["Balance"] == balance


async def test_closed_day_shows_the_hash_of_its_downloads(offices: Offices) -> None:
    clerk = await offices.clerk(f"days?{OCTOBER}")
    row = clerk.page.get_by_role("row", name=CLOSED)
    reply: Any = (await clerk.api("/api/finance/days"))["rows"][0]["exports"]
    assert reply.keys() == ROWS_BEHIND.keys()
    for what, view in ROWS_BEHIND.items():
        line = clerk.page.get_by_role("row").filter(has=clerk.page.get_by_role("link", name=f"{what}.csv", exact=True))
        file = await clerk.downloaded(line.get_by_role("link", name=f"{what}.csv"))
        await expect(line.locator(".code")).to_have_text(hashlib.sha256(file.read_bytes()).hexdigest())
        count = line.locator("td.number").last
        await expect(count).to_have_text(str(reply[what]["rows"]))
        linked = await count.get_by_role("link").evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert linked == ([f"#{view}?from={CLOSED}&to={CLOSED}"] if view else [])
    await clerk.page.get_by_role("button", name=f"Check {CLOSED}").click()
    unchanged = clerk.page.get_by_text("unchanged", exact=True)
    await expect(unchanged).to_have_count(len(reply))  # each is written again by a process of its own
    for currency, sums in reply["summary"]["totals"].items():
        await expect(
            row.get_by_text(f"{currency}: house result {sums['house_result'].replace('-', '−')}")
        ).to_be_visible()
    kept = read_csv(await clerk.downloaded(clerk.page.get_by_role("button", name="Closed days: this table as CSV")))
    assert {line["Download"]: line["SHA-256 of the CSV"] for line in kept} == {
        what: one["sha256"] for what, one in reply.items()
    }


async def test_period_is_chosen_by_keys_and_empty_days_say_so(offices: Offices) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}")
    heading = clerk.page.get_by_role("heading", level=2).first
    await expect(heading).to_have_text("October 2026")
    for key, name in (("w", "28 September 2026 to 4 October 2026"), ("d", "Monday 28 September 2026")):
        await clerk.page.keyboard.press(key)
        await expect(heading).to_have_text(name)
    await expect(clerk.page.get_by_text("Nothing was settled in this period.")).to_be_visible()
    await clerk.page.keyboard.press("b")
    await expect(heading).to_have_text("Sunday 27 September 2026")
    await clerk.page.keyboard.press("m")
    await clerk.page.keyboard.press("n")
    await expect(heading).to_have_text("October 2026")
    await clerk.page.get_by_role("combobox", name="Table").select_option("uth-1")
    await expect(heading).to_have_text("October 2026, uth-1")
    assert "table=uth-1" in clerk.page.url


@pytest.mark.req("SEC-9")
async def test_months_and_printed_times_are_those_of_the_server(offices: Offices) -> None:
    """The clock of the workstation is wrong."""
    clerk = await offices.clerk("overview")
    await clerk.page.add_init_script("Date.now = () => Date.UTC(2020, 1, 2)")
    await clerk.page.add_init_script("Object.defineProperty(performance, 'timeOrigin', {value: Date.UTC(2020, 1, 2)})")
    await clerk.page.reload()
    month = f"{datetime.now(UTC):%B %Y}"
    await expect(clerk.page.get_by_role("heading", name=month)).to_be_visible()
    await clerk.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await expect(clerk.page.locator(".printed")).to_contain_text(f"Printed {datetime.now(UTC):%Y-%m-%d}")


async def test_other_roles_are_refused_and_see_nothing(offices: Offices) -> None:
    manager = await offices.clerk(f"overview?{OCTOBER}", name="max")
    await expect(manager.page.get_by_role("alert")).to_contain_text("You are signed in as manager")
    await expect(manager.page.get_by_role("table")).to_have_count(0)
    answer = await manager.page.context.request.get(
        manager.page.url.split("#")[0].replace("finance", "api/finance/balance")
    )
    assert answer.status == 403
    await manager.axe()
    await manager.page.get_by_role("button", name="Sign out").click()
    await manager.sign_in("nobody at all")
    await expect(manager.page.get_by_role("alert")).to_be_visible()
    await manager.axe()
    await manager.sign_in("fiona")
    await expect(manager.purse("EUR")).to_be_visible()


async def test_lost_service_is_reported_and_requests_are_repeated(offices: Offices) -> None:
    clerk = await offices.clerk(f"tips?{OCTOBER}")
    await expect(clerk.purse("EUR")).to_be_visible()
    offices.expected.append("ERR_INTERNET_DISCONNECTED")
    await clerk.page.context.set_offline(True)
    await clerk.page.get_by_role("link", name="Refunds").click()
    await expect(clerk.page.get_by_role("alert")).to_contain_text("The service cannot be reached.")
    await clerk.page.context.set_offline(False)
    await clerk.page.get_by_role("button", name="Try again").click()
    await expect(clerk.purse("EUR")).to_be_visible()


async def test_correction_is_approved_with_its_preview_and_becomes_rows_of_its_own(
    offices: Offices, month: LiveService
) -> None:
    clerk = await offices.clerk(f"overview?{OCTOBER}")
    await expect(clerk.purse("EUR")).to_be_visible()
    round_id = await propose_correction(month, clerk)
    await clerk.page.get_by_role("link", name="Corrections").click()
    await expect(clerk.page.get_by_text("The camera shows it.")).to_be_visible()
    approve = clerk.page.get_by_role("button", name="Approve")
    await expect(approve).to_be_enabled()
    await expect(clerk.page.get_by_role("button", name="Reject")).to_be_disabled()
    await clerk.axe()
    await approve.click()
    await expect(clerk.page.get_by_text("Approved. The money has moved.")).to_be_visible()
    await expect(approve).to_have_count(0)
    await clerk.go(f"round?id={round_id}")
    settled = await clerk.cells(clerk.page.get_by_role("table", name="Settlements of this round"))
    assert {row["Status"] for row in settled} >= {"settled", "reversal", "corrected"}
    await clerk.axe()


async def test_day_close_is_requested_in_order_and_waits_for_a_second_person(offices: Offices) -> None:
    clerk = await offices.clerk(f"days?{OCTOBER}")
    first = (await clerk.api("/api/finance/open-days"))["days"][0]["day"]
    case = clerk.page.locator(f'[data-day="{first}"]')
    request = case.get_by_role("button", name="Request close")
    await expect(request).to_be_disabled()
    await case.get_by_label("Reason").fill("End of day")
    await request.click()
    await expect(clerk.page.get_by_text("Requested. A second person has to approve.")).to_be_visible()
    waiting = clerk.page.locator("[data-request]").filter(has_text=f"Close day: {first}")
    await expect(waiting.get_by_text("another person has to approve it")).to_be_visible()
    await expect(waiting.get_by_role("button", name="Approve")).to_be_disabled()
    await clerk.axe()
    await waiting.get_by_label("Remark").fill("not today")
    await waiting.get_by_role("button", name="Reject").click()
    await expect(waiting.get_by_text("Rejected", exact=True)).to_be_visible()
