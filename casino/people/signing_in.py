"""Who somebody is, by name and password. Every way to be wrong looks the same and takes the same time."""

from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.people.passwords import Passwords
from casino.people.users import User, Users
from casino.storage.database import Database

_WRONG: Final = "The name or the password is wrong."


async def authenticate(database: Database, passwords: Passwords, name: str, password: str) -> "Proof":
    user, password_hash = await _look_up(database, name)
    fits = await passwords.fits(password, password_hash)
    if user is None or user.is_disabled or not fits:
        raise Refusal(Code.NOT_AUTHENTICATED, _WRONG)
    return Proof(user, password_hash)


@dataclass(frozen=True, slots=True)
class Proof:
    """Checking a password takes a while, and meanwhile it may have been changed, to keep somebody out."""

    user: User
    _password_hash: str | None = field(repr=False)

    async def verify_still_true(self, connection: AsyncConnection) -> None:
        if not await Users(connection).may_come_in(self.user, self._password_hash):
            raise Refusal(Code.NOT_AUTHENTICATED, _WRONG)


async def _look_up(database: Database, name: str) -> tuple[User | None, str | None]:
    async with database.reading() as connection:
        users = Users(connection)
        try:
            user = await users.named(name)
        except Refusal:
            return None, None
        return user, await users.password_hash(user)
