"""Pool of poker bots: guests at one or more stakes, and a recount of every balance at the end.

A bot without money is replaced by a new guest while hands are still wanted, so that a room of bots never runs dry.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

from casino.client.http_api import HttpApi, Member, Rejected, Unreachable, Wallet
from casino.client.poker.bot import PokerBot
from casino.client.poker.connection import PokerConnection
from casino.client.poker.options import PokerOptions
from casino.client.poker.results import PokerResults
from casino.client.poker.strategy import strategy_of
from casino.money import format_amount

WAIT_SECONDS_MAX: Final = 70.0
REPORT_SECONDS: Final = 10.0
LEAVE_SECONDS_MAX: Final = 90.0
"""A running hand may take this long before every bot has left."""

Say = Callable[[str], None]


class PokerBotPool:
    def __init__(self, door: HttpApi, wish: PokerOptions, say: Say) -> None:
        self._door = door
        self._wish = wish
        self._say = say
        self._chance = Random(wish.seed)  # noqa: S311  bots, not cards
        self._gate = asyncio.Lock()
        self._currency = ""
        self._told = 0
        self.tally: Final = PokerResults(wish.hands)

    async def play(self) -> int:
        """0 if no bot saw an error and every balance is what the results say."""
        offers = await self._offers()
        telling = asyncio.create_task(self._tell())
        playing = [
            asyncio.create_task(self._seat(number, *offers[number % len(offers)])) for number in range(self._wish.bots)
        ]
        try:
            await self._until_over(playing)
        finally:
            for task in (telling, *playing):
                task.cancel()
            await asyncio.gather(telling, *playing, return_exceptions=True)
        return self._sum_up()

    async def _until_over(self, playing: "list[asyncio.Task[None]]") -> None:
        finished = asyncio.create_task(self.tally.finished.wait())
        try:
            while not finished.done():
                await asyncio.wait({finished, *playing}, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in playing if task.done()]:
                    task.result()  # a mistake in a bot ends the whole crowd
                    playing.remove(task)
                if not playing:
                    return
            over, left = await asyncio.wait(playing, timeout=LEAVE_SECONDS_MAX)
            for task in over:
                task.result()
            if left:
                self.tally.fault(f"{len(left)} bots did not get away from their tables")
        finally:
            finished.cancel()

    async def _offers(self) -> list[tuple[str, int]]:
        """Pools of play money with their largest buy-in; a pool without a currency is that of guests."""
        listed = {pool["pool"]: pool for pool in await self._door.poker_pools()}
        member = await self._guest()
        self._currency = (await self._door.wallet(member)).currency
        offers = []
        for name in self._wish.pools:
            pool = name if ":" in name else f"{name}:{self._currency}"
            if pool not in listed:
                raise Unreachable(f"There is no pool {pool}. Choose one of: {', '.join(sorted(listed))}.")
            offers.append((pool, int(listed[pool]["buy_in_max"])))
        return offers

    async def _seat(self, number: int, pool: str, buy_in: int) -> None:
        """One seat of the crowd: a guest, and the next one when that guest is broke."""
        guests = 0
        while not self.tally.finished.is_set():
            guests += 1
            await self._one_guest(number + 1 + guests * 100_000, pool, buy_in)

    async def _one_guest(self, number: int, pool: str, buy_in: int) -> None:
        member = await self._guest()
        before = await self._door.wallet(member)
        chance = Random(self._chance.random())  # noqa: S311
        line = PokerConnection(self._door, member)
        decide = strategy_of(self._wish.strategy, chance)
        bot = PokerBot(number, line, self.tally, decide, pool, buy_in, chance, self._wish.think_seconds)
        await line.open()
        try:
            await bot.play()
        finally:
            await line.close()
        self._recount(number, before, await self._door.wallet(member))

    async def _guest(self) -> Member:
        """At the pace wished for, and in any case at the one the service allows."""
        per_minute = self._wish.guests_per_minute
        async with self._gate:
            while True:
                try:
                    member = await self._door.guest()
                except Rejected as refusal:
                    if refusal.code != "rate_limited" or refusal.wait_seconds > WAIT_SECONDS_MAX:
                        raise
                    await asyncio.sleep(max(refusal.wait_seconds, 0.1))
                else:
                    await asyncio.sleep(60 / per_minute if per_minute else 0)
                    return member

    # Counting

    def _recount(self, number: int, before: Wallet, after: Wallet) -> None:
        """Start, and every result since: that must be the balance the service tells now."""
        expected = before.balance + self.tally.net_of(number)
        if after.balance != expected:
            told, counted = self._amount(after.balance), self._amount(expected)
            self.tally.fault(f"bot {number} has {told}, but by its results {counted}")

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            hands = len(self.tally.hands)
            if hands != self._told:
                self._told = hands
                self._say(f"{hands} hands, rake {self._amount(self.tally.rake)} {self._currency}")

    def _sum_up(self) -> int:
        tally = self.tally
        self._say(
            f"{len(tally.hands)} hands, {self._wish.bots} bots: rake {self._amount(tally.rake)} {self._currency}, "
            f"{tally.void} void"
        )
        if tally.late:
            self._say(f"Answers that came too late: {tally.late.total()}")
        for sentence in tally.faults:
            self._say(f"Error: {sentence}")
        self._say(f"Errors: {tally.faults_in_all}")
        return 1 if tally.faults_in_all else 0

    def _amount(self, minor: int) -> str:
        return format_amount(minor, self._currency) if self._currency else str(minor)
