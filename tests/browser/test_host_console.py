"""Host console in a browser, at a real table: rounds by scanner and keys alone, STOP, counts, corrections."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ViewportSize, expect

from casino.cards.card import DECK, written
from tests.browser.consoles import Console, Consoles
from tests.browser.host_album import DECKS
from tests.live.clients import Clients, Player, clients_of
from tests.live.service import Json, Kind, LiveService, started_service

pytestmark = pytest.mark.asyncio(loop_scope="session")

COVERED = """form => [...form.querySelectorAll('select, button')].filter((one) => {
    const box = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(box.x + box.width / 2, box.bottom - 3));
}).map((one) => one.textContent)"""
"""Controls whose lower edge something else lies on."""

FITS = """(section) => {
    const lines = section.querySelector('.lines');
    lines.classList.add('many');
    while (lines.children.length < 8) lines.append(lines.lastElementChild.cloneNode(true));
    return section.scrollHeight <= section.clientHeight;
}"""
"""Whether the results of seven seats, as long as the last one, fit into the instruction."""

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
CALM = {"betting": 300.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0}
KINDS = {
    "live": Kind(6, seconds=CALM),
    "confirmed": Kind(1, seconds=CALM | {"confirm": 2.5}),
    "counted": Kind(1, seconds=CALM, more=f"[deck]\ncount_within_rounds = 3\n{DECKS}"),
    "own": Kind(1, hands="own", seconds=CALM),
    "machine": Kind(1, dealing="auto", seconds=CALM | {"betting": 3.0}),
}


@pytest.fixture(scope="module")
def host_service() -> Iterator[LiveService]:
    """A house of its own, few enough tables to choose from; its books must be right at the end."""
    with started_service(KINDS, staff=("paula", "per", "max", "mona", "fiona"), is_driven=True) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def host_clients(host_service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(host_service) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def consoles(browser: Browser, host_service: LiveService) -> AsyncIterator[Consoles]:
    """Whatever the browser complains about, of the policy or of a fault, fails the test."""
    async with Consoles.at(browser, host_service.address) as opened:
        yield opened
        assert opened.complaints == []


async def axe(console: Console) -> None:
    await console.page.evaluate(AXE.read_text())
    found: Json = await console.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    problems = [(one["id"], [node["html"][:100] for node in one["nodes"]]) for one in found["violations"]]
    assert problems == []


async def picture(console: Console, name: str) -> None:
    """For people to look at, in the folder that CASINO_PICTURES names."""
    if folder := os.environ.get("CASINO_PICTURES"):
        await console.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


async def betting(console: Console, table_id: str, *players: Player) -> str:
    """The presenter opens a round with SPACE, and all players bet."""
    await console.shows("OPEN BETTING")
    await console.press("Space")
    known = {view["round_id"] for player in players for view in player.all("round") if view["phase"] != "betting"}
    first = await players[0].until(
        "round",
        lambda view: (view["table_id"], view["phase"]) == (table_id, "betting") and view["round_id"] not in known,
    )
    round_id = str(first["round_id"])
    for player in players:
        await player.bet(table_id, round_id, 500)
    players[0].service.end_betting(table_id)
    return round_id


async def stopped_round(host_clients: Clients, paula: Console) -> tuple[str, str, Player]:
    """Somebody has bet, two cards are out, and the presenter has pressed STOP."""
    table_id = host_clients.service.table("live")
    player = await host_clients.player()
    await player.join(table_id)
    await paula.sit_down(table_id)
    round_id = await betting(paula, table_id, player)
    await paula.shows("DEAL PLAYER 1")
    await paula.scan("As")
    await paula.press("Escape")
    await expect(paula.page.get_by_text("What happened?")).to_be_visible()
    return table_id, round_id, player


async def test_whole_round_by_scanner_and_keys_alone(host_clients: Clients, consoles: Consoles) -> None:
    table_id = host_clients.service.table("live")
    player = await host_clients.player()
    await player.join(table_id)
    paula = await consoles.of("paula")
    await paula.sit_down(table_id)
    await paula.shows("OPEN BETTING")
    round_id = await betting(paula, table_id, player)
    await expect(paula.page.get_by_text("BETTING", exact=False).first).to_be_visible()
    await expect(paula.page.locator('[data-total="ante"]')).to_have_text("FUN 5.00")
    await paula.shows("DEAL PLAYER 1")
    await paula.scan("as", "KD")
    await player.phase(table_id, round_id, "deciding_preflop")
    await expect(paula.page.get_by_text("PLAYERS DECIDE")).to_be_visible()
    await expect(paula.page.get_by_text("1 player to go")).to_be_visible()
    await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await paula.scan("7h", "7c", "2s")
    await paula.shows("DEAL TURN")
    await paula.scan("Jd", "3c")
    await paula.shows("TURN DEALER 1")
    await axe(paula)
    await paula.scan("Qh", "9d")
    await paula.shows("RESULT")
    await paula.shows("Player wins with a pair of sevens.")
    await paula.shows("A pair of sevens, ace kicker, beats a pair of sevens, queen kicker. The dealer qualifies.")
    await paula.shows(f"{player.name} wins FUN 25.00.")
    assert (await player.result(round_id))["result"] == "win"
    await paula.press("Enter")
    await player.until("round", lambda view: view["round_id"] != round_id and view["phase"] == "betting")


async def test_wrong_cards_change_nothing_and_are_shown_in_red(host_clients: Clients, consoles: Consoles) -> None:
    table_id = host_clients.service.table("confirmed")
    player = await host_clients.player()
    await player.join(table_id)
    paula = await consoles.of("paula")
    await paula.sit_down(table_id)
    await paula.shows("OPEN BETTING")
    await paula.scan("As")
    await expect(paula.scanner).to_contain_text("NOT NOW")
    await betting(paula, table_id, player)
    await paula.shows("DEAL PLAYER 1")
    await paula.scan("As")
    await paula.shows("DEAL PLAYER 2")
    await paula.scan("As")
    await expect(paula.scanner).to_contain_text("ALREADY DEALT")
    await expect(paula.scanner).to_contain_text("Nothing has changed")
    await paula.scan("9780")
    await expect(paula.scanner).to_contain_text("NOT A CARD")
    await paula.shows("DEAL PLAYER 2")
    await expect(paula.page.get_by_role("button", name="A of spades", exact=True)).to_be_disabled()
    await paula.click("K of diamonds")  # the pad, where the scanner does not read
    await paula.card_at("player_2", "king of diamonds")
    await expect(paula.page.get_by_text("CHECK THE CARDS")).to_be_visible()
    await paula.press("Backspace")
    await expect(paula.scanner).to_contain_text("K♦ taken back")
    await paula.shows("DEAL PLAYER 2")
    await paula.scan("Kh")
    await paula.card_at("player_2", "king of hearts")
    await expect(paula.page.get_by_text("PLAYERS DECIDE")).to_be_visible()
    await paula.press("Backspace")
    await expect(paula.scanner).to_contain_text("no card to undo")


async def test_stop_then_the_manager_corrects_and_resumes(host_clients: Clients, consoles: Consoles) -> None:
    paula = await consoles.of("paula")
    table_id, round_id, player = await stopped_round(host_clients, paula)
    assert await player.refused("decide", {"table_id": table_id, "round_id": round_id, "action": "check"})
    await axe(paula)
    await paula.press("2")
    await paula.shows("Show the card on the table to the camera.")
    await paula.scan("Kd")
    await expect(paula.scanner).to_contain_text("PAUSED")
    manager = await consoles.of("max")
    alarm = manager.page.locator(f'[data-floor="{table_id}"]')
    await expect(alarm).to_contain_text("STOPPED")
    await expect(alarm).to_contain_text("Wrong card scanned")
    await axe(manager)
    await alarm.click()
    await manager.shows("Choose a resolution")
    await axe(manager)
    await manager.click("Correct a card Choose the wrong card, then the right one")
    await manager.page.get_by_role("button", name="PLAYER 1 A♠", exact=True).click()
    await manager.click("A of hearts")
    await manager.fill("Reason", "The camera shows hearts.")
    await manager.click("Confirm: Correct a card")
    await paula.card_at("player_1", "ace of hearts")
    await manager.click("Resume The round goes on, with full time to decide")
    await manager.fill("Reason", "Corrected.")
    await manager.click("Confirm: Resume")
    await paula.shows("DEAL PLAYER 2")
    await paula.scan("Kd")
    await player.phase(table_id, round_id, "deciding_preflop")


async def test_stop_that_allows_only_cancelling_shows_what_goes_back_before(
    host_clients: Clients, consoles: Consoles
) -> None:
    paula = await consoles.of("paula")
    table_id, round_id, player = await stopped_round(host_clients, paula)
    await paula.click("5 Extra card dealt")
    manager = await consoles.of("max")
    await manager.page.locator(f'[data-floor="{table_id}"]').click()
    await manager.shows("Choose a resolution")
    await expect(manager.page.get_by_role("button", name="Resume")).to_have_count(0)
    await manager.click("Cancel and refund All bets will be refunded")
    row = manager.page.locator(f'[data-move="{player.id}"]')
    await expect(row).to_contain_text("990.00")
    await expect(row).to_contain_text("+FUN 10.00")
    await expect(row).to_contain_text("1,000.00")
    await expect(manager.page.get_by_role("button", name="Confirm: Cancel and refund")).to_be_disabled()
    await manager.fill("Reason", "Two cards at once.")
    assert (await player.money())[0] == 99_000
    await manager.click("Confirm: Cancel and refund")
    result = await player.result(round_id)
    assert (result["status"], result["balance"]) == ("cancelled", 100_000)
    await paula.shows("COUNT THE DECK")


async def test_deck_is_counted_before_betting_opens(host_clients: Clients, consoles: Consoles) -> None:
    table_id = host_clients.service.table("counted")
    paula = await consoles.of("paula", ViewportSize(width=1024, height=768))
    await paula.sit_down(table_id)
    await paula.shows("COUNT THE DECK")
    await paula.press("Space")
    heading = paula.page.get_by_role("heading", level=2).first
    await expect(heading).to_have_text("DECK COUNT red")
    await paula.scan("As", "Ks", "As")
    await expect(paula.scanner).to_contain_text("ALREADY COUNTED")
    await expect(heading).to_have_text("READ THIS CARD AGAIN red")
    await paula.scan("Qs")  # it was misread: the count goes on
    await expect(heading).to_have_text("DECK COUNT red")
    for _ in range(2):
        await paula.page.keyboard.type("b07")  # a card of the other deck, under its name
        await paula.press("Enter")
        await expect(paula.scanner).to_contain_text("9♣: WRONG DECK")
        await paula.page.wait_for_timeout(1100)  # within a second it is one reading
    await paula.shows("9♣ of deck blue")
    for _ in range(2):
        await paula.scan("As")
        await paula.page.wait_for_timeout(1100)  # within a second it is one reading
    await paula.shows("This deck is not complete. Take a new deck, or count again.")
    await paula.press("Enter")
    await expect(paula.page.get_by_text("0 / 52")).to_be_visible()
    for card in DECK[:48]:
        await paula.scan(card)
    await expect(paula.page.get_by_text("48 / 52")).to_be_visible()
    await paula.shows(" ".join(map(written, DECK[48:])))  # those that are missing are named
    for card in DECK[48:]:
        await paula.click(f"{card[0]} of spades")
    await paula.shows("OPEN BETTING")
    await expect(paula.scanner).to_contain_text("The deck is complete: 52 cards.")


async def test_correction_of_a_settled_round_needs_a_second_person(host_clients: Clients, consoles: Consoles) -> None:
    table_id = host_clients.service.table("live")
    player = await host_clients.player()
    await player.join(table_id)
    paula = await consoles.of("paula")
    await paula.sit_down(table_id)
    round_id = await betting(paula, table_id, player)
    await paula.shows("DEAL PLAYER 1")
    await paula.scan("As", "Kd")
    await player.phase(table_id, round_id, "deciding_preflop")
    await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await paula.scan("7h", "7c", "2s", "Jd", "3c", "Qh", "Qd")
    assert (await player.result(round_id))["result"] == "lose"

    manager = await consoles.of("max")
    await manager.click("Rounds")
    await manager.fill("Table", table_id)
    await manager.click("Search")
    await manager.page.get_by_role("button", name=f"{table_id}").click()  # the replay of its one round
    await manager.click("Correct this round")
    await manager.page.get_by_role("button", name="DEALER 1 Q♥", exact=True).click()
    await manager.click("8 of hearts")
    await expect(manager.page.locator(f'[data-move="{player.id}"]')).to_contain_text("+FUN 55.00")
    await manager.fill("Reason", "The camera shows 8h.")
    await manager.click("Propose correction")
    await expect(manager.page.get_by_text("Now a second person has to approve it")).to_be_visible()
    await manager.click("Corrections")
    await manager.shows("You proposed this: another person has to approve it.")
    await expect(manager.page.get_by_role("button", name="Approve")).to_be_disabled()

    finance = await consoles.of("fiona")
    await finance.click("Approve")
    await expect(finance.page.get_by_text("Approved: the round was re-settled with corrected cards.")).to_be_visible()
    assert (await player.until("result", lambda result: result["result"] == "win"))["balance"] == 102_500
    await axe(finance)


async def test_second_manager_or_finance_ends_what_one_has_proposed(host_clients: Clients, consoles: Consoles) -> None:
    table_id, player = host_clients.service.table("machine"), await host_clients.player()
    await player.join(table_id)
    round_id = (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    await player.phase(table_id, round_id, "deciding_preflop")
    max_, mona = await consoles.of("max"), await consoles.of("mona")
    for manager in (max_, mona):
        await manager.page.locator(f'[data-floor="{table_id}"]').click()
    await max_.press("Escape")
    await max_.shows("Choose a resolution")
    await expect(max_.page.get_by_role("button", name="Correct a card")).to_have_count(0)
    await max_.click("Cancel and refund All bets will be refunded")
    await max_.shows("A second person has to approve this.")
    await max_.fill("Reason", "The picture froze.")
    await picture(max_, "propose-cancellation")
    await max_.click("Propose: Cancel and refund")
    await expect(max_.page.locator("[data-proposal]")).to_contain_text("Cancellation proposed")
    await expect(max_.page.locator("[data-proposal]")).to_contain_text("You proposed this.")
    await picture(max_, "own-proposal")
    await expect(mona.page.locator("[data-proposal]")).to_contain_text("Cancellation proposed")
    await expect(mona.page.locator("[data-proposal] [data-move]")).to_have_count(1)
    await axe(mona)
    await picture(mona, "proposal-of-another")
    await mona.page.locator("[data-proposal]").get_by_label("Reason, needed to reject").fill("Wait for the video.")
    await mona.click("Reject")
    await expect(mona.page.locator("[data-proposal]")).to_have_count(0)
    proposed = await (await host_clients.host("max")).ok(
        "cancel_round", {"table_id": table_id, "reason": "Still frozen."}
    )
    office = await consoles.of("fiona")
    await office.page.goto(f"{host_clients.service.address}/finance#corrections")
    article = office.page.locator(f'[data-proposal="{proposed["proposal_id"]}"]')
    await expect(article).to_contain_text("Still frozen.")
    await picture(office, "finance-proposal")
    await article.get_by_role("button", name="Approve").click()
    await office.shows("Answered. The table has been notified.")
    assert (await player.result(round_id))["status"] == "cancelled"
    await max_.click("Floor")
    await expect(max_.page.locator(f'[data-cancelled="{table_id}"]')).to_contain_text("decision 1")
    people = ["max", "max", "fiona"]  # cancelled, proposed, approved
    assert (await max_.page.locator(f'[data-cancelled="{table_id}"] td').all_inner_texts())[2:5] == people
    await picture(max_, "floor-cancellations")


async def test_hand_over_between_two_presenters_and_chat_with_mute(host_clients: Clients, consoles: Consoles) -> None:
    table_id = host_clients.service.table("live")
    other = await host_clients.host("max")  # a manager opens the table, no presenter is on shift yet
    await other.ok("open_table", {"table_id": table_id})
    player = await host_clients.player()
    await player.join(table_id)
    paula = await consoles.of("paula")
    await paula.sit_down(table_id)
    await paula.shows("OPEN BETTING")
    await player.ok("chat", {"table_id": table_id, "text": "Good evening"})
    await paula.page.set_viewport_size(ViewportSize(width=1280, height=600))
    await paula.click(f"Mute {player.name}")
    form = paula.page.get_by_role("form", name=f"Mute {player.name}")
    assert await form.evaluate(COVERED) == [], "END SHIFT is below it"
    await paula.page.get_by_label("Reason").select_option("Insults")
    await paula.page.get_by_role("button", name="Mute", exact=True).click()
    await player.until("notice", lambda notice: notice["code"] == "muted")
    assert await player.refused("chat", {"table_id": table_id, "text": "Hello?"}) == "muted"
    await paula.fill("Say to all players", "Place your bets, please.")
    await paula.press("Enter")
    await player.until("chat", lambda line: line["text"] == "Place your bets, please.")
    await player.ok("tip", {"table_id": table_id, "amount": 500, "key": "t"})
    await paula.click("Say thank you")
    await player.until("chat", lambda line: line["text"].startswith("Thank you very much"))
    per = await consoles.of("per")
    await per.page.get_by_role("button", name=f"Table {table_id}").click()
    await per.shows("ASK PAULA FOR THE TABLE")
    await per.press("Enter")
    await paula.click("Refuse")
    await per.shows("Your request was refused or has expired.")
    await per.press("Enter")
    await paula.click("Hand over to per")
    await per.click("End shift")
    await per.shows("START SHIFT")
    closed = await player.until("table", lambda view: view["status"] == "closed")
    assert closed["presenter"] is None


async def test_manager_changes_limits_mutes_searches_and_reads_the_log(
    host_clients: Clients, consoles: Consoles
) -> None:
    table_id, player = host_clients.service.table("live"), await host_clients.player()
    await player.join(table_id)
    paula, manager = await consoles.of("paula"), await consoles.of("max")
    await paula.sit_down(table_id)
    round_id = await betting(paula, table_id, player)
    await player.ok("chat", {"table_id": table_id, "text": "Hello"})
    await manager.page.locator(f'[data-floor="{table_id}"]').click()
    await manager.click(f"Mute {player.name}")
    await manager.page.get_by_role("button", name="Mute", exact=True).click()
    await player.until("notice", lambda notice: notice["code"] == "muted")
    assert await player.refused("chat", {"table_id": table_id, "text": "Is anybody here?"}) == "muted"
    await manager.click("Unmute")
    await player.until("notice", lambda notice: notice["code"] == "unmuted")
    await manager.click("Change limits")
    await manager.fill("ANTE minimum", "10")
    await manager.fill("Reason", "A busy evening")
    await manager.click("Change limits")
    await expect(manager.page.get_by_text("In force from the next round on.").first).to_be_visible()
    await manager.click("Close table")
    await expect(manager.page.get_by_text("The running round ends first.")).to_be_visible()
    await paula.shows("DEAL PLAYER 1")
    await paula.scan("As", "Kd")
    await player.phase(table_id, round_id, "deciding_preflop")
    await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await paula.scan("7h", "7c", "2s", "Jd", "3c", "Qh", "9d")
    await player.result(round_id)
    await player.until("table", lambda view: (view["status"], view["limits"]["ante_min"]) == ("closed", 1000))
    (game_number,) = {view["game_number"] for view in player.all("round") if view["round_id"] == round_id}
    await manager.click("Rounds")
    for field, wanted in (("Game number", game_number), ("Player’s name", player.name)):
        await manager.fill(field, wanted)
        await manager.click("Search")
        await expect(manager.page.get_by_role("button", name=f"Replay {game_number} {table_id}")).to_have_count(1)
        await manager.fill(field, "")
    await manager.page.get_by_role("button", name=f"Replay {game_number} {table_id}").click()
    await manager.page.get_by_label("Replay").fill("4")  # two steps of betting, two cards
    await manager.card_at("player_2", "king of diamonds")
    await expect(manager.page.locator(manager.slot("flop_1")).get_by_role("img")).to_have_count(0)
    await _reads_log_and_chat(manager, table_id, player.name)


async def _reads_log_and_chat(manager: Console, table_id: str, player: str) -> None:
    await manager.click("Audit log")
    await manager.fill("Search words", f"limits {table_id}")
    await manager.click("Search")
    await expect(manager.page.get_by_text("A busy evening")).to_be_visible()
    await expect(manager.page.get_by_text("ANTE minimum 10.00 EUR").first).to_be_visible()
    await manager.fill("Search words", f"muted {player}")
    await manager.click("Search")
    await expect(manager.page.get_by_text("text Hello,").first).to_be_visible()
    await axe(manager)
    await manager.page.locator("nav").get_by_role("button", name="Chat").click()
    await manager.fill("Table", table_id)
    await manager.page.get_by_label("Blocked messages only").check()
    await manager.click("Search")
    row = manager.page.get_by_role("row", name="Is anybody here?")
    await expect(row).to_contain_text("player was muted")
    await axe(manager)


async def test_table_where_each_seat_has_its_own_hand(host_clients: Clients, consoles: Consoles) -> None:
    table_id = host_clients.service.table("own")
    players = await host_clients.players(2)
    for player, seat_no in zip(players, (2, 5), strict=True):
        await player.join(table_id, seat_no=seat_no)
    paula = await consoles.of("paula")
    await paula.sit_down(table_id)
    await paula.shows("OPEN BETTING")
    round_id = await betting(paula, table_id, *players)
    await paula.shows("DEAL SEAT 2 · CARD 1")
    await paula.scan("As", "Kd")
    await paula.shows("DEAL SEAT 5 · CARD 1")
    await paula.scan("9c", "9d")
    await players[0].phase(table_id, round_id, "deciding_preflop")
    for player in players:
        await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await paula.scan("7h", "7c", "2s", "Jd", "3c", "8h", "8d")
    await paula.shows("Dealer has two pair, eights and sevens, and qualifies.")
    await paula.shows(f"Seat 2, {players[0].name}, loses with a pair of sevens.")
    await paula.shows(f"Seat 5, {players[1].name}, wins FUN 25.00 with two pair, nines and sevens.")
    await paula.page.set_viewport_size({"width": 1280, "height": 800})
    assert await paula.page.locator("section[aria-live]:has(> .lines)").evaluate(FITS), "seven results are not cut"
