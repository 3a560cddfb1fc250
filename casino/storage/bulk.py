"""Bulk statements: many rows with one statement, in the best way for each database.

SQLite takes a thousand rows of values per statement, at half the cost of one statement per row. It caches prepared
statements, so the number of row slots is a power of two, and trailing slots may stay empty. Otherwise every number of
players would need its own cached statement. PostgreSQL takes whole columns as arrays and unnests them. In both, one row
that violates a constraint fails the whole transaction.

PostgreSQL locks row by row, so all transactions lock in one order to avoid deadlocks: a payment, accounts (players
first, by name, then the shared ones; opening a shared account locks it too), the round, poker
tables, limit counters, the head of the audit log, the heads of journals, a proposed correction. `tests/lock_order.py`
checks this order.
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
    connection: AsyncConnection,
    table: Table,
    columns: Sequence[str],
    rows: Rows,
    *,
    or_else: str = "",
    returning: str = "",
) -> Rows:
    """Inserts the rows; `or_else` is an ON CONFLICT clause. Returns the columns named in `returning`, in any order."""
    names = ", ".join(columns)
    ending = f"{or_else} RETURNING {returning}" if returning else or_else
    if connection.dialect.name == "sqlite":
        return await _run_sqlite(connection, f"INSERT INTO {table.name} ({names}) {{values}} {ending}", rows)
    if not rows:
        return []
    arrays = _arrays(table, tuple(columns))
    insert = f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}) {ending}"  # noqa: S608
    return await _run_postgresql(connection, insert, rows)


async def update_rows(
    connection: AsyncConnection, table: Table, matched: Sequence[str], changed: Sequence[str], rows: Rows
) -> bool:
    """Sets the `changed` columns of rows whose `matched` columns have these values; a row has matched values first.

    Returns whether every row was found. The first matched column is unique, and rows are locked in its order.
    """
    update = _update_statement(connection.dialect.name, table, tuple(matched), tuple(changed))
    if connection.dialect.name == "sqlite":
        found = await _run_sqlite(connection, update, rows)
    else:
        found = await _run_postgresql(connection, update, rows) if rows else []
    return len(found) == len(rows)


@cache
def _update_statement(dialect: str, table: Table, matched: tuple[str, ...], changed: tuple[str, ...]) -> str:
    """RETURNING counts the rows, because SQLite's driver does not count those of every statement."""
    name, first = table.name, matched[0]
    places = {column: f"asked.column{place}" for place, column in enumerate(matched, 1)}
    values = [f"asked.column{place}" for place in range(len(matched) + 1, len(matched) + len(changed) + 1)]
    sets = ", ".join(f"{column} = {value}" for column, value in zip(changed, values, strict=True))
    same = " AND ".join(f"{name}.{column} = {value}" for column, value in places.items())
    if dialect == "sqlite":
        return f"UPDATE {name} SET {sets} FROM ({{values}}) AS asked WHERE {same} RETURNING 1"  # noqa: S608
    columns = ", ".join(f"column{place}" for place in range(1, len(matched) + len(changed) + 1))
    arrays = _arrays(table, (*matched, *changed))
    return (
        f"WITH asked AS MATERIALIZED (SELECT given.* FROM unnest({arrays}) AS given ({columns}) "  # noqa: S608
        f"JOIN {name} ON {name}.{first} = given.column1 ORDER BY {name}.{first} FOR NO KEY UPDATE OF {name}) "
        f"UPDATE {name} SET {sets} FROM asked WHERE {same} RETURNING 1"
    )


async def locked_balances(connection: AsyncConnection, ids: Sequence[str]) -> Rows:
    """Locks these accounts until the transaction ends; returns (id, currency, balance, held)."""
    query = _LOCKED_BALANCES[connection.dialect.name]
    return (await connection.exec_driver_sql(query, (many(connection, ids),))).all()


async def balances_of(connection: AsyncConnection, ids: Sequence[str]) -> Rows:
    """Returns (id, currency, balance, held) of those of the accounts that exist, without locking them."""
    query = _BALANCES[connection.dialect.name]
    return (await connection.exec_driver_sql(query, (many(connection, ids),))).all()


def many(connection: AsyncConnection, ids: Iterable[str]) -> object:
    """Passes any number of ids as one parameter: for `json_each` of SQLite, as an array for PostgreSQL."""
    return orjson.dumps(list(ids)).decode() if connection.dialect.name == "sqlite" else list(ids)


async def change_balances(connection: AsyncConnection, changes: Rows, *, are_locked: bool = False) -> None:
    """Adds (balance, held) to each account; the table's constraints refuse an overdraft."""
    if connection.dialect.name == "sqlite":
        await _run_sqlite(connection, _CHANGE_SQLITE, changes)
    elif changes:
        await _run_postgresql(connection, _CHANGE if are_locked else _LOCK_AND_CHANGE, changes)


_IN_ORDER: Final = "ORDER BY accounts.id NOT LIKE 'player:%', accounts.id FOR NO KEY UPDATE OF accounts"

_BALANCES: Final = {
    "sqlite": "SELECT id, currency, balance, held FROM accounts WHERE id IN (SELECT value FROM json_each(?))",
    "postgresql": "SELECT id, currency, balance, held FROM accounts WHERE id = ANY($1::text[])",
}
_LOCKED_BALANCES: Final = _BALANCES | {"postgresql": f"{_BALANCES['postgresql']} {_IN_ORDER}"}
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


async def _run_sqlite(connection: AsyncConnection, statement: str, rows: Rows) -> Rows:
    """`{values}` in the statement is the placeholder for the rows. Returns what the statement returns."""
    returned: list[Any] = []
    for start in range(0, len(rows), _ROWS_MAX):
        part = rows[start : start + _ROWS_MAX]
        columns, places = len(part[0]), 1 << (len(part) - 1).bit_length()
        values = [value for row in part for value in row]
        empty = [None] * (columns * (places - len(part)))
        filled = statement.replace("{values}", _places(places, columns))
        result = await connection.exec_driver_sql(filled, (*values, *empty, len(part)))
        if result.returns_rows:
            returned += result.all()
    return returned


async def _run_postgresql(connection: AsyncConnection, statement: str, rows: Rows) -> Rows:
    result = await connection.exec_driver_sql(statement, tuple(list(column) for column in zip(*rows, strict=True)))
    return result.all() if result.returns_rows else []


@cache
def _places(rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"SELECT * FROM (VALUES {', '.join([row] * rows)}) LIMIT ?"  # noqa: S608


@cache
def _arrays(table: Table, columns: tuple[str, ...]) -> str:
    """Returns a typed array parameter for each column."""
    kinds = (table.c[column].type.compile(postgresql.dialect()) for column in columns)  # type: ignore[no-untyped-call]
    return ", ".join(f"${place}::{_array_of(kind)}" for place, kind in enumerate(kinds, 1))


def _array_of(kind: str) -> str:
    return {"BIGINT": "bigint[]", "INTEGER": "integer[]"}.get(kind, "text[]")
