"""Table limits set by a manager: stored, so that they survive a restart, with the configured ones they replace.

If the configuration file changes afterwards, the file applies again.
"""

import json

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.settings import TableSettings
from casino.settings.table import TableLimits
from casino.storage.bulk import insert_rows
from casino.storage.schema import table_limits


async def in_force(connection: AsyncConnection, table: TableSettings) -> TableSettings:
    """Returns the table with the manager's limits, if they are newer than the file and still valid."""
    row = (await connection.execute(select(table_limits).where(table_limits.c.table_id == table.id))).first()
    if row is None or row.instead_of != _written(table.limits):
        return table
    try:
        stored = TableLimits.model_validate_json(row.limits)
        table.verify_within_bounds(stored)
        return table.with_limits(stored)
    except ValueError:
        return table


def fitting(table: TableSettings, limits: dict[str, int], of_file: TableSettings) -> TableSettings:
    """Returns the table with these limits, or refuses with the reason; `of_file` bounds them."""
    try:
        wanted = TableLimits.model_validate(limits)
        of_file.verify_within_bounds(wanted)
        return table.with_limits(wanted)
    except ValueError as error:
        raise Refusal(Code.BAD_REQUEST, _first(error)) from None


async def store(
    connection: AsyncConnection, table: TableSettings, of_file: TableLimits, entry: audit_log.Entry, at_ms: int
) -> None:
    row = (table.id, _written(table.limits), _written(of_file), entry.actor, at_ms)
    columns = ("table_id", "limits", "instead_of", "changed_by", "changed_ms")
    replaced = "ON CONFLICT (table_id) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in columns[1:])
    await insert_rows(connection, table_limits, columns, [row], or_else=replaced)
    await audit_log.write(connection, entry, at_ms)


def _written(limits: TableLimits) -> str:
    return json.dumps(limits.model_dump(), sort_keys=True)


def _first(error: ValueError) -> str:
    errors = getattr(error, "errors", None)
    return str(errors()[0]["msg"]).removeprefix("Value error, ") if errors else str(error)
