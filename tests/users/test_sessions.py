"""Login sessions: lifetime, sign-out and revocation, on both databases."""

import asyncio
from dataclasses import dataclass

import pytest
from sqlalchemy import func, select

from casino.errors import Code, Refusal
from casino.storage import schema
from casino.users.sessions import DAY_MS, PER_USER_MAX, RENEW_AFTER_MS, Lifetime, Session, Sessions, id_of
from casino.users.users import User, Users
from tests.users.conftest import ADMIN, NOON_MS, UserStore

pytestmark = pytest.mark.req("SEC-2")

LIFETIME = Lifetime(unused_ms=30 * DAY_MS, all_ms=90 * DAY_MS)


@dataclass
class Desk:
    """Signs people in, at any time of day."""

    user_store: UserStore
    now_ms: int = NOON_MS

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.user_store.database, LIFETIME, lambda: self.now_ms)

    async def sign_in(self, user: User) -> str:
        async with self.user_store.database.writing() as connection:
            return await self.sessions.begin(connection, user)

    async def sign_out(self, session: Session) -> bool:
        async with self.user_store.database.writing() as connection:
            return await self.sessions.end(connection, session.id)

    async def found(self, token: str) -> Session:
        session = await self.sessions.find(token)
        assert session is not None
        return session

    async def rows(self) -> list[str]:
        async with self.user_store.database.reading() as connection:
            return list((await connection.execute(select(schema.sessions.c.id))).scalars())

    async def disable(self, user: User, *, disabled: bool = True) -> None:
        async with self.user_store.database.writing() as connection:
            await Users(connection).set_disabled(user, ADMIN, NOON_MS, disabled=disabled)


@pytest.fixture
def desk(user_store: UserStore) -> Desk:
    return Desk(user_store)


async def test_session_reference_works_and_is_stored_nowhere(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    token = await desk.sign_in(ann)
    session = await desk.found(token)
    assert session.user == ann
    assert len(token) == 43
    assert await desk.rows() == [session.id] == [id_of(token)]
    assert await desk.sessions.find(session.id) is None


async def test_every_sign_in_is_a_new_session(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    tokens = {await desk.sign_in(ann) for _ in range(5)}
    assert len({(await desk.found(token)).id for token in tokens}) == 5


@pytest.mark.parametrize(
    "forge", [lambda t: t[:-1], lambda t: t + "A", lambda t: t.swapcase(), lambda _: "", str.upper]
)
async def test_tampered_reference_opens_nothing(desk: Desk, forge: object) -> None:
    token = await desk.sign_in(await desk.user_store.add("Ann"))
    assert callable(forge)
    assert await desk.sessions.find(forge(token)) is None
    assert await desk.sessions.find("\ud800" + token[1:]) is None
    await desk.found(token)


async def test_unused_session_expires(desk: Desk) -> None:
    token = await desk.sign_in(await desk.user_store.add("Ann"))
    desk.now_ms += LIFETIME.unused_ms - 1
    await desk.found(token)
    desk.now_ms += LIFETIME.unused_ms
    assert await desk.sessions.find(token) is None


async def test_use_is_written_down_at_most_once_an_hour(desk: Desk) -> None:
    token = await desk.sign_in(await desk.user_store.add("Ann"))
    first = (await desk.found(token)).expires_ms
    desk.now_ms += RENEW_AFTER_MS - 1
    await desk.found(token)
    assert (await desk.found(token)).expires_ms == first
    desk.now_ms += 1
    await desk.found(token)
    assert (await desk.found(token)).expires_ms == first + RENEW_AFTER_MS


async def test_every_session_expires(desk: Desk) -> None:
    token = await desk.sign_in(await desk.user_store.add("Ann"))
    for _ in range(89):
        desk.now_ms += DAY_MS
        await desk.found(token)
    desk.now_ms += DAY_MS
    assert await desk.sessions.find(token) is None


async def test_signing_out_ends_this_session_alone(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    token, other = await desk.sign_in(ann), await desk.sign_in(ann)
    session = await desk.found(token)
    assert await desk.sign_out(session)
    assert not await desk.sign_out(session)
    assert await desk.sessions.find(token) is None
    await desk.found(other)


async def test_use_does_not_revive_what_was_signed_out(desk: Desk) -> None:
    token = await desk.sign_in(await desk.user_store.add("Ann"))
    session = await desk.found(token)
    await desk.sign_out(session)
    await desk.sessions._renew(session.id, session.expires_ms + DAY_MS)
    assert await desk.sessions.find(token) is None


async def test_every_listener_is_notified_of_a_sign_out_although_another_fails(desk: Desk) -> None:
    revoked = []

    async def broken(_session_id: str) -> None:
        raise RuntimeError("deaf")

    async def listen(session_id: str) -> None:
        revoked.append(session_id)

    desk.sessions.on_signed_out += [broken, listen]
    await desk.sessions.announce_sign_out("s1")
    assert revoked == ["s1"]


async def test_disabled_user_is_out_at_once_and_for_good(desk: Desk) -> None:
    ann, bob = await desk.user_store.add("Ann"), await desk.user_store.add("Bob")
    token, others = await desk.sign_in(ann), await desk.sign_in(bob)
    await desk.disable(ann)
    assert await desk.sessions.find(token) is None
    await desk.disable(ann, disabled=False)
    assert await desk.sessions.find(token) is None, "to be let in again is not to be signed in again"
    await desk.found(others)


async def test_user_disabled_during_sign_in_is_refused(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    await desk.disable(ann)
    with pytest.raises(Refusal) as refused:
        await desk.sign_in(ann)
    assert refused.value.code is Code.NOT_AUTHENTICATED
    assert await desk.rows() == []


async def test_new_password_signs_out_everywhere(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    token = await desk.sign_in(ann)
    async with desk.user_store.database.writing() as connection:
        await Users(connection).change_password(ann, "-", ADMIN, NOON_MS)
    assert await desk.sessions.find(token) is None


async def test_ended_ones_of_many_are_named(desk: Desk) -> None:
    ann, bob = await desk.user_store.add("Ann"), await desk.user_store.add("Bob")
    anns, bobs = [id_of(await desk.sign_in(ann)) for _ in range(3)], id_of(await desk.sign_in(bob))
    await desk.disable(ann)
    made_up = {f"{number:064}" for number in range(1200)}
    assert await desk.sessions.ended_of([*anns, bobs, *made_up]) == {*anns, *made_up}
    assert await desk.sessions.ended_of([]) == set()


async def test_sessions_per_user_are_limited_and_the_oldest_end(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    tokens = []
    for _ in range(PER_USER_MAX + 2):
        desk.now_ms += 1
        tokens.append(await desk.sign_in(ann))
    assert len(await desk.rows()) == PER_USER_MAX
    assert [await desk.sessions.find(token) for token in tokens[:2]] == [None, None]
    await desk.found(tokens[2])


async def test_expired_sessions_are_deleted_at_later_sign_ins(desk: Desk) -> None:
    ann, bob = await desk.user_store.add("Ann"), await desk.user_store.add("Bob")
    for _ in range(3):
        await desk.sign_in(ann)
    desk.now_ms += LIFETIME.unused_ms
    token = await desk.sign_in(bob)
    assert await desk.rows() == [id_of(token)]


async def test_many_signing_in_at_once_all_succeed(desk: Desk) -> None:
    ann = await desk.user_store.add("Ann")
    await asyncio.gather(*(desk.sign_in(ann) for _ in range(20)))
    async with desk.user_store.database.reading() as connection:
        assert (await connection.execute(select(func.count()).select_from(schema.sessions))).scalar_one() == 20
