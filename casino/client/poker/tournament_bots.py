"""Pool of tournament bots: guests that fill a tournament or the games of a line, and a recount of every balance."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Final

from casino.client.guest_pace import GuestPace
from casino.client.http_api import HttpApi, Payload, Unreachable
from casino.client.poker.connection import PokerConnection
from casino.client.poker.hand_answers import HandAnswers
from casino.client.poker.hexa_bot import HexaBot
from casino.client.poker.options import PokerOptions
from casino.client.poker.results import PokerResults
from casino.client.poker.strategy import strategy_of
from casino.client.poker.tournament_bot import TournamentBot
from casino.money import format_amount

REPORT_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.1
"""Until a line has its next game."""
Say = Callable[[str], None]


class TournamentBots:
    """Each bot plays one game. In a line, bots enter the game that registers at the moment."""

    def __init__(self, api: HttpApi, options: PokerOptions, say: Say) -> None:
        self._api = api
        self._options = options
        self._wanted = options.tournament or ""
        self._say = say
        self._chance = Random(options.seed)  # noqa: S311  bots, not cards
        self._guests = GuestPace(api, options.guests_per_minute)
        self._currency = ""
        self._games: set[str] = set()
        self._prizes = 0
        self.results: Final = PokerResults(None)
        self.bots: Final[list[TournamentBot]] = []

    async def play(self) -> int:
        """0 if no bot saw an error and every balance is what the messages of the room say."""
        reporting = asyncio.create_task(self._report_progress())
        playing = [asyncio.create_task(self._one(number)) for number in range(1, self._options.bots + 1)]
        stopped = asyncio.create_task(self.results.finished.wait())
        all_bots = asyncio.create_task(_all(playing))  # a mistake in a bot ends the whole pool
        waited: list[asyncio.Task[Any]] = [all_bots, stopped]
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if all_bots.done():
                all_bots.result()
        finally:
            for task in (reporting, all_bots, stopped, *playing):
                task.cancel()
            await asyncio.gather(reporting, all_bots, stopped, *playing, return_exceptions=True)
        return self._sum_up()

    async def _one(self, number: int) -> None:
        member = await self._guests.guest()
        before = await self._api.wallet(member)
        self._currency = before.currency
        connection = PokerConnection(self._api, member)
        chance = Random(self._chance.random())  # noqa: S311
        decide = strategy_of(self._options.strategy, chance)
        await connection.open()
        try:
            answers = HandAnswers(number, connection, self.results, decide, chance, self._options.think_seconds)
            bot = await (self._play_tournament(answers) if self._options.hexa is None else self._play_hexa(answers))
            self._games.add(bot.tournament_id)
        finally:
            await connection.close()
        after = await self._api.wallet(member)
        self._prizes += bot.won
        if after.balance != before.balance - bot.paid + bot.won:
            actual, expected = self._amount(after.balance), self._amount(before.balance - bot.paid + bot.won)
            self.results.fault(f"bot {number} has {actual}, but by the messages it received {expected}")

    async def _play_tournament(self, answers: HandAnswers) -> TournamentBot:
        while True:
            game = await self._game()
            bot = TournamentBot(self._api, answers, game["tournament_id"], game["price"]["total"])
            self.bots.append(bot)
            if await bot.play():
                return bot
            self.bots.remove(bot)
            if self._wanted == game["tournament_id"]:
                raise Unreachable(f"Registration for {self._wanted} is closed.")
            await asyncio.sleep(LOOK_SECONDS)

    async def _play_hexa(self, answers: HandAnswers) -> TournamentBot:
        assert self._options.hexa is not None
        product, buy_in = self._options.hexa
        bot = HexaBot(self._api, answers, "", buy_in, product=product)
        self.bots.append(bot)
        await bot.play()
        return bot

    async def _game(self) -> Payload:
        """The tournament with this id, or the one of the line that registers now."""
        line = f"{self._wanted}-{self._currency.lower()}"
        while True:
            rows = await self._api.tournaments()
            of_line = [row for row in rows if row["source"] in (self._wanted, line)]
            for row in rows:
                if row["tournament_id"] == self._wanted or (row in of_line and row["status"] == "registering"):
                    return row
            if not of_line:
                break
            await asyncio.sleep(LOOK_SECONDS)
        lines = sorted({row["source"] for row in rows if row["currency"] == self._currency})
        raise Unreachable(f"There is no tournament {self._wanted}. Choose an id or one of: {', '.join(lines)}.")

    async def _report_progress(self) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            self._say(f"{len(self.results.hands)} hands")

    def _sum_up(self) -> int:
        results = self.results
        prizes = f"{self._amount(self._prizes)} {self._currency}"
        self._say(
            f"{len(self._games)} tournaments, {self._options.bots} bots, {len(results.hands)} hands, prizes {prizes}"
        )
        if results.late:
            self._say(f"Answers that came too late: {results.late.total()}")
        for sentence in results.faults:
            self._say(f"Error: {sentence}")
        self._say(f"Errors: {results.faults_in_all}")
        return 1 if results.faults_in_all else 0

    def _amount(self, minor: int) -> str:
        return format_amount(minor, self._currency) if self._currency else str(minor)


async def _all(playing: "list[asyncio.Task[None]]") -> None:
    await asyncio.gather(*playing)
