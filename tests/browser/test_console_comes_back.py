"""Host console under failures: focus in text fields, bursts of cards, lost connections, reloads, two managers."""

import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, WebSocketRoute, expect

from casino.cards.card import DECK
from tests.browser.consoles import Console, Consoles
from tests.live.clients import Clients, Player, clients_of
from tests.live.service import Kind, LiveService, started_service

pytestmark = pytest.mark.asyncio(loop_scope="session")

CALM = {"betting": 300.0, "decide_preflop": 60.0, "decide_flop": 60.0, "decide_river": 60.0}
DECKS = "\n".join(
    f"[scanner.decks.{deck}]\n" + "\n".join(f'{deck[0]}{at:02} = "{card}"' for at, card in enumerate(DECK))
    for deck in ("red", "blue")
)
KINDS = {
    "live": Kind(6, seconds=CALM),
    "confirmed": Kind(1, seconds=CALM | {"confirm": 6.0}),
    "decks": Kind(1, seconds=CALM, more=f"[deck]\ncount_within_rounds = 9\n{DECKS}"),
    "practice": Kind(1, seconds=CALM | {"betting": 3.0}, more="practice = true"),
}
RESUME = "Resume The round goes on, with full time to decide"
CANCEL = "Cancel and refund All bets will be refunded"
BURST = """codes => {
  for (const code of codes)
    for (const key of [...code, 'Enter'])
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def office_service() -> Iterator[LiveService]:
    """Its books must be right at the end."""
    with started_service(KINDS, staff=("paula", "pest", "max", "mona"), is_driven=True) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest_asyncio.fixture(loop_scope="session")
async def office_clients(office_service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(office_service) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def consoles(browser: Browser, office_service: LiveService) -> AsyncIterator[Consoles]:
    async with Consoles.at(browser, office_service.address) as opened:
        yield opened


async def dealing(clients: Clients, paula: Console, kind: str = "live") -> tuple[str, str, Player]:
    """A round with one player in it, waiting for its first card."""
    table_id, player = clients.service.table(kind), await clients.player()
    await player.join(table_id)
    await paula.sit_down(table_id)
    await paula.shows("OPEN BETTING")
    await paula.press("Space")
    begun = await player.phase(table_id, None, "betting")
    await player.bet(table_id, begun["round_id"], 500)
    clients.service.end_betting(table_id)
    await paula.shows("DEAL PLAYER 1")
    return table_id, begun["round_id"], player


async def burst(paula: Console, *codes: str) -> None:
    """Faster than any answer can come back."""
    await paula.page.evaluate(BURST, list(codes))


async def test_scanner_reads_also_while_a_text_field_has_the_focus(office_clients: Clients, consoles: Consoles) -> None:
    paula = await consoles.of("paula")
    table_id, round_id, player = await dealing(office_clients, paula)
    field = paula.page.get_by_label("Say to all players")
    await field.click()
    await paula.page.keyboard.type("Good luck", delay=70)
    await paula.page.wait_for_timeout(100)
    await burst(paula, "As")
    await paula.card_at("player_1", "ace of spades")
    await expect(field).to_have_value("Good luck")
    await paula.page.wait_for_timeout(100)
    await paula.page.keyboard.type("!")
    await paula.page.wait_for_timeout(100)
    await paula.press("Enter")
    await player.until("chat", lambda line: line["text"] == "Good luck!")
    await field.click()
    await paula.press("Escape")  # STOP works from everywhere
    await expect(paula.page.get_by_text("What happened?")).to_be_visible()
    await burst(paula, "9h")  # a card, not the ninth of the buttons
    await expect(paula.scanner).to_contain_text("PAUSED")
    await expect(paula.page.get_by_text("What happened?")).to_be_visible()
    assert await player.refused("decide", {"table_id": table_id, "round_id": round_id, "action": "check"})


async def test_burst_of_cards_keeps_its_order_and_refused_cards_leave_their_place_free(
    office_clients: Clients, consoles: Consoles
) -> None:
    paula = await consoles.of("paula")
    table_id, round_id, player = await dealing(office_clients, paula)
    await burst(paula, "As", "Kd")
    await player.phase(table_id, round_id, "deciding_preflop")
    await paula.card_at("player_1", "ace of spades")
    await paula.card_at("player_2", "king of diamonds")
    await player.decide(table_id, round_id, "play_4x")
    await paula.shows("DEAL FLOP 1")
    await burst(paula, "7h", "7h", "2s")
    await expect(paula.scanner).to_contain_text("7♥: ALREADY DEALT")
    await expect(paula.scanner).to_contain_text("2♠ was not taken either: scan it again.")
    await paula.shows("DEAL FLOP 2")
    await expect(paula.page.locator(paula.slot("flop_2")).get_by_role("img")).to_have_count(0)
    await paula.scan("7c", "2s")
    await paula.shows("DEAL TURN")


class Wire:
    """Proxy between console and service. Data held back in one direction is lost with the connection."""

    def __init__(self) -> None:
        self.loses: str | None = None
        self.page_side: WebSocketRoute | None = None

    def carry(self, page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        self.page_side, self.loses = page_side, None
        page_side.on_message(lambda message: None if self.loses == "question" else server_side.send(message))
        server_side.on_message(lambda message: None if self.loses == "answer" else page_side.send(message))


async def test_connection_lost_within_a_street_returns_to_the_stored_state(
    office_clients: Clients, consoles: Consoles
) -> None:
    paula, wire = await consoles.of("paula"), Wire()
    await paula.page.route_web_socket("**/socket.io/**", wire.carry)
    await paula.page.reload()
    table_id, round_id, player = await dealing(office_clients, paula)
    for loses, card, slot, notice in (
        ("answer", "As", "player_1", "A♠ is at PLAYER 1"),
        ("question", "Kd", "player_2", "K♦: NOT STORED"),
    ):
        wire.loses = loses
        await burst(paula, card)
        if loses == "answer":  # the service has stored it, the console does not know
            await player.until("round", lambda view: "As" in view["player_cards"])
        assert wire.page_side is not None
        await wire.page_side.close()
        await expect(paula.scanner).to_contain_text(notice)
        await expect(paula.page.locator(paula.slot(slot)).get_by_role("img")).to_have_count(int(loses == "answer"))
        await paula.shows("DEAL PLAYER 2")
    await paula.page.context.set_offline(True)
    await paula.shows("NO CONNECTION")
    await burst(paula, "Kd")
    await expect(paula.scanner).to_contain_text("It was not sent.")
    await expect(paula.page.get_by_role("button", name="K of diamonds", exact=True)).to_be_disabled()
    await paula.page.context.set_offline(False)
    await paula.shows("DEAL PLAYER 2")
    await paula.scan("Kd")
    await player.phase(table_id, round_id, "deciding_preflop")


async def test_reload_in_every_phase_shows_the_same_instruction(office_clients: Clients, consoles: Consoles) -> None:
    paula = await consoles.of("paula")

    async def still(instruction: str) -> None:
        await paula.page.reload()
        await expect(paula.page.get_by_text(instruction).first).to_be_visible()

    table_id, player = office_clients.service.table("confirmed"), await office_clients.player()
    await player.join(table_id)
    await paula.sit_down(table_id)
    await still("OPEN BETTING")
    await paula.press("Space")
    round_id = (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    await still("BETTING")
    office_clients.service.end_betting(table_id)
    await paula.shows("DEAL PLAYER 1")
    await paula.scan("As")
    await still("DEAL PLAYER 2")
    await paula.scan("Kd")
    await still("CHECK THE CARDS")
    await paula.press("Backspace")
    await expect(paula.scanner).to_contain_text("K♦ taken back")
    await paula.scan("Kh")
    await player.phase(table_id, round_id, "deciding_preflop")
    await still("PLAYERS DECIDE")
    await paula.press("Escape")
    await still("What happened?")
    await paula.press("3")
    await paula.shows("Do not pick it up.")
    await still("Do not pick it up.")
    manager = await office_clients.host("max")
    await manager.ok("resume", {"table_id": table_id})
    await player.decide(table_id, round_id, "play_4x")
    for first, cards in (("DEAL FLOP 1", "7h 7c 2s"), ("DEAL TURN", "Jd 3c"), ("TURN DEALER 1", "Qh 9d")):
        await expect(paula.page.get_by_text(first)).to_be_visible()
        await still(first)
        await paula.scan(*cards.split())
    await player.result(round_id)
    await still("Player wins with a pair of sevens.")


async def test_second_manager_learns_who_ended_the_incident(office_clients: Clients, consoles: Consoles) -> None:
    paula, first, second = await consoles.of("paula"), await consoles.of("max"), await consoles.of("mona")
    table_id, round_id, player = await dealing(office_clients, paula)
    await paula.scan("As")
    await paula.press("Escape")
    await expect(paula.page.get_by_text("What happened?")).to_be_visible()
    await paula.press("3")
    await paula.shows("Do not pick it up.")
    for manager in (first, second):
        await manager.page.locator(f'[data-floor="{table_id}"]').click()
        await manager.click(CANCEL)
        await expect(manager.page.locator(f'[data-move="{player.id}"]')).to_contain_text("+FUN 10.00")
    await first.page.reload()  # a preview is only looked at: nothing is lost or done with it
    await first.click(RESUME)
    await first.fill("Reason", "Nobody saw its face.")
    await second.fill("Reason", "The deck is not complete.")
    await paula.page.close()  # a closed console of the presenter changes nothing for the round
    await first.click("Confirm: Resume")
    notice = "resumed by max. Nobody saw its face."
    await expect(second.page.get_by_text(notice)).to_be_visible()
    await expect(second.page.get_by_role("button", name="Confirm: Cancel and refund")).to_have_count(0)
    (incident_id,) = {view["paused"]["incident_id"] for view in player.all("round") if view["paused"]}
    late = await office_clients.host("mona")
    cancel = {"table_id": table_id, "reason": "The deck is not complete.", "incident_id": incident_id}
    answer = await late.call("cancel_round", cancel)
    assert answer["error"]["code"] == "too_late"
    assert "max has ended it already (resumed)" in answer["error"]["message"]
    assert (await player.money())[0] == 99_000
    await second.page.get_by_role("button", name="Tables", exact=True).click()
    await expect(second.page.locator(f'[data-floor="{table_id}"]')).to_contain_text("PRESENTER OFFLINE")
    again = await consoles.of("paula")
    await again.page.get_by_role("button", name=f"Table {table_id}").click()
    await again.shows("DEAL PLAYER 2")
    await again.scan("Kd")
    await player.phase(table_id, round_id, "deciding_preflop")


async def test_presenters_hand_over_and_the_next_card_stays_the_same(
    office_clients: Clients, consoles: Consoles
) -> None:
    paula, other = await consoles.of("paula"), await consoles.of("pest")
    table_id, round_id, player = await dealing(office_clients, paula)
    await paula.scan("As")
    await other.page.get_by_role("button", name=f"Table {table_id}").click()
    await other.shows("ASK PAULA FOR THE TABLE")
    await other.scan("Kd")
    await expect(other.scanner).to_contain_text("NOT ON SHIFT")
    await other.press("Enter")
    await other.shows("TAKE OVER FROM PAULA?")
    await other.press("Enter")
    await other.shows("WAITING FOR THE TABLE")
    await expect(paula.page.get_by_role("alert")).to_contain_text("pest asks to take over this table")
    await paula.click("Hand over to pest")
    await other.shows("DEAL PLAYER 2")
    await paula.shows("ASK PEST FOR THE TABLE")
    await paula.scan("Kd")
    await expect(paula.scanner).to_contain_text("NOT ON SHIFT")
    await other.scan("Kd")
    await player.phase(table_id, round_id, "deciding_preflop")
    notice = await player.until("table", lambda view: view["presenter"] == "pest")
    assert notice["table_id"] == table_id


async def test_deck_in_use_is_the_one_counted_and_cards_of_another_are_named(
    office_clients: Clients, consoles: Consoles
) -> None:
    paula, table_id = await consoles.of("paula"), office_clients.service.table("decks")
    await paula.sit_down(table_id)
    await paula.shows("COUNT THE DECK")
    await paula.press("Space")
    await paula.click("blue")
    await expect(paula.page.get_by_text("DECK COUNT")).to_contain_text("blue")
    await burst(paula, "b00", "r01")
    await expect(paula.scanner).to_contain_text(re.compile(r"^.*[♠♥♦♣] belongs to deck red\. Deal from deck blue\."))
    await expect(paula.page.get_by_text("READ THIS CARD AGAIN")).to_be_visible()
    await burst(paula, *(f"b{at:02}" for at in range(1, 52)))
    await expect(paula.page.get_by_text("OPEN BETTING")).to_be_visible()
    player = await office_clients.player()
    await player.join(table_id)
    await paula.press("Space")
    round_id = (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    office_clients.service.end_betting(table_id)
    await paula.shows("DEAL PLAYER 1")
    await burst(paula, "r51")
    await expect(paula.scanner).to_contain_text("belongs to deck red")
    await burst(paula, "b51")
    await expect(paula.scanner).to_contain_text("A♠ is at PLAYER 1")


async def test_practice_judges_the_first_wrong_answer_too(consoles: Consoles) -> None:
    paula = await consoles.of("paula")
    await paula.sit_down("practice-1")
    await paula.shows("Players and money are simulated")
    await paula.shows("OPEN BETTING")
    await paula.press("Space")
    await paula.shows("DEAL PLAYER 1")
    await paula.press("Escape")
    await expect(paula.page.get_by_text("What happened?")).to_be_visible()
    await paula.press("3")
    await paula.shows("Do not pick it up.")
    await paula.click("Something else happened")
    await paula.press("5")
    await paula.shows("Leave both cards where they lie.")
    # The manager of the drill cancels the round, and an extra card puts the deck in doubt.
    await expect(paula.page.get_by_text("COUNT THE DECK")).to_be_visible()
