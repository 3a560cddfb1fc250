"""Hand store: writes finished hands of all tables, those that end together in one transaction.

A hand is stored once, at its end, with its money, its players, the state of its table and the deck of the next hand.
Actions within a hand are not stored: a hand that is not stored never was, and a crash rolls it back to its start.

While a commit runs, further hands gather for the next one. If a transaction fails, its hands are stored one by one, so
that a table with an impossible hand disturbs no other. While the database is away, hands wait; no result is sent.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.money import NO_CURRENCY
from casino.observability.crash_points import crash_point
from casino.poker_room.hand_record import COLUMNS, PLAYER_COLUMNS, Deck, HandRecord
from casino.responsible_gaming import daily_losses
from casino.storage.bulk import insert_rows, update_rows
from casino.storage.database import Database, is_unavailable, retry_lost_races
from casino.storage.hash_chain import Head, head_of, link, move_heads, row_signatures
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_tables
from casino.storage.sqlite_driver import inline_statements

GATHER_SECONDS: Final = 0.005
RETRY_SECONDS: Final = 1.0
HANDS_MAX: Final = 64
"""Hands in one transaction."""

_TABLE_COLUMNS: Final = (
    *("id", "pool_id", "currency", "opened_ms", "hand_no", "status", "next_root", "next_sealed"),
    *("state", "tournament_id"),
)
_log = structlog.get_logger()


def chain_name(table_id: str) -> str:
    return f"poker:{table_id}"


class StaleTableError(RuntimeError):
    """The stored table is not the one this process plays at: another service has written to it."""


class NewTable(NamedTuple):
    """A table to open, with the deck of its first hand. `tournament_id` is None for a cash table."""

    table_id: str
    pool_id: str
    currency: str
    deck: Deck
    state: str
    tournament_id: str | None = None


class _Waiting(NamedTuple):
    record: HandRecord
    stored: "asyncio.Future[None]"


class HandStore:
    """The only writer of the hands of its tables. `open_table` or `adopt` comes before the first `store` of a table."""

    def __init__(
        self, database: Database, *, gather_seconds: float = GATHER_SECONDS, retry_seconds: float = RETRY_SECONDS
    ) -> None:
        self._database = database
        self._gather_seconds = gather_seconds
        self._retry_seconds = retry_seconds
        self._heads: dict[str, Head] = {}
        self._moves: dict[str, tuple[HandRecord, Head, Head]] = {}  # by table, the last one computed
        self._waiting: deque[_Waiting] = deque()
        self._running: asyncio.Task[None] | None = None

    async def open_table(self, table: NewTable, at_ms: int) -> None:
        """Stores a new table. The root of its first deck is thereby fixed before a card is dealt."""

        async def write() -> Head:
            async with self._database.writing(for_table=True) as connection:
                shared = [accounts.pot(table.table_id, table.currency), accounts.rake(table.currency)]
                await Book(connection).open_accounts(shared)
                values = {"opened_ms": at_ms, "hand_no": 0, "status": "open", "state": table.state}
                decks = {"next_root": table.deck.root, "next_sealed": table.deck.sealed}
                ids = {"id": table.table_id, "pool_id": table.pool_id, "currency": table.currency}
                await connection.execute(poker_tables.insert().values(values | decks | ids))
                return await head_of(connection, chain_name(table.table_id), lock=True)

        self._heads[table.table_id] = await retry_lost_races(write)

    async def open_or_adopt(self, table: NewTable, at_ms: int) -> None:
        """Opens the table, also if an earlier attempt has stored it without an answer."""
        async with self._database.reading(for_table=True) as connection:
            known = await connection.scalar(select(poker_tables.c.id).where(poker_tables.c.id == table.table_id))
        if known is None:
            await self.open_table(table, at_ms)
        else:
            await self.adopt(table.table_id)

    async def open_or_adopt_all(self, tables: Sequence[NewTable], at_ms: int) -> None:
        """Opens the tables of a tournament together, also if an earlier attempt has stored them without an answer."""
        ids = [table.table_id for table in tables]
        async with self._database.reading(for_table=True) as connection:
            query = select(poker_tables.c.id).where(poker_tables.c.id.in_(ids))
            known = set((await connection.execute(query)).scalars())
        new = [table for table in tables if table.table_id not in known]

        async def write() -> dict[str, Head]:
            async with self._database.writing(for_table=True) as connection:
                rows = [(*table[:3], at_ms, 0, "open", *table.deck, table.state, table.tournament_id) for table in new]
                await insert_rows(connection, poker_tables, _TABLE_COLUMNS, rows)
                return {id_: await head_of(connection, chain_name(id_), lock=True) for id_ in sorted(ids)}

        self._heads |= await retry_lost_races(write)

    async def adopt(self, table_id: str) -> None:
        """Takes over a stored table. Waits for a transaction of an earlier service that is still in flight."""
        async with self._database.writing(for_table=True) as connection:
            self._heads[table_id] = await head_of(connection, chain_name(table_id), lock=True)

    async def close_table(self, table_id: str, at_ms: int) -> None:
        """Ends a table without players. Its prepared deck is never dealt."""
        async with self._database.writing(for_table=True) as connection:
            closed = poker_tables.update().where(poker_tables.c.id == table_id)
            await connection.execute(closed.values(status="closed", closed_ms=at_ms))
        self._heads.pop(table_id, None)

    async def close_tables(self, table_ids: Sequence[str], at_ms: int) -> None:
        """Ends tables of a tournament together."""
        async with self._database.writing(for_table=True) as connection:
            closed = poker_tables.update().where(poker_tables.c.id.in_(table_ids), poker_tables.c.status == "open")
            await connection.execute(closed.values(status="closed", closed_ms=at_ms))
        for table_id in table_ids:
            self._heads.pop(table_id, None)

    async def store(self, record: HandRecord) -> None:
        """Returns once the hand is stored. Waits while the database is away; raises if the hand cannot be stored."""
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(record, stored))
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="poker hand store")
        await stored

    @property
    def is_idle(self) -> bool:
        return self._running is None

    async def _run(self) -> None:
        try:
            await asyncio.sleep(self._gather_seconds)
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), HANDS_MAX))]
                await self._store(batch)
        finally:
            self._running = None

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        left = list(batch)
        while left:
            try:
                await self._commit([waiting.record for waiting in left])
            except Exception as error:  # noqa: BLE001  every caller hears its own outcome
                left = await self._after_failure(left, error)
            else:
                _answer(left)
                return

    async def _after_failure(self, failed: list[_Waiting], error: Exception) -> list[_Waiting]:
        """Returns the hands to try again. The commit may have been stored although its reply was lost."""
        try:
            stored = await self._stored(failed)
        except Exception as away:  # noqa: BLE001
            if is_unavailable(away):
                await asyncio.sleep(self._retry_seconds)
                return failed
            _fail(failed, away)
            return []
        _answer([waiting for waiting in failed if waiting.record.hand_id in stored])
        left = [waiting for waiting in failed if waiting.record.hand_id not in stored]
        if is_unavailable(error):
            _log.warning("poker_hands_wait", hands=len(left), failure=type(error).__name__)
            await asyncio.sleep(self._retry_seconds)
            return left
        if len(left) > 1:
            for waiting in left:
                await self._store([waiting])
        elif left:
            _log.error("poker_hand_not_stored", hand_id=left[0].record.hand_id, failure=type(error).__name__)
            _fail(left, error)
        return []

    async def _stored(self, waiting: Sequence[_Waiting]) -> set[str]:
        """Hands of these that are stored exactly as they should be; moves their heads."""
        records = {one.record.hand_id: one.record for one in waiting}
        query = select(poker_hands.c.id, poker_hands.c.digest).where(poker_hands.c.id.in_(records))
        async with self._database.reading(for_table=True) as connection:
            found: dict[str, str] = dict(map(tuple, (await connection.execute(query)).all()))
        expected = {id_: self._moved(records[id_]) for id_ in found}
        same = {id_ for id_, digest in found.items() if expected[id_].digest == digest}
        for id_ in same:
            self._heads[records[id_].table_id] = expected[id_]
        return same

    async def _commit(self, records: Sequence[HandRecord]) -> None:
        async def transaction() -> None:
            async with self._database.writing(for_table=True) as connection:
                with inline_statements(connection):
                    await self._write(connection, records)

        await retry_lost_races(transaction)
        crash_point("poker_hands_committed")
        for record in records:
            self._heads[record.table_id] = self._moved(record)
            del self._moves[record.table_id]

    async def _write(self, connection: AsyncConnection, records: Sequence[HandRecord]) -> None:
        posted = [(record.operation, record.ended_ms) for record in records if record.operation is not None]
        crash_point("poker_hands_begun")
        await Book(connection).post_many([operation for operation, _ in posted], [at_ms for _, at_ms in posted])
        tables = [
            (record.table_id, record.no - 1, "open", record.no, record.state, *record.next_deck) for record in records
        ]
        changed = ("hand_no", "state", "next_root", "next_sealed")
        if not await update_rows(connection, poker_tables, ("id", "hand_no", "status"), changed, tables):
            raise StaleTableError("a poker table does not wait for the hand that was played there")
        await self._count_losses(connection, records)
        moved = [self._moved(record) for record in records]
        names = [chain_name(record.table_id) for record in records]
        moves = [
            (name, self._heads[record.table_id], head) for name, record, head in zip(names, records, moved, strict=True)
        ]
        await move_heads(connection, moves)
        rows = [
            (*record.row, head.digest, *row_signatures(connection, name, [head.end]))
            for name, record, head in zip(names, records, moved, strict=True)
        ]
        await insert_rows(connection, poker_hands, (*COLUMNS, "digest", "signature"), rows)
        players = [
            (record.hand_id, player.player_id, record.ended_ms, *player[1:])
            for record in records
            for player in record.players
        ]
        crash_point("poker_hands_written")
        await insert_rows(connection, poker_hand_players, PLAYER_COLUMNS, players)
        crash_point("poker_hands_complete")

    async def _count_losses(self, connection: AsyncConnection, records: Sequence[HandRecord]) -> None:
        """Adds cash hands to the daily losses of players with a loss limit, on the day each hand began."""
        records = [record for record in records if record.currency != NO_CURRENCY]
        players = {player.player_id for record in records for player in record.players}
        limited = await daily_losses.limited_among(connection, sorted(players))
        days: dict[int, dict[str, daily_losses.Played]] = {}
        for record in records:
            for player in record.players:
                if player.player_id in limited and record.started_ms is not None:
                    played = days.setdefault(daily_losses.day_of(record.started_ms), {})
                    staked, returned = played.get(player.player_id, daily_losses.Played())
                    played[player.player_id] = daily_losses.Played(staked + player.staked, returned + player.returned)
        for day_ms, played in sorted(days.items()):
            await daily_losses.add(connection, day_ms, played)

    def _moved(self, record: HandRecord) -> Head:
        head = self._heads[record.table_id]
        if head.seq != record.no - 1:
            raise StaleTableError(f"hand {record.hand_id} does not follow hand {head.seq} of its table")
        known = self._moves.get(record.table_id)
        if known is None or known[0] is not record or known[1] is not head:
            moved = head.moved((record.no, link(head.digest, record.row)))
            known = self._moves[record.table_id] = (record, head, moved)
        return known[2]


def _answer(waiting: Sequence[_Waiting]) -> None:
    for _, stored in waiting:
        if not stored.done():
            stored.set_result(None)


def _fail(waiting: Sequence[_Waiting], error: Exception) -> None:
    for _, stored in waiting:
        if not stored.done():
            stored.set_exception(error)
