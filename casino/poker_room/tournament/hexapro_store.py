"""HexaPro store: committed draws, entries that wait in lines, and the start of games, each one transaction.

The number of a game is drawn and committed to before any of its players registers: lines keep committed draws ahead for
all waiting entries. A number is sealed until its game starts.
"""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.accounts import Account
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.observability.crash_points import crash_point
from casino.poker.tournament.events import Announced
from casino.poker.tournament.hexapro import draw_commitment
from casino.poker.tournament.state import Tournament
from casino.poker_room.risk import Risk, lock_available, verify_risk
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.tournament.journal_store import Appended, Step, append, chain_name, insert_tournament
from casino.poker_room.tournament.spec import TournamentSpec
from casino.storage import schema
from casino.storage.bulk import insert_rows
from casino.storage.database import Database, retry_lost_races
from casino.storage.hash_chain import Head, head_of
from casino.storage.tournament_schema import hexapro_draws, tournament_entries, tournaments

REGISTER: Final = "hexa_register"
CANCEL: Final = "hexa_cancel"
_entry = tournament_entries.c

_log = structlog.get_logger()


class CommittedDraw(NamedTuple):
    """The draw of one game of a line. Number and secret are revealed when the game starts."""

    no: int
    number: int
    secret: str

    @property
    def commitment(self) -> str:
        return draw_commitment(self.secret, self.number)

    def sealed(self, seal: ShoeSeal) -> str:
        return seal.close_text(json.dumps([self.number, self.secret]))


class WaitingEntry(NamedTuple):
    entry_id: str
    player_id: str
    name: str


class Joining(NamedTuple):
    """A player's registration for some games of a line. A repeated `key` is the same registration."""

    player_id: str
    key: str
    line: str
    buy_in: int
    currency: str
    entry_ids: tuple[str, ...]

    @property
    def operation(self) -> Operation:
        return register_operation(self, self.buy_in * len(self.entry_ids))


class HexaproStore:
    def __init__(self, database: Database, seal: ShoeSeal) -> None:
        self._database = database
        self._seal = seal

    async def open_lines(self, lines: Sequence[tuple[str, str]]) -> None:
        """Opens the accounts of these lines, each given with its currency."""

        async def transaction() -> None:
            async with self._database.writing(for_table=True) as connection:
                await Book(connection).open_accounts([line_pool(line, currency) for line, currency in lines])

        await retry_lost_races(transaction)

    async def draws(self, line: str) -> list[CommittedDraw]:
        """Draws of the line that no game has used. Draws sealed with a key that is gone are passed over (243)."""
        columns = hexapro_draws.c
        used = select(func.coalesce(func.max(tournaments.c.draw_no), 0)).where(tournaments.c.source == line)
        query = select(columns.no, columns.sealed).where(columns.line == line, columns.no > used.scalar_subquery())
        async with self._database.reading(for_table=True) as connection:
            rows = (await connection.execute(query.order_by(columns.no))).all()
        found = []
        for no, sealed in rows:
            text = self._seal.open_text(sealed)
            if text is None:
                _log.warning("hexapro_draw_abandoned", line=line, no=no)
            else:
                found.append(CommittedDraw(no, *json.loads(text)))
        return found

    async def draw(self, line: str, no: int) -> CommittedDraw | None:
        """The draw of a game that has started; None if its key is gone."""
        columns = hexapro_draws.c
        query = select(columns.sealed).where(columns.line == line, columns.no == no)
        async with self._database.reading(for_table=True) as connection:
            sealed: str | None = await connection.scalar(query)
        text = self._seal.open_text(sealed) if sealed is not None else None
        return CommittedDraw(no, *json.loads(text)) if text is not None else None

    async def last_no(self, line: str) -> int:
        """The number of the last committed draw."""
        async with self._database.reading(for_table=True) as connection:
            query = select(func.coalesce(func.max(hexapro_draws.c.no), 0)).where(hexapro_draws.c.line == line)
            return int(await connection.scalar(query) or 0)

    async def commit(self, draws: Sequence[tuple[str, CommittedDraw]], at_ms: int) -> None:
        """Commits to draws, each given with its line."""
        rows = [(line, draw.no, draw.commitment, draw.sealed(self._seal), at_ms) for line, draw in draws]

        async def transaction() -> None:
            async with self._database.writing(for_table=True) as connection:
                columns = ("line", "no", "commitment", "sealed", "at_ms")
                await insert_rows(connection, hexapro_draws, columns, rows)

        await retry_lost_races(transaction)

    async def waiting(self) -> list[tuple[str, WaitingEntry]]:
        """All waiting entries with their lines, in order of payment."""
        users = schema.users.c
        query = (
            select(_entry.line, _entry.id, _entry.player_id, func.coalesce(users.name, ""))
            .join(schema.users, users.id == _entry.player_id, isouter=True)
            .where(_entry.status == "waiting")
            .order_by(_entry.registered_ms, _entry.player_id, _entry.key)
        )
        async with self._database.reading(for_table=True) as connection:
            rows = (await connection.execute(query)).all()
        return [(line, WaitingEntry(*entry)) for line, *entry in rows]

    async def join(self, joining: Joining, now_ms: int) -> None:
        """Pays for all games at once. Refuses what the balance or the player's own limits do not cover."""

        async def transaction() -> None:
            async with self._database.writing(for_table=True) as connection:
                total = joining.buy_in * len(joining.entry_ids)
                available = await lock_available(connection, joining.player_id, joining.currency)
                await verify_risk(connection, Risk(joining.player_id, total, joining.currency), available, now_ms)
                await Book(connection).post_many([joining.operation], [now_ms])
                columns = ("id", "player_id", "key", "line", "status", "registered_ms", "risked", "paid")
                rows = [
                    (
                        *(entry_id, joining.player_id, f"{joining.key}#{number}", joining.line, "waiting", now_ms),
                        *(joining.buy_in, joining.buy_in),
                    )
                    for number, entry_id in enumerate(joining.entry_ids, 1)
                ]
                await insert_rows(connection, tournament_entries, columns, rows)

        await retry_lost_races(transaction)

    async def take_back(self, entry_id: str, player_id: str, currency: str, now_ms: int) -> bool:
        """Returns a waiting entry in full; whether it was still waiting."""

        async def transaction() -> bool:
            async with self._database.writing(for_table=True) as connection:
                await lock_available(connection, player_id, currency)
                mine = (_entry.id == entry_id, _entry.player_id == player_id, _entry.status == "waiting")
                ended = update(tournament_entries).where(*mine).values(status="returned", ended_ms=now_ms)
                row = (await connection.execute(ended.returning(_entry.line, _entry.paid))).first()
                if row is None:
                    return False
                operation = cancel_operation(entry_id, player_id, row.line, row.paid, currency)
                await Book(connection).post_many([operation], [now_ms])
                return True

        return await retry_lost_races(transaction)

    async def start(self, spec: TournamentSpec, announced: Announced, steps: Sequence[Step], after: Tournament) -> Head:
        """Stores a game with its draw, its players and its seats."""

        async def transaction() -> Head:
            async with self._database.writing(for_table=True) as connection:
                found = await head_of(connection, chain_name(spec.tournament_id))
                if found.seq:
                    return found  # an attempt without an answer has stored it
                return await _start(connection, spec, announced, steps, after)

        head = await retry_lost_races(transaction)
        crash_point("hexapro_started")
        return head


async def _start(
    connection: AsyncConnection, spec: TournamentSpec, announced: Announced, steps: Sequence[Step], after: Tournament
) -> Head:
    await Book(connection).open_accounts(spec.accounts)
    head = await insert_tournament(connection, spec, announced)
    return await append(connection, Appended(spec, head, steps, after))


def line_pool(line: str, currency: str) -> Account:
    return accounts.tournament_pool(line, currency)


def register_operation(joining: Joining, total: int) -> Operation:
    cash = accounts.player_cash(joining.player_id, joining.currency)
    posting = move(total, cash, line_pool(joining.line, joining.currency))
    return Operation(register_key(joining.player_id, joining.key), REGISTER, (posting,), joining.player_id)


def register_key(player_id: str, key: str) -> str:
    return f"{REGISTER}:{player_id}:{key}"


def cancel_operation(entry_id: str, player_id: str, line: str, paid: int, currency: str) -> Operation:
    posting = move(paid, line_pool(line, currency), accounts.player_cash(player_id, currency))
    return Operation(f"{CANCEL}:{entry_id}", CANCEL, (posting,), player_id)
