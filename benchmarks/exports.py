"""Export of a million settled seats as CSV, compared with the bare driver fetching the same rows."""

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import asyncpg
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from benchmarks.durable import STARTED_MS, Books, Place, own_loop, places, player
from benchmarks.durable_settlement import settle
from benchmarks.measurement import Row, Work, duration, race, times
from casino.finance.export import Order, write_export
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period, day_at
from casino.finance.settlements import query_of
from casino.storage import schema
from casino.storage.bulk import insert_rows
from casino.verify.snapshot import PARTITION, snapshot

SEATS = 10_000
SETTLEMENTS = 100
BARE_TIMES_MAX = 3.0
REPEATS = 3
PERIOD = Period.of_day(day_at(STARTED_MS))


@dataclass
class Evening:
    """One round that was really played, and copies of what it left behind, each under an operation of its own."""

    place: Place
    url: str = field(init=False)
    books: Books = field(init=False)

    def __post_init__(self) -> None:
        self.url = self.place.fresh()
        self.books = Books(self.url, SEATS).open()
        for work in (self.books.fill_purses, self._register, self.books.play_to_showdown):
            self.books.run(work())
        settle(self.books)
        self.books.run(self._copy())

    async def _register(self) -> None:
        names = [(player(number), f"Player {number}", f"player {number}") for number in range(SEATS)]
        rows = [(*name, "player", "EUR", STARTED_MS) for name in names]
        columns = ("id", "name", "name_folded", "role", "currency", "created_ms")
        async with self.books.database.writing() as connection:
            await insert_rows(connection, schema.users, columns, rows)

    async def _copy(self) -> None:
        async with self.books.database.writing() as connection:
            first = (await connection.execute(sa.select(schema.settlements.c.operation_id))).scalar_one()
            for number in range(1, SETTLEMENTS):
                one_more = {"id": first + number, "key": f"copy {number}"}
                await _copied(connection, schema.operations, schema.operations.c.id == first, one_more)
                for table in (schema.settlements, schema.settled_hands, schema.settled_seats):
                    anew = {"operation_id": first + number}
                    await _copied(connection, table, table.c.operation_id == first, anew)

    def export(self, out: Path) -> None:
        self.books.run(self._export(out))

    async def _export(self, out: Path) -> None:
        order = Order(ExportKind.SETTLEMENTS, Format.CSV, PERIOD)
        async with snapshot(self.books.database) as found:
            manifest = await write_export(found, order, out, lambda _: None)
        assert manifest.rows == SEATS * SETTLEMENTS

    def statement(self) -> tuple[str, list[Any]]:
        is_sqlite = self.books.database.is_sqlite
        dialect = sa.dialects.sqlite.dialect() if is_sqlite else sa.dialects.postgresql.asyncpg.dialect()  # type: ignore[no-untyped-call]
        compiled = query_of(PERIOD, is_sqlite=is_sqlite).compile(dialect=dialect)
        return str(compiled), [compiled.params[name] for name in compiled.positiontup or ()]


async def _copied(
    connection: AsyncConnection, table: sa.Table, which: sa.ColumnElement[bool], anew: dict[str, object]
) -> None:
    columns = [sa.literal(anew[c.name], c.type) if c.name in anew else c for c in table.c]
    await connection.execute(table.insert().from_select(list(table.c), sa.select(*columns).where(which)))


class Fetch(Protocol):
    def run(self) -> None: ...

    def close(self) -> None: ...


class BareSqlite:
    def __init__(self, evening: Evening) -> None:
        self._statement = evening.statement()
        self._connection = sqlite3.connect(evening.url.removeprefix("sqlite:///"))

    def run(self) -> None:
        cursor, rows = self._connection.execute(*self._statement), 0
        while found := cursor.fetchmany(PARTITION):
            rows += len(found)
        assert rows == SEATS * SETTLEMENTS

    def close(self) -> None:
        self._connection.close()


class BarePostgres:
    def __init__(self, evening: Evening) -> None:
        self._statement, self._values = evening.statement()
        self._loop = own_loop()
        self._connection = self._loop.run(asyncpg.connect(evening.url))

    def run(self) -> None:
        self._loop.run(self._fetch())

    async def _fetch(self) -> None:
        rows = 0
        async with self._connection.transaction():
            cursor = await self._connection.cursor(self._statement, *self._values)
            while found := await cursor.fetch(PARTITION):
                rows += len(found)
        assert rows == SEATS * SETTLEMENTS

    def close(self) -> None:
        self._loop.run(self._connection.close())


def measure(place: Place) -> list[Row]:
    evening = Evening(place)
    bare: Fetch = BareSqlite(evening) if evening.books.database.is_sqlite else BarePostgres(evening)
    with TemporaryDirectory(prefix="casino-bench-") as folder:
        out = Path(folder) / "settlements.csv"
        works = {"ours": Work(lambda: evening.export(out)), "bare": Work(bare.run)}
        seconds = race(works, REPEATS)
        size = f"{SEATS * SETTLEMENTS:,} rows, {out.stat().st_size / 1e6:,.0f} MB"
    bare.close()
    evening.books.close()
    ratio = seconds["ours"] / seconds["bare"]
    return [
        Row(f"{place.name}, with totals and SHA-256", duration(seconds["ours"]), size),
        Row(
            f"{place.name}, the rows fetched by the bare driver",
            duration(seconds["bare"]),
            f"we take {times(ratio)} the time",
            f"at most {BARE_TIMES_MAX:g}x",
            ratio <= BARE_TIMES_MAX,
        ),
    ]


def rows() -> list[Row]:
    with places() as found:
        return [row for place in found for row in measure(place)]
