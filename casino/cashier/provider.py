"""Payment provider interface, and an implementation that pays play money.

A real provider answers over a network: late, twice, or not at all. A payment keeps one id, which serves as the
idempotency key: repeating a request moves no money again, and a request without an answer is repeated.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol


class Status(StrEnum):
    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Order:
    """A request to the provider. A deposit takes from the person, a withdrawal pays out."""

    payment_id: str
    player_id: str
    kind: Literal["deposit", "withdrawal"]
    amount_minor: int
    currency: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """State of the payment; `reference` is the provider's name for it, `reason` a sentence if it failed."""

    status: Status
    reference: str = ""
    reason: str = ""


class PaymentProvider(Protocol):
    async def pay(self, order: Order) -> Verdict:
        """Executes the payment, or returns its state if it was requested before.

        An exception, or no answer in time, leaves it unknown. Pending means that it will be known later: by asking
        again, or because the provider sends a notification (`Cashier.confirm`).
        """


class PlayMoney:
    """Embedded provider without a bank: every payment succeeds at once."""

    async def pay(self, order: Order) -> Verdict:
        return Verdict(Status.SUCCEEDED, f"play-money {order.payment_id}")

    async def orders_since(self, at_ms: int) -> tuple[Order, ...]:  # noqa: ARG002  it remembers nothing
        return ()
