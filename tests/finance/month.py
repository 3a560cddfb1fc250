"""Generated month, from a seed: every kind of money movement, through the code of the service.

Players of two currencies deposit, withdraw, tip and play at three tables; rounds are cancelled at any moment, and
some settled ones are corrected later, also on another day. As a program it fills a database of any size:
`python -m tests.finance.month URL PLAYERS ROUNDS`.
"""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from unittest.mock import patch

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.card import DECK, Card
from casino.cashier.cashier import Cashier
from casino.cashier.provider import PlayMoney
from casino.chat.tips import Tip, TipService
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.settings import ServiceSettings, TableSettings
from casino.storage.database import Database
from casino.storage.sqlite_driver import QuickConnection
from casino.users.credit import Credit, give_credit
from casino.users.roles import Actor, Role
from casino.users.users import User, Users
from casino.uth.bets import PLAY_MULTIPLE, Action
from casino.uth.commands import (
    Advance,
    CancelRound,
    CorrectRound,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    ReportProblem,
)
from casino.uth.phases import OFFERED, Phase
from casino.uth.state import Round
from casino.uth.terms import Terms
from tests.uth.tabletop import OWN, SHARED, WINDOWS
from tests.verify.many_rounds import OneTransaction

FIRST_MS: Final = 1_790_812_800_000  # 2026-10-01T00:00:00Z
DAYS: Final = 30
MONTH_MS: Final = DAYS * 86_400_000
PURSE: Final = 50_000_000
TABLES: Final[dict[str, Terms]] = {"uth-1": SHARED, "uth-2": SHARED, "own-1": OWN}
PRESENTERS: Final = {"uth-1": None, "uth-2": "Pia", "own-1": '=HYPERLINK("x")'}
NAMES: Final = (
    "=1+1",
    "+49",
    "-Bo",
    "@ann",
    "Zoë",
    'Al "Ace", jr.',
    "Ünal 中",
    "<b>Eve</b>",
    "Maximiliane von und zu Hohenlohe-Langen",
)
ROUNDS_IN_A_TRANSACTION: Final = 100
ROUND_MS: Final = 60_000
"""A round takes less."""

BOSS: Final = Actor("boss", "finance")
Progress = Callable[[int, int], None]
"""Receives the number of rounds played, and of all rounds."""

BOARD_STREETS: Final = {Phase.DECIDING_FLOP: 3, Phase.DECIDING_RIVER: 2}


async def _add(connection: AsyncConnection, name: str, role: Role, currency: str) -> User:
    """A user of any name: older accounts have names that a new one is refused."""
    with patch("casino.users.users.clean_new_name", str):
        return await Users(connection).add(
            name, role, currency, password_hash=None, by=BOSS, at_ms=FIRST_MS, is_play_money=currency == "FUN"
        )


@dataclass
class Month:
    database: Database
    rounds: int
    chance: random.Random
    currency: str = "EUR"
    players: list[User] = field(default_factory=list)
    wrong: list[tuple[int, Round]] = field(default_factory=list)  # to be corrected after so many more rounds

    async def build(self, players: int, progress: Progress | None) -> None:
        await self._people(players)
        await self._payments()
        for start in range(0, self.rounds, ROUNDS_IN_A_TRANSACTION):
            async with self._together() as books:
                for number in range(start, min(start + ROUNDS_IN_A_TRANSACTION, self.rounds)):
                    await self._round(books, number)
            await self._tips(start)
            if progress:
                progress(number + 1, self.rounds)

    def at_ms(self, number: int) -> int:
        """When a round begins. At one table they follow each other with time to spare."""
        return FIRST_MS + number * MONTH_MS // self.rounds

    async def _people(self, players: int) -> None:
        async with self.database.writing() as connection:
            for name in ("Pia", '=HYPERLINK("x")'):
                await _add(connection, name, Role.PRESENTER, self.currency)
            for number in range(players):
                name = NAMES[number] if number < len(NAMES) else f"Player {number}"
                currency = "FUN" if number % 4 == 3 else self.currency
                user = await _add(connection, name, Role.PLAYER, currency)
                credit = Credit(PURSE, "=cmd|' /C calc'!A0", f"purse-{number}")
                await give_credit(connection, user, credit, BOSS, FIRST_MS)
                self.players.append(user)

    async def _payments(self) -> None:
        often = [self.chance.choice(self.players) for _ in range(self.rounds // 100 - 1)]
        settings = ServiceSettings()
        in_currency = settings.service.model_copy(update={"currency": self.currency})
        settings = settings.model_copy(update={"service": in_currency})
        for number, user in enumerate((*self.players[:20], *often)):
            at_ms = FIRST_MS + self.chance.randrange(MONTH_MS)
            cashier = Cashier(self.database, PlayMoney(), settings, clock=partial(int, at_ms))
            if user.currency == self.currency:
                await cashier.deposit(user, self.chance.randint(1, 10**6), f"in-{number}")
                await cashier.withdraw(user, self.chance.randint(1, 10**5), f"out-{number}")

    async def _tips(self, start: int) -> None:
        jar = TipService(self.database)
        for number in range(3):
            table = self.chance.choice([table for table, presenter in PRESENTERS.items() if presenter])
            user = self.chance.choice(self.players)
            tip = Tip(table, user.id, 100 * self.chance.randint(1, 20), f"{start}-{number}")
            settings = TableSettings(id=table, name=table)
            await jar.give(tip, PRESENTERS[table], settings, self.at_ms(start) + number)

    @asynccontextmanager
    async def _together(self) -> AsyncIterator[dict[str, TableUnitOfWork]]:
        async with self.database.writing() as connection:
            shared = OneTransaction(connection)
            yield {table: await TableUnitOfWork.of(shared, table) for table in TABLES}

    async def _round(self, books: dict[str, TableUnitOfWork], number: int) -> None:
        table = list(TABLES)[number % len(TABLES)]
        seats = self.chance.randint(1, 7 if table == "own-1" else min(12, len(self.players)))
        play = _Play(self.chance, f"{number:06}-{table}", self.at_ms(number), self.chance.sample(self.players, seats))
        opening = OpenBetting(play.round_id, table, TABLES[table])
        opened = await books[table].open_round(opening, play.at_ms, presenter=PRESENTERS[table])
        handled = await books[table].commit(opened, play.requests(is_own=table == "own-1"))
        assert not [answer.refusal for answer in handled.answers if answer.refusal]
        assert handled.round.is_over
        if handled.round.phase is Phase.SETTLED and self.chance.random() < 0.06:
            self.wrong.append((number + self.chance.randint(0, self.rounds // 12), handled.round))
        for due, wrong in [one for one in self.wrong if one[0] <= number]:
            self.wrong.remove((due, wrong))
            at_ms = self.at_ms(number) + ROUND_MS - 1
            corrected = await books[wrong.table_id].commit(wrong, [Request(self._correction(wrong), at_ms)])
            assert corrected.answers[0].refusal is None

    def _correction(self, round_: Round) -> CorrectRound:
        card = self.chance.choice([card for card in DECK if card not in round_.cards])
        return CorrectRound(((self.chance.choice(round_.slots), card),), "-2+3 was misread", "mia")


@dataclass
class _Play:
    chance: random.Random
    round_id: str
    at_ms: int
    seated: Sequence[User]
    asked: list[Request] = field(default_factory=list)

    def requests(self, *, is_own: bool) -> list[Request]:
        """All commands of one round, to its settlement or its cancellation."""
        for seat_no, user in enumerate(self.seated, 1):
            ante, trips = 100 * self.chance.randint(2, 40), 100 * self.chance.randint(0, 10)
            self._ask(PlaceBet(self.round_id, user.id, ante, trips, 0, seat_no=seat_no if is_own else None))
        ends_early = self.chance.randint(0, 3) if self.chance.random() < 0.04 else None
        if ends_early == 0:
            return self._cancelled()
        self._wait(WINDOWS.betting_ms)
        cards = self.chance.sample(DECK, 2 * len(self.seated) + 7 if is_own else 9)
        undecided = [user.id for user in self.seated]
        for street, phase in enumerate(OFFERED, 1):
            self._deal(cards, BOARD_STREETS.get(phase, len(cards) - 7))
            self._decide(phase, undecided)
            if ends_early == street:
                return self._cancelled()
            self._wait(WINDOWS.decide_preflop_ms)  # the longest
        self._deal(cards, 2)
        return self.asked

    def _decide(self, phase: Phase, undecided: list[str]) -> None:
        for player_id in list(undecided):
            if self.chance.random() < 0.1:
                continue  # silence
            action = self.chance.choice(OFFERED[phase])
            self._ask(Decide(self.round_id, player_id, action, 0, phase))
            if PLAY_MULTIPLE[action] or action is Action.FOLD:
                undecided.remove(player_id)

    def _deal(self, cards: list[Card], count: int) -> None:
        for _ in range(count):
            self._ask(DealCard(self.round_id, cards.pop()))

    def _cancelled(self) -> list[Request]:
        self._ask(ReportProblem("a card fell, face up", "Pia"))
        self._ask(CancelRound("@misdeal", "mia"))
        return self.asked

    def _wait(self, ms: int) -> None:
        self.at_ms += ms
        self._ask(Advance())

    def _ask(self, command: object) -> None:
        self.asked.append(Request(command, self.at_ms))  # type: ignore[arg-type]


async def build_month(
    database: Database,
    *,
    players: int = 40,
    rounds: int = 120,
    seed: int = 8,
    currency: str = "EUR",
    progress: Progress | None = None,
) -> None:
    # Nobody else waits in this process, and handing every statement over to SQLite's thread would be half the time.
    with patch.object(QuickConnection, "_is_quick", new=lambda _connection, _call: True):
        await Month(database, rounds, random.Random(seed), currency).build(players, progress)


class Course:
    """How far a long work has come: a line now and then, at a terminal and in a log alike."""

    def __init__(self, doing: str, every: int = 20) -> None:
        self._doing, self._every = doing, every
        self._began, self._reported = time.monotonic(), 0

    def __call__(self, done: int, total: int) -> None:
        if done * self._every // total > self._reported:
            self._reported = done * self._every // total
            spent = time.monotonic() - self._began
            print(f"  {self._doing}: {done:,} of {total:,} after {spent:,.0f} s", flush=True)  # noqa: T201


async def _main(url: str, players: int, rounds: int) -> None:
    database = await Database.open(url)
    await build_month(database, players=players, rounds=rounds, progress=Course("rounds played"))
    await database.close()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
