"""Credits by the back office: from the account of credits to a player's, with an idempotency key."""

import re
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.accounts import player_cash
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.money import MINOR_MAX
from casino.security.spreadsheet_formulas import KEY_PATTERN
from casino.users.roles import Actor
from casino.users.users import User

REASON_LENGTH_MAX: Final = 200
_KEY: Final = re.compile(KEY_PATTERN)


@dataclass(frozen=True, slots=True)
class Credit:
    """`key` is the idempotency key: a repetition with the same input has the same outcome and moves nothing."""

    amount_minor: int
    reason: str
    key: str

    def __post_init__(self) -> None:
        if not 0 < self.amount_minor <= MINOR_MAX:
            raise Refusal(Code.BAD_REQUEST, "Enter an amount above 0 and within the limit for one credit.")
        if not self.reason.strip() or len(self.reason) > REASON_LENGTH_MAX or not self.reason.isprintable():
            raise Refusal(Code.BAD_REQUEST, f"Give a reason in one line of at most {REASON_LENGTH_MAX} characters.")
        if not _KEY.fullmatch(self.key):
            raise Refusal(
                Code.BAD_REQUEST, "Use 1 to 80 letters, digits and . _ : - for the key, a letter or digit first."
            )


async def give_credit(
    connection: AsyncConnection, user: User, credit: Credit, by: Actor, at_ms: int, *, requested_by: str | None = None
) -> bool:
    """Returns True if the money moved now, False if it had moved under this key before.

    `requested_by` is the first person, where two decide.
    """
    if not user.role.has_wallet:
        raise Refusal(Code.FORBIDDEN, f"{user.name} is a {user.role}. Only players have a wallet.")
    source, destination = accounts.credit(user.currency), player_cash(user.id, user.currency)
    postings = (move(credit.amount_minor, source, destination),)
    operation = Operation(f"credit:{credit.key}", "credit", postings, by.name, credit.reason)
    book = Book(connection)
    await book.balances([destination.id])  # before the shared account of credits
    await book.open_accounts([source])
    if (await book.post(operation, at_ms)).is_repeat:
        return False
    after = {"amount_minor": credit.amount_minor, "currency": user.currency, "key": credit.key}
    if requested_by is not None:
        after["requested_by"] = requested_by
    entry = audit_log.Entry(by.name, by.role, "credit", f"user {user.id}", credit.reason, after=after)
    await audit_log.write(connection, entry, at_ms)
    return True


async def lock_credits(connection: AsyncConnection, currency: str) -> None:
    """Locks the account of credits early, for a credit that follows another audit entry: accounts come first."""
    book, account = Book(connection), accounts.credit(currency)
    await book.open_accounts([account])
    await book.balances([account.id])
