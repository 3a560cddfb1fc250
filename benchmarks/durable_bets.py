"""Durable bets per second: stored in batches, one by one, and by the bare driver."""

from dataclasses import dataclass, field

from benchmarks.durable import STARTED_MS, Books, Place, places, player
from benchmarks.durable_bare import Bare, Values, Write, bare
from benchmarks.measurement import Row, Work, duration, race
from casino.ledger.accounts import player_cash_id
from casino.uth.commands import Command

BETS = 2_000
SIZES = (100, 1_000)
BETS_ONE_BY_ONE = 100
TOGETHER_GOAL = {"SQLite": 40.0, "PostgreSQL": 25.0}
BARE_GOAL = 0.7


@dataclass
class Ours:
    books: Books
    at_once: int
    bets: int
    batches: list[list[Command]] = field(default_factory=list)

    def prepare(self) -> None:
        self.books.run(self.books.open_round())
        numbers = [range(start, start + self.at_once) for start in range(0, self.bets, self.at_once)]
        self.batches = [[self.books.bet(number) for number in batch] for batch in numbers]

    def run(self) -> None:
        self.books.run(self._place())

    async def _place(self) -> None:
        for batch in self.batches:
            await self.books.ask(batch)


@dataclass
class Theirs:
    """The same rows, prepared: without decisions and without reading balances."""

    driver: Bare
    at_once: int
    batches: list[tuple[Values, Values]] = field(default_factory=list)
    rounds: int = 0

    def prepare(self) -> None:
        self.rounds += 1
        round_id = f"bare-{self.at_once}-{self.rounds}"
        columns = ("id", "table_id", "day", "game_number", "status", "started_ms")
        self.driver.transaction([Write("rounds", columns, [(round_id, round_id, "", "", "open", STARTED_MS)])], [])
        numbers = [range(start, start + self.at_once) for start in range(0, BETS, self.at_once)]
        self.batches = [([hold(round_id, n) for n in batch], [held(n) for n in batch]) for batch in numbers]

    def run(self) -> None:
        for holds, balances in self.batches:
            self.driver.transaction([], balances, holds=holds)


def hold(round_id: str, number: int) -> tuple[str, str, str, int, str, int]:
    return round_id, player(number), player_cash_id(player(number)), amount(number), "open", STARTED_MS


def held(number: int) -> tuple[int, int, str]:
    return 0, amount(number), player_cash_id(player(number))


def amount(number: int) -> int:
    return 4 * (number + 1) + 2 * (number % 7)


def measure(place: Place) -> list[Row]:
    books = Books(place.fresh(), BETS).open()
    books.run(books.fill_purses())
    books.close()
    driver = bare(place.copy(books.url))
    books.open()
    works: dict[str, Work] = {}
    for size in (1, *SIZES):
        ours = Ours(books, size, BETS_ONE_BY_ONE if size == 1 else BETS)
        works[f"ours {size}"] = Work(ours.run, ours.bets, ours.prepare)
    for size in SIZES:
        theirs = Theirs(driver, size)
        works[f"bare {size}"] = Work(theirs.run, BETS, theirs.prepare)
    seconds = race(works)
    books.close()
    driver.close()
    rows = [Row(f"{place.name}, one transaction for each bet", rate(seconds["ours 1"]))]
    for size in SIZES:
        rows += _compared(place.name, size, seconds)
    return rows


def _compared(name: str, size: int, seconds: dict[str, float]) -> list[Row]:
    together = seconds[f"ours {size}"]
    gain, against_bare = seconds["ours 1"] / together, seconds[f"bare {size}"] / together
    goal = TOGETHER_GOAL[name] if size == max(SIZES) else None
    return [
        Row(
            f"{name}, {size:,} bets together",
            rate(together),
            f"{gain:.1f}x as fast as one by one",
            f"at least {goal:g}x" if goal else "",
            gain >= goal if goal else None,
        ),
        Row(
            f"{name}, {size:,} by the bare driver",
            rate(seconds[f"bare {size}"]),
            f"we are {against_bare:.2f}x as fast",
            f"at least {BARE_GOAL:g}x",
            against_bare >= BARE_GOAL,
        ),
    ]


def rate(seconds: float) -> str:
    return f"{1 / seconds:,.0f}/s ({duration(seconds)})"


def rows() -> list[Row]:
    with places() as found:
        return [row for place in found for row in measure(place)]
