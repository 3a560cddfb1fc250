"""User records within one transaction; every change is written to the audit log with it.

Passwords arrive hashed. Neither they nor their hashes are written anywhere else.
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
from casino.refusals import Reason
from casino.storage.schema import sessions, users
from casino.users.confusables import staff_key, staff_look_alikes, visual_key
from casino.users.names import FOLDED_LENGTH_MAX, cased, clean_name, clean_new_name, folded
from casino.users.roles import Actor, Role

_ID_BYTES: Final = 15  # 24 letters and digits, one of 2^120

_SERVICE: Final = "system"
"""Actor of everything the service does by itself. A person of that name could pass for it in the records."""

USER_COLUMNS: Final = ("id", "name", "role", "currency", "disabled", "created_ms", "play_money")

_ENTER: Final = {
    "sqlite": sqlite.insert(users).on_conflict_do_nothing().returning(users.c.id),
    "postgresql": postgresql.insert(users).on_conflict_do_nothing().returning(users.c.id),
}
"""Refused by either key of the name: the folded one or the visual one."""


@dataclass(frozen=True, slots=True)
class User:
    id: str
    name: str
    role: Role
    currency: str
    is_disabled: bool
    created_ms: int
    is_play_money: bool = False
    """The wallet holds play money, whatever its currency is called."""


class NameTaken(Refusal):
    """The name, or one that counts as equal, is taken."""

    def __init__(self) -> None:
        taken = Reason.NAME_TAKEN.refusal()
        super().__init__(taken.code, taken.message, taken.params)


class Users:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(
        self,
        name: str,
        role: Role,
        currency: str,
        *,
        password_hash: str | None,
        by: Actor,
        at_ms: int,
        is_play_money: bool = False,
    ) -> User:
        """A player gets an empty wallet; staff have none. Without a hash no password matches."""
        kept = clean_new_name(name)
        if visual_key(_SERVICE) in staff_look_alikes(kept):
            raise Reason.NAME_RESERVED.refusal()
        user = User(_new_id(), kept, role, currency, False, at_ms, is_play_money)  # noqa: FBT003  its fields in order
        await self._enter(user, password_hash)
        if role.has_wallet:
            await Book(self._connection).open_accounts([player_cash(user.id, currency)])
        after = {"name": user.name, "role": user.role, "currency": user.currency}
        await self._log("user_added", user, by, at_ms, after=after)
        return user

    async def named(self, name: str) -> User:
        """Returns the user of this name in any spelling. A name that only looks the same is another one."""
        cleaned = clean_name(name)
        query = _users().where(users.c.name_folded.in_({cased(cleaned), folded(cleaned)}))
        # the older of two names that look alike may be the exact one
        exactly_so = case((users.c.name == cleaned, 0), else_=1)
        row = (await self._connection.execute(query.order_by(exactly_so, users.c.created_ms))).first()
        if row is None:
            raise Refusal(Code.NOT_FOUND, f"There is no user {name}.")
        return user_of(row)

    async def all(self) -> list[User]:
        return [user_of(row) for row in await self._connection.execute(_users().order_by(users.c.name_folded))]

    async def set_disabled(self, user: User, by: Actor, at_ms: int, *, disabled: bool) -> bool:
        """A disabled user is signed out everywhere and cannot sign in. Returns False without a change."""
        other = users.c.disabled != int(disabled)
        query = update(users).where(users.c.id == user.id, other).values(disabled=int(disabled))
        if (await self._connection.execute(query)).rowcount == 0:
            return False
        if disabled:
            await self._sign_out_everywhere(user)
        action = "user_disabled" if disabled else "user_enabled"
        await self._log(action, user, by, at_ms, before={"disabled": not disabled}, after={"disabled": disabled})
        return True

    async def change_role(self, user: User, role: Role, by: Actor, at_ms: int) -> list[str]:
        """Changes the role of staff and signs them out everywhere; returns the ids of ended sessions.

        Refuses with `forbidden` for players, in both directions: only they have a wallet.
        """
        if role is user.role:
            return []
        if Role.PLAYER in (role, user.role):
            raise Refusal(Code.FORBIDDEN, "A player cannot become staff, nor staff a player. Add another user instead.")
        await self._connection.execute(update(users).where(users.c.id == user.id).values(role=role))
        ended = await self._sign_out_everywhere(user)
        await self._log("role_changed", user, by, at_ms, before={"role": user.role}, after={"role": role})
        return ended

    async def change_password(
        self, user: User, password_hash: str, by: Actor, at_ms: int, *, keep_session: str = ""
    ) -> list[str]:
        """Signs the user out everywhere except in the session to keep; returns the ids of ended sessions."""
        await self._connection.execute(update(users).where(users.c.id == user.id).values(password_hash=password_hash))
        ended = await self._sign_out_everywhere(user, but=keep_session)
        await self._log("password_changed", user, by, at_ms)
        return ended

    async def password_hash(self, user: User) -> str | None:
        """Returns None for a user without a password."""
        query = select(users.c.password_hash).where(users.c.id == user.id)
        found: str | None = (await self._connection.execute(query)).scalar_one()
        return found

    async def is_still_valid(self, user: User, password_hash: str | None) -> bool:
        """Whether this is still the password, and stays so until the transaction ends."""
        query = select(users.c.password_hash, users.c.disabled).where(users.c.id == user.id)
        found = (await self._connection.execute(query.with_for_update(read=True))).one()
        return found.password_hash == password_hash and not found.disabled

    async def _sign_out_everywhere(self, user: User, *, but: str = "") -> list[str]:
        theirs = delete(sessions).where(sessions.c.user_id == user.id, sessions.c.id != but)
        return list((await self._connection.execute(theirs.returning(sessions.c.id))).scalars())

    async def _enter(self, user: User, password_hash: str | None) -> None:
        kept_so_once = select(users.c.id).where(users.c.name_folded == cased(user.name))
        if await self._connection.scalar(kept_so_once) is not None:
            raise NameTaken
        looks_like_staff = select(users.c.id).where(
            users.c.name_visual.in_(staff_look_alikes(user.name)), users.c.role != Role.PLAYER
        )
        if user.role is Role.PLAYER and await self._connection.scalar(looks_like_staff) is not None:
            raise NameTaken
        entered = await self._connection.execute(
            _ENTER[self._connection.dialect.name],
            {
                "id": user.id,
                "name": user.name,
                "name_folded": folded(user.name),
                "name_visual": _visual_key_of(user),
                "role": user.role,
                "password_hash": password_hash,
                "currency": user.currency,
                "created_ms": user.created_ms,
                "play_money": int(user.is_play_money),
            },
        )
        if entered.scalar_one_or_none() is None:
            raise NameTaken

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
    return select(*(users.c[name] for name in USER_COLUMNS))


def user_of(row: Row[Any]) -> User:
    """Returns the user of a row with the `USER_COLUMNS`."""
    is_disabled, is_play_money = bool(row.disabled), bool(row.play_money)
    return User(row.id, row.name, Role(row.role), row.currency, is_disabled, row.created_ms, is_play_money)


def _visual_key_of(user: User) -> str:
    key = staff_key(user.name) if user.role is not Role.PLAYER else ""
    return key if 0 < len(key) <= FOLDED_LENGTH_MAX else visual_key(folded(user.name))


def _new_id() -> str:
    return base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
