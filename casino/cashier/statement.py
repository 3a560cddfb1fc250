"""Compares the provider's payments with the books: unknown ones show that an older state was restored."""

from collections.abc import Sequence
from typing import Final, Protocol

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cashier.provider import Order
from casino.storage.schema import payments

OVERLAP_MS: Final = 24 * 3_600_000
"""Orders of the last day before the newest payment in the books are compared too: clocks differ, and so does order."""

_ASKED_AT_ONCE: Final = 500
_NAMED_MAX: Final = 5


class PaymentStatement(Protocol):
    async def orders_since(self, at_ms: int) -> Sequence[Order]:
        """Every order the provider was asked for since then, whatever became of it."""


async def unknown_orders(connection: AsyncConnection, statement: PaymentStatement) -> str | None:
    """A sentence that names them, or None if the books know every order of the statement."""
    newest = await connection.scalar(select(func.max(payments.c.asked_ms)))
    orders = await statement.orders_since(max(0, (newest or 0) - OVERLAP_MS))
    ids = [order.payment_id for order in orders]
    unknown: list[str] = []
    for start in range(0, len(ids), _ASKED_AT_ONCE):
        some = ids[start : start + _ASKED_AT_ONCE]
        known = set((await connection.execute(select(payments.c.id).where(payments.c.id.in_(some)))).scalars())
        unknown += (id_ for id_ in some if id_ not in known)
    if not unknown:
        return None
    named = ", ".join(unknown[:_NAMED_MAX]) + (" and more" if len(unknown) > _NAMED_MAX else "")
    return f"the payment provider knows {len(unknown)} payments that the books do not ({named})"
