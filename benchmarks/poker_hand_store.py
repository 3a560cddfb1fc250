"""Storage of finished poker hands, singly and 16 together, compared with the bare driver writing the same rows."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from benchmarks.durable import Place, own_loop, places
from benchmarks.durable_bare import Bare, Change, Write, bare
from benchmarks.measurement import Row, Work, duration, race, times
from benchmarks.poker_evenings import EveningTable, fill_purses
from casino.ledger.posting import net_changes
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_store import HandStore, chain_name
from casino.poker_room.seat_money import SeatMoney
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_tables

TOGETHER = 16
BATCHES = 20
REPEATS = 5
BARE_TIMES_MAX = 2.0


@dataclass
class Evening:
    """Tables on one database, and the same hands written to a copy of it by the bare driver."""

    place: Place
    together: int
    loop: asyncio.Runner = field(default_factory=own_loop)
    tables: list[EveningTable] = field(init=False)
    batches: list[list[HandRecord]] = field(default_factory=list)
    writes: list[tuple[list[Write], Sequence[tuple[int, int, str]], list[Change]]] = field(default_factory=list)
    database: Database = field(init=False)
    store: HandStore = field(init=False)
    peer: Bare = field(init=False)

    def __post_init__(self) -> None:
        self.tables = [EveningTable(number) for number in range(1, self.together + 1)]
        url = self.place.fresh()
        self.loop.run(self._open(url))
        copied = self.place.copy(url)
        self.loop.run(self._reopen(url))
        self.peer = bare(copied)

    async def _open(self, url: str) -> None:
        database = await Database.open(url)
        await fill_purses(database, self.tables)
        store, money = HandStore(database), SeatMoney(database)
        for table in self.tables:
            await table.open(store, money)
        await database.close()

    async def _reopen(self, url: str) -> None:
        self.database = await Database.open(url)
        self.store = HandStore(self.database, gather_seconds=0)
        for table in self.tables:
            await self.store.adopt(table.id)

    def prepare(self) -> None:
        self.batches = [[table.play() for table in self.tables] for _ in range(BATCHES)]

    def run(self) -> None:
        self.loop.run(self._run())

    async def _run(self) -> None:
        for batch in self.batches:
            await asyncio.gather(*(self.store.store(record) for record in batch))

    def prepare_bare(self) -> None:
        """Reads back what the store has written."""
        self.writes = [self.loop.run(self._written(batch)) for batch in self.batches]

    def run_bare(self) -> None:
        for inserts, balances, changes in self.writes:
            self.peer.transaction(inserts, balances, changes=changes)

    async def _written(
        self, batch: Sequence[HandRecord]
    ) -> tuple[list[Write], Sequence[tuple[int, int, str]], list[Change]]:
        ids = [record.hand_id for record in batch]
        posted = [record.operation for record in batch if record.operation is not None]
        operation, moved = schema.operations.c, schema.postings.c
        of_hands = operation.key.in_([one.key for one in posted])
        numbers = sa.select(operation.id).where(of_hands)
        async with self.database.reading() as connection:

            async def rows(table: sa.Table, which: sa.ColumnElement[bool]) -> Write:
                found = await connection.execute(sa.select(table).where(which))
                return Write(table.name, tuple(table.c.keys()), [tuple(row) for row in found])

            hands = await rows(poker_hands, poker_hands.c.id.in_(ids))
            inserts = [
                await rows(schema.operations, of_hands),
                await rows(schema.postings, moved.operation_id.in_(numbers)),
                hands,
                await rows(poker_hand_players, poker_hand_players.c.hand_id.in_(ids)),
            ]
        digests = {row[2]: row[-2] for row in hands.rows}
        net = net_changes(posting for one in posted for posting in one.postings)
        balances = [(change, 0, id_) for id_, change in sorted(net.items())]
        tables = [(record.table_id, record.no, record.state, *record.next_deck) for record in batch]
        heads = [(chain_name(record.table_id), record.no, digests[record.hand_id], record.no) for record in batch]
        text = "text"
        changed = ("hand_no", "state", "next_root", "next_sealed")
        changes = [
            Change(poker_tables.name, "id", changed, (text, "bigint", text, text, text), tables),
            Change(schema.chains.name, "name", ("seq", "digest", "writes"), (text, "bigint", text, "bigint"), heads),
        ]
        return inserts, balances, changes

    def close(self) -> None:
        self.peer.close()
        self.loop.run(self.database.close())


def measure(place: Place, together: int) -> list[Row]:
    evening = Evening(place, together)
    hands = BATCHES * together
    works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "ours": (evening.run, evening.prepare),
        "bare": (evening.run_bare, evening.prepare_bare),
    }
    seconds = race({name: Work(run, hands, prepare) for name, (run, prepare) in works.items()}, REPEATS)
    evening.close()
    ratio = seconds["ours"] / seconds["bare"]
    called = f"{place.name}, {together} {'hands together' if together > 1 else 'hand at a time'}"
    return [
        Row(called, duration(seconds["ours"]), f"{1 / seconds['ours']:,.0f} hands/s"),
        Row(
            f"{called}, by the bare driver",
            duration(seconds["bare"]),
            f"we take {times(ratio)} the time",
            f"at most {BARE_TIMES_MAX:g}x",
            ratio <= BARE_TIMES_MAX,
        ),
    ]


def rows() -> list[Row]:
    with places() as found:
        return [row for place in found for together in (1, TOGETHER) for row in measure(place, together)]
