"""Many rows with one statement, in the way each database does it best.

SQLite runs a prepared statement over the rows; PostgreSQL takes whole columns as arrays and unfolds them. Both
notice a single row that breaks a constraint, and then nothing of the transaction stands.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

Rows = Sequence[tuple[Any, ...]]


async def insert_rows(
    connection: AsyncConnection, table: Table, columns: Sequence[str], rows: Rows, *, or_else: str = ""
) -> None:
    """Insert the rows; `or_else` is an ON CONFLICT clause."""
    if rows:
        await _run(connection, _insert(table, tuple(columns), or_else, connection.dialect.name), rows)


async def change_balances(connection: AsyncConnection, changes: Rows) -> None:
    """Add (balance, held) to the account (id); the table's own constraints refuse what would overdraw it."""
    if changes:
        await _run(connection, _CHANGE_BALANCES[connection.dialect.name], changes)


_CHANGE_BALANCES = {
    "sqlite": "UPDATE accounts SET balance = balance + ?, held = held + ? WHERE id = ?",
    "postgresql": (
        "UPDATE accounts SET balance = accounts.balance + change.balance, held = accounts.held + change.held "
        "FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS change (balance, held, id) "
        "WHERE accounts.id = change.id"
    ),
}


async def _run(connection: AsyncConnection, statement: str, rows: Rows) -> None:
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql(statement, list(rows))
    else:
        await connection.exec_driver_sql(statement, tuple(list(column) for column in zip(*rows, strict=True)))


@cache
def _insert(table: Table, columns: tuple[str, ...], or_else: str, dialect: str) -> str:
    names = ", ".join(columns)
    if dialect == "sqlite":
        marks = ", ".join("?" * len(columns))
        return f"INSERT INTO {table.name} ({names}) VALUES ({marks}) {or_else}"  # noqa: S608  names of our own tables
    kinds = (table.c[column].type.compile(postgresql.dialect()) for column in columns)  # type: ignore[no-untyped-call]
    arrays = ", ".join(f"${place}::{_array_of(kind)}" for place, kind in enumerate(kinds, 1))
    return f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}) {or_else}"  # noqa: S608


def _array_of(kind: str) -> str:
    return {"BIGINT": "bigint[]", "INTEGER": "integer[]"}.get(kind, "text[]")
