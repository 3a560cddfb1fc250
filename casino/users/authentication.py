"""Authentication by name and password. All failures look the same and take the same time."""

import json
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Refusal
from casino.refusals import Reason
from casino.storage.database import Database
from casino.storage.schema import audit, users
from casino.users.passwords import Passwords
from casino.users.users import User, Users

_SIGN_INS_MAX: Final = 10_000
_LOOKED_BACK: Final = 50_000  # rows of the audit log, which bounds the start-up time


async def authenticate(
    database: Database, passwords: Passwords, name: str, password: str, *, is_known_device: bool = False
) -> "VerifiedLogin":
    user, password_hash = await _look_up(database, name)
    fits = await passwords.matches(password, password_hash, is_known_device=is_known_device)
    if user is None or password_hash is None or user.is_disabled or not fits:
        raise Reason.WRONG_CREDENTIALS.refusal()
    return VerifiedLogin(user, password_hash)


@dataclass(frozen=True, slots=True)
class VerifiedLogin:
    """The password can change while it is checked, so the login is verified again in the transaction."""

    user: User
    password_hash: str = field(repr=False)

    async def verify_still_true(self, connection: AsyncConnection) -> None:
        if not await Users(connection).is_still_valid(self.user, self.password_hash):
            raise Reason.WRONG_CREDENTIALS.refusal()


async def last_sign_ins(connection: AsyncConnection) -> list[tuple[str, str, str]]:
    """Returns names, addresses and password hashes from the end of the audit log, oldest first.

    A sign-in with an earlier password does not count, and guests have no password to guess.
    """
    newest = select(func.coalesce(func.max(audit.c.id), 0)).scalar_subquery()
    actions = audit.c.action.in_(("signed_in", "password_changed"))
    query = (
        select(users.c.name, users.c.password_hash, audit.c.action, audit.c.after)
        .join(users, audit.c.target == "user " + users.c.id)
        .where(audit.c.id > newest - _LOOKED_BACK, actions, users.c.password_hash.is_not(None))
        .order_by(audit.c.id.desc())
        .limit(_SIGN_INS_MAX)
    )
    changed: set[str] = set()
    found = []
    for row in await connection.execute(query):
        if row.action == "password_changed":
            changed.add(row.name)
        elif row.name not in changed:
            found.append((row.name, str(json.loads(row.after)["address"]), row.password_hash))
    return found[::-1]


async def _look_up(database: Database, name: str) -> tuple[User | None, str | None]:
    async with database.reading() as connection:
        people = Users(connection)
        try:
            user = await people.named(name)
        except Refusal:
            return None, None
        return user, await people.password_hash(user)
