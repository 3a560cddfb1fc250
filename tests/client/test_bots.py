"""`casino play --bots`: a line for each round, totals, an exit code, and an end."""

import asyncio
import re

import pytest

from casino.bots.core import Habits
from casino.client import bots
from casino.client.bots import BotPool
from casino.client.http_api import HttpApi, Member, Rejected, Wallet, open_http_api
from casino.client.options import Options, Strategy
from casino.uth.rtp_cache import cache_folder
from tests.client.conftest import FAST
from tests.client.screen import playing
from tests.live.service import Kind, LiveService, started_service

ROUND = re.compile(
    r"\d\d:\d\d:\d\d  settled    players +(\d+)  staked +(\S+)  returned +(\S+)  house +(\S+)",
)


async def test_command_prints_a_line_for_each_round_and_the_totals(service: LiveService) -> None:
    arguments = ("--bots", "5", "--strategy", "random", "--rounds", "3", "--table", service.table("fast"))
    async with playing("--url", service.address, *arguments, "--seed", "7") as screen:
        assert await screen.ended() == 0, screen.lines
    rounds = [match for match in map(ROUND.fullmatch, screen.lines) if match]
    assert len(rounds) == 3
    for players, staked, returned, kept in (match.groups() for match in rounds):
        assert int(players) <= 5
        assert minor(staked) - minor(returned) == minor(kept)
    staked = sum(minor(match[2]) for match in rounds)
    totals = next(line for line in screen.lines if line.startswith("3 rounds, 5 bots"))
    assert f"staked {staked // 100}.{staked % 100:02}," in totals
    assert screen.lines[-1] == "Errors: 0"


def minor(text: str) -> int:
    return int(text.replace(".", ""))


async def pool_of(service: LiveService, options: Options) -> tuple[int, list[str], BotPool]:
    said: list[str] = []
    async with open_http_api(service.address) as clients:
        pool = BotPool(clients, options, cache_folder(), said.append)
        return await pool.play(), said, pool


async def test_silent_bots_check_and_fold(service: LiveService) -> None:
    code, said, pool = await pool_of(service, Options(4, Strategy.NEVER, service.table("silent"), rounds=2))
    assert code == 0, said
    for played in pool.results.rounds.values():
        assert set(played.results.values()) <= {(200, 0)}  # ANTE and BLIND, folded


async def test_bots_without_a_seat_watch(service: LiveService) -> None:
    code, said, pool = await pool_of(service, Options(9, Strategy.BEST, service.table("seven"), rounds=2))
    assert code == 0, said
    assert said[0].endswith(", 2 watch")
    assert all(len(played.results) <= 7 for played in pool.results.rounds.values())


async def test_interrupted_bots_finish_their_round(service: LiveService) -> None:
    arguments = ("--bots", "3", "--strategy", "random", "--table", service.table("silent"))
    async with playing("--url", service.address, *arguments) as screen:
        await screen.until("settled")
        screen.interrupt()
        assert await screen.ended() == 0, screen.lines
        assert "played to its end" in await screen.errors()
    assert screen.lines[-1] == "Errors: 0"


async def test_bots_that_lose_their_service_reconnect_and_report_it() -> None:
    kinds = {"fast": Kind(1, dealing="auto", seconds=FAST)}
    with started_service(kinds, staff=()) as service:
        arguments = ("--bots", "3", "--strategy", "random", "--table", "fast-1", "--rounds", "3")
        async with playing("--url", service.address, *arguments) as screen:
            await screen.until("settled")
            service.kill()
            await asyncio.to_thread(service.start)
            assert await screen.ended() == 1
        assert any("lost its connection" in line for line in screen.lines)
        service.verify()


class SlowClients(HttpApi):
    """Lets two guests in at a time."""

    refusals = 0

    async def guest(self) -> Member:
        self.refusals += 1
        if self.refusals % 3 == 0:
            raise Rejected("rate_limited", "Too often.", wait_seconds=0.01)
        return await super().guest()


async def test_guests_are_made_at_the_pace_the_service_allows(service: LiveService) -> None:
    said: list[str] = []
    async with open_http_api(service.address) as clients:
        slow = SlowClients(clients.url, clients.http)
        options = Options(5, Strategy.RANDOM, service.table("fast"), rounds=1, guests_per_minute=6000)
        assert await BotPool(slow, options, cache_folder(), said.append).play() == 0, said
    assert sum("guests are in; the service takes more in" in line for line in said) == 2


class FullHouse(HttpApi):
    async def guest(self) -> Member:
        raise Rejected("forbidden", "This house has no guests: please register.")


class LyingClients(HttpApi):
    """Tells less of the money at the end than there is."""

    asked = 0

    async def wallet(self, member: Member) -> Wallet:
        wallet = await super().wallet(member)
        self.asked += 1
        return wallet if self.asked <= 2 else Wallet(wallet.currency, wallet.balance - 1, wallet.available - 1)


async def test_a_balance_that_differs_from_the_results_is_an_error(service: LiveService) -> None:
    said: list[str] = []
    async with open_http_api(service.address) as clients:
        lying = LyingClients(clients.url, clients.http)
        options = Options(2, Strategy.RANDOM, service.table("fast"), rounds=1)
        assert await BotPool(lying, options, cache_folder(), said.append).play() == 1
        assert sum("but by its results" in line for line in said) == 2
        with pytest.raises(Rejected, match="please register"):
            await BotPool(FullHouse(clients.url, clients.http), options, cache_folder(), said.append).play()


async def test_bots_that_cannot_afford_a_round_stop(service: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "habits", lambda *_: Habits([(50_000, 0)]))
    code, said, pool = await pool_of(service, Options(2, Strategy.RANDOM, service.table("fast")))
    assert code == 0, said
    assert "No bot can afford another round" in said
    assert not any(played.results for played in pool.results.rounds.values())
