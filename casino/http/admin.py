"""User administration for the role admin: list, add, roles, passwords, disabling, second factors."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.http.authorization import SESSION, add_route, only
from casino.http.host import limit_in, query_parameter
from casino.http.request_body import Body, Nothing, body_of
from casino.http.responses import Ok
from casino.storage.database import Database
from casino.storage.schema import second_factors, sessions, users
from casino.storage.text_types import StoredText
from casino.users.names import folded
from casino.users.password_policy import verify_new_password
from casino.users.passwords import Passwords
from casino.users.roles import Actor, Role
from casino.users.second_factor import reset
from casino.users.sessions import Sessions
from casino.users.users import USER_COLUMNS, User, Users, user_of
from casino.wire.common import Moment

ADMIN: Final = only(Role.ADMIN)
_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class NewUser(Body):
    name: StoredText
    role: Role
    password: str


class NewPassword(Body):
    password: str


class NewRole(Body):
    role: Role


class ListedUser(TypedDict):
    id: str
    name: str
    role: Role
    currency: str
    play_money: bool
    disabled: bool
    second_factor: bool
    created_at: Moment


class UserPage(TypedDict):
    users: list[ListedUser]
    next: str | None
    """A value for `after`: the name the next page begins behind."""


class AdminRoutes:
    def __init__(
        self, database: Database, sessions: Sessions, passwords: Passwords, currency: str, clock: Clock
    ) -> None:
        """`currency` is that of new players."""
        self._database = database
        self._sessions = sessions
        self._passwords = passwords
        self._currency = currency
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/admin/users", self.list, ADMIN)
        add_route(app, "POST", "/api/admin/users", self.add, ADMIN)
        for name, handler in (
            ("password", self.change_password),
            ("role", self.change_role),
            ("disable", self.disable),
            ("enable", self.enable),
            ("second-factor/reset", self.reset_second_factor),
        ):
            add_route(app, "POST", f"/api/admin/users/{{user_id}}/{name}", handler, ADMIN)

    async def list(self, request: web.Request) -> UserPage:
        """Returns users by name; staff only, unless players are asked for."""
        role, words, limit = request.query.get("role") or None, query_parameter(request, "words"), limit_in(request)
        query = _listed()
        if role is not None and role not in list(Role):
            raise Refusal(Code.BAD_REQUEST, f"role: use one of {', '.join(Role)}.")
        query = query.where(users.c.role == role) if role else query.where(users.c.role != Role.PLAYER)
        if words is not None:
            query = query.where(users.c.name.icontains(words, autoescape=True))
        after = query_parameter(request, "after")
        if after is not None:
            query = query.where(users.c.name_folded > folded(after))
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.order_by(users.c.name_folded).limit(limit))).all()
        shown = [_shown(user_of(row), has_factor=row.factor is not None) for row in rows]
        return {"users": shown, "next": shown[-1]["name"] if len(shown) == limit else None}

    async def add(self, request: web.Request) -> ListedUser:
        wanted = await body_of(request, NewUser)
        verify_new_password(wanted.password, name=wanted.name, role=wanted.role)
        password_hash, by = await self._passwords.hash(wanted.password), self._by(request)

        async def work(connection: AsyncConnection) -> User:
            return await Users(connection).add(
                wanted.name, wanted.role, self._currency, password_hash=password_hash, by=by, at_ms=self._clock()
            )

        return _shown(await self._database.run_transaction(work), has_factor=False)

    async def change_password(self, request: web.Request) -> Ok:
        """Ends all sessions of the user. `POST /api/password` changes the administrator's own password."""
        wanted, user = await body_of(request, NewPassword), await self._other(request)
        verify_new_password(wanted.password, name=user.name, role=user.role)
        password_hash, by = await self._passwords.hash(wanted.password), self._by(request)

        async def work(connection: AsyncConnection) -> object:
            return await Users(connection).change_password(user, password_hash, by, self._clock())

        return await self._change(user, work)

    async def change_role(self, request: web.Request) -> Ok:
        """Ends all sessions of the user. Players stay players, because only they have a wallet."""
        wanted, user, by = await body_of(request, NewRole), await self._other(request), self._by(request)

        async def work(connection: AsyncConnection) -> object:
            return await Users(connection).change_role(user, wanted.role, by, self._clock())

        return await self._change(user, work)

    async def disable(self, request: web.Request) -> Ok:
        """A disabled user is signed out everywhere and cannot sign in."""
        return await self._set_disabled(request, disabled=True)

    async def enable(self, request: web.Request) -> Ok:
        return await self._set_disabled(request, disabled=False)

    async def reset_second_factor(self, request: web.Request) -> Ok:
        """Removes the second factor and ends all sessions of the user."""
        await body_of(request, Nothing, may_be_missing=True)
        user, by = await self._other(request), self._by(request)

        async def work(connection: AsyncConnection) -> object:
            if not await reset(connection, user, by, self._clock()):
                raise Refusal(Code.TOO_LATE, f"{user.name} has no second factor.")
            return None

        return await self._change(user, work)

    async def _set_disabled(self, request: web.Request, *, disabled: bool) -> Ok:
        await body_of(request, Nothing, may_be_missing=True)
        user, by = await self._other(request), self._by(request)

        async def work(connection: AsyncConnection) -> object:
            return await Users(connection).set_disabled(user, by, self._clock(), disabled=disabled)

        return await self._change(user, work)

    async def _change(self, user: User, work: Callable[[AsyncConnection], Awaitable[object]]) -> Ok:
        """Runs the change, and closes the sockets of sessions it has ended at once."""
        theirs = select(sessions.c.id).where(sessions.c.user_id == user.id)
        async with self._database.reading() as connection:
            before = set((await connection.execute(theirs)).scalars())
        await self._database.run_transaction(work)
        async with self._database.reading() as connection:
            left = set((await connection.execute(theirs)).scalars())
        for session_id in before - left:
            await self._sessions.announce_sign_out(session_id)
        return {"ok": True}

    async def _user(self, request: web.Request) -> User:
        user_id = request.match_info["user_id"]
        row = None
        if _ID.fullmatch(user_id):
            async with self._database.reading() as connection:
                row = (await connection.execute(_listed().where(users.c.id == user_id))).first()
        if row is None:
            raise Refusal(Code.NOT_FOUND, "This user does not exist. Reload the list.")
        return user_of(row)

    async def _other(self, request: web.Request) -> User:
        """Administrators cannot lock themselves out, and a stolen session cannot change the password of its owner."""
        user = await self._user(request)
        if user.id == request[SESSION].user.id:
            raise Refusal(Code.FORBIDDEN, "Another administrator has to change your own account.")
        return user

    def _by(self, request: web.Request) -> Actor:
        user = request[SESSION].user
        return Actor(user.name, user.role)


def _listed() -> Select[Any]:
    columns = (*(users.c[name] for name in USER_COLUMNS), second_factors.c.user_id.label("factor"))
    is_enrolled = (second_factors.c.user_id == users.c.id) & second_factors.c.enrolled_ms.is_not(None)
    query: Select[Any] = select(*columns).select_from(users).outerjoin(second_factors, is_enrolled)
    return query.where(users.c.archived_ms.is_(None))


def _shown(user: User, *, has_factor: bool) -> ListedUser:
    return {
        "id": user.id,
        "name": user.name,
        "role": user.role,
        "currency": user.currency,
        "play_money": user.is_play_money,
        "disabled": user.is_disabled,
        "second_factor": has_factor,
        "created_at": user.created_ms,
    }
