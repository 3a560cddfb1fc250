"""Money given to a player by the back office: from the cashier's account to the player's, once for each key."""

import re
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.ledger.accounts import cashier, player_cash
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.money import MINOR_MAX
from casino.people.roles import Actor
from casino.people.users import User

REASON_LENGTH_MAX: Final = 200
_KEY: Final = re.compile(r"[!-~]{1,80}")  # what can be seen in ASCII


@dataclass(frozen=True, slots=True)
class Credit:
    """`key` makes it happen once: asked for again with the same input, it has the same outcome and moves nothing."""

    amount_minor: int
    reason: str
    key: str

    def __post_init__(self) -> None:
        if not 0 < self.amount_minor <= MINOR_MAX:
            raise Refusal(Code.BAD_REQUEST, "The amount of a credit is more than 0 and has an upper bound.")
        if not self.reason.strip() or len(self.reason) > REASON_LENGTH_MAX or not self.reason.isprintable():
            raise Refusal(
                Code.BAD_REQUEST, f"A credit has a reason, in one line of at most {REASON_LENGTH_MAX} characters."
            )
        if not _KEY.fullmatch(self.key):
            raise Refusal(Code.BAD_REQUEST, "A key is 1 to 80 visible ASCII characters.")


async def give_credit(connection: AsyncConnection, user: User, credit: Credit, by: Actor, at_ms: int) -> bool:
    """True if the money moved now, False if it had moved under this key before."""
    if not user.role.has_wallet:
        raise Refusal(Code.FORBIDDEN, f"{user.name} is a {user.role} and has no wallet: only players have one.")
    source, destination = cashier(user.currency), player_cash(user.id, user.currency)
    postings = (move(credit.amount_minor, source, destination),)
    operation = Operation(f"credit:{credit.key}", "credit", postings, by.name, credit.reason)
    book = Book(connection)
    await book.balances([destination.id])  # locked before the account that everybody shares
    await book.open_accounts([source])
    if (await book.post(operation, at_ms)).is_repeat:
        return False
    after = {"amount_minor": credit.amount_minor, "currency": user.currency, "key": credit.key}
    entry = audit_log.Entry(by.name, by.role, "credit", f"user {user.id}", credit.reason, after=after)
    await audit_log.write(connection, entry, at_ms)
    return True


async def lock_cashier(connection: AsyncConnection, currency: str) -> None:
    """For whoever gives a credit after something else that the audit log is told: accounts are locked before it."""
    book, account = Book(connection), cashier(currency)
    await book.open_accounts([account])
    await book.balances([account.id])
