"""Cashier routes: deposits, withdrawals and their list, and the webhook of the payment provider.

The webhook (`POST /api/cashier/confirm`) has no session; it must be signed. `X-Signature` is the hexadecimal
HMAC-SHA256 of the body under the shared secret.
"""

import hashlib
import hmac
import re
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field, SecretStr
from typing_extensions import TypedDict

from casino.cashier.cashier import Cashier
from casino.cashier.payments import Payment
from casino.cashier.provider import Status, Verdict
from casino.errors import Code, Refusal
from casino.http.authorization import PUBLIC, SESSION, add_route, only
from casino.http.request_body import Body, body_of, read_body
from casino.money import MINOR_MAX
from casino.refusals import Reason
from casino.security.rate_limit import MINUTE_MS, Rate, RateLimiter, steady_clock
from casino.security.spreadsheet_formulas import KEY_PATTERN
from casino.settings import ServiceSettings
from casino.storage.text_types import StoredText
from casino.users.roles import Role
from casino.users.users import User
from casino.wire.common import Minor, Moment

PAGE_USUAL: Final = 50
PAGE_MAX: Final = 200
_PAYMENTS: Final = Rate(300, MINUTE_MS)  # per player: each payment is written twice, in competition with all bets
_LIMIT: Final = re.compile("[0-9]{1,3}")
_PAYMENT_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class AmountAndKey(Body):
    amount: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    key: Annotated[str, Field(pattern=KEY_PATTERN)]
    """Idempotency key: 1 to 80 letters, digits and `. _ : -`, beginning with a letter or digit; new for each payment.
    """


class Word(Body):
    payment_id: Annotated[StoredText, Field(max_length=40)]
    status: Literal["pending", "succeeded", "failed"]
    reference: Annotated[StoredText, Field(max_length=120)] = ""
    reason: Annotated[StoredText, Field(max_length=300)] = ""


PaymentStatus = Literal[Status.PENDING, Status.SUCCEEDED, Status.FAILED]


class ShownPayment(TypedDict):
    id: str
    key: str
    kind: Literal["deposit", "withdrawal"]
    amount: Minor
    currency: str
    status: PaymentStatus
    reason: str | None
    at: Moment
    ended_at: Moment | None


class Paid(TypedDict):
    payment: ShownPayment
    balance: Minor
    available: Minor


class CashierPage(TypedDict):
    payments: list[ShownPayment]
    next: str | None
    currency: str
    amount_min: Minor
    amount_max: Minor
    may_withdraw: bool


class ConfirmedPayment(TypedDict):
    id: str
    status: PaymentStatus


class Confirmed(TypedDict):
    payment: ConfirmedPayment


class CashierRoutes:
    def __init__(self, cashier: Cashier, settings: ServiceSettings) -> None:
        self._cashier = cashier
        self._bounds = settings.cashier
        self._secret: SecretStr | None = settings.cashier.provider_secret
        self._payment_rate = RateLimiter(_PAYMENTS)

    def add_to(self, app: web.Application) -> None:
        add_route(app, "POST", "/api/cashier/deposit", self.deposit, only(Role.PLAYER))
        add_route(app, "POST", "/api/cashier/withdraw", self.withdraw, only(Role.PLAYER))
        add_route(app, "GET", "/api/cashier", self.page, only(Role.PLAYER))
        add_route(app, "POST", "/api/cashier/confirm", self.confirm, PUBLIC)

    async def deposit(self, request: web.Request) -> Paid:
        body, user = await self._amount_in(request)
        return _answer(await self._cashier.deposit(user, body.amount, body.key))

    async def withdraw(self, request: web.Request) -> Paid:
        body, user = await self._amount_in(request)
        return _answer(await self._cashier.withdraw(user, body.amount, body.key))

    async def _amount_in(self, request: web.Request) -> tuple[AmountAndKey, User]:
        body, user = await body_of(request, AmountAndKey), request[SESSION].user
        if self._payment_rate.acquire(user.id, steady_clock()):
            raise Reason.RATE_LIMITED.refusal()
        return body, user

    async def page(self, request: web.Request) -> CashierPage:
        user, limit, before = request[SESSION].user, _limit_in(request), request.query.get("before")
        if before is not None and not _PAYMENT_ID.fullmatch(before):
            raise Refusal(Code.BAD_REQUEST, "before: use a value that an earlier page gave as `next`.")
        found = await self._cashier.payments(user, limit + 1, before)
        return {
            "payments": [_view(payment) for payment in found[:limit]],
            "next": found[limit - 1].id if len(found) > limit else None,
            "currency": user.currency,
            "amount_min": self._bounds.amount_min,
            "amount_max": self._bounds.amount_max,
            "may_withdraw": self._cashier.may_withdraw(user),
        }

    async def confirm(self, request: web.Request) -> Confirmed:
        if self._secret is None:
            raise Refusal(Code.NOT_FOUND, "No payment provider is configured.")
        secret = self._secret.get_secret_value().encode()
        due = hmac.new(secret, await read_body(request), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(due.encode(), request.headers.get("X-Signature", "").encode(errors="replace")):
            raise Refusal(Code.NOT_AUTHENTICATED, "The signature is wrong.")
        word = await body_of(request, Word)
        verdict = Verdict(Status(word.status), word.reference, word.reason)
        payment = await self._cashier.confirm(word.payment_id, verdict)
        return {"payment": {"id": payment.id, "status": payment.status}}


def _answer(payment: Payment) -> Paid:
    return {"payment": _view(payment), "balance": payment.balance, "available": payment.available}


def _view(payment: Payment) -> ShownPayment:
    """`at` is the time of the request; `reason` explains a failure."""
    return {
        "id": payment.id,
        "key": payment.key,
        "kind": payment.kind,
        "amount": payment.amount,
        "currency": payment.currency,
        "status": payment.status,
        "reason": payment.reason or None,
        "at": payment.asked_ms,
        "ended_at": payment.ended_ms,
    }


def _limit_in(request: web.Request) -> int:
    written = request.query.get("limit", str(PAGE_USUAL))
    if not _LIMIT.fullmatch(written) or not 1 <= int(written) <= PAGE_MAX:
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {PAGE_MAX}.")
    return int(written)
