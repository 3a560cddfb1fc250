"""Held prizes of disqualified players, with the names of tournaments and players."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import Kind
from casino.storage.schema import accounts, users
from casino.storage.tournament_schema import tournaments
from casino.wire.poker_floor import HeldPrize


async def held_prizes(connection: AsyncConnection) -> list[HeldPrize]:
    """Accounts of held prizes are named by tournament and player."""
    columns = accounts.c
    query = select(columns.id, columns.currency, columns.balance)
    query = query.where(columns.kind == Kind.HELD.value, columns.balance > 0).order_by(columns.id)
    rows = (await connection.execute(query)).all()
    held = {row.id: row.id.split(":", 2)[1:] for row in rows}
    titles = select(tournaments.c.id, tournaments.c.name)
    titles = titles.where(tournaments.c.id.in_({case for case, _ in held.values()}))
    named = {row.id: row.name for row in await connection.execute(titles)}
    people = select(users.c.id, users.c.name).where(users.c.id.in_({player for _, player in held.values()}))
    names = {row.id: row.name for row in await connection.execute(people)}
    return [
        {
            "tournament_id": held[row.id][0],
            "tournament": named.get(held[row.id][0], ""),
            "player_id": held[row.id][1],
            "name": names.get(held[row.id][1], ""),
            "account": row.id,
            "currency": row.currency,
            "amount": row.balance,
        }
        for row in rows
    ]
