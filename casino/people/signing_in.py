"""Who somebody is, by name and password. Every way to be wrong looks the same and takes the same time."""

import json
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.people.passwords import Passwords
from casino.people.users import User, Users
from casino.storage.database import Database
from casino.storage.schema import audit, users

_SIGN_INS_MAX: Final = 10_000
_LOOKED_BACK: Final = 50_000  # rows of the audit log: a start is quick however long the house has been open
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


async def last_sign_ins(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Names and addresses from the end of the audit log, the oldest first. Guests have no password to be guessed."""
    newest = select(func.coalesce(func.max(audit.c.id), 0)).scalar_subquery()
    query = (
        select(users.c.name, audit.c.after)
        .join(users, audit.c.target == "user " + users.c.id)
        .where(audit.c.id > newest - _LOOKED_BACK, audit.c.action == "signed_in", users.c.password_hash.is_not(None))
        .order_by(audit.c.id.desc())
        .limit(_SIGN_INS_MAX)
    )
    found = (await connection.execute(query)).all()
    return [(row.name, str(json.loads(row.after)["address"])) for row in reversed(found)]


async def _look_up(database: Database, name: str) -> tuple[User | None, str | None]:
    async with database.reading() as connection:
        people = Users(connection)
        try:
            user = await people.named(name)
        except Refusal:
            return None, None
        return user, await people.password_hash(user)
