"""The cashier's window: money in, money out, and the list of both; and the door for the provider's own word.

The provider's word (`POST /api/cashier/confirm`) comes from a machine without a session. It is believed if it is
signed: `X-Signature` is the HMAC-SHA256 of the body, as hexadecimal digits, under the secret both sides know.
"""

import hashlib
import hmac
import re
from typing import Annotated, Any, Final, Literal

from aiohttp import web
from pydantic import Field, SecretStr

from casino.api.audience import EVERYBODY, SESSION, add_route, only
from casino.api.bodies import Body, body_of, read_body
from casino.cashier.cashier import Cashier
from casino.cashier.payments import Payment
from casino.cashier.provider import Status, Verdict
from casino.door.rates import MINUTE_MS, Limiter, Rate, steady_clock
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.people.roles import Role
from casino.people.users import User
from casino.settings import HouseSettings
from casino.storage.texts import StoredText

PAGE_USUAL: Final = 50
PAGE_MAX: Final = 200
_PAYMENTS: Final = Rate(300, MINUTE_MS)  # of one player: each is written twice, among everybody's bets
_LIMIT: Final = re.compile("[0-9]{1,3}")
_PAYMENT_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class AmountAndKey(Body):
    amount: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    key: Annotated[str, Field(pattern="^[!-~]{1,80}$")]
    """Whatever the client likes, of visible ASCII characters; another one for every payment."""


class Word(Body):
    payment_id: Annotated[StoredText, Field(max_length=40)]
    status: Literal["pending", "succeeded", "failed"]
    reference: Annotated[StoredText, Field(max_length=120)] = ""
    reason: Annotated[StoredText, Field(max_length=300)] = ""


class CashierRoutes:
    def __init__(self, cashier: Cashier, house: HouseSettings) -> None:
        self._cashier = cashier
        self._bounds = house.cashier
        self._secret: SecretStr | None = house.cashier.provider_secret
        self._asked = Limiter(_PAYMENTS)

    def add_to(self, app: web.Application) -> None:
        add_route(app, "POST", "/api/cashier/deposit", self.deposit, only(Role.PLAYER))
        add_route(app, "POST", "/api/cashier/withdraw", self.withdraw, only(Role.PLAYER))
        add_route(app, "GET", "/api/cashier", self.page, only(Role.PLAYER))
        add_route(app, "POST", "/api/cashier/confirm", self.confirm, EVERYBODY)

    async def deposit(self, request: web.Request) -> web.Response:
        asked, user = await self._asked_in(request)
        return _answer(await self._cashier.deposit(user, asked.amount, asked.key))

    async def withdraw(self, request: web.Request) -> web.Response:
        asked, user = await self._asked_in(request)
        return _answer(await self._cashier.withdraw(user, asked.amount, asked.key))

    async def _asked_in(self, request: web.Request) -> tuple[AmountAndKey, User]:
        asked, user = await body_of(request, AmountAndKey), request[SESSION].user
        if self._asked.take(user.id, steady_clock()):
            raise Refusal(Code.RATE_LIMITED, "That was too often. Wait a moment.")
        return asked, user

    async def page(self, request: web.Request) -> web.Response:
        user, limit, before = request[SESSION].user, _limit_in(request), request.query.get("before")
        if before is not None and not _PAYMENT_ID.fullmatch(before):
            raise Refusal(Code.BAD_REQUEST, "before: there is no such payment.")
        found = await self._cashier.payments(user, limit + 1, before)
        return web.json_response(
            {
                "payments": [_view(payment) for payment in found[:limit]],
                "next": found[limit - 1].id if len(found) > limit else None,
                "currency": user.currency,
                "amount_min": self._bounds.amount_min,
                "amount_max": self._bounds.amount_max,
                "may_withdraw": self._cashier.may_withdraw(user),
            }
        )

    async def confirm(self, request: web.Request) -> web.Response:
        if self._secret is None:
            raise Refusal(Code.NOT_FOUND, "No payment provider is known here.")
        secret = self._secret.get_secret_value().encode()
        due = hmac.new(secret, await read_body(request), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(due.encode(), request.headers.get("X-Signature", "").encode(errors="replace")):
            raise Refusal(Code.NOT_AUTHENTICATED, "The signature is wrong.")
        word = await body_of(request, Word)
        verdict = Verdict(Status(word.status), word.reference, word.reason)
        payment = await self._cashier.confirm(word.payment_id, verdict)
        return web.json_response({"payment": {"id": payment.id, "status": payment.status}})


def _answer(payment: Payment) -> web.Response:
    told = {"payment": _view(payment), "balance": payment.balance, "available": payment.available}
    return web.json_response(told)


def _view(payment: Payment) -> dict[str, Any]:
    """`at` is when it was asked for; `reason` says why it failed."""
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
        raise Refusal(Code.BAD_REQUEST, f"limit: a whole number from 1 to {PAGE_MAX} is expected.")
    return int(written)
