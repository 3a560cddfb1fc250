"""Changes rows in ways no statement of the service can, and undoes each change."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Integer, Table, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database
from casino.verify.findings import Findings
from casino.verify.snapshot import Snapshot
from casino.verify.verifier import verify_books

STATUSES = {
    "rounds": ("open", "settled", "cancelled", "corrected", "void", "forfeited"),
    "payments": ("pending", "succeeded", "failed"),
    "holds": ("open", "captured", "released"),
    "settlements": ("settled", "cancelled", "reversal", "corrected"),
    "poker_hands": ("settled", "void"),
}


class Tamperer:
    """One connection to the books, without triggers, foreign keys and, on SQLite, checks; no change is ever stored."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.is_sqlite = connection.dialect.name == "sqlite"

    @classmethod
    @asynccontextmanager
    async def at(cls, url: str) -> AsyncIterator["Tamperer"]:
        database = await Database.open(url)
        try:
            async with database.reading() as connection:
                if database.is_sqlite:
                    await _drop_triggers(connection)
                yield cls(connection)
        finally:
            await database.close()

    @asynccontextmanager
    async def undone(self) -> AsyncIterator[None]:
        """Whatever is changed inside is as it was afterwards."""
        if self.is_sqlite:
            await self.connection.execute(text("PRAGMA defer_foreign_keys = ON"))
            await self.connection.execute(text("PRAGMA ignore_check_constraints = ON"))
        else:
            await self.connection.execute(text("SET LOCAL session_replication_role = replica"))
        try:
            yield
        finally:
            await self.connection.rollback()

    async def rows(self, table: Table) -> list[dict[str, Any]]:
        """As they are stored."""
        rows = await self.now(table)
        await self.connection.rollback()
        return rows

    async def now(self, table: Table) -> list[dict[str, Any]]:
        """As they are after the changes so far."""
        found = await self.connection.execute(select(table).order_by(*table.primary_key.columns))
        return [dict(row._mapping) for row in found]

    async def change(self, table: Table, row: dict[str, Any], values: dict[str, Any]) -> None:
        await self.connection.execute(table.update().where(*_this(table, row)).values(**values))

    async def delete(self, table: Table, row: dict[str, Any]) -> None:
        await self.connection.execute(table.delete().where(*_this(table, row)))

    async def insert(self, table: Table, row: dict[str, Any]) -> None:
        await self.connection.execute(table.insert().values(**row))

    async def verify(self) -> Findings:
        return await verify_books(await Snapshot.on(self.connection))

    async def verify_changed(self, table: Table, row: dict[str, Any], values: dict[str, Any]) -> Findings | None:
        """None if the database itself refuses the change."""
        async with self.undone():
            try:
                await self.change(table, row, values)
            except IntegrityError:
                return None
            return await self.verify()


async def _drop_triggers(connection: AsyncConnection) -> None:
    triggers = await connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    for (name,) in triggers.all():
        await connection.execute(text(f"DROP TRIGGER {name}"))
    await connection.commit()


def _this(table: Table, row: dict[str, Any]) -> Iterator[Any]:
    return (column == row[column.name] for column in table.primary_key.columns)


def other_values(table: Table, name: str, row: dict[str, Any], rows: list[dict[str, Any]]) -> list[Any]:
    """A field made slightly wrong, emptied, filled, and replaced by the value of another row."""
    value, column = row[name], table.c[name]
    if name == "status":
        return [status for status in STATUSES[table.name] if status != value]
    if isinstance(column.type, Integer):
        wrong: Any = (value or 0) + (1_000_000 if column.primary_key else 1)
    else:
        wrong = (value or "")[:-1] + ("y" if (value or "").endswith("x") else "x")
    others = [other[name] for other in rows if other[name] not in (value, None)]
    values = [wrong, *others[-1:]]
    return [*values, None] if column.nullable and value is not None else values


def names(findings: Findings, *labels: str) -> bool:
    """Whether one of the faults names one of these rows."""
    faults = [fault for check in findings.checks for fault in check.faults]
    return any(re.search(rf"{re.escape(label)}(?!\w)", fault) for label in labels for fault in faults)
