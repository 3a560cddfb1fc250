"""Tickets that can still be used, with their age: what the house owes in entries."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.period import DAY_MS
from casino.ledger import accounts as ledger_accounts
from casino.storage.schema import accounts, users
from casino.storage.tournament_schema import tickets
from casino.wire.common import Count, Minor, Moment


class OpenTicket(TypedDict):
    ticket_id: str
    player_id: str
    player: str
    currency: str
    value: Minor
    origin: str
    issued_at: Moment
    expires_at: Moment
    age_days: Count


class TicketTotal(TypedDict):
    tickets: Count
    value: Minor
    balance: int
    """Of the account of all tickets in this currency: the same, or the books are wrong."""
    account: str


class OpenTickets(TypedDict):
    """The oldest first."""

    rows: list[OpenTicket]
    totals: dict[str, TicketTotal]


async def open_tickets(connection: AsyncConnection, now_ms: int) -> OpenTickets:
    columns = tickets.c
    query = (
        select(tickets, users.c.name)
        .outerjoin(users, users.c.id == columns.player_id)
        .where(columns.status == "open")
        .order_by(columns.issued_ms, columns.id)
    )
    rows: list[OpenTicket] = [
        {
            "ticket_id": row.id,
            "player_id": row.player_id,
            "player": row.name or "",
            "currency": row.currency,
            "value": row.value,
            "origin": row.origin,
            "issued_at": row.issued_ms,
            "expires_at": row.expires_ms,
            "age_days": max(0, now_ms - row.issued_ms) // DAY_MS,
        }
        for row in await connection.execute(query)
    ]
    totals: dict[str, TicketTotal] = {}
    kind = ledger_accounts.Kind.TICKETS.value
    for account in await connection.execute(select(accounts).where(accounts.c.kind == kind).order_by(accounts.c.id)):
        of_currency = [row for row in rows if row["currency"] == account.currency]
        totals[account.currency] = {
            "tickets": len(of_currency),
            "value": sum(row["value"] for row in of_currency),
            "balance": account.balance,
            "account": account.id,
        }
    return {"rows": rows, "totals": totals}
