"""Rounds in a browser against a presenter with fixed cards."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Route, ViewportSize, expect

from tests.browser.people import DESKTOP, IN_MOTION, PHONE, Screen, Visitors
from tests.cards.fairness_oracle import oracle_commitment, oracle_deck
from tests.live.clients import Clients, Host
from tests.live.hands import Hand
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENS = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]
# The player makes a flush on the river; the dealer has a pair of queens.
FLUSH = Hand.of("As Ks | 7s 2s 9d Jh 3s | Qh Qd")
# Nobody has anything: the dealer does not qualify, and the ace wins.
ACE_HIGH = Hand.of("As Kd | 7h 4c 2s Jd 9c | Qh Td")
TRIPS = Hand.of("7s 7d | 7h 2c 9d Jc Ks | Ah Ad")


async def presented(clients: Clients, table_id: str) -> Host:
    host = await clients.host()
    await host.take_over(table_id)
    return host


async def street(host: Host, table_id: str, round_id: str, cards: str, *after: str) -> None:
    await host.scan(table_id, round_id, cards)
    if after:
        await host.phase(table_id, round_id, *after)


@pytest.mark.parametrize("size", SCREENS)
async def test_a_guests_first_round(
    visitors: Visitors, service: LiveService, clients: Clients, size: ViewportSize
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, size, **IN_MOTION)
    host = await presented(clients, table_id)
    round_id = await host.start(table_id)

    await expect(screen.ribbon).to_contain_text("Place your bets")
    await expect(screen.spot("ante")).to_contain_text("Choose a chip, tap ANTE")
    await screen.place("ante", "5.00")
    await screen.shows("ante", "5.00")
    await screen.shows("blind", "5.00")
    await expect(screen.spot("trips")).to_contain_class("calls")
    await screen.place("trips", "1.00")
    await screen.shows("trips", "1.00")
    await expect(screen.table.locator("[data-total]")).to_have_text("11.00")
    await screen.does_not_scroll()
    if size is DESKTOP:
        await screen.axe()

    await host.end_betting(table_id, round_id)
    await street(host, table_id, round_id, FLUSH.player)
    options = screen.table.locator(".options button")
    await expect(options).to_have_text(["PLAY 4x 20.00", "PLAY 3x 15.00", "CHECK Free"], use_inner_text=False)
    await screen.axe()
    await screen.button("CHECK").click()
    await host.phase(table_id, round_id, "dealing_flop")
    await expect(screen.ribbon).to_have_text("The flop")
    await street(host, table_id, round_id, FLUSH.flop)
    await expect(screen.table.locator(".mine .named")).to_have_text("Ace high")
    await expect(options).to_have_text(["PLAY 2x 10.00", "CHECK Free"])
    await screen.button("PLAY 2x").click()
    await screen.shows("play", "10.00")
    await host.phase(table_id, round_id, "dealing_river")
    await street(host, table_id, round_id, FLUSH.turn_river)
    await expect(screen.table.locator(".mine .named")).to_have_text("Ace-high flush")
    await host.phase(table_id, round_id, "showdown")
    await expect(screen.table.locator(".dealer .down")).to_have_count(2)
    await street(host, table_id, round_id, FLUSH.dealer, "settled")

    # ANTE 5.00 at 1:1, BLIND 5.00 at 3:2, PLAY 10.00 at 1:1, TRIPS 1.00 at 7:1.
    await expect(screen.ribbon).to_have_text("Dealer qualifies (pair of queens)")
    await expect(screen.ribbon).to_have_text("You win: an ace-high flush against a pair of queens")
    summary = screen.table.get_by_role("region", name="Results")
    await expect(summary.get_by_role("heading")).to_have_text("You win 29.50")
    await expect(summary.get_by_role("listitem")).to_have_text(
        [
            "TRIPS +7.00 Flush pays 7:1",
            "ANTE +5.00 Your hand wins: pays 1:1",
            "BLIND +7.50 Flush pays 3:2",
            "PLAY +10.00 Your hand wins: pays 1:1",
        ]
    )
    await expect(screen.table.locator("[data-balance]")).to_have_attribute("data-balance", "102950")
    await expect(screen.table.locator(".celebration")).to_be_attached()
    await expect(screen.page.locator("[data-spoken]")).to_contain_text("You win 29.50")
    me = await (await screen.page.request.get(f"{service.address}/api/me")).json()
    assert me["balance"] == await screen.money() == 102_950
    await screen.does_not_scroll()
    if size is PHONE:
        await screen.axe()


async def test_two_players_decide_independently_and_each_sees_the_reason(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    """One plays and beats a dealer that does not qualify, the other folds: the same cards, other amounts."""
    table_id = service.table("live")
    player, folder = await asyncio.gather(visitors.guest(table_id), visitors.guest(table_id, PHONE))
    host = await presented(clients, table_id)
    round_id = await host.start(table_id)
    await asyncio.gather(*(screen.place("ante", "5.00") for screen in (player, folder)))
    await asyncio.gather(*(screen.shows("ante", "5.00") for screen in (player, folder)))
    await host.end_betting(table_id, round_id)
    await street(host, table_id, round_id, ACE_HIGH.player)
    await player.button("PLAY 4x").click()
    await expect(player.table.get_by_text("Waiting for 1 player")).to_be_visible()
    for cards, after in ((ACE_HIGH.flop, "dealing_flop"), (ACE_HIGH.turn_river, "dealing_river")):
        await folder.button("CHECK").click()
        await host.phase(table_id, round_id, after)
        await street(host, table_id, round_id, cards)
    await expect(folder.button("FOLD")).to_have_text("FOLD Lose 10.00")
    await folder.button("FOLD").click()
    await host.phase(table_id, round_id, "showdown")
    await street(host, table_id, round_id, ACE_HIGH.dealer, "settled")
    await expect(player.ribbon).to_have_text("Dealer doesn’t qualify (queen high)")
    await expect(player.table.get_by_role("region", name="Results").get_by_role("listitem")).to_have_text(
        [
            "ANTE 0.00 Push: dealer doesn’t qualify",
            "BLIND 0.00 Push: BLIND pays from a straight",
            "PLAY +20.00 Your hand wins: pays 1:1",
        ]
    )
    await expect(folder.table.get_by_role("region", name="Results").get_by_role("listitem")).to_have_text(
        ["ANTE −5.00 You folded", "BLIND −5.00 You folded"]
    )
    await expect(folder.table.locator(".celebration")).to_have_count(0)


async def test_timeouts_are_shown_as_auto_check_and_auto_fold_and_trips_is_paid(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("hasty")
    screen = await visitors.guest(table_id)
    host = await presented(clients, table_id)
    round_id = await host.start(table_id)
    for spot in ("ante", "trips"):
        await screen.spot(spot).press("Enter")
    await screen.shows("trips", "1.00")
    await host.end_betting(table_id, round_id)
    await street(host, table_id, round_id, TRIPS.player, "dealing_flop")
    await expect(screen.table.locator(".controls .automatic")).to_have_text("AUTO CHECKED")
    await street(host, table_id, round_id, TRIPS.flop, "dealing_river")
    await street(host, table_id, round_id, TRIPS.turn_river, "showdown")
    await expect(screen.table.locator(".controls .automatic")).to_have_text("AUTO FOLDED")
    await street(host, table_id, round_id, TRIPS.dealer, "settled")
    await expect(results(screen).get_by_role("heading")).to_have_text("You win 1.00")
    await expect(results(screen).get_by_role("listitem")).to_have_text(
        [
            "TRIPS +3.00 Three of a kind pays 3:1",
            "ANTE −1.00 Auto folded: time ran out",
            "BLIND −1.00 Auto folded: time ran out",
        ]
    )
    await expect(screen.ribbon).to_contain_text("AUTO FOLDED. Dealer has")


async def test_a_machines_round_is_weighed_by_the_trainer_replayed_and_verified(
    visitors: Visitors, service: LiveService
) -> None:
    screen = await visitors.guest(service.table("machine"))
    await screen.place("ante", "1.00")
    await screen.page.get_by_role("button", name="Settings").click()
    await screen.page.get_by_label("Trainer").check()
    await screen.page.keyboard.press("Escape")
    await screen.button("CHECK").click()
    await screen.button("PLAY 2x").click()
    await expect(results(screen)).to_be_visible()
    await screen.page.route("**/advice", lambda route: route.abort(), times=1)
    await screen.page.get_by_role("button", name="History", exact=True).click()
    panel = screen.page.get_by_role("dialog", name="History")
    await panel.get_by_role("listitem").get_by_role("button").click()
    weighed = panel.get_by_role("list", name="What your decisions were worth").get_by_role("listitem")
    worth = re.compile("PLAY 2x (was best|.+ missed)")
    # The first question starts a process of low priority, which waits for everything else on a busy machine.
    # The page asks again after a lost answer, as this one.
    await expect(weighed.nth(1)).to_contain_text(worth, timeout=180_000)
    await expect(weighed).to_have_count(2)
    await expect(panel.get_by_text("The round is settled")).to_be_visible()
    await panel.get_by_role("button", name="Verify the shuffle").click()
    await expect(panel.get_by_text("Fair: the deck follows from the seeds")).to_be_visible()
    await panel.get_by_role("slider", name="Replay").press("Home")
    await expect(panel.get_by_text("Betting opened")).to_be_visible()
    await expect(panel.get_by_role("img")).to_have_count(0)
    await screen.page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)


async def test_two_players_with_own_hands_see_each_other_and_are_settled_separately(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("own")
    host = await presented(clients, table_id)
    ann, ben = await asyncio.gather(visitors.guest(table_id), visitors.guest(table_id, PHONE))
    await expect(ann.table.get_by_text("Your seat")).to_be_visible()
    await expect(ben.table.get_by_role("button", name="Take seat 1")).to_have_count(0)  # Ann or Ben has it
    await expect(ben.table.get_by_role("button", name="Take seat")).to_have_count(5)
    await ben.table.get_by_role("button", name="Take seat 5").click()
    await expect(ben.table.locator("li.mine:nth-child(5)")).to_be_visible()
    round_id = await host.start(table_id)
    for screen in (ann, ben):
        await screen.place("ante", "5.00")
    await asyncio.gather(*(screen.shows("ante", "5.00") for screen in (ann, ben)))
    await ben.table.get_by_role("button", name="Take seat 3").click(force=True)  # disabled, but it answers
    await expect(ben.table.locator("p.hint")).to_have_text("You can change seats while you have no bet here")
    await host.end_betting(table_id, round_id)
    # A hand for each, seat by seat: aces for the first one, nothing for the fifth.
    await street(host, table_id, round_id, "As Ad 3h 4s", "deciding_preflop")
    await expect(ben.table.locator(".mine .named")).to_have_text("Four high")
    await ann.button("PLAY 4x").click()
    await ben.button("CHECK").click()
    await host.phase(table_id, round_id, "dealing_flop")
    await street(host, table_id, round_id, "2c 6d 9h")
    await expect(ben.table.locator(".seats")).to_contain_text("PLAY 4x")
    await ben.button("CHECK").click()
    await host.phase(table_id, round_id, "dealing_river")
    await street(host, table_id, round_id, "Jc Kd")
    await ben.button("FOLD").click()
    await host.phase(table_id, round_id, "showdown")
    await street(host, table_id, round_id, "Jh 4d", "settled")
    await expect(results(ann).get_by_role("heading")).to_have_text("You win 25.00")
    await expect(results(ben).get_by_role("heading")).to_have_text("You lose 10.00")


def results(screen: Screen) -> Locator:
    return screen.table.get_by_role("region", name="Results")


@pytest.mark.req("RNG")
async def test_a_proof_is_held_against_the_commitment_the_page_received_before_betting(
    visitors: Visitors, service: LiveService
) -> None:
    """The forged answer agrees with itself: another server seed with its own commitment, deck and cards."""
    screen = await visitors.guest(service.table("machine"))
    await screen.page.get_by_role("button", name="Help and rules", exact=True).click()
    await expect(screen.page.get_by_role("dialog").get_by_text("Fingerprint:")).to_be_visible()
    await screen.page.get_by_label("Your seed").fill("lucky 7")
    await screen.page.keyboard.press("Escape")
    await screen.place("ante", "1.00")
    await screen.button("PLAY 4x").click()
    await expect(results(screen)).to_be_visible()
    await screen.page.get_by_role("button", name="History", exact=True).click()
    panel = screen.page.get_by_role("dialog", name="History")
    await panel.get_by_role("listitem").get_by_role("button").click()
    await expect(panel.get_by_text("Your seed: lucky 7")).to_be_visible()
    await panel.get_by_role("button", name="Verify the shuffle").click()
    await expect(panel.get_by_text("Fair: the deck follows from the seeds")).to_be_visible()

    async def forge(route: Route) -> None:
        game = await (await route.fetch()).json()
        proof, other = game["fairness"], "ab" * 32
        ids = (proof["table_id"], proof["round_id"])
        deck = oracle_deck(*ids, other, proof["seeds"])
        forged = {"server_seed": other, "commitment": oracle_commitment(*ids, other), "deck": deck, "dealt": deck[:9]}
        game |= {"fairness": proof | forged, "commitment": forged["commitment"]}
        await route.fulfill(json=game)

    await screen.page.route(re.compile("/api/history/r[^/]*$"), forge)
    await panel.get_by_role("button", name="All rounds").click()
    await panel.get_by_role("listitem").get_by_role("button").click()
    await panel.get_by_role("button", name="Verify the shuffle").click()
    await expect(panel.get_by_role("alert")).to_have_text(
        [
            "The revealed secret does not give the fingerprint published before betting.",
            "The round was not settled on the cards at their places in the deck.",
        ]
    )
