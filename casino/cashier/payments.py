"""Payment rows within one transaction: their status, and the ledger operations that belong to it."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from sqlalchemy import Row, Select, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cashier.provider import Order, Status, Verdict
from casino.errors import Code, Refusal
from casino.ledger import accounts, payments
from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Balance, Book
from casino.observability.crash_points import crash_point
from casino.storage import schema
from casino.users.users import User

FIRST_RETRY_MS: Final = 15_000
RETRY_MS_MAX: Final = 600_000
REFERENCE_LENGTH_MAX: Final = 120
REASON_LENGTH_MAX: Final = 300

Kind = Literal["deposit", "withdrawal"]
_table = schema.payments


@dataclass(frozen=True, slots=True)
class Payment:
    """`balance` and `available` are the player's when the status last changed."""

    id: str
    player_id: str
    key: str
    kind: Kind
    amount: int
    currency: str
    status: Status
    reason: str
    reference: str
    asked_ms: int
    ended_ms: int | None
    tries: int
    retry_ms: int | None
    balance: int
    available: int

    @property
    def order(self) -> Order:
        return Order(self.id, self.player_id, self.kind, self.amount, self.currency)

    @property
    def paid(self) -> payments.Paid:
        return payments.Paid(self.id, self.player_id, self.kind, self.amount, self.currency)


class Payments:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._book = Book(connection)

    async def purse(self, player_id: str) -> Balance:
        """Locks and returns the player's balance until the transaction ends."""
        return (await self._book.balances([player_cash_id(player_id)]))[player_cash_id(player_id)]

    async def known(self, player_id: str, key: str) -> Payment | None:
        return await self._one(_all().where(_table.c.player_id == player_id, _table.c.key == key))

    async def locked(self, payment_id: str) -> Payment | None:
        return await self._one(_all().where(_table.c.id == payment_id).with_for_update())

    async def pending_of(self, player_id: str) -> int:
        own = select(func.count()).where(_table.c.player_id == player_id, _table.c.status == Status.PENDING)
        return (await self._connection.execute(own)).scalar_one()

    async def of(self, player_id: str, limit: int, before: str | None) -> Sequence[Payment]:
        """Newest first; `before` is the id of one of the player's own payments."""
        order = (_table.c.asked_ms, _table.c.id)
        query = _all().where(_table.c.player_id == player_id)
        if before is not None:
            earlier = select(*order).where(_table.c.id == before, _table.c.player_id == player_id)
            row = (await self._connection.execute(earlier)).first()
            if row is None:
                raise Refusal(Code.BAD_REQUEST, "before: use a value that an earlier page gave as `next`.")
            query = query.where(tuple_(*order) < (row.asked_ms, row.id))
        rows = await self._connection.execute(query.order_by(*(column.desc() for column in order)).limit(limit))
        return [_payment(row) for row in rows]

    async def due(self, now_ms: int, limit: int) -> Sequence[Payment]:
        query = _all().where(_table.c.retry_ms <= now_ms).order_by(_table.c.retry_ms).limit(limit)
        return [_payment(row) for row in await self._connection.execute(query)]

    async def begin(self, user: User, kind: Kind, *, amount: int, key: str, purse: Balance, now_ms: int) -> Payment:
        """A withdrawal leaves the player's account at once, so that the player cannot bet it while it is pending."""
        payment = Payment(
            id=secrets.token_urlsafe(12),
            player_id=user.id,
            key=key,
            kind=kind,
            amount=amount,
            currency=user.currency,
            status=Status.PENDING,
            reason="",
            reference="",
            asked_ms=now_ms,
            ended_ms=None,
            tries=0,
            retry_ms=now_ms + FIRST_RETRY_MS,
            balance=purse.balance - (amount if kind == "withdrawal" else 0),
            available=purse.available - (amount if kind == "withdrawal" else 0),
        )
        if kind == "withdrawal":
            await self._book.open_accounts([accounts.withdrawal(payment.id, payment.currency)])
            await self._book.post(payments.withdraw(payment.paid), now_ms)
        values = {column.name: getattr(payment, column.name) for column in _table.columns}
        await self._connection.execute(_table.insert(), values)
        crash_point("payment_begun_not_committed")
        return payment

    async def end(self, payment: Payment, verdict: Verdict, now_ms: int) -> Payment:
        """The money goes where it belongs, once."""
        assert payment.status is Status.PENDING, "a payment ends once"
        assert verdict.status is not Status.PENDING
        before = {operation.key for operation in payments.demanded(payment.paid, Status.PENDING)}
        await self.purse(payment.player_id)  # lock order: before the cashier's account
        await self._book.open_accounts([accounts.cashier(payment.currency)])
        for operation in payments.demanded(payment.paid, verdict.status):
            if operation.key not in before:
                await self._book.post(operation, now_ms)
        crash_point("payment_moved_not_committed")
        purse = await self.purse(payment.player_id)
        ended = replace(
            payment,
            status=verdict.status,
            reason=verdict.reason[:REASON_LENGTH_MAX] if verdict.status is Status.FAILED else "",
            reference=verdict.reference[:REFERENCE_LENGTH_MAX],
            ended_ms=now_ms,
            tries=payment.tries + 1,
            retry_ms=None,
            balance=purse.balance,
            available=purse.available,
        )
        await self._store(ended)
        return ended

    async def put_off(self, payment: Payment, reference: str, now_ms: int) -> Payment:
        """Outcome unknown: the request is repeated, with growing delays."""
        wait_ms = min(FIRST_RETRY_MS << min(payment.tries, 10), RETRY_MS_MAX)
        later = replace(
            payment,
            reference=reference[:REFERENCE_LENGTH_MAX] or payment.reference,
            tries=payment.tries + 1,
            retry_ms=now_ms + wait_ms,
        )
        await self._store(later)
        return later

    async def _store(self, payment: Payment) -> None:
        names = ("status", "reason", "reference", "ended_ms", "tries", "retry_ms", "balance", "available")
        values = {name: getattr(payment, name) for name in names}
        await self._connection.execute(update(_table).where(_table.c.id == payment.id).values(values))

    async def _one(self, query: Select[Any]) -> Payment | None:
        row = (await self._connection.execute(query)).first()
        return _payment(row) if row is not None else None


def _all() -> Select[Any]:
    return select(_table)


def _payment(row: Row[Any]) -> Payment:
    fields = dict(row._mapping)  # noqa: SLF001  its public name for the columns
    return Payment(**fields | {"status": Status(row.status)})
