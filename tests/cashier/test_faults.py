"""Provider failures of every kind, in both directions, with and without a restart in between.

After each step the books are right; in the end the money has moved once, or not at all, as the provider says.
"""

from dataclasses import dataclass
from typing import Literal

import pytest

from casino.cashier.payments import Payment
from casino.cashier.provider import Order, Status, Verdict
from casino.storage.database import Database
from casino.users.users import User
from tests.cashier.faulty import Fault, FaultyProvider
from tests.cashier.window import PURSE, Window

AMOUNT = 4_000
SAYS_YES = Verdict(Status.SUCCEEDED, "by webhook")
SAYS_NO = Verdict(Status.FAILED, "by webhook", "Taken back.")


@dataclass(frozen=True)
class Story:
    """What the requests meet with; what the provider tells by itself after the first, and at the end; and the end."""

    faults: tuple[Fault, ...]
    ends: Literal["succeeded", "failed"]
    notified: tuple[Verdict, ...] = ()
    notified_late: tuple[Verdict, ...] = ()
    contradicts: bool = False


STORIES = {
    "all is well": Story((), "succeeded"),
    "failure at once": Story((Fault.REFUSED,), "failed"),
    "exception, then success": Story((Fault.EXCEPTION,), "succeeded"),
    "many exceptions, then failure": Story((*[Fault.EXCEPTION] * 4, Fault.REFUSED), "failed"),
    "timeout, then success": Story((Fault.SILENCE,), "succeeded"),
    "timeout, then failure": Story((Fault.SILENCE, Fault.REFUSED), "failed"),
    "done, and the answer lost": Story((Fault.ANSWER_LOST,), "succeeded"),
    "refused, and the answer lost": Story((Fault.REFUSAL_LOST,), "failed"),
    "pending, then asked again": Story((Fault.SLOW, Fault.SLOW), "succeeded"),
    "pending, then a webhook": Story((Fault.SLOW,), "succeeded", notified=(SAYS_YES,)),
    "pending, then a webhook that fails it": Story((Fault.SLOW,), "failed", notified=(SAYS_NO,)),
    "webhook that knows nothing yet": Story((Fault.SLOW,), "succeeded", notified=(Verdict(Status.PENDING),)),
    "duplicate webhooks": Story((Fault.SLOW,), "succeeded", notified=(SAYS_YES,) * 3),
    "late webhook after the retry": Story((Fault.SILENCE,), "succeeded", notified_late=(SAYS_YES, SAYS_YES)),
    "webhook takes a success back": Story((), "succeeded", notified_late=(SAYS_NO,), contradicts=True),
    "webhook takes a failure back": Story((Fault.REFUSED,), "failed", notified_late=(SAYS_YES,), contradicts=True),
}


class Payer:
    """One payment of one person, as seen from outside."""

    def __init__(self, window: Window, provider: FaultyProvider, user: User, kind: str) -> None:
        self.window, self.provider, self.user, self.kind = window, provider, user, kind

    async def ask(self) -> Payment:
        cashier = self.window.cashier
        pay = cashier.deposit if self.kind == "deposit" else cashier.withdraw
        return await pay(self.user, AMOUNT, "the one key")

    async def check(self, status: str) -> None:
        """The account that holds the money in this state of the payment."""
        change = AMOUNT if self.kind == "deposit" else -AMOUNT
        has = {"succeeded": PURSE + change, "failed": PURSE, "pending": PURSE + min(change, 0)}[status]
        assert await self.window.money(self.user) == (has, has)
        waits = self.kind == "withdrawal" and status == "pending"
        assert await self.window.on_its_way() == (AMOUNT if waits else 0)


async def play(story: Story, kind: str, window: Window, *, restarts: bool) -> None:
    """The service may be killed after every step."""
    provider = window.provider = FaultyProvider(story.faults)
    window.cashier = window.opened()
    payer = Payer(window, provider, await window.person(), kind)

    async def step(payment: Payment) -> Payment:
        await payer.check(payment.status)
        if restarts:
            window.reopen()
        return payment

    payment = await step(await payer.ask())
    for verdict in story.notified:
        if verdict.status is not Status.PENDING:
            provider.decide(payment.id, verdict.status)
        payment = await step(await window.cashier.confirm(payment.id, verdict))
    for _ in range(len(story.faults)):
        if payment.status is Status.PENDING:
            assert payment.retry_ms is not None
            window.now_ms = payment.retry_ms
            assert await window.cashier.retry_due() == 1
            payment = (await window.cashier.payments(payer.user, 1))[0]
            await step(payment)
    assert payment.status == story.ends
    contradicted = await window.audited("payment_contradicted")
    for verdict in story.notified_late:
        assert await step(await window.cashier.confirm(payment.id, verdict)) == payment
    assert await window.audited("payment_contradicted") - contradicted == int(story.contradicts)
    window.now_ms += 86_400_000
    assert await window.cashier.retry_due() == 0, "what has ended is not asked for again"
    asked = len(provider.asked)
    assert await step(await payer.ask()) == payment, "the same key gives the first answer"
    assert len(provider.asked) == asked
    assert set(provider.asked) == {payment.id}, "always the same id"


@pytest.mark.req("LED-5")
@pytest.mark.parametrize("story", STORIES)
async def test_money_moves_once_or_not_at_all(story: str, database: Database) -> None:
    window = Window(database, FaultyProvider())
    for kind in ("deposit", "withdrawal"):
        for restarts in (False, True):
            await play(STORIES[story], kind, window, restarts=restarts)
            await window.verified()


@pytest.mark.req("LED-5")
@pytest.mark.parametrize("status", ["succeeded", "failed"])
async def test_webhook_may_overtake_the_answer(status: str, database: Database) -> None:
    """The provider tells by itself before it has answered, and then answers the same."""
    verdict = Verdict(Status(status), "first")

    class Hasty:
        async def pay(self, order: Order) -> Verdict:
            await window.cashier.confirm(order.payment_id, verdict)
            return verdict

    window = Window(database, Hasty(), patience_seconds=60.0)
    for kind in ("deposit", "withdrawal"):
        payer = Payer(window, FaultyProvider(), await window.person(), kind)
        assert (await payer.ask()).status == status
        await payer.check(status)
    assert await window.audited("payment_contradicted") == 0
