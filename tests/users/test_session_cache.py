"""Session cache: one lookup serves the requests of a second, and no session outlives its sign-out."""

import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database
from casino.users.roles import Actor, Role
from casino.users.session_cache import KEEP_SECONDS, SessionCache
from casino.users.sessions import Lifetime, Session, Sessions
from casino.users.users import User, Users

pytestmark = pytest.mark.req("SEC-2")
BY = Actor("admin-1", "admin")


class CountedSessions(Sessions):
    """Counts lookups, and can be held up in the middle of one, after the database has answered."""

    lookups = 0
    going_on: asyncio.Event | None = None

    def __init__(self, database: Database) -> None:
        super().__init__(database, Lifetime(unused_ms=10_000_000, all_ms=10_000_000))
        self.answered = asyncio.Event()

    async def find(self, token: str) -> Session | None:
        self.lookups += 1
        found = await super().find(token)
        self.answered.set()
        if self.going_on:
            await self.going_on.wait()
        return found


class Desk:
    """A cache on real sessions, and a clock that the test moves."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sessions = CountedSessions(database)
        self.now = 0.0
        self.cache = SessionCache(self.sessions, seconds=lambda: self.now)

    async def signed_in(self) -> tuple[User, str]:
        async def enter(connection: AsyncConnection) -> tuple[User, str]:
            user = await Users(connection).add("Ann", Role.PLAYER, "EUR", password_hash=None, by=BY, at_ms=1)
            return user, await self.sessions.begin(connection, user)

        return await self.database.run_transaction(enter)

    async def sign_out(self, session: Session) -> None:
        async with self.database.writing() as connection:
            await self.sessions.end(connection, session.id)
        await self.sessions.announce_sign_out(session.id)


async def test_requests_of_one_second_share_a_lookup(database: Database) -> None:
    desk = Desk(database)
    user, token = await desk.signed_in()
    for moment in (0.0, 0.5, KEEP_SECONDS - 0.01):
        desk.now = moment
        found = await desk.cache.find(token)
        assert found is not None
        assert found.user == user
    assert desk.sessions.lookups == 1
    desk.now = KEEP_SECONDS
    assert await desk.cache.find(token)
    assert desk.sessions.lookups == 2


async def test_sign_out_takes_effect_at_once(database: Database) -> None:
    desk = Desk(database)
    _, token = await desk.signed_in()
    session = await desk.cache.find(token)
    assert session
    await desk.sign_out(session)
    assert await desk.cache.find(token) is None
    assert len(desk.cache) == 0


async def test_session_that_ends_while_it_is_looked_up_is_not_kept(database: Database) -> None:
    desk = Desk(database)
    _, token = await desk.signed_in()
    session = await desk.sessions.find(token)
    assert session
    desk.sessions.going_on = asyncio.Event()
    desk.sessions.answered.clear()
    looking_up = asyncio.create_task(desk.cache.find(token))
    await desk.sessions.answered.wait()
    await desk.sign_out(session)
    desk.sessions.going_on.set()
    await looking_up
    desk.sessions.going_on = None
    assert await desk.cache.find(token) is None


async def test_user_disabled_elsewhere_is_out_within_a_second(database: Database) -> None:
    desk = Desk(database)
    user, token = await desk.signed_in()
    assert await desk.cache.find(token)
    async with database.writing() as connection:
        await Users(connection).set_disabled(user, BY, 2, disabled=True)
    desk.now = KEEP_SECONDS
    assert await desk.cache.find(token) is None


async def test_unknown_tokens_are_not_kept(database: Database) -> None:
    desk = Desk(database)
    for number in range(20):
        assert await desk.cache.find(f"{number:043}") is None
    assert await desk.cache.find("no token") is None
    assert len(desk.cache) == 0
