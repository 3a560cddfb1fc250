"""The cashier: takes a wish for money in or out, asks the provider, and lets the ledger follow its verdict.

What is wished for is stored before the provider is asked, under an id that stays: so whatever breaks off where, the
same thing is asked for again, also after a restart, until there is a verdict. A verdict is never guessed. Money comes
in when the provider says that it has; money goes out of the player's hands before the provider is asked to pay it.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.cashier.payments import Kind, Payment, Payments
from casino.cashier.provider import PaymentProvider, Status, Verdict
from casino.clock import Clock, wall_clock
from casino.crash import crash_point
from casino.errors import Code, Refusal
from casino.ledger.book import Balance
from casino.money import format_amount
from casino.people.protection.allowance import verify_deposit
from casino.people.protection.safeguards import safeguards_of
from casino.people.users import User
from casino.settings import HouseSettings
from casino.storage.database import Database

PROVIDER_SECONDS_MAX: Final = 10.0
"""Less than the time after which a payment is tried again."""

PENDING_MAX: Final = 20
"""Of one player: more than anybody needs, and a bound on what the provider is asked for."""

LOOK_SECONDS: Final = 1.0
RETRIED_AT_ONCE: Final = 20

Tell = Callable[[str, int, int], None]
"""Told a player, the balance and what of it is available, after they have changed."""

_log = structlog.get_logger()


class Cashier:
    def __init__(
        self,
        database: Database,
        provider: PaymentProvider,
        house: HouseSettings,
        *,
        tell: Tell | None = None,
        clock: Clock = wall_clock,
        provider_seconds_max: float = PROVIDER_SECONDS_MAX,
    ) -> None:
        self._database = database
        self._provider = provider
        self._bounds = house.cashier
        self._money = house.service.currency
        self._tell = tell or _nobody
        self._clock = clock
        self._provider_seconds_max = provider_seconds_max

    def may_withdraw(self, user: User) -> bool:
        """Play money stays in the house: it never was anybody's money. Whatever is not in the currency of the house is
        play money, also that of guests who came when it had another name."""
        return user.currency == self._money

    async def deposit(self, user: User, amount: int, key: str) -> Payment:
        return await self._pay(user, "deposit", amount, key)

    async def withdraw(self, user: User, amount: int, key: str) -> Payment:
        return await self._pay(user, "withdrawal", amount, key)

    async def payments(self, user: User, limit: int, before: str | None = None) -> Sequence[Payment]:
        """The player's own, newest first."""
        async with self._database.reading() as connection:
            return await Payments(connection).of(user.id, limit, before)

    async def confirm(self, payment_id: str, verdict: Verdict) -> Payment:
        """The provider tells by itself; as often as it likes, and in any order with what it answers."""
        return await self._note(payment_id, verdict)

    async def retry_due(self) -> int:
        """Ask again for what has no verdict yet; the answer is how many were asked for."""
        async with self._database.reading() as connection:
            due = await Payments(connection).due(self._clock(), RETRIED_AT_ONCE)
        await asyncio.gather(*(self._ask(payment) for payment in due))
        return len(due)

    async def run(self) -> None:
        """Until it is cancelled. What is due is found in the books, so a restart forgets nothing."""
        while True:
            try:
                await self.retry_due()
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next look tells
                _log.warning("payments_not_retried", exc_info=error)
            await asyncio.sleep(LOOK_SECONDS)

    # One payment

    async def _pay(self, user: User, kind: Kind, amount: int, key: str) -> Payment:
        async def begin(connection: AsyncConnection) -> tuple[Payment, bool]:
            payments, now_ms = Payments(connection), self._clock()
            purse = await payments.purse(user.id)
            known = await payments.known(user.id, key)
            if known is not None:
                _verify_same(known, kind, amount)
                return known, False
            if await payments.pending_of(user.id) >= PENDING_MAX:
                raise Refusal(Code.RATE_LIMITED, "Too many of your payments are still under way. Please wait.")
            self._verify_amount(amount, user.currency)
            if kind == "deposit":
                await self._verify_deposit(connection, user, amount, purse, now_ms)
            else:
                self._verify_withdrawal(user, amount, purse)
            return await payments.begin(user, kind, amount=amount, key=key, purse=purse, now_ms=now_ms), True

        payment, is_new = await self._database.stored(begin)
        if is_new:
            crash_point("payment_begun")
            if kind == "withdrawal":
                self._tell(user.id, payment.balance, payment.available)
        return payment if payment.status is not Status.PENDING else await self._ask(payment)

    async def _ask(self, payment: Payment) -> Payment:
        verdict = None
        try:
            async with asyncio.timeout(self._provider_seconds_max):
                verdict = await self._provider.pay(payment.order)
        except Exception as error:  # noqa: BLE001  whatever it was: nobody knows whether the money has moved
            is_network = isinstance(error, OSError)  # a timeout is one too
            _log.warning(
                "payment_unknown", payment_id=payment.id, failure=type(error).__name__, exc_info=not is_network
            )
        crash_point("payment_answered")
        return await self._note(payment.id, verdict)

    async def _note(self, payment_id: str, verdict: Verdict | None) -> Payment:
        async def note(connection: AsyncConnection) -> tuple[Payment, bool]:
            payments, now_ms = Payments(connection), self._clock()
            payment = await payments.locked(payment_id)
            if payment is None:
                raise Refusal(Code.NOT_FOUND, "There is no such payment.")
            if payment.status is not Status.PENDING:
                await _note_contradiction(connection, payment, verdict, now_ms)
                return payment, False
            if verdict is None or verdict.status is Status.PENDING:
                return await payments.put_off(payment, verdict.reference if verdict else "", now_ms), False
            return await payments.end(payment, verdict, now_ms), True

        payment, is_moved = await self._database.stored(note)
        if is_moved:
            crash_point("payment_ended")
            self._tell(payment.player_id, payment.balance, payment.available)
        return payment

    # What is refused

    def _verify_amount(self, amount: int, currency: str) -> None:
        bounds = self._bounds
        if amount < bounds.amount_min:
            least = format_amount(bounds.amount_min, currency)
            raise Refusal(Code.BELOW_MINIMUM, f"The smallest amount is {least} {currency}.")
        if amount > bounds.amount_max:
            most = format_amount(bounds.amount_max, currency)
            raise Refusal(Code.ABOVE_MAXIMUM, f"The largest amount is {most} {currency}.")

    async def _verify_deposit(
        self, connection: AsyncConnection, user: User, amount: int, purse: Balance, now_ms: int
    ) -> None:
        own = (await safeguards_of(connection, [user.id], now_ms)).get(user.id, [])
        verify_deposit(own, amount, user.currency, now_ms)
        most = self._bounds.guest_balance_max
        if user.currency != self._money and purse.balance + amount > most:
            told = f"{format_amount(most, user.currency)} {user.currency}"
            raise Refusal(Code.ABOVE_MAXIMUM, f"Play money can be topped up to {told} and no further.")

    def _verify_withdrawal(self, user: User, amount: int, purse: Balance) -> None:
        if not self.may_withdraw(user):
            raise Refusal(Code.FORBIDDEN, "Play money cannot be withdrawn.")
        if amount > purse.available:
            raise Refusal(Code.INSUFFICIENT_FUNDS, "You do not have that much that is not in an open bet.")


def _nobody(_player_id: str, _balance: int, _available: int) -> None:
    """Nobody listens."""


def _verify_same(known: Payment, kind: Kind, amount: int) -> None:
    if (known.kind, known.amount) != (kind, amount):
        raise Refusal(Code.KEY_REUSED, "This key was used for another payment.")


async def _note_contradiction(
    connection: AsyncConnection, payment: Payment, verdict: Verdict | None, now_ms: int
) -> None:
    """What has ended stays ended. People have to find out what the provider really did, and put it right."""
    if verdict is None or verdict.status in (Status.PENDING, payment.status):
        return
    _log.error("payment_contradicted", payment_id=payment.id, status=payment.status, said=verdict.status)
    entry = audit_log.Entry(
        "payment provider",
        "system",
        "payment_contradicted",
        f"payment {payment.id}",
        "The provider has changed its verdict; no money was moved.",
        {"status": payment.status},
        {"status": verdict.status, "reference": verdict.reference[:120]},
    )
    await audit_log.write(connection, entry, now_ms)
