"""Names of account owners: players and presenters."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import users

_OWNED: Final = ("player:", "presenter:", "receivable:")
_ENDS_WITH_PLAYER: Final = ("seat:", "held:")


def owner_id(account: str) -> str:
    """Returns the owner; empty for accounts of the house."""
    if account.startswith(_ENDS_WITH_PLAYER):
        return account.split(":", 2)[2]
    return account.split(":")[1] if account.startswith(_OWNED) else ""


async def names_of(connection: AsyncConnection, ids: Iterable[str]) -> dict[str, str]:
    query = select(users.c.id, users.c.name).where(users.c.id.in_(set(ids)))
    return {row.id: row.name for row in await connection.execute(query)}
