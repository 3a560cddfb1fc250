"""Interventions in a browser: a presenter is relieved, cards are swapped, a take-over is confirmed."""

import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.consoles import Console, Consoles
from tests.live.clients import Clients, Player, clients_of
from tests.live.service import Kind, LiveService, started_service

pytestmark = pytest.mark.asyncio(loop_scope="session")

CALM = {"betting": 300.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0}
KINDS = {"live": Kind(8, seconds=CALM), "confirmed": Kind(2, seconds=CALM | {"confirm": 60.0})}
RESUME = "Resume The round goes on, with full time to decide"
CORRECT = "Correct a card Choose the wrong card, then the right one"


@pytest.fixture(scope="module")
def house() -> Iterator[LiveService]:
    with started_service(KINDS, staff=("paula", "per", "max", "mona"), is_driven=True) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def people(house: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(house) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def consoles(browser: Browser, house: LiveService) -> AsyncIterator[Consoles]:
    async with Consoles.at(browser, house.address) as opened:
        yield opened
        assert opened.complaints == []


async def dealing(people: Clients, paula: Console, kind: str = "live") -> tuple[str, str, Player]:
    """A round with one player in it, waiting for its first card."""
    table_id, player = people.service.table(kind), await people.player()
    await player.join(table_id)
    await paula.sit_down(table_id)
    await paula.shows("OPEN BETTING")
    await paula.press("Space")
    begun = await player.phase(table_id, None, "betting")
    await player.bet(table_id, begun["round_id"], 500)
    people.service.end_betting(table_id)
    await paula.shows("DEAL PLAYER 1")
    return table_id, begun["round_id"], player


async def stop(paula: Console, number: str) -> None:
    await paula.press("Escape")
    await expect(paula.page.get_by_text("What happened?")).to_be_visible()
    await paula.press(number)


async def test_colleague_takes_over_from_an_unwell_presenter_while_the_round_is_stopped(
    people: Clients, consoles: Consoles
) -> None:
    paula, per, max_ = await consoles.of("paula"), await consoles.of("per"), await consoles.of("max")
    table_id, round_id, player = await dealing(people, paula)
    await paula.scan("As")
    await stop(paula, "8")
    await paula.shows("Wait until another presenter has taken over the table.")
    await max_.page.locator(f'[data-floor="{table_id}"]').click()
    await max_.shows("Choose a resolution")
    await expect(max_.page.get_by_text("paula cannot go on.")).to_be_visible()
    await expect(max_.page.get_by_role("button", name="Resume")).to_be_disabled()
    await per.page.get_by_role("button", name=f"Table {table_id}").click()
    await per.shows("ASK PAULA FOR THE TABLE")
    await per.press("Space")
    await per.shows("TAKE OVER FROM PAULA?")
    await per.press("Space")
    await per.shows("WAITING FOR THE TABLE")
    await max_.click("Hand over to per")
    await expect(paula.page.get_by_role("status").filter(has_text="per has taken over this table.")).to_be_visible()
    await max_.click(RESUME)
    await max_.fill("Reason", "per deals on.")
    await max_.click("Confirm: Resume")
    await per.shows("DEAL PLAYER 2")
    await per.scan("Kd")
    await player.phase(table_id, round_id, "deciding_preflop")


async def test_take_over_in_mid_round_is_asked_about_first(people: Clients, consoles: Consoles) -> None:
    paula, per = await consoles.of("paula"), await consoles.of("per")
    table_id, round_id, player = await dealing(people, paula)
    await per.page.get_by_role("button", name=f"Table {table_id}").click()
    await per.shows("ASK PAULA FOR THE TABLE")
    await per.press("Space")
    await per.shows("TAKE OVER FROM PAULA?")
    await per.press("Escape")
    await per.shows("ASK PAULA FOR THE TABLE")
    await expect(paula.page.get_by_role("alert")).to_have_count(0)
    await paula.click("End shift")
    await paula.shows("Your shift ends with this round. The table closes then.")
    await paula.scan("As", "Kd")
    await player.phase(table_id, round_id, "deciding_preflop")
    await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await paula.scan("7h", "7c", "2s", "Jd", "3c", "Qh", "Qd")
    await paula.shows("RESULT")
    await paula.shows("Dealer wins with two pair, queens and sevens.")
    await paula.press("Space")
    await paula.shows("START SHIFT")
    await expect(paula.page.get_by_text("Dealer wins")).to_have_count(0)


async def test_manager_swaps_two_cards_and_all_players_are_notified(people: Clients, consoles: Consoles) -> None:
    paula, max_, mona = await consoles.of("paula"), await consoles.of("max"), await consoles.of("mona")
    table_id, round_id, player = await dealing(people, paula)
    await paula.scan("As", "Th")
    await player.phase(table_id, round_id, "deciding_preflop")
    await player.decide(table_id, round_id, "check")
    await paula.shows("DEAL FLOP 1")
    await paula.scan("7h", "8s")
    await stop(paula, "4")
    for manager in (max_, mona):
        await manager.page.locator(f'[data-floor="{table_id}"]').click()
    await max_.click(CORRECT)
    await max_.page.get_by_role("button", name="PLAYER 2 10♥", exact=True).click()
    await max_.page.get_by_role("button", name="FLOP 2 8♠", exact=True).click()
    await max_.shows("A second person has to approve this.")
    await expect(max_.page.get_by_text("PLAYER 2: 10♥ → 8♠, FLOP 2: 8♠ → 10♥")).to_be_visible()
    await max_.fill("Reason", "The video shows the order.")
    await max_.click("Propose: Correct a card")
    await expect(mona.page.locator("[data-proposal]")).to_contain_text("PLAYER 2: 10♥ → 8♠, FLOP 2: 8♠ → 10♥")
    await mona.click("Approve: swap the cards")
    await paula.card_at("player_2", "eight of spades")
    await paula.card_at("flop_2", "ten of hearts")
    await expect(paula.page.get_by_text("A card was corrected. PLAYER 2: 10♥ → 8♠").first).to_be_visible()
    assert (await player.until("notice", lambda shown: shown["code"] == "card_corrected"))["level"] == "warning"


async def test_manager_opens_decisions_again_after_a_correction(people: Clients, consoles: Consoles) -> None:
    paula, max_, mona = await consoles.of("paula"), await consoles.of("max"), await consoles.of("mona")
    table_id, round_id, player = await dealing(people, paula)
    await paula.scan("As", "Kd")
    await player.phase(table_id, round_id, "deciding_preflop")
    await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await stop(paula, "2")
    for manager in (max_, mona):
        await manager.page.locator(f'[data-floor="{table_id}"]').click()
    await max_.click(CORRECT)
    await max_.page.get_by_role("button", name="PLAYER 1 A♠", exact=True).click()
    await max_.page.get_by_role("button", name=re.compile(r"^2\s*of clubs$")).click()
    await max_.fill("Reason", "The camera shows the two.")
    await max_.click("Propose: Correct a card")
    await mona.click("Approve: correct the card")
    await max_.click(RESUME)
    await max_.page.get_by_label("Open the decisions again").check()
    await expect(max_.page.get_by_text("All answers of decision 1 were given on the wrong card.")).to_be_visible()
    await max_.fill("Reason", "He played on an ace.")
    await max_.click("Confirm: Resume")
    await expect(paula.page.locator("section > .title")).to_contain_text("PLAYERS DECIDE")
    await expect(paula.page.get_by_text("1 player to go")).to_be_visible()
    shown = paula.page.get_by_role("status").filter(has_text="The decisions are open again: players decide once more.")
    await expect(shown).to_contain_text("PLAYER 1: A♠ → 2♣")


async def test_cards_are_confirmed_by_space(people: Clients, consoles: Consoles) -> None:
    paula = await consoles.of("paula")
    table_id, round_id, player = await dealing(people, paula, "confirmed")
    await paula.scan("As", "Kd")
    await expect(paula.page.get_by_text("CHECK THE CARDS")).to_be_visible()
    await paula.press("Space")
    await player.phase(table_id, round_id, "deciding_preflop")


async def test_stopped_table_is_seen_on_every_screen_of_a_manager(people: Clients, consoles: Consoles) -> None:
    paula, max_ = await consoles.of("paula"), await consoles.of("max")
    for tab in ("Audit log", "Corrections", "Rounds"):
        await max_.click(tab)
    table_id, _, _ = await dealing(people, paula)
    await stop(paula, "3")
    bar = max_.page.locator(f'[data-stopped="{table_id}"]')
    await expect(bar).to_contain_text("Card dropped")
    await expect(bar.locator("time")).to_have_text(re.compile(r"^\d+:\d\d$"))
    stopped = await max_.page.locator("[data-stopped]").count()  # those of earlier tests as well
    await expect(max_.page).to_have_title(f"({stopped}) STOPPED · Host console")
    await expect(max_.page.get_by_role("navigation").get_by_role("button").first).to_have_text(f"Floor{stopped}")
    for tab in ("Audit log", "Corrections", "Rounds"):
        await max_.click(tab)
        await expect(bar).to_be_visible()
    await bar.click()
    await max_.shows("Choose a resolution")
    await max_.click(RESUME)
    await max_.fill("Reason", "Nobody saw its face.")
    await max_.click("Confirm: Resume")
    await expect(bar).to_have_count(0)


async def test_console_shows_currencies_apart_follows_the_address_and_asks_before_signing_out(
    people: Clients, consoles: Consoles
) -> None:
    paula, max_ = await consoles.of("paula"), await consoles.of("max")
    table_id, _, _ = await dealing(people, paula)
    await expect(paula.page.locator('[data-total="ante"]')).to_have_text("FUN 5.00")
    await expect(paula.page.get_by_text("FUN is play money")).to_be_visible()
    await paula.click("Sign out")
    await paula.shows("You are on shift. Sign out anyway?")
    await paula.click("Stay")
    await paula.shows("DEAL PLAYER 1")
    await max_.page.evaluate(f"location.hash = '{table_id}'")
    await expect(max_.page.get_by_role("heading", name=f"Table {table_id}")).to_be_visible()
    await max_.click("Change limits")
    await max_.fill("TRIPS maximum", "90")
    await max_.fill("Reason", "A quiet evening.")
    await max_.click("Change limits")
    await expect(max_.page.locator("[data-next]")).to_have_count(1)
    await expect(max_.page.locator('[data-next="trips_max"]')).to_contain_text("→ €90.00")
