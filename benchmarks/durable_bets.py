"""Bets a second that survive a crash: stored together, one by one, and by the bare driver."""

from dataclasses import dataclass, field

from benchmarks.durable import STARTED_MS, Books, Place, places, player
from benchmarks.durable_bare import Bare, Values, Write, bare
from benchmarks.measuring import Row, Work, duration, race
from casino.ledger.accounts import player_cash_id
from casino.uth.commands import Command

BETS = 2_000
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
    """The same rows, ready made; nothing is decided, nobody's funds are looked up."""

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
    ours = {size: Ours(books, size, BETS_ONE_BY_ONE if size == 1 else BETS) for size in (1, 100, 1_000)}
    theirs = {size: Theirs(driver, size) for size in (100, 1_000)}
    works = {f"ours {size}": Work(w.run, w.bets, w.prepare) for size, w in ours.items()}
    works |= {f"bare {size}": Work(w.run, BETS, w.prepare) for size, w in theirs.items()}
    seconds = race(works)
    books.close()
    driver.close()
    rows = [Row(f"{place.name}, one transaction for each bet", rate(seconds["ours 1"]))]
    for size in theirs:
        together, one_by_one, alone = seconds[f"ours {size}"], seconds["ours 1"], seconds[f"bare {size}"]
        goal = TOGETHER_GOAL[place.name] if size == 1_000 else None
        rows.append(compared(f"{place.name}, {size:,} bets together", together, one_by_one, "one by one", goal))
        rows.append(compared(f"{place.name}, {size:,} by the bare driver", alone, None, "", None))
        rows[-1] = Row(
            rows[-1].what,
            rows[-1].figure,
            f"we are {alone / together:.2f}x as fast",
            f"at least {BARE_GOAL:g}x",
            alone / together >= BARE_GOAL,
        )
    return rows


def compared(what: str, seconds: float, other: float | None, than: str, goal: float | None) -> Row:
    if other is None:
        return Row(what, rate(seconds))
    ratio = other / seconds
    if goal is None:
        return Row(what, rate(seconds), f"{ratio:.1f}x as fast as {than}")
    return Row(what, rate(seconds), f"{ratio:.1f}x as fast as {than}", f"at least {goal:g}x", ratio >= goal)


def rate(seconds: float) -> str:
    return f"{1 / seconds:,.0f}/s ({duration(seconds)})"


def rows() -> list[Row]:
    with places() as found:
        return [row for place in found for row in measure(place)]
