"""Tournaments at the host console: planned by two managers, changed, cancelled, paused, refunded, players disqualified.

The held prize of a disqualified player is then decided about by two people of finance, in the back office.
"""

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.consoles import DESK, Console, Consoles
from tests.browser.offices import Offices
from tests.browser.people import Screen
from tests.browser.poker_people import Caller, callers
from tests.live.clients import clients_of
from tests.live.poker_service import started_poker
from tests.live.service import Json, LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")
REFUSED: Final = ("status of 400", "status of 404")  # bad input; a tournament that is over
STARTS_IN: Final = timedelta(seconds=15)
SCHEDULE: Final = """
[[tournament]]
id = "weekly"
name = "The Weekly"
every = "monday 19:00"
total = 1000
guarantee = 30000
structure = "turbo"
"""
QUICK: Final = {
    "five": {"name": "Quick Five", "total": 500, "stack": 1000},
    "six": {"name": "Quick Six", "total": 1000, "bounty": {}},
}
CANCEL: Final = "Cancel the tournament Refunds follow the published cases; you see them first."
PAUSE: Final = "Pause the tournament Running hands are played to their end. The level clock stops."
RESUME: Final = "Continue the tournament The level clock goes on, and hands begin again."
REFUND: Final = "Refund in full Outside the published cases: a second manager has to approve it."


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    files = {"schedule.toml": SCHEDULE}
    with started_poker(
        "max", "mona", "fiona", "fred", first_hand="1", promised_alone_max="20000", files=files
    ) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


async def tournaments_of(console: Console) -> None:
    await console.page.get_by_role("navigation").get_by_role("button", name="Tournaments").click()


async def choose(console: Console, source: str) -> None:
    await console.page.locator(f'[data-tournament="{source}"]').get_by_role("button").click()


async def row_of(caller: Caller, source: str) -> Json | None:
    _, listed = await caller.get("/api/poker/tournaments?currency=FUN")
    return next((row for row in listed["tournaments"] if row["source"] == source), None)


async def enter(source: str, players: list[Caller]) -> None:
    for player in players:
        row = await row_of(player, source)
        assert row is not None
        await player.accepted("register", tournament_id=row["tournament_id"], key=secrets.token_hex(8))


async def announce(service: LiveService) -> None:
    """Two tournaments that start soon; registration stays open until two players are left."""
    at = (datetime.now(UTC) + STARTS_IN).isoformat()
    async with clients_of(service) as clients:
        token = (await clients.sign_in("max"))["token"]
        for id_, fields in QUICK.items():
            template = {"id": id_, "at": at, "late_levels": 1, "sync_breaks": False, **fields}
            body = {"template": template, "currency": "FUN", "reason": "A quick one"}
            status, reply = await clients.ask("POST", "/api/host/poker/tournaments", token, body)
            assert (status, reply["waits_for_second_person"]) == (200, False)


async def answer(console: Console, source: str, name: str) -> None:
    proposal = console.page.locator(source)
    await proposal.get_by_label("Remark, needed to answer").fill("Agreed")
    await proposal.get_by_role("button", name=name).click()


async def available(player: Caller) -> int:
    _, me = await player.get("/api/me")
    return int(me["available"])


def facts(console: Console, name: str) -> Locator:
    return console.page.locator("dl div").filter(has=console.page.locator("dt", has_text=name)).locator("dd")


async def propose(max_: Console, start: datetime) -> None:
    """A tournament from a template, after some mistakes."""
    alert = max_.page.get_by_role("alert")
    await max_.click("Create a tournament")
    await max_.page.get_by_label("Start from").select_option("weekly")
    await expect(max_.page.get_by_label("Buy-in, fee included")).to_have_value("10.00")
    await max_.page.get_by_label("Currency").select_option("FUN")
    await max_.click("Preview")
    await expect(alert).to_have_text("Start (UTC): enter day and time.")
    await expect(max_.page.get_by_label("Start (UTC)")).to_have_attribute("aria-invalid", "true")
    await max_.fill("Start (UTC)", "2020-01-01T19:00")
    await max_.fill("Name", "The Feast")
    await max_.click("Preview")
    await expect(alert).to_have_text("Start (UTC): this time is over.")
    await max_.click("Chat")
    await tournaments_of(max_)
    await max_.click("Create a tournament …")
    await expect(max_.page.get_by_label("Name", exact=True)).to_have_value("The Feast")  # nothing is lost
    await max_.fill("Start (UTC)", start.isoformat(timespec="minutes"))
    await max_.fill("Guaranteed pool", "500")
    await max_.click("Preview")
    await max_.shows("One manager may promise FUN 200.00 of the house’s money. This needs a second one.")
    await Screen(max_.page, "").axe()
    await max_.fill("Reason", "A feast")
    await max_.click("Propose it to a second manager")
    await max_.shows("Proposed. Another manager has to approve it here.")
    await max_.shows("You proposed this. Another manager has to approve it; you can withdraw it.")
    await expect(max_.page.get_by_role("button", name="Approve")).to_have_count(0)


async def delay(max_: Console, too_early: datetime, later: datetime) -> None:
    await max_.page.get_by_role("button", name="Change or delay").click()
    await max_.fill("Start (UTC)", too_early.isoformat(timespec="minutes"))
    await max_.click("Preview")
    await expect(max_.page.get_by_role("alert")).to_contain_text("name a later time than the announced one")
    await max_.fill("Start (UTC)", later.isoformat(timespec="minutes"))
    await max_.click("Preview")
    await max_.fill("Reason", "A late train")
    await max_.click("Confirm: Change or delay")
    await max_.shows("Changed. Those who have entered have been told.")


async def cancel(max_: Console) -> None:
    await max_.click(CANCEL)
    await max_.shows("Case 52: not started. Every entry comes back in the means it was paid with.")
    await expect(max_.page.locator("[data-refund]")).to_have_count(3)
    await expect(max_.page.locator("[data-refund]").first).to_contain_text("FUN 1.00FUN 9.00FUN 0.00FUN 10.00")
    await Screen(max_.page, "").axe()
    await max_.fill("Reason", "No power")
    await max_.click("Confirm: Cancel the tournament")


async def test_two_managers_plan_delay_and_cancel_a_tournament(browser: Browser, service: LiveService) -> None:
    start = (datetime.now(UTC) + timedelta(hours=3)).replace(second=0, microsecond=0, tzinfo=None)
    later = start + timedelta(minutes=30)
    async with Consoles.at(browser, service.address) as consoles, callers(service, 3) as players:
        max_, mona = await consoles.of("max"), await consoles.of("mona")
        await tournaments_of(max_)
        await propose(max_, start)
        assert await row_of(players[0], "weekly-extra-fun") is None
        await tournaments_of(mona)
        await mona.shows("1 tournament needs you")
        await expect(mona.page.locator("[data-proposal]")).to_contain_text("The house promises FUN 500.00")
        await Screen(mona.page, "").axe()
        await answer(mona, "[data-proposal]", "Approve")
        await mona.shows("Approved. Players see it in their lobby now.")
        row = await row_of(players[0], "weekly-extra-fun")
        assert row is not None
        assert (row["name"], row["guarantee"]) == ("The Feast", 50_000)
        before = await available(players[0])
        await enter("weekly-extra-fun", players)
        await choose(max_, "weekly-extra-fun")
        await expect(facts(max_, "Players")).to_have_text("3 of 10000 entered")
        await delay(max_, start - timedelta(hours=1), later)
        await players[0].until("tournament_news", lambda news: news["kind"] == "changed")
        delayed = await row_of(players[0], "weekly-extra-fun")
        assert delayed is not None
        assert delayed["starts_at"] == later.replace(tzinfo=UTC).timestamp() * 1000
        await cancel(max_)
        await players[0].until("tournament_news", lambda news: news["kind"] == "cancelled")
        assert await available(players[0]) == before
        assert not [text for text in consoles.complaints if not any(known in text for known in REFUSED)]


async def pay_held_prize(offices: Offices, player: Caller) -> None:
    """Finance sees the tournament in its books; two people pay the prize of the disqualified player."""
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    place = f"tournaments?from={day}&to={day}"
    fiona, fred = await offices.clerk(place, "fiona"), await offices.clerk(place, "fred")
    books = fiona.page.get_by_role("region", name="Play money of guests (FUN)").first
    for figure, amount in (("Prizes held", "8.02"), ("Fees earned", "2.50"), ("Refunds", "60.00")):
        link = books.locator("dl.totals div").filter(has_text=figure).get_by_role("link")
        await expect(link).to_have_text(amount)
        await link.click()
        await expect(fiona.page.locator("tr.total")).to_contain_text(amount)  # the postings behind it
        await fiona.page.go_back()
    await fiona.axe()
    held = fiona.page.locator(f'[data-held="{player.name}"]')
    await held.get_by_label("Reason").fill("Cleared by the review")
    await held.get_by_role("button", name="Request payment to the player").click()
    await expect(held).to_contain_text("Requested. A second person has to approve.")
    before = await available(player)
    own = fiona.page.locator("[data-request]").get_by_role("button", name="Approve")
    await expect(own).to_be_disabled()
    await fred.page.reload()
    await fred.page.locator("[data-request]").get_by_role("button", name="Approve").click()
    await expect(fred.page.get_by_text("Approved and done.")).to_be_visible()
    await expect(fred.page.get_by_text("No prize is held.")).to_be_visible()
    assert await available(player) == before + 802
    issue = fiona.page.locator("section").filter(has_text="Issue a ticket").last
    await issue.get_by_label("Player").fill(player.name)
    await issue.get_by_label("Amount").fill("10")
    await issue.get_by_label("Reason").fill("A raffle")
    await issue.get_by_role("button", name="Issue the ticket").click()
    await expect(issue).to_contain_text("Done. One person was enough.")
    _, tickets = await player.get("/api/poker/tickets")
    assert [(one["value"], one["currency"], one["origin"]) for one in tickets["tickets"]] == [
        (1000, "FUN", "promotion")
    ]
    await fiona.page.reload()
    await expect(fiona.page.get_by_text("Together they are what the account of tickets owes:")).to_contain_text("10.00")


async def test_managers_pause_refund_and_disqualify(browser: Browser, service: LiveService) -> None:
    async with Consoles.at(browser, service.address) as consoles, callers(service, 8) as players:
        five, six = players[:5], players[5:]
        await announce(service)
        await enter("five-fun", five)
        await enter("six-fun", six)
        before = await available(six[0])
        max_, mona = await consoles.of("max"), await consoles.of("mona", DESK)
        await tournaments_of(max_)
        await choose(max_, "six-fun")
        clock = max_.page.locator("[data-clock]")
        await expect(clock).to_contain_text("Level 1", timeout=120_000)
        await expect(max_.page.locator("[data-table]")).to_have_count(1)
        await max_.click(PAUSE)
        await max_.fill("Reason", "A question of the floor")
        await max_.click("Confirm: Pause the tournament")
        await expect(clock).to_contain_text("PAUSED BY STAFF")
        tab = mona.page.get_by_role("navigation").get_by_role("button", name="Tournaments")
        await expect(tab).to_have_text("Tournaments1")
        await max_.click(REFUND)
        await max_.shows("Outside the published cases: everything the remaining players have paid.")
        await max_.fill("Reason", "The hall is dark")
        await max_.click("Confirm: Refund in full")
        await max_.shows("Full refund proposed. Another manager has to approve it here.")
        await expect(max_.page.get_by_role("button", name="Approve the full refund")).to_have_count(0)
        await max_.click(RESUME)
        await max_.fill("Reason", "Light again")
        await max_.click("Confirm: Continue the tournament")
        await expect(clock).to_contain_text("next level in")
        await tournaments_of(mona)
        await choose(mona, "six-fun")
        await mona.click("Approve the full refund")
        await expect(mona.page.locator("[data-refund]")).to_have_count(3)
        await expect(mona.page.locator(f'[data-refund="{six[0].name}"]')).to_contain_text("FUN 10.00")
        await Screen(mona.page, "").axe()
        await mona.fill("Reason", "Agreed")
        await mona.click("Confirm: Approve the full refund")
        await six[0].until("tournament_news", lambda news: news["kind"] == "cancelled")
        assert await available(six[0]) == before + 1000
        await max_.click("Back")
        await choose(max_, "five-fun")
        for player in five[:4]:  # the fourth is in the money: two places are paid
            await max_.click(f"Disqualify {player.name}")
            await max_.fill("Reason", "Collusion")
            await max_.click("Confirm: Disqualify")
            await player.until("tournament_news", lambda news: news["kind"] == "eliminated")
        await max_.click("Back")
        await expect(max_.page.locator(f'[data-held="{five[3].name}"]')).to_contain_text("Quick Five")
        async with Offices.at(browser, service.address) as offices:
            await pay_held_prize(offices, five[3])
            assert offices.complaints == []
        assert not [text for text in consoles.complaints if not any(known in text for known in REFUSED)]
