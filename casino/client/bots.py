"""Pool of bots at one table: creates guests at the allowed rate and recomputes every balance."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from casino.bots.core import BotCore
from casino.client.bot import Bot
from casino.client.guest_pace import GuestPace
from casino.client.http_api import HttpApi, Member, TableTerms, Wallet
from casino.client.options import Options, Strategy
from casino.client.results import PlayedRound, Results
from casino.client.strategy import Advisor, chooser, habits
from casino.client.table_connection import TableConnection
from casino.money import format_amount
from casino.uth.rtp_cache import known_return

AT_ONCE_MAX: Final = 20
BROKE_CHECK_SECONDS: Final = 1.0

Say = Callable[[str], None]
T = TypeVar("T")


class BotPool:
    def __init__(
        self,
        api: HttpApi,
        options: Options,
        cache_dir: Path,
        say: Say,
        *,
        connection: type[TableConnection] = TableConnection,
    ) -> None:
        self._api = api
        self._options = options
        self._cache_dir = cache_dir
        self._say = say
        self._connection = connection
        self._chance = Random(options.seed)  # noqa: S311  bots, not cards
        self._gate = asyncio.Semaphore(AT_ONCE_MAX)
        self._currency = ""
        self.results: Final = Results(options.rounds, self._print_round)

    async def play(self) -> int:
        """0 if no bot saw an error and every balance is what the results say."""
        terms = await self._api.table(self._options.table_id)
        advisor = Advisor(terms.paytable, self._cache_dir)
        try:
            await self._prepare(advisor, terms)
            members = await self._guests()
            wallets = await self._all(self._api.wallet(member) for member in members)
            self._currency = wallets[0].currency
            connections = [self._connection(self._api, member, terms.table_id) for member in members]
            bots = [
                self._bot(number, connection, wallet, terms, advisor)
                for number, (connection, wallet) in enumerate(zip(connections, wallets, strict=True), 1)
            ]
            try:
                await self._all(connection.open() for connection in connections)
                watching = (
                    0 if terms.is_shared else sum(connection.seat["seat_no"] is None for connection in connections)
                )
                self._say(f"{len(bots)} bots are at {terms.name}" + (f", {watching} watch" if watching else ""))
                await self._until_finished(bots)
            finally:
                await self._all(connection.close() for connection in connections)
            after = await self._all(self._api.wallet(member) for member in members)
            self._recount(wallets, after)
            return self._sum_up()
        finally:
            advisor.close()

    def _bot(
        self, number: int, connection: TableConnection, wallet: Wallet, terms: TableTerms, advisor: Advisor
    ) -> Bot:
        strategy = self._options.strategy
        core = BotCore(habits(strategy, terms), Random(self._chance.random()))  # noqa: S311
        choose = chooser(strategy, advisor, core)
        return Bot(number, connection, self.results, core, choose, wallet.available, terms.is_shared)

    async def _prepare(self, advisor: Advisor, terms: TableTerms) -> None:
        if self._options.strategy is not Strategy.BEST:
            return
        if known_return(terms.paytable, self._cache_dir) is None:
            self._say("Counting every deal of this paytable once; the result is kept")
        await advisor.prepare()

    async def _guests(self) -> list[Member]:
        members: list[Member] = []

        def report(seconds: float) -> None:
            self._say(f"{len(members)} guests are in; the service takes more in {seconds:.0f} s")

        pace = GuestPace(self._api, self._options.guests_per_minute, report)
        while len(members) < self._options.bots:
            members.append(await pace.guest())
        return members

    async def _all(self, work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        """Everything, but not all at once."""

        async def one(single: Coroutine[Any, Any, T]) -> T:
            async with self._gate:
                return await single

        return await asyncio.gather(*(one(single) for single in work))

    async def _until_finished(self, bots: list[Bot]) -> None:
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        finished = asyncio.create_task(self.results.finished.wait())
        try:
            while not finished.done():
                await asyncio.wait({finished}, timeout=BROKE_CHECK_SECONDS)
                over = [task for task in playing if task.done()]
                for task in over:
                    task.result()  # a mistake in a bot ends the whole run
                if len(over) == len(playing):
                    return
                if all(bot.is_broke or bot.watches for bot in bots):
                    self._say("No bot can afford another round")
                    self.results.stop()
        finally:
            finished.cancel()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    # Counting

    def _amount(self, minor: int) -> str:
        return format_amount(minor, self._currency)

    def _print_round(self, played: PlayedRound) -> None:
        house = played.staked - played.returned
        self._say(
            f"{played.game_number}  {played.phase:9}  players {len(played.results):4}  "
            f"staked {self._amount(played.staked):>12}  returned {self._amount(played.returned):>12}  "
            f"house {self._amount(house):>12}"
        )

    def _recount(self, before: list[Wallet], after: list[Wallet]) -> None:
        """Compares the balance with the first one plus every result since."""
        for number, (first, last) in enumerate(zip(before, after, strict=True), 1):
            expected = first.balance + self.results.net_of(number)
            if last.balance != expected:
                actual, counted = self._amount(last.balance), self._amount(expected)
                self.results.fault(f"bot {number} has {actual}, but by its results {counted}")

    def _sum_up(self) -> int:
        rounds = self.results.rounds.values()
        staked = sum(played.staked for played in rounds)
        returned = sum(played.returned for played in rounds)
        seats = sum(len(played.results) for played in rounds)
        self._say(
            f"{len(self.results.rounds)} rounds, {self._options.bots} bots, {seats} results: "
            f"staked {self._amount(staked)}, returned {self._amount(returned)}, "
            f"house {self._amount(staked - returned)} {self._currency}"
        )
        if self.results.late:
            self._say(f"Answers that came too late: {self.results.late.total()}")
        for sentence in self.results.faults:
            self._say(f"Error: {sentence}")
        self._say(f"Errors: {self.results.faults_in_all}")
        return 1 if self.results.faults_in_all else 0
