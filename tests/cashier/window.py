"""Cashier on real books, with a clock and a provider under the control of the test, and players with money."""

from dataclasses import dataclass, field
from itertools import count

from sqlalchemy import select

from casino.cashier.cashier import Cashier
from casino.cashier.provider import PaymentProvider
from casino.settings import ServiceSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.users.credit import Credit, give_credit, lock_credits
from casino.users.roles import Actor, Role
from casino.users.users import User, Users
from casino.users.wallet import wallet_of
from casino.verify.verifier import verify
from tests.uth.tabletop import NOON_MS

PURSE = 10_000
BOSS = Actor("boss", "finance")
_names = count(1)


@dataclass
class Window:
    database: Database
    provider: PaymentProvider | None
    settings: ServiceSettings = field(default_factory=ServiceSettings)
    now_ms: int = NOON_MS
    patience_seconds: float = 0.02
    changes: list[tuple[str, int, int]] = field(default_factory=list)
    cashier: Cashier = field(init=False)

    def __post_init__(self) -> None:
        self.cashier = self.opened()

    def opened(self) -> Cashier:
        return Cashier(
            self.database,
            self.provider,
            self.settings,
            on_changed=lambda *change: self.changes.append(change),
            clock=lambda: self.now_ms,
            provider_seconds_max=self.patience_seconds,
        )

    def reopen(self) -> None:
        """As after a crash: nothing is left but the books and the provider."""
        self.cashier = self.opened()

    async def person(self, currency: str = "EUR", amount: int = PURSE) -> User:
        name = f"Person {next(_names)}"
        async with self.database.writing() as connection:
            if amount:
                await lock_credits(connection, currency)
            user = await Users(connection).add(
                name,
                Role.PLAYER,
                currency,
                password_hash=None,
                by=BOSS,
                at_ms=self.now_ms,
                is_play_money=currency != "EUR",
            )
            if amount:
                await give_credit(connection, user, Credit(amount, "welcome", user.id), BOSS, self.now_ms)
        return user

    async def money(self, user: User) -> tuple[int, int]:
        """Balance, and what of it is available."""
        async with self.database.reading() as connection:
            wallet = await wallet_of(connection, user)
        assert wallet is not None
        return wallet.balance, wallet.available

    async def on_its_way(self) -> int:
        """Money that has left the players but not yet the service."""
        table = schema.accounts
        async with self.database.reading() as connection:
            found = await connection.execute(select(table.c.balance).where(table.c.kind == "withdrawal"))
            return sum(found.scalars())

    async def audited(self, action: str) -> int:
        table = schema.audit
        async with self.database.reading() as connection:
            return len((await connection.execute(select(table.c.id).where(table.c.action == action))).all())

    async def verified(self) -> None:
        findings = await verify(self.database)
        assert findings.is_ok, [line for check in findings.checks for line in check.lines]
