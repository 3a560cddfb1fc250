"""Held prizes of disqualified players: two people pay one to its player, or give it to charity."""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.users.requests import OpenRequest, RequestKind, open_request
from casino.users.roles import Person

KINDS: Final = (RequestKind.PRIZE_RELEASE, RequestKind.PRIZE_CHARITY)


async def held_amount(connection: AsyncConnection, tournament_id: str, player_id: str, currency: str) -> int:
    """Refuses if no prize of the player is held in this tournament."""
    held = accounts.held(tournament_id, player_id, currency)
    found = (await Book(connection).balances([held.id])).get(held.id)
    if found is None or not found.balance:
        raise Refusal(Code.BAD_REQUEST, "tournament: no prize of this player is held there.")
    return found.balance


async def decide_prize(connection: AsyncConnection, found: OpenRequest, by: Person, now_ms: int) -> None:
    """Moves the approved prize and writes it into the audit log, in the caller's transaction."""
    wanted = found.wanted
    assert wanted.amount is not None
    assert wanted.currency is not None
    assert wanted.tournament is not None
    await open_request(connection, found.id)
    held = accounts.held(wanted.tournament, wanted.target, wanted.currency)
    if await held_amount(connection, wanted.tournament, wanted.target, wanted.currency) != wanted.amount:
        raise Refusal(Code.TOO_LATE, "Another amount is held by now. Reject this request and make a new one.")
    charity = accounts.charity(wanted.currency)
    is_released = wanted.kind is RequestKind.PRIZE_RELEASE
    to = accounts.player_cash(wanted.target, wanted.currency) if is_released else charity
    book = Book(connection)
    await book.open_accounts([charity])
    operation = Operation(
        f"{wanted.kind}:{found.id}", wanted.kind.value, (move(wanted.amount, held, to),), by.name, wanted.reason
    )
    await book.post(operation, now_ms)
    after = {
        "amount_minor": wanted.amount,
        "currency": wanted.currency,
        "key": found.id,
        "requested_by": found.requested_by.name,
        "tournament": wanted.tournament,
    }
    entry = audit_log.Entry(by.name, by.role, wanted.kind.value, f"user {wanted.target}", wanted.reason, after=after)
    await audit_log.write(connection, entry, now_ms)
