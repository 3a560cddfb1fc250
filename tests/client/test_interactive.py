"""Interactive play at a terminal: input and output in exact words."""

import asyncio
import os
import pty
import re
import signal
import sys
from collections.abc import AsyncIterator

import pytest

from tests.client.screen import READ_SECONDS_MAX, playing
from tests.live.clients import Clients, clients_of
from tests.live.service import CALM, PASSWORD, Kind, LiveService, started_service
from tests.service import CASINO


@pytest.fixture
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(service) as opened:
        yield opened


async def test_whole_round_is_played_and_rendered(service: LiveService, clients: Clients) -> None:
    table_id, host = service.table("live"), await clients.host()
    await host.take_over(table_id)
    async with playing("--url", service.address, "--table", table_id) as screen:
        assert await screen.until("ANTE 1.00 to 500.00, TRIPS 1.00 to 250.00")
        assert "balance 1000.00 FUN" in await screen.until("You are Guest")
        await screen.until("Waiting for the next round")
        screen.type("b 5")
        await screen.until("Betting is closed")
        round_id = await host.start(table_id)
        await screen.until("Betting is open for")
        screen.type("b 0.01")
        await screen.until("This table takes ANTE 1.00 to 500.00, TRIPS 1.00 to 250.00")
        screen.type("b five")
        assert "like 250.00" in await screen.until("amount")
        screen.type("b 5 1")
        assert await screen.until("Bet:") == "Bet: TRIPS 1.00, ANTE 5.00, BLIND 5.00"
        screen.type("0")
        assert await screen.until("Bets") == "Bets taken back"
        screen.type("b 5 1")
        await screen.until("Bet:")
        await screen.until("Betting closed. 1 player in this round")
        screen.type("c")
        await screen.until("There is nothing to decide now")
        await host.scan(table_id, round_id, "As Kd")
        await screen.until("You A♠ K♦")
        await screen.until("You have ace high")
        assert (await screen.until("Decide")).endswith("4 = PLAY 4x — 20.00, 3 = PLAY 3x — 15.00, c = CHECK")
        screen.type("f")
        await screen.until("This choice isn't available now.")
        screen.type("c")
        await screen.until("You checked")
        await host.scan(table_id, round_id, "7h 7c 2s")
        await screen.until("You A♠ K♦  Board 7♥ 7♣ 2♠")
        await screen.until("You have a pair of sevens")
        screen.type("2")
        await screen.until("You played 2x: 10.00 on PLAY")
        await host.scan(table_id, round_id, "Jd 3c")
        await screen.until("No more decisions")
        await host.scan(table_id, round_id, "Qh Qd")
        await screen.until("Dealer Q♥ Q♦")
        await screen.until("Dealer has two pair, queens and sevens: qualifies")
        await screen.until("The dealer wins: TRIPS 1.00 loses; ANTE 5.00 loses; BLIND 5.00 loses; PLAY 10.00 loses")
        await screen.until("Staked 21.00, returned 0.00, balance 979.00")
        screen.type("?")
        await screen.until("b 5 bets ANTE 5")
        screen.type("q")
        await screen.until("Goodbye. Balance 979.00 FUN")
        assert await screen.ended() == 0


async def test_automatic_decisions_and_cancelled_rounds_are_rendered(service: LiveService, clients: Clients) -> None:
    table_id, host, manager = service.table("live"), await clients.host(), await clients.host("max")
    await host.take_over(table_id)
    async with playing("--url", service.address, "--table", table_id) as screen:
        await screen.until("Waiting")
        round_id = await host.start(table_id)
        await screen.until("Betting is open")
        screen.type("b 2")
        await screen.until("Betting closed")
        await host.scan(table_id, round_id, "As Kd")
        await screen.until("Decide")
        await screen.until("Auto checked: time ran out")
        await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is wrong."})
        await screen.until("Round cancelled, 4.00 refunded")
        screen.close_input()
        await screen.until("Goodbye. Balance 1000.00 FUN")
        assert await screen.ended() == 0


async def test_named_user_signs_in(service: LiveService) -> None:
    added = service.command("user", "add", "Petra", "--role", "player", "--password-stdin", stdin=PASSWORD + "\n")
    assert added.returncode == 0, added.stderr
    arguments = ("--url", service.address, "--table", "fast-1", "--name", "petra", "--password-stdin")
    async with playing(*arguments) as screen:
        screen.type(PASSWORD)
        screen.type("q")
        assert await screen.until("You are") == "You are Petra, balance 0.00 EUR"
        assert await screen.ended() == 0
    async with playing(*arguments) as screen:
        screen.type("wrong password")
        assert await screen.ended() == 1
        assert "Wrong username or password." in await screen.errors()
    async with playing("--url", service.address, "--name", "petra") as screen:
        assert await screen.ended() == 2
        assert "--password-stdin" in await screen.errors()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--url", "http://127.0.0.1:1"), "There is no service at http://127.0.0.1:1"),
        (("--url", "nowhere"), "nowhere is no address: write it like http://127.0.0.1:8080."),
        (("--table", "none", "--url", "HOUSE"), "This table doesn't exist."),
        (("--bots", "2", "--url", "http://127.0.0.1:1"), "There is no service at http://127.0.0.1:1"),
    ],
)
async def test_impossible_commands_are_refused_in_a_sentence(
    service: LiveService, arguments: tuple[str, ...], sentence: str
) -> None:
    async with playing(*(service.address if part == "HOUSE" else part for part in arguments)) as screen:
        assert await screen.ended() == 1
        said = await screen.errors()
        assert said.startswith(sentence)
        assert said.count("\n") == 1


async def test_client_reconnects_and_reports_a_returned_bet() -> None:
    kinds = {"auto": Kind(1, dealing="auto", seconds=CALM | {"betting": 300.0})}
    with started_service(kinds, staff=()) as service:
        async with playing("--url", service.address, "--table", "auto-1") as screen:
            await screen.until("Betting is open")
            screen.type("b 5")
            await screen.until("Bet:")
            service.kill()
            await screen.until("Connection lost. Connecting again")
            screen.type("b 6")
            await asyncio.to_thread(service.start)
            await screen.until("Bet returned: you were disconnected while betting was open")
            await screen.until("Betting is open")
            screen.type("b 7")
            await screen.until("Bet: ANTE 7.00, BLIND 7.00")
            screen.type("q")
            assert await screen.ended() == 0
        service.verify()


async def test_a_terminal_shows_time_balance_and_what_is_typed(service: LiveService) -> None:
    """A real terminal: one line stays at the bottom, Ctrl-C leaves, and the terminal is as it was."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, CASINO, "play", "--url", service.address, "--table", "fast-2",
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    os.close(theirs)
    shown = ""

    async def until(pattern: str) -> None:
        nonlocal shown
        async with asyncio.timeout(READ_SECONDS_MAX):
            while not re.search(pattern, shown):
                shown += (await asyncio.to_thread(os.read, ours, 4096)).decode(errors="replace")

    try:
        await until(r"betting · \d+ s · balance 1000\.00")
        os.write(ours, b"b 6\x7f5")
        await until(r"> b 5")
        os.write(ours, b"\n")
        await until(r"Bet: ANTE 5\.00|Betting is closed|Betting is not open")
        process.send_signal(signal.SIGINT)
        await until(r"Goodbye")
        async with asyncio.timeout(READ_SECONDS_MAX):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(ours)
