"""Fixtures of the storage benchmarks: both databases, players with money, and rounds in any state."""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import uvloop

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.observability.gc_tuning import tune_gc
from casino.storage.database import Database
from casino.uth.bets import Action, Limits
from casino.uth.commands import Advance, Command, DealCard, Decide, OpenBetting, PlaceBet
from casino.uth.paytable import STANDARD
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.terms import Layout, Terms, Windows
from tests.databases import PostgresServer, postgres_server, sqlite_url

TABLE_ID = "uth-1"
TERMS = Terms(Layout.SHARED, Limits(2, 10**6, 2, 10**6, 2), STANDARD, Windows(60_000, 1000, 1000, 1000))
STARTED_MS = 1_800_000_000_000
PURSE = 10**12
BETS_AT_ONCE = 10_000

T = TypeVar("T")


class Place(Protocol):
    """Where databases come from."""

    name: str

    def fresh(self) -> str:
        """The URL of an empty one."""

    def copy(self, url: str) -> str:
        """The URL of a copy of an unused database."""


@dataclass
class SqlitePlace:
    folder: Path
    name: str = "SQLite"
    number: int = 0

    def fresh(self) -> str:
        self.number += 1
        return sqlite_url(self.folder / str(self.number))

    def copy(self, url: str) -> str:
        copied = self.fresh()
        target = Path(copied.removeprefix("sqlite:///"))
        target.parent.mkdir()
        shutil.copy(url.removeprefix("sqlite:///"), target)
        return copied


@dataclass
class PostgresPlace:
    server: PostgresServer
    name: str = "PostgreSQL"

    def fresh(self) -> str:
        return self.server.fresh_database()

    def copy(self, url: str) -> str:
        return self.server.fresh_database(template=url.rpartition("/")[2].partition("?")[0])


@contextmanager
def places() -> Iterator[list[Place]]:
    """Measured as the service runs."""
    tune_gc()
    with tempfile.TemporaryDirectory(prefix="casino-bench-") as folder, postgres_server() as server:
        yield [SqlitePlace(Path(folder)), PostgresPlace(server)]


def own_loop() -> asyncio.Runner:
    """The kind of loop the service runs on."""
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


@dataclass
class Books:
    """One table and its players, on a loop of their own."""

    url: str
    players: int
    loop: asyncio.Runner = field(default_factory=own_loop)
    rounds: int = 0
    now_ms: int = STARTED_MS
    database: Database = field(init=False)
    keeper: TableUnitOfWork = field(init=False)
    round: Round = field(init=False)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(work)

    def open(self) -> "Books":
        self.database = self.run(Database.open(self.url))
        self.keeper = self.run(TableUnitOfWork.of(self.database, TABLE_ID))
        return self

    def close(self) -> None:
        """What was committed is in the database itself then, and can be copied."""
        self.run(self.database.close())

    async def fill_purses(self) -> None:
        purses = [accounts.player_cash(player(number), "EUR") for number in range(self.players)]
        cashier = accounts.cashier("EUR")
        async with self.database.writing() as connection:
            book = Book(connection)
            await book.open_accounts([*purses, cashier])
            credit = tuple(move(PURSE, cashier, purse) for purse in purses)
            await book.post(Operation("purses", "purse", credit, "benchmark"), STARTED_MS)

    async def open_round(self) -> None:
        self.rounds += 1
        self.now_ms += 1_000
        self.round = await self.keeper.open_round(OpenBetting(f"r{self.rounds}", TABLE_ID, TERMS), self.now_ms)

    async def ask(self, commands: list[Command]) -> None:
        handled = await self.keeper.commit(self.round, [Request(command, self.now_ms) for command in commands])
        assert not any(answer.refusal for answer in handled.answers)
        self.round = handled.round

    async def time_out(self) -> None:
        assert self.round.due_ms is not None
        self.now_ms = self.round.due_ms
        await self.ask([Advance()])

    async def play_to_showdown(self) -> None:
        """Every seat has bet and decided; the dealer's last card settles them all."""
        await self.open_round()
        for start in range(0, self.players, BETS_AT_ONCE):
            numbers = range(start, min(start + BETS_AT_ONCE, self.players))
            await self.ask([self.bet(number) for number in numbers])
        await self.time_out()
        await self.ask(self.cards("As Ks"))
        for start in range(0, self.players, BETS_AT_ONCE):
            numbers = range(start, min(start + BETS_AT_ONCE, self.players))
            await self.ask([self.decision(number) for number in numbers if number % 3])
        await self.time_out()
        for street in ("Qs 7h 2s", "Jd 3s"):
            await self.ask(self.cards(street))
            await self.time_out()
        await self.ask(self.cards("Qh"))
        assert self.round.phase is Phase.SHOWDOWN

    def bet(self, number: int) -> PlaceBet:
        ante, trips = 2 * (number % 5_000 + 1), 2 * (number % 7)
        return PlaceBet(self.round.round_id, player(number), ante, trips, 0)

    def decision(self, number: int) -> Decide:
        action = Action.PLAY_4X if number % 3 == 1 else Action.PLAY_3X
        return Decide(self.round.round_id, player(number), action, 0)

    def cards(self, text: str) -> list[Command]:
        return [DealCard(self.round.round_id, card) for card in text.split()]


def player(number: int) -> str:
    return f"player-{number:06}"
