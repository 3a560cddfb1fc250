"""Cashier: requests deposits and withdrawals from the payment provider and posts their outcome to the ledger.

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
from casino.cashier.provider import PaymentProvider, PlayMoney, Status, Verdict
from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.ledger.book import Balance
from casino.observability.crash_points import crash_point
from casino.refusals import Reason
from casino.responsible_gaming.allowance import verify_deposit
from casino.responsible_gaming.player_limits import player_limits_of
from casino.settings import ServiceSettings
from casino.storage.database import Database
from casino.users.users import User

PROVIDER_SECONDS_MAX: Final = 10.0
"""Less than the time after which a payment is tried again."""

PENDING_MAX: Final = 20
"""Open payments of one player: more than any player needs, and a bound on requests to the provider."""

LOOK_SECONDS: Final = 1.0
RETRIED_AT_ONCE: Final = 20

OnChanged = Callable[[str, int, int], None]
"""Receives a player, the balance and the available part of it after a change."""

_log = structlog.get_logger()


class Cashier:
    def __init__(
        self,
        database: Database,
        provider: PaymentProvider | None,
        settings: ServiceSettings,
        *,
        on_changed: OnChanged | None = None,
        clock: Clock = wall_clock,
        provider_seconds_max: float = PROVIDER_SECONDS_MAX,
    ) -> None:
        """Without a provider only play money can be topped up: the embedded one must be named for real money."""
        self._database = database
        self._provider = provider
        self._play_money = provider or PlayMoney()
        self._play_currency = settings.guests.currency
        self._bounds = settings.cashier
        self._on_changed = on_changed or _ignore
        self._clock = clock
        self._provider_seconds_max = provider_seconds_max

    def may_withdraw(self, user: User) -> bool:
        """Refuses play money: no player ever paid for it."""
        return not user.is_play_money

    async def deposit(self, user: User, amount: int, key: str) -> Payment:
        return await self._pay(user, "deposit", amount, key)

    async def withdraw(self, user: User, amount: int, key: str) -> Payment:
        return await self._pay(user, "withdrawal", amount, key)

    async def payments(self, user: User, limit: int, before: str | None = None) -> Sequence[Payment]:
        """The player's own, newest first."""
        async with self._database.reading() as connection:
            return await Payments(connection).of(user.id, limit, before)

    async def confirm(self, payment_id: str, verdict: Verdict) -> Payment:
        """Takes a notification of the provider: repeated, or before or after the provider's answers."""
        return await self._note(payment_id, verdict)

    async def retry_due(self) -> int:
        """Ask again for what has no verdict yet; the answer is how many were asked for."""
        async with self._database.reading() as connection:
            due = await Payments(connection).due(self._clock(), RETRIED_AT_ONCE)
        await asyncio.gather(*(self._ask(payment) for payment in due))
        return len(due)

    async def run(self) -> None:
        """Runs until it is cancelled. Due work is found in the books, so a restart forgets nothing."""
        while True:
            try:
                await self.retry_due()
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next attempt follows
                _log.warning("payment_retry_failed", exc_info=error)
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
                raise Reason.PAYMENTS_PENDING.refusal()
            self._verify_provider(user)
            self._verify_amount(amount, user.currency)
            if kind == "deposit":
                await self._verify_deposit(connection, user, amount, purse, now_ms)
            else:
                self._verify_withdrawal(user, amount, purse)
            return await payments.begin(user, kind, amount=amount, key=key, purse=purse, now_ms=now_ms), True

        payment, is_new = await self._database.run_transaction(begin)
        if is_new:
            crash_point("payment_begun")
            if kind == "withdrawal":
                self._on_changed(user.id, payment.balance, payment.available)
        return payment if payment.status is not Status.PENDING else await self._ask(payment)

    async def _ask(self, payment: Payment) -> Payment:
        verdict, provider = None, self._provider
        if payment.currency == self._play_currency:
            provider = self._play_money
        if provider is None:  # it was removed from the configuration: the payment waits for its verdict
            return await self._note(payment.id, None)
        try:
            async with asyncio.timeout(self._provider_seconds_max):
                verdict = await provider.pay(payment.order)
        except Exception as error:  # noqa: BLE001  after any error the outcome of the payment is unknown
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

        payment, is_moved = await self._database.run_transaction(note)
        if is_moved:
            crash_point("payment_ended")
            self._on_changed(payment.player_id, payment.balance, payment.available)
        return payment

    # Refusals

    def _verify_provider(self, user: User) -> None:
        if self._provider is None and not user.is_play_money:
            raise Reason.NO_PAYMENTS.refusal()

    def _verify_amount(self, amount: int, currency: str) -> None:
        bounds = self._bounds
        if amount < bounds.amount_min:
            raise Reason.PAYMENT_BELOW_MINIMUM.refusal(minimum=bounds.amount_min, currency=currency)
        if amount > bounds.amount_max:
            raise Reason.PAYMENT_ABOVE_MAXIMUM.refusal(maximum=bounds.amount_max, currency=currency)

    async def _verify_deposit(
        self, connection: AsyncConnection, user: User, amount: int, purse: Balance, now_ms: int
    ) -> None:
        own = (await player_limits_of(connection, [user.id], now_ms)).get(user.id, [])
        verify_deposit(own, amount, user.currency, now_ms)
        most = self._bounds.guest_balance_max
        if user.is_play_money and purse.balance + amount > most:
            raise Reason.PLAY_MONEY_FULL.refusal(maximum=most, currency=user.currency)

    def _verify_withdrawal(self, user: User, amount: int, purse: Balance) -> None:
        if not self.may_withdraw(user):
            raise Reason.NO_PLAY_MONEY_WITHDRAWAL.refusal()
        if amount > purse.available:
            raise Reason.ABOVE_AVAILABLE.refusal()


def _ignore(_player_id: str, _balance: int, _available: int) -> None:
    """Default listener: does nothing."""


def _verify_same(known: Payment, kind: Kind, amount: int) -> None:
    if (known.kind, known.amount) != (kind, amount):
        raise Reason.KEY_REUSED.refusal()


async def _note_contradiction(
    connection: AsyncConnection, payment: Payment, verdict: Verdict | None, now_ms: int
) -> None:
    """An ended payment stays ended. People have to find out what the provider really did, and correct it."""
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
