"""Fixtures of the user tests: real tables, and real password hashing."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from casino.storage.database import Database
from casino.users.credit import Credit, give_credit
from casino.users.passwords import Passwords
from casino.users.roles import Actor, Role
from casino.users.users import User, Users

ADMIN = Actor("admin-1", "admin")
PASSWORD = "correct horse battery"  # noqa: S105
NOON_MS = 1_700_000_000_000


@dataclass(frozen=True)
class UserStore:
    database: Database
    passwords: Passwords

    async def add(self, name: str, role: Role = Role.PLAYER, *, currency: str = "EUR", at_ms: int = NOON_MS) -> User:
        password_hash = await self.passwords.hash(PASSWORD)
        async with self.database.writing() as connection:
            users = Users(connection)
            return await users.add(name, role, currency, password_hash=password_hash, by=ADMIN, at_ms=at_ms)

    async def named(self, name: str) -> User:
        async with self.database.reading() as connection:
            return await Users(connection).named(name)

    async def credit(self, user: User, amount_minor: int, key: str, reason: str = "Welcome") -> bool:
        async with self.database.writing() as connection:
            return await give_credit(connection, user, Credit(amount_minor, reason, key), ADMIN, NOON_MS)


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    made = Passwords()
    yield made
    made.close()


@pytest.fixture
def user_store(database: Database, passwords: Passwords) -> UserStore:
    return UserStore(database, passwords)
