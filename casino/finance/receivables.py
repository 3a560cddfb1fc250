"""Receivables of finance: what players owe, and the decision of two people to net a debt or to write it off."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.finance.account_names import names_of, owner_id
from casino.ledger import accounts as ledger_accounts
from casino.ledger import receivables
from casino.ledger.book import Balance, Book
from casino.ledger.receivables import Debt
from casino.money import format_amount
from casino.storage.schema import accounts
from casino.users.requests import OpenRequest, RequestKind, open_request
from casino.users.roles import Person
from casino.wire.common import Minor

_NO_BALANCE = Balance("", 0, 0)


class Receivable(TypedDict):
    player_id: str
    player: str
    currency: str
    owed: Minor
    available: Minor
    """Of the player's balance: at most this much can be netted now."""
    account: str


class Receivables(TypedDict):
    rows: list[Receivable]


async def open_receivables(connection: AsyncConnection) -> Receivables:
    owed = select(accounts).where(accounts.c.kind == "receivable", accounts.c.balance < 0).order_by(accounts.c.id)
    found = (await connection.execute(owed)).all()
    names = await names_of(connection, (owner_id(row.id) for row in found))
    cash_ids = [ledger_accounts.player_cash_id(owner_id(row.id)) for row in found]
    cash = (await connection.execute(select(accounts).where(accounts.c.id.in_(cash_ids)))).all()
    available = {row.id: row.balance - row.held for row in cash}
    rows: list[Receivable] = [
        {
            "player_id": owner_id(row.id),
            "player": names.get(owner_id(row.id), ""),
            "currency": row.currency,
            "owed": -row.balance,
            "available": available.get(ledger_accounts.player_cash_id(owner_id(row.id)), 0),
            "account": row.id,
        }
        for row in found
    ]
    return {"rows": rows}


async def verify_debt(connection: AsyncConnection, kind: RequestKind, debt: Debt) -> None:
    """Locks the accounts and refuses more than is owed, and more than the player has."""
    owed = ledger_accounts.receivable(debt.player_id, debt.currency)
    cash = ledger_accounts.player_cash_id(debt.player_id)
    book = Book(connection)
    await book.open_accounts([ledger_accounts.house(debt.currency)])
    found = await book.balances([cash, ledger_accounts.house(debt.currency).id, owed.id])
    open_amount = -found.get(owed.id, _NO_BALANCE).balance
    if debt.amount > open_amount:
        text = f"The player owes {format_amount(open_amount, debt.currency)} {debt.currency}. Enter no more than that."
        raise Refusal(Code.BAD_REQUEST, text)
    available = found.get(cash, _NO_BALANCE).available
    if kind is RequestKind.RECOVERY and debt.amount > available:
        amount = format_amount(available, debt.currency)
        text = f"The player has {amount} {debt.currency} available. Net no more than that, or wait for later winnings."
        raise Refusal(Code.INSUFFICIENT_FUNDS, text)


async def settle_debt(connection: AsyncConnection, found: OpenRequest, by: Person, now_ms: int) -> None:
    """Posts the approved decision and writes it into the audit log, in the caller's transaction."""
    wanted = found.wanted
    assert wanted.amount is not None
    assert wanted.currency is not None
    debt = Debt(wanted.target, wanted.currency, wanted.amount)
    await Book(connection).balances([ledger_accounts.player_cash_id(debt.player_id)])  # waits for another approval
    await open_request(connection, found.id)
    await verify_debt(connection, wanted.kind, debt)
    made = receivables.operation(wanted.kind, found.id, debt, by.name, wanted.reason)
    await Book(connection).post(made, now_ms)
    after = {
        "amount_minor": debt.amount,
        "currency": debt.currency,
        "key": found.id,
        "requested_by": found.requested_by.name,
    }
    entry = audit_log.Entry(by.name, by.role, wanted.kind, f"user {debt.player_id}", wanted.reason, after=after)
    await audit_log.write(connection, entry, now_ms)
