"""Random deposits and withdrawals during rounds, with an unreliable provider; prints every acknowledged step.

The provider outlives the service: the outcome of a payment follows from its id alone.
"""

import asyncio
import hashlib
from dataclasses import dataclass
from random import Random

from sqlalchemy import select

from casino.cashier.cashier import Cashier
from casino.cashier.provider import Order, Status, Verdict
from casino.errors import Refusal
from casino.settings import ServiceSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Role
from casino.users.users import User
from tests.chaos.random_rounds import PURSES, Say

PAYERS = [player for player, (currency, _) in PURSES.items() if currency == "EUR"]
PAYMENTS_A_ROUND = 3


@dataclass
class Moody:
    """Silent now and then, but once it answers it always says the same."""

    chance: Random

    async def pay(self, order: Order) -> Verdict:
        mood = self.chance.random()
        if mood < 0.3:
            raise ConnectionError("the provider hung up")
        if mood < 0.4:
            return Verdict(Status.PENDING)
        is_good = hashlib.sha256(order.payment_id.encode()).digest()[0] % 3 > 0
        return Verdict(Status.SUCCEEDED if is_good else Status.FAILED, "moody", "The card was declined.")


@dataclass
class RandomPayer:
    database: Database
    chance: Random
    say: Say
    now_ms: int

    def __post_init__(self) -> None:
        self.cashier = Cashier(self.database, Moody(self.chance), ServiceSettings(), clock=lambda: self.now_ms)

    async def serve(self, payments: int) -> None:
        """First what was left behind, then new ones; in the end everything is known."""
        await self.finish()
        for _ in range(payments):
            await self._pay()
            await asyncio.sleep(0.002)
        await self.finish()

    async def finish(self) -> None:
        while await self._pending():
            self.now_ms += 600_000
            await self.cashier.retry_due()

    async def _pay(self) -> None:
        self.now_ms += 1_000
        player = self.chance.choice(PAYERS)
        user = User(player, player, Role.PLAYER, "EUR", is_disabled=False, created_ms=0)
        amount, key = self.chance.randint(1, 5_000), f"{self.chance.getrandbits(64):x}"
        kind = self.chance.choice(("deposit", "withdraw"))
        pay = self.cashier.deposit if kind == "deposit" else self.cashier.withdraw
        self.say("paying", player, key)
        for _ in range(self.chance.choice((1, 1, 2))):  # an answer is lost, and asked for again
            try:
                payment = await pay(user, amount, key)
            except Refusal as refusal:
                self.say("not paid", player, key, refusal.code)
            else:
                self.say("paid", player, key, payment.status)

    async def _pending(self) -> bool:
        pending = select(schema.payments.c.id).where(schema.payments.c.status == Status.PENDING).limit(1)
        async with self.database.reading() as connection:
            return (await connection.execute(pending)).first() is not None
