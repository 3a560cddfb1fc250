"""Many rows with one statement, in the way each database does it best.

SQLite takes a thousand rows of values in a statement, which costs it half of what a statement for each row does. It
keeps what it has prepared, so the places for rows are a power of two and the last may stay empty: otherwise every
number of players would be a statement of its own, to be read anew and then kept. PostgreSQL takes whole columns as
arrays and unfolds them. Both notice a single row that breaks a constraint, and then nothing of the transaction stands.

PostgreSQL locks row by row, so everybody locks in one order, or two transactions would wait for each other for ever:
a payment, accounts (players first, by name, then the few that all of them share; opening one of those locks it too),
the round, what it counts for limits, the end of the audit log, the end of a journal, a proposed correction.
`tests/lock_order.py` watches over it.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

import orjson
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

Rows = Sequence[tuple[Any, ...]]

_ROWS_MAX: Final = 1024  # SQLite takes at most 32,766 values in one statement


async def insert_rows(
    connection: AsyncConnection, table: Table, columns: Sequence[str], rows: Rows, *, or_else: str = ""
) -> None:
    """Insert the rows; `or_else` is an ON CONFLICT clause."""
    names = ", ".join(columns)
    if connection.dialect.name == "sqlite":
        await _run_sqlite(connection, f"INSERT INTO {table.name} ({names}) {{values}} {or_else}", rows)
    elif rows:
        arrays = _arrays(table, tuple(columns))
        insert = f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}) {or_else}"  # noqa: S608
        await _run_postgresql(connection, insert, rows)


async def locked_balances(connection: AsyncConnection, ids: Sequence[str]) -> Rows:
    """(id, currency, balance, held) of these accounts, which nobody else changes before the transaction ends."""
    query = _LOCKED_BALANCES[connection.dialect.name]
    return (await connection.exec_driver_sql(query, (many(connection, ids),))).all()


def many(connection: AsyncConnection, ids: Iterable[str]) -> object:
    """Any number of ids as one parameter: for `json_each` of SQLite, as an array for PostgreSQL."""
    return orjson.dumps(list(ids)).decode() if connection.dialect.name == "sqlite" else list(ids)


async def change_balances(connection: AsyncConnection, changes: Rows, *, are_locked: bool = False) -> None:
    """Add (balance, held) to the account (id); the table's own constraints refuse what would overdraw it."""
    if connection.dialect.name == "sqlite":
        await _run_sqlite(connection, _CHANGE_SQLITE, changes)
    elif changes:
        await _run_postgresql(connection, _CHANGE if are_locked else _LOCK_AND_CHANGE, changes)


_IN_ORDER: Final = "ORDER BY accounts.id NOT LIKE 'player:%', accounts.id FOR NO KEY UPDATE OF accounts"

_LOCKED_BALANCES: Final = {
    "sqlite": "SELECT id, currency, balance, held FROM accounts WHERE id IN (SELECT value FROM json_each(?))",
    "postgresql": (
        f"SELECT id, currency, balance, held FROM accounts WHERE id = ANY($1::text[]) {_IN_ORDER}"  # noqa: S608
    ),
}
_CHANGE_FROM: Final = (
    "UPDATE accounts SET balance = accounts.balance + change.balance, held = accounts.held + change.held FROM"
)
_CHANGE_SQLITE: Final = (
    f"WITH change (balance, held, id) AS ({{values}}) {_CHANGE_FROM} change WHERE accounts.id = change.id"
)
_COLUMNS: Final = "unnest($1::bigint[], $2::bigint[], $3::text[])"
_CHANGE: Final = f"{_CHANGE_FROM} {_COLUMNS} AS change (balance, held, id) WHERE accounts.id = change.id"
_LOCK_AND_CHANGE: Final = (
    "WITH change AS MATERIALIZED (SELECT accounts.id, asked.balance, asked.held "  # noqa: S608
    f"FROM {_COLUMNS} AS asked (balance, held, id) JOIN accounts ON accounts.id = asked.id {_IN_ORDER}) "
    f"{_CHANGE_FROM} change WHERE accounts.id = change.id"
)


async def _run_sqlite(connection: AsyncConnection, statement: str, rows: Rows) -> None:
    """`{values}` in the statement stands for the rows."""
    for start in range(0, len(rows), _ROWS_MAX):
        part = rows[start : start + _ROWS_MAX]
        columns, places = len(part[0]), 1 << (len(part) - 1).bit_length()
        values = [value for row in part for value in row]
        empty = [None] * (columns * (places - len(part)))
        filled = statement.replace("{values}", _places(places, columns))
        await connection.exec_driver_sql(filled, (*values, *empty, len(part)))


async def _run_postgresql(connection: AsyncConnection, statement: str, rows: Rows) -> None:
    await connection.exec_driver_sql(statement, tuple(list(column) for column in zip(*rows, strict=True)))


@cache
def _places(rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"SELECT * FROM (VALUES {', '.join([row] * rows)}) LIMIT ?"  # noqa: S608


@cache
def _arrays(table: Table, columns: tuple[str, ...]) -> str:
    """A parameter for each column, told which type it is of."""
    kinds = (table.c[column].type.compile(postgresql.dialect()) for column in columns)  # type: ignore[no-untyped-call]
    return ", ".join(f"${place}::{_array_of(kind)}" for place, kind in enumerate(kinds, 1))


def _array_of(kind: str) -> str:
    return {"BIGINT": "bigint[]", "INTEGER": "integer[]"}.get(kind, "text[]")
