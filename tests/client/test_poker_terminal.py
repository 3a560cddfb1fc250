"""Poker at a terminal: a real `casino play` process, a scripted person, and two players over sockets."""

from collections.abc import Iterator

import aiohttp
import pytest

from tests.client.screen import playing
from tests.live.poker_players import PokerPlayer, guest, new_pool
from tests.live.poker_service import started_poker
from tests.live.service import LiveService


@pytest.fixture(scope="module")
def poker() -> Iterator[LiveService]:
    with started_poker() as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


async def check_or_call(players: list[PokerPlayer], hand_id: str, first: int) -> None:
    """The small blind and the big blind, one after the other, from this decision on."""
    for turn, player in enumerate(players, first):
        options = await player.asked(hand_id, turn)
        at = {"table_id": player.table_id, "hand_id": hand_id, "turn": turn}
        await player.accepted("act", **at, action="check" if options["check"] else "call")


async def test_person_plays_sits_out_comes_back_buys_chips_and_leaves(poker: LiveService) -> None:
    pool = new_pool()
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web,
        playing("--url", poker.address, "--game", "poker", "--pool", pool) as screen,
    ):
        await screen.until("balance 1000.00 FUN")
        await screen.until("In the queue at place 1; 2 more open a table")
        screen.type("b 5")
        await screen.until("You have no seat yet")
        others = [PokerPlayer(web, poker.address, await guest(web, poker)) for _ in range(2)]
        for other in others:
            await other.connect()
            await other.ask_for_seat(pool)
        for other in others:
            await other.come()
        await screen.until("blinds 0.05/0.10: you have seat 1 with 10.00")
        assert (await screen.until("Your cards")).endswith(": Q♥ Q♦")
        assert (await screen.until("Your turn")).endswith("c = call 0.10, r = 0.20 to 10.00, f = fold")
        hand_id = (others[0].snapshots[-1]["hand"] or await others[0].until("hand"))["hand_id"]
        screen.type("r 0.15")
        await screen.until("Bet or raise to at least 0.20.")
        screen.type("r twelve")
        await screen.until("Write an amount of FUN like 250.00.")
        screen.type("what?")
        await screen.until("f fold, c check or call")
        screen.type("c")
        await screen.until("(you) calls 0.10")
        screen.type("s")
        await screen.until("You sit out from the next hand on")
        await check_or_call(others, hand_id, 2)
        await screen.until("FLOP: 2♣ 7♦ 9♠")
        for first in (4, 7, 10):
            await check_or_call(others, hand_id, first)
            await screen.until("Your turn")
            screen.type("c")
        await screen.until("Your result: -0.10; stack 9.90")
        await screen.until("You sit out. Type s to come back")
        screen.type("b 0.10")
        await screen.until("Your stack now: 10.00")
        screen.type("b 0.01")
        await screen.until("You have as many chips as this table allows.")
        screen.type("s")
        screen.type("l")
        await screen.until("You have left the table")
        await screen.until("Goodbye. Balance 999.90 FUN")
        assert await screen.ended() == 0
        assert sum("Your turn" in line for line in screen.lines) == 4, "each decision is asked for once"
        for other in others:
            await other.accepted("leave", table_id=other.table_id)
        for other in others:
            await other.close()


async def test_person_leaves_the_queue(poker: LiveService) -> None:
    async with playing("--url", poker.address, "--game", "poker", "--pool", new_pool()) as screen:
        await screen.until("In the queue")
        screen.type("l")
        await screen.until("Goodbye. Balance 1000.00 FUN")
        assert await screen.ended() == 0


async def test_unknown_stake_is_named_with_those_that_are(poker: LiveService) -> None:
    async with playing("--url", poker.address, "--game", "poker", "--pool", "nl7") as screen:
        assert "There is no pool nl7:FUN. Choose one of: " in await screen.errors()
        assert await screen.ended() != 0
