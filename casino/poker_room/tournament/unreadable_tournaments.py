"""Unreadable tournaments: tournaments of an earlier run that cannot go on. Their money stays in their accounts.

The start goes on without them, and managers see them. What is not decided after 90 days goes to charity.
"""

from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy import Row, func, select, update

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker_room.forfeits import DAYS_MAX
from casino.poker_room.tournament.journal_store import spec_of
from casino.poker_room.tournament.spec import TournamentSpec
from casino.storage.database import Database
from casino.storage.poker_schema import poker_tables
from casino.storage.tournament_schema import tournament_entries, tournament_journal, tournaments
from casino.wire.poker_floor import UnreadableTournament

KIND: Final = "mtt_forfeit"
ACTION: Final = "tournament_forfeited"
REASON: Final = f"unresolved for {DAYS_MAX} days"
WHY: Final = "The stored course of this tournament can't be read."
TO_DO: Final = (
    "No hand can be played. Keep the database, and start a version of the service that can read it. "
    f"The money is safe in the tournament's accounts, and goes to charity {DAYS_MAX} days after the last stored event."
)
_DAY_MS: Final = 24 * 60 * 60 * 1000
_SYSTEM: Final = "system"
_log = structlog.get_logger()


class _Kept(NamedTuple):
    row: Row[Any]
    last_ms: int
    entries: int
    money: int


class UnreadableTournaments:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    async def keep(self, row: Row[Any], failure: str) -> None:
        """Keeps the money until it is decided about, at most 90 days."""
        _log.error("tournament_unreadable", tournament_id=row.id, failure=failure)
        kept = await self._look(row)
        if self._clock() - kept.last_ms > DAYS_MAX * _DAY_MS:
            await self._forfeit(spec_of(row))
        else:
            self._kept[row.id] = kept

    def views(self) -> list[UnreadableTournament]:
        return [
            {
                "tournament_id": kept.row.id,
                "name": kept.row.name,
                "kind": kept.row.kind,
                "currency": kept.row.currency,
                "status": kept.row.status,
                "starts_at": kept.row.starts_ms,
                "last_at": kept.last_ms,
                "entries": kept.entries,
                "money": kept.money,
                "why": WHY,
                "to_do": TO_DO,
            }
            for kept in self._kept.values()
        ]

    async def _look(self, row: Row[Any]) -> _Kept:
        entry, journal, spec = tournament_entries.c, tournament_journal.c, spec_of(row)
        last = select(func.max(journal.at_ms)).where(journal.tournament_id == row.id)
        paid = select(func.count()).where(entry.tournament_id == row.id, entry.status == "open")
        async with self._database.reading(for_table=True) as connection:
            last_ms: int = await connection.scalar(last) or row.opens_ms
            entries: int = await connection.scalar(paid) or 0
            balances = await Book(connection).balances([account.id for account in _own(spec)])
        return _Kept(row, last_ms, entries, sum(found.balance for found in balances.values()))

    async def _forfeit(self, spec: TournamentSpec) -> None:
        """Moves everything to charity, and ends the tournament with its entries and tables."""
        now_ms = self._clock()
        async with self._database.writing(for_table=True) as connection:
            book, charity = Book(connection), accounts.charity(spec.currency)
            await book.open_accounts([charity])
            balances = await book.balances([account.id for account in _own(spec)])
            amounts = {account: balances[account.id].balance for account in _own(spec)}
            postings = tuple(move(amount, account, charity) for account, amount in amounts.items() if amount)
            if postings:
                operation = Operation(forfeit_key(spec.tournament_id), KIND, postings, spec.tournament_id, REASON)
                await book.post(operation, now_ms)
            entry, table = tournament_entries.c, poker_tables.c
            ended = update(tournament_entries).where(entry.tournament_id == spec.tournament_id, entry.status == "open")
            await connection.execute(ended.values(status="ended", ended_ms=now_ms))
            closed = update(poker_tables).where(table.tournament_id == spec.tournament_id, table.status == "open")
            await connection.execute(closed.values(status="closed", closed_ms=now_ms))
            over = update(tournaments).where(tournaments.c.id == spec.tournament_id)
            await connection.execute(over.values(status="cancelled", ended_ms=now_ms))
            after = {account.id: amount for account, amount in amounts.items()}
            note = audit_log.Entry(_SYSTEM, _SYSTEM, ACTION, spec.tournament_id, REASON, after=after)
            await audit_log.write(connection, note, now_ms)
        _log.warning("tournament_forfeited", tournament_id=spec.tournament_id)


def forfeit_key(tournament_id: str) -> str:
    return f"{tournament_id}:forfeit"


def _own(spec: TournamentSpec) -> list[accounts.Account]:
    return [spec.pool, spec.bounties, spec.fees]
