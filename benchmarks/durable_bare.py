"""Baseline of the storage benchmarks: bare drivers write the same rows in the same transactions."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import asyncpg

from benchmarks.durable import own_loop

Values = Sequence[tuple[Any, ...]]


class Write(NamedTuple):
    """One set of rows that goes into a transaction: to a table as they are, or through a statement."""

    table: str
    columns: tuple[str, ...]
    rows: Values


class Change(NamedTuple):
    """Rows to update: their key first, then the new values."""

    table: str
    key: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Values


HOLDS = ("round_id", "player_id", "account", "amount", "status", "at_ms")
REPLACE_HOLD = (
    "ON CONFLICT (round_id, player_id) DO UPDATE SET "
    "amount = excluded.amount, status = excluded.status, at_ms = excluded.at_ms"
)


_MOVE_HEAD = "UPDATE chains SET writes = writes + 1 WHERE name = 'journal:uth-1'"


class Bare(Protocol):
    def transaction(
        self, inserts: Sequence[Write], balances: Values, *, holds: Values = (), changes: Sequence[Change] = ()
    ) -> None:
        """Insert rows, add (balance, held) to the accounts (id), put holds in the place of old ones, change rows.

        Without changes, the transaction moves the head of a journal.
        """

    def close(self) -> None: ...


class BareSqlite:
    """The module `sqlite3` of the standard library, with the safety settings of the service."""

    def __init__(self, url: str) -> None:
        self._connection = sqlite3.connect(Path(url.removeprefix("sqlite:///")), isolation_level=None)
        for pragma in ("journal_mode = wal", "synchronous = full", "foreign_keys = 1", "recursive_triggers = 1"):
            self._connection.execute(f"PRAGMA {pragma}")

    def transaction(
        self, inserts: Sequence[Write], balances: Values, *, holds: Values = (), changes: Sequence[Change] = ()
    ) -> None:
        run = self._connection
        run.execute("BEGIN IMMEDIATE")
        if holds:
            run.executemany(f"{_insert('holds', HOLDS)} {REPLACE_HOLD}", holds)
        for table, columns, rows in inserts:
            run.executemany(_insert(table, columns), rows)
        run.executemany("UPDATE accounts SET balance = balance + ?, held = held + ? WHERE id = ?", balances)
        for table, key, columns, _, rows in changes:
            sets = ", ".join(f"{column} = ?" for column in columns)
            turned = [(*values, id_) for id_, *values in rows]
            run.executemany(f"UPDATE {table} SET {sets} WHERE {key} = ?", turned)  # noqa: S608
        if not changes:
            run.execute(_MOVE_HEAD)
        run.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()


def _insert(table: str, columns: tuple[str, ...]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608


CHANGE_BALANCES = (
    "UPDATE accounts SET balance = accounts.balance + change.balance, held = accounts.held + change.held "
    "FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS change (balance, held, id) WHERE accounts.id = change.id"
)


class BarePostgres:
    """The driver asyncpg: COPY for new rows, whole columns as arrays for the others."""

    def __init__(self, url: str) -> None:
        self._loop = own_loop()
        self._connection = self._loop.run(asyncpg.connect(url))

    def transaction(
        self, inserts: Sequence[Write], balances: Values, *, holds: Values = (), changes: Sequence[Change] = ()
    ) -> None:
        self._loop.run(self._transaction(inserts, balances, holds, changes))

    async def _transaction(
        self, inserts: Sequence[Write], balances: Values, holds: Values, changes: Sequence[Change]
    ) -> None:
        run = self._connection
        async with run.transaction():
            if holds:
                arrays = "$1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]"
                insert = f"INSERT INTO holds ({', '.join(HOLDS)}) SELECT * FROM unnest({arrays}) {REPLACE_HOLD}"  # noqa: S608
                await run.execute(insert, *_columns(holds))
            for table, columns, rows in inserts:
                await run.copy_records_to_table(table, columns=columns, records=rows)
            if balances:
                await run.execute(CHANGE_BALANCES, *_columns(balances))
            for change in changes:
                await run.execute(_change(change), *_columns(change.rows))
            if not changes:
                await run.execute(_MOVE_HEAD)

    def close(self) -> None:
        self._loop.run(self._connection.close())


def _change(change: Change) -> str:
    arrays = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(change.types, 1))
    sets = ", ".join(f"{column} = new.{column}" for column in change.columns)
    names = ", ".join((change.key, *change.columns))
    given = f"unnest({arrays}) AS new ({names})"
    return f"UPDATE {change.table} SET {sets} FROM {given} WHERE {change.table}.{change.key} = new.{change.key}"  # noqa: S608


def _columns(rows: Values) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def bare(url: str) -> Bare:
    return BareSqlite(url) if url.startswith("sqlite") else BarePostgres(url)
