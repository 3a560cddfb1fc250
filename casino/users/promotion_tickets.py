"""Tickets of promotions: staff issue an entry of exactly one price to a player, paid for by the house."""

import hashlib
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, Posting, move
from casino.poker.tournament.entries import DAY_MS, TICKET_DAYS, Origin
from casino.storage.tournament_schema import tickets
from casino.users.credit import Credit
from casino.users.roles import Actor
from casino.users.users import User

KIND: Final = "ticket"
"""Of the operation and of the entry of the audit log."""


def ticket_id_of(key: str) -> str:
    """The id of the ticket that was issued under this idempotency key."""
    return f"promo-{hashlib.sha256(key.encode()).hexdigest()[:24]}"


def issue_posting(value: int, currency: str) -> Posting:
    return move(value, accounts.promo(currency), accounts.tickets(currency))


async def issue_ticket(
    connection: AsyncConnection, user: User, ticket: Credit, by: Actor, at_ms: int, *, requested_by: str | None = None
) -> bool:
    """Returns True if the ticket was issued now, False if it had been issued under this key before.

    `requested_by` is the first person, where two decide.
    """
    if not user.role.has_wallet:
        raise Refusal(Code.FORBIDDEN, f"{user.name} is a {user.role}. Only players use tickets.")
    value, currency = ticket.amount_minor, user.currency
    posting = issue_posting(value, currency)
    book = Book(connection)
    await book.open_accounts([accounts.promo(currency), accounts.tickets(currency)])
    operation = Operation(f"{KIND}:{ticket.key}", KIND, (posting,), by.name, ticket.reason)
    if (await book.post(operation, at_ms)).is_repeat:
        return False
    row = {"id": ticket_id_of(ticket.key), "player_id": user.id, "value": value, "currency": currency}
    row |= {"origin": Origin.PROMOTION.value, "status": "open"}
    times = {"issued_ms": at_ms, "expires_ms": at_ms + TICKET_DAYS * DAY_MS}
    await connection.execute(tickets.insert().values(row | times))
    after = {"amount_minor": value, "currency": currency, "key": ticket.key}
    if requested_by is not None:
        after["requested_by"] = requested_by
    entry = audit_log.Entry(by.name, by.role, KIND, f"user {user.id}", ticket.reason, after=after)
    await audit_log.write(connection, entry, at_ms)
    return True
