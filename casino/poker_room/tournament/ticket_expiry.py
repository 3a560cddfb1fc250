"""Expiry of tickets: after its last day a ticket that players paid for turns into money, a promotion lapses."""

from typing import Final

from sqlalchemy import select, update

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.observability.crash_points import crash_point
from casino.poker.tournament.entries import Lapse, Origin, Ticket
from casino.storage.database import Database, retry_lost_races
from casino.storage.tournament_schema import tickets

KIND: Final = "ticket_expired"
AT_ONCE_MAX: Final = 200
"""Tickets in one transaction."""


async def expire_tickets(database: Database, now_ms: int) -> list[str]:
    """Returns the players who got money for a ticket. What is left over is expired at the next call."""

    async def transaction() -> list[str]:
        columns = tickets.c
        due = select(tickets).where(columns.status == "open", columns.expires_ms <= now_ms).order_by(columns.id)
        async with database.writing(for_table=True) as connection:
            book, paid = Book(connection), list[str]()
            for row in (await connection.execute(due.limit(AT_ONCE_MAX))).all():
                expired = update(tickets).where(columns.id == row.id, columns.status == "open").values(status="expired")
                if (await connection.execute(expired)).rowcount != 1:
                    continue  # used at this moment
                ticket = Ticket(row.id, row.value, row.currency, Origin(row.origin), row.issued_ms)
                await book.open_accounts([accounts.promo(row.currency)])
                await book.post(operation_of(ticket, row.player_id), now_ms)
                if ticket.lapse is Lapse.MONEY:
                    paid.append(row.player_id)
            crash_point("tournament_tickets_expired")
            return paid

    return await retry_lost_races(transaction)


def operation_of(ticket: Ticket, player_id: str) -> Operation:
    is_paid = ticket.lapse is Lapse.MONEY
    to = accounts.player_cash(player_id, ticket.currency) if is_paid else accounts.promo(ticket.currency)
    posting = move(ticket.value, accounts.tickets(ticket.currency), to)
    return Operation(f"{KIND}:{ticket.ticket_id}", KIND, (posting,), player_id)
