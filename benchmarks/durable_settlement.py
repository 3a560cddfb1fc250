"""Settlement of a full round in one transaction, compared with the bare driver writing the same rows."""

from dataclasses import dataclass, field

import sqlalchemy as sa

from benchmarks.durable import Books, Place, places
from benchmarks.durable_bare import Bare, Values, Write, bare
from benchmarks.measurement import Row, Work, duration, race, times
from casino.storage import schema
from casino.storage.hash_chain import Head
from casino.uth.phases import Phase
from casino.uth.state import Round

SEATS = 10_000
MANY_SEATS = 50_000
BARE_TIMES_MAX = 2.5
GROWTH_MAX = 5.5
REPEATS = 3


@dataclass
class Showdown:
    """A round whose last card is still to come, copied for every time it is settled."""

    place: Place
    seats: int
    copies: int = 1
    url: str = field(init=False)
    round: Round = field(init=False)
    head: Head = field(init=False)
    books: list[Books] = field(init=False)

    def __post_init__(self) -> None:
        self.url = self.place.fresh()
        books = Books(self.url, self.seats).open()
        books.run(books.fill_purses())
        books.run(books.play_to_showdown())
        self.round, self.head, self.books = books.round, books.keeper.head, [books]

    def prepare(self) -> None:
        self.close()
        self.books = [self.copy() for _ in range(self.copies)]

    def copy(self) -> Books:
        books = Books(self.place.copy(self.url), self.seats).open()
        books.round, books.now_ms = self.round, self.round.started_ms + 100_000
        assert books.keeper.head == self.head
        return books

    def run(self) -> None:
        for books in self.books:
            settle(books)

    def close(self) -> None:
        for books in self.books:
            books.close()


def settle(books: Books) -> None:
    books.run(books.ask(books.cards("Qd")))
    assert books.round.phase is Phase.SETTLED


@dataclass
class Rows:
    """What the settlement wrote, read from a copy that was settled."""

    inserts: list[Write]
    balances: Values

    @classmethod
    def of(cls, showdown: Showdown) -> "Rows":
        showdown.close()
        books = showdown.copy()
        before = _accounts(books)
        settle(books)
        after = _accounts(books)
        operations = _written(books, schema.operations, schema.operations.c.kind == "settle")
        postings = _written(books, schema.postings, schema.postings.c.operation_id == operations.rows[0][0])
        journal = _written(books, schema.journal, schema.journal.c.seq > showdown.head.seq)
        settled = (schema.settlements, schema.settled_hands, schema.settled_seats)
        exported = [_written(books, table, sa.true()) for table in settled]
        showdown.books = [books]
        changes = [(balance - before[id_], 0, id_) for id_, balance in sorted(after.items()) if balance != before[id_]]
        return cls([operations, postings, *exported, journal], changes)


def _accounts(books: Books) -> dict[str, int]:
    async def read() -> dict[str, int]:
        async with books.database.reading() as connection:
            accounts = schema.accounts.c
            return {row.id: row.balance for row in await connection.execute(sa.select(accounts.id, accounts.balance))}

    return books.run(read())


def _written(books: Books, table: sa.Table, which: sa.ColumnElement[bool]) -> Write:
    async def read() -> list[tuple[object, ...]]:
        async with books.database.reading() as connection:
            return [tuple(row) for row in await connection.execute(sa.select(table).where(which))]

    return Write(table.name, tuple(table.c.keys()), books.run(read()))


@dataclass
class BareSettlement:
    showdown: Showdown
    rows: Rows
    drivers: list[Bare] = field(default_factory=list)

    def prepare(self) -> None:
        self.close()
        self.drivers = [bare(self.showdown.place.copy(self.showdown.url)) for _ in range(self.showdown.copies)]

    def run(self) -> None:
        for driver in self.drivers:
            driver.transaction(self.rows.inserts, self.rows.balances)

    def close(self) -> None:
        for driver in self.drivers:
            driver.close()


def measure(place: Place) -> list[Row]:
    """Five small rounds are measured with one large round, so that all take as long on a busy machine."""
    few, many = Showdown(place, SEATS, copies=MANY_SEATS // SEATS), Showdown(place, MANY_SEATS)
    theirs = BareSettlement(few, Rows.of(few))
    seconds = race(
        {
            "few": Work(few.run, few.copies, few.prepare),
            "bare": Work(theirs.run, few.copies, theirs.prepare),
            "many": Work(many.run, 1, many.prepare),
        },
        REPEATS,
    )
    for open_still in (few, many, theirs):
        open_still.close()
    ratio, growth = seconds["few"] / seconds["bare"], seconds["many"] / seconds["few"]
    moved, settled = len(theirs.rows.inserts[1].rows), len(theirs.rows.inserts[4].rows)
    written = f"{moved:,} postings, {settled:,} settled seats, {len(theirs.rows.balances):,} balances"
    return [
        Row(f"{place.name}, {SEATS:,} seats", duration(seconds["few"]), f"{written}"),
        Row(
            f"{place.name}, the same by the bare driver",
            duration(seconds["bare"]),
            f"we take {times(ratio)} the time",
            f"at most {BARE_TIMES_MAX:g}x",
            ratio <= BARE_TIMES_MAX,
        ),
        Row(
            f"{place.name}, {MANY_SEATS:,} seats",
            duration(seconds["many"]),
            f"{times(growth)} the time of {SEATS:,}",
            f"at most {GROWTH_MAX:g}x",
            growth <= GROWTH_MAX,
        ),
    ]


def rows() -> list[Row]:
    with places() as found:
        return [row for place in found for row in measure(place)]
