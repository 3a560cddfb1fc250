"""Pool of poker bots: guests at one or more stakes, and a recount of every balance at the end.

A bot without money is replaced by a new guest while hands are still wanted, so that a room of bots never runs dry.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

from casino.client.guest_pace import GuestPace
from casino.client.http_api import HttpApi, Unreachable, Wallet
from casino.client.poker.bot import PokerBot
from casino.client.poker.connection import PokerConnection
from casino.client.poker.hand_answers import HandAnswers
from casino.client.poker.options import PokerOptions
from casino.client.poker.results import PokerResults
from casino.client.poker.strategy import strategy_of
from casino.money import format_amount

REPORT_SECONDS: Final = 10.0
LEAVE_SECONDS_MAX: Final = 90.0
"""A running hand may take this long before every bot has left."""

Say = Callable[[str], None]


class PokerBotPool:
    def __init__(self, api: HttpApi, options: PokerOptions, say: Say) -> None:
        self._api = api
        self._options = options
        self._say = say
        self._chance = Random(options.seed)  # noqa: S311  bots, not cards
        self._guests = GuestPace(api, options.guests_per_minute)
        self._currency = ""
        self._reported = 0
        self.results: Final = PokerResults(options.hands)

    async def play(self) -> int:
        """0 if no bot saw an error and every balance is what the results say."""
        offers = await self._offers()
        reporting = asyncio.create_task(self._report())
        seats = (self._seat(number, *offers[number % len(offers)]) for number in range(self._options.bots))
        playing = [asyncio.create_task(seat) for seat in seats]
        try:
            await self._until_over(playing)
        finally:
            for task in (reporting, *playing):
                task.cancel()
            await asyncio.gather(reporting, *playing, return_exceptions=True)
        return self._sum_up()

    async def _until_over(self, playing: "list[asyncio.Task[None]]") -> None:
        finished = asyncio.create_task(self.results.finished.wait())
        try:
            while not finished.done():
                await asyncio.wait({finished, *playing}, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in playing if task.done()]:
                    task.result()  # a mistake in a bot ends the whole run
                    playing.remove(task)
                if not playing:
                    return
            over, left = await asyncio.wait(playing, timeout=LEAVE_SECONDS_MAX)
            for task in over:
                task.result()
            if left:
                self.results.fault(f"{len(left)} bots did not get away from their tables")
        finally:
            finished.cancel()

    async def _offers(self) -> list[tuple[str, int]]:
        """Pools of play money with their largest buy-in; a pool without a currency is that of guests."""
        listed = {pool["pool"]: pool for pool in await self._api.poker_pools()}
        member = await self._guests.guest()
        self._currency = (await self._api.wallet(member)).currency
        offers = []
        for name in self._options.pools:
            pool = name if ":" in name else f"{name}:{self._currency}"
            if pool not in listed:
                raise Unreachable(f"There is no pool {pool}. Choose one of: {', '.join(sorted(listed))}.")
            offers.append((pool, int(listed[pool]["buy_in_max"])))
        return offers

    async def _seat(self, number: int, pool: str, buy_in: int) -> None:
        """Plays one seat with one guest after another, each until it is broke."""
        guests = 0
        while not self.results.finished.is_set():
            guests += 1
            await self._one_guest(number + 1 + guests * 100_000, pool, buy_in)

    async def _one_guest(self, number: int, pool: str, buy_in: int) -> None:
        member = await self._guests.guest()
        before = await self._api.wallet(member)
        chance = Random(self._chance.random())  # noqa: S311
        connection = PokerConnection(self._api, member)
        decide = strategy_of(self._options.strategy, chance)
        answers = HandAnswers(number, connection, self.results, decide, chance, self._options.think_seconds)
        bot = PokerBot(answers, pool, buy_in)
        await connection.open()
        try:
            await bot.play()
        finally:
            await connection.close()
        self._recount(number, before, await self._api.wallet(member))

    # Counting

    def _recount(self, number: int, before: Wallet, after: Wallet) -> None:
        """Compares the balance with the first one plus every result since."""
        expected = before.balance + self.results.net_of(number)
        if after.balance != expected:
            actual, counted = self._amount(after.balance), self._amount(expected)
            self.results.fault(f"bot {number} has {actual}, but by its results {counted}")

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            hands = len(self.results.hands)
            if hands != self._reported:
                self._reported = hands
                self._say(f"{hands} hands, rake {self._amount(self.results.rake)} {self._currency}")

    def _sum_up(self) -> int:
        results = self.results
        rake = f"{self._amount(results.rake)} {self._currency}"
        self._say(f"{len(results.hands)} hands, {self._options.bots} bots: rake {rake}, {results.void} void")
        if results.late:
            self._say(f"Answers that came too late: {results.late.total()}")
        for sentence in results.faults:
            self._say(f"Error: {sentence}")
        self._say(f"Errors: {results.faults_in_all}")
        return 1 if results.faults_in_all else 0

    def _amount(self, minor: int) -> str:
        return format_amount(minor, self._currency) if self._currency else str(minor)
