"""Search in the chat archive for managers: newest first, by table, player, words, days and blocked lines."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.chat.archive import Said, said_of
from casino.storage.schema import chat_lines


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters; None does not filter. `from_ms` is included, `until_ms` is not."""

    table_id: str | None = None
    player: str | None = None
    text: str | None = None
    from_ms: int | None = None
    until_ms: int | None = None
    only_blocked: bool = False
    before: str | None = None  # the id of a line


async def find_lines(connection: AsyncConnection, wanted: Wanted, limit: int) -> list[Said]:
    lines = chat_lines.c
    conditions: list[ColumnElement[bool]] = []
    if wanted.table_id is not None:
        conditions.append(lines.table_id == wanted.table_id)
    if wanted.player is not None:
        conditions.append(or_(lines.player_id == wanted.player, func.lower(lines.name) == wanted.player.lower()))
    if wanted.text is not None:
        conditions += [lines.text.icontains(word, autoescape=True) for word in wanted.text.split()]
    if wanted.from_ms is not None:
        conditions.append(lines.at_ms >= wanted.from_ms)
    if wanted.until_ms is not None:
        conditions.append(lines.at_ms < wanted.until_ms)
    if wanted.only_blocked:
        conditions.append(lines.blocked.is_not(None))
    if wanted.before is not None:
        conditions.append(lines.id < wanted.before)
    query: Any = select(chat_lines).where(*conditions).order_by(lines.id.desc()).limit(limit)
    return [said_of(row) for row in await connection.execute(query)]
