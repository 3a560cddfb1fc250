"""Tickets of a player: entries won in satellites, returned or given by the house, the newest first."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.tournament_schema import tickets
from casino.wire.poker_entries import TicketView

TICKETS_MAX = 200


async def tickets_of(connection: AsyncConnection, player_id: str) -> list[TicketView]:
    columns = tickets.c
    query = select(tickets).where(columns.player_id == player_id).order_by(columns.issued_ms.desc(), columns.id)
    return [
        {
            "ticket_id": row.id,
            "value": row.value,
            "currency": row.currency,
            "origin": row.origin,
            "event": row.event,
            "issued_at": row.issued_ms,
            "expires_at": row.expires_ms,
            "status": row.status,
        }
        for row in await connection.execute(query.limit(TICKETS_MAX))
    ]
