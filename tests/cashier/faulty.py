"""Faulty payment provider: fails as real ones do, and keeps a record of the payments it really made."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from casino.cashier.provider import Order, Status, Verdict


class Fault(StrEnum):
    """What one request meets with."""

    NONE = "none"
    REFUSED = "refused"  # it says no, for good
    EXCEPTION = "exception"  # the connection breaks before the request arrives
    SILENCE = "silence"  # the request does not arrive, and no reply comes
    ANSWER_LOST = "answer lost"  # it is done, and the reply is lost
    REFUSAL_LOST = "refusal lost"  # it is refused, and the reply is lost
    SLOW = "slow"  # it takes it, and will tell later


@dataclass
class FaultyProvider:
    """Meets the requests for each payment with these faults in turn, and then with none.

    As a real one it outlives the service: `done` is what it has decided, `asked` every request it was sent.
    """

    faults: Sequence[Fault] = ()
    done: dict[str, Status] = field(default_factory=dict)
    orders: dict[str, Order] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def pay(self, order: Order) -> Verdict:
        number = self.asked.count(order.payment_id)
        self.asked.append(order.payment_id)
        assert self.orders.setdefault(order.payment_id, order) == order, "the same id always means the same payment"
        fault = self.faults[number] if number < len(self.faults) else Fault.NONE
        match fault:
            case Fault.EXCEPTION:
                raise ConnectionError("the provider hung up")
            case Fault.SILENCE:
                await asyncio.sleep(3600)
            case Fault.ANSWER_LOST:
                self.decide(order.payment_id, Status.SUCCEEDED)
                await asyncio.sleep(3600)
            case Fault.REFUSAL_LOST:
                self.decide(order.payment_id, Status.FAILED)
                raise ConnectionError("the provider hung up")
            case Fault.SLOW:
                return Verdict(Status.PENDING, "in progress")
            case Fault.REFUSED:
                self.decide(order.payment_id, Status.FAILED)
        return self.decide(order.payment_id, Status.SUCCEEDED)

    def decide(self, payment_id: str, status: Status) -> Verdict:
        """Once for each payment, whatever is asked later."""
        decided = self.done.setdefault(payment_id, status)
        return Verdict(decided, f"ref-{payment_id}", "The card was declined." if decided is Status.FAILED else "")
