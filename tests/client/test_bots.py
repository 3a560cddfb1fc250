"""Crowds of bots as a command: a line for each round, totals, an exit code, and an end."""

import asyncio
import re

import pytest

from casino.play import bots
from casino.play.bots import Crowd
from casino.play.door import Door, Member, Rejected, Wallet, open_door
from casino.play.wish import Strategy, Wish
from casino.returns import cache_folder
from tests.live.house import House, Kind, open_house
from tests.play.conftest import FAST
from tests.play.screen import playing

ROUND = re.compile(
    r"\d\d:\d\d:\d\d  settled    players +(\d+)  staked +(\S+)  returned +(\S+)  house +(\S+)",
)


async def test_command_prints_a_line_for_each_round_and_the_totals(house: House) -> None:
    arguments = ("--bots", "5", "--strategy", "random", "--rounds", "3", "--table", house.table("fast"))
    async with playing("--url", house.address, *arguments, "--seed", "7") as screen:
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


async def crowd_of(house: House, wish: Wish) -> tuple[int, list[str], Crowd]:
    said: list[str] = []
    async with open_door(house.address) as door:
        crowd = Crowd(door, wish, cache_folder(), said.append)
        return await crowd.play(), said, crowd


async def test_silent_bots_check_and_fold(house: House) -> None:
    code, said, crowd = await crowd_of(house, Wish(4, Strategy.NEVER, house.table("silent"), rounds=2))
    assert code == 0, said
    for played in crowd.tally.rounds.values():
        assert set(played.results.values()) <= {(200, 0)}  # ANTE and BLIND, folded


async def test_bots_without_a_seat_watch(house: House) -> None:
    code, said, crowd = await crowd_of(house, Wish(9, Strategy.BEST, house.table("seven"), rounds=2))
    assert code == 0, said
    assert said[0].endswith(", 2 watch")
    assert all(len(played.results) <= 7 for played in crowd.tally.rounds.values())


async def test_interrupted_bots_finish_their_round(house: House) -> None:
    arguments = ("--bots", "3", "--strategy", "random", "--table", house.table("silent"))
    async with playing("--url", house.address, *arguments) as screen:
        await screen.until("settled")
        screen.interrupt()
        assert await screen.ended() == 0, screen.lines
        assert "played to its end" in await screen.errors()
    assert screen.lines[-1] == "Errors: 0"


async def test_bots_that_lose_their_service_find_it_again_and_tell() -> None:
    kinds = {"fast": Kind(1, dealing="auto", seconds=FAST)}
    with open_house(kinds, staff=()) as house:
        arguments = ("--bots", "3", "--strategy", "random", "--table", "fast-1", "--rounds", "3")
        async with playing("--url", house.address, *arguments) as screen:
            await screen.until("settled")
            house.kill()
            await asyncio.to_thread(house.start)
            assert await screen.ended() == 1
        assert any("lost its connection" in line for line in screen.lines)
        house.verify()


class SlowDoor(Door):
    """Lets two guests in at a time."""

    refusals = 0

    async def guest(self) -> Member:
        self.refusals += 1
        if self.refusals % 3 == 0:
            raise Rejected("rate_limited", "Too often.", wait_seconds=0.01)
        return await super().guest()


async def test_guests_are_made_at_the_pace_the_service_allows(house: House) -> None:
    said: list[str] = []
    async with open_door(house.address) as door:
        slow = SlowDoor(door.url, door.http)
        wish = Wish(5, Strategy.RANDOM, house.table("fast"), rounds=1, guests_per_minute=6000)
        assert await Crowd(slow, wish, cache_folder(), said.append).play() == 0, said
    assert sum("guests are in; the service takes more in" in line for line in said) == 2


class FullHouse(Door):
    async def guest(self) -> Member:
        raise Rejected("forbidden", "This house has no guests: please register.")


class LyingDoor(Door):
    """Tells less of the money at the end than there is."""

    asked = 0

    async def wallet(self, member: Member) -> Wallet:
        wallet = await super().wallet(member)
        self.asked += 1
        return wallet if self.asked <= 2 else Wallet(wallet.currency, wallet.balance - 1, wallet.available - 1)


async def test_a_balance_that_differs_from_the_results_is_an_error(house: House) -> None:
    said: list[str] = []
    async with open_door(house.address) as door:
        lying = LyingDoor(door.url, door.http)
        wish = Wish(2, Strategy.RANDOM, house.table("fast"), rounds=1)
        assert await Crowd(lying, wish, cache_folder(), said.append).play() == 1
        assert sum("but by its results" in line for line in said) == 2
        with pytest.raises(Rejected, match="please register"):
            await Crowd(FullHouse(door.url, door.http), wish, cache_folder(), said.append).play()


async def test_bots_that_cannot_afford_a_round_stop(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "stakes", lambda *_: (50_000, 0))
    code, said, crowd = await crowd_of(house, Wish(2, Strategy.RANDOM, house.table("fast")))
    assert code == 0, said
    assert "No bot can afford another round" in said
    assert not any(played.results for played in crowd.tally.rounds.values())
