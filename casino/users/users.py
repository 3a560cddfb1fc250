"""The people of the house, within one transaction: every change stands in the audit log beside it.

Passwords come here hashed. Neither they nor their hashes are ever written anywhere else.
"""

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Select, case, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.ledger.accounts import player_cash
from casino.ledger.book import Book
from casino.people.names import cased, clean_name, folded
from casino.people.roles import Actor, Role
from casino.storage.schema import sessions, users

_ID_BYTES: Final = 15  # 24 letters and digits, one out of 2^120

_ENTER: Final = {
    "sqlite": sqlite.insert(users).on_conflict_do_nothing(index_elements=["name_folded"]).returning(users.c.id),
    "postgresql": postgresql.insert(users).on_conflict_do_nothing(index_elements=["name_folded"]).returning(users.c.id),
}


@dataclass(frozen=True, slots=True)
class User:
    id: str
    name: str
    role: Role
    currency: str
    is_disabled: bool
    created_ms: int


class NameTaken(Refusal):
    """Somebody has this name, or one that differs from it only in how it is written."""

    def __init__(self, name: str) -> None:
        super().__init__(Code.BAD_REQUEST, f"The name {name} is taken.")


class Users:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(
        self, name: str, role: Role, currency: str, *, password_hash: str | None, by: Actor, at_ms: int
    ) -> User:
        """A player gets a wallet with nothing in it; staff have none. Without a hash no password fits."""
        user = User(_new_id(), clean_name(name), role, currency, is_disabled=False, created_ms=at_ms)
        await self._enter(user, password_hash)
        if role.has_wallet:
            await Book(self._connection).open_accounts([player_cash(user.id, currency)])
        after = {"name": user.name, "role": user.role, "currency": user.currency}
        await self._log("user_added", user, by, at_ms, after=after)
        return user

    async def named(self, name: str) -> User:
        """The user of this name, however it is written."""
        cleaned = clean_name(name)
        query = _users().where(users.c.name_folded.in_({cased(cleaned), folded(cleaned)}))
        exactly_so = case((users.c.name == cleaned, 0), else_=1)  # the older of two that look alike may be the one
        row = (await self._connection.execute(query.order_by(exactly_so, users.c.created_ms))).first()
        if row is None:
            raise Refusal(Code.NOT_FOUND, f"There is no user {name}.")
        return _user(row)

    async def all(self) -> list[User]:
        return [_user(row) for row in await self._connection.execute(_users().order_by(users.c.name_folded))]

    async def set_disabled(self, user: User, by: Actor, at_ms: int, *, disabled: bool) -> bool:
        """A disabled user is signed out everywhere and cannot sign in. False if it was so already."""
        other = users.c.disabled != int(disabled)
        query = update(users).where(users.c.id == user.id, other).values(disabled=int(disabled))
        if (await self._connection.execute(query)).rowcount == 0:
            return False
        if disabled:
            await self._sign_out_everywhere(user)
        action = "user_disabled" if disabled else "user_enabled"
        await self._log(action, user, by, at_ms, before={"disabled": not disabled}, after={"disabled": disabled})
        return True

    async def change_password(self, user: User, password_hash: str, by: Actor, at_ms: int) -> None:
        await self._connection.execute(update(users).where(users.c.id == user.id).values(password_hash=password_hash))
        await self._sign_out_everywhere(user)
        await self._log("password_changed", user, by, at_ms)

    async def password_hash(self, user: User) -> str | None:
        """None for somebody who cannot sign in with a password."""
        query = select(users.c.password_hash).where(users.c.id == user.id)
        found: str | None = (await self._connection.execute(query)).scalar_one()
        return found

    async def may_come_in(self, user: User, password_hash: str | None) -> bool:
        """Whether this is still the password, and stays it until the transaction ends."""
        query = select(users.c.password_hash, users.c.disabled).where(users.c.id == user.id)
        found = (await self._connection.execute(query.with_for_update(read=True))).one()
        return found.password_hash == password_hash and not found.disabled

    async def _sign_out_everywhere(self, user: User) -> None:
        await self._connection.execute(delete(sessions).where(sessions.c.user_id == user.id))

    async def _enter(self, user: User, password_hash: str | None) -> None:
        kept_so_once = select(users.c.id).where(users.c.name_folded == cased(user.name))
        if await self._connection.scalar(kept_so_once) is not None:
            raise NameTaken(user.name)
        entered = await self._connection.execute(
            _ENTER[self._connection.dialect.name],
            {
                "id": user.id,
                "name": user.name,
                "name_folded": folded(user.name),
                "role": user.role,
                "password_hash": password_hash,
                "currency": user.currency,
                "created_ms": user.created_ms,
            },
        )
        if entered.scalar_one_or_none() is None:
            raise NameTaken(user.name)

    async def _log(
        self,
        action: str,
        user: User,
        by: Actor,
        at_ms: int,
        *,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        entry = audit_log.Entry(by.name, by.role, action, f"user {user.id}", before=before or {}, after=after or {})
        await audit_log.write(self._connection, entry, at_ms)


def _users() -> Select[Any]:
    return select(users.c.id, users.c.name, users.c.role, users.c.currency, users.c.disabled, users.c.created_ms)


def _user(row: Row[Any]) -> User:
    return User(row.id, row.name, Role(row.role), row.currency, bool(row.disabled), row.created_ms)


def _new_id() -> str:
    return base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
