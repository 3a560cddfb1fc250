"""Registration, sign-in, guests and sign-out, on both databases."""

import asyncio
from http.cookies import Morsel
from typing import Any

import pytest
from aiohttp import ClientResponse
from sqlalchemy import select

from casino.http.authorization import SESSIONS
from casino.ledger.accounts import credit, player_cash
from casino.security.credentials import COOKIE
from casino.settings import ServiceSettings
from casino.settings.service import Guests, Service
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Role
from tests.http.conftest import PASSWORD, Asker

STAFF = [role for role in Role if not role.has_wallet]


async def error_of(answer: ClientResponse) -> tuple[int, str]:
    error = (await answer.json())["error"]
    assert set(error) - {"params"} == {"code", "message", "request_id"}
    assert error["request_id"] == answer.headers["X-Request-Id"]
    return answer.status, error["code"]


async def rows(database: Database, query: Any) -> list[Any]:  # noqa: ANN401 - any query
    async with database.reading() as connection:
        return list(await connection.execute(query))


async def actions(database: Database) -> list[tuple[str, ...]]:
    audit = schema.audit.c
    query = select(audit.actor, audit.role, audit.action).order_by(audit.id)
    return [tuple(row) for row in await rows(database, query)]


def cookie_in(answer: ClientResponse) -> "Morsel[str]":
    return answer.cookies[COOKIE]


async def test_registered_player_has_an_empty_wallet_in_the_service_currency(asker: Asker) -> None:
    answer = await asker.post("/api/register", {"name": "Ann", "password": PASSWORD})
    body = await answer.json()
    assert (answer.status, set(body)) == (200, {"token", "user"})
    assert (body["user"]["name"], body["user"]["role"]) == ("Ann", "player")
    assert await asker.me(body["token"]) == (200, {**body["user"], "currency": "EUR", "balance": 0, "available": 0})
    assert await actions(asker.database) == [("Ann", "player", "user_added"), ("Ann", "player", "signed_in")]


async def test_sign_in_gives_a_new_token_every_time(asker: Asker) -> None:
    first = await asker.register()
    second = await asker.post("/api/login", {"name": "aNN", "password": PASSWORD})
    body = await second.json()
    assert body["user"]["name"] == "Ann"
    assert body["token"] != first
    assert (await asker.me(first))[0] == (await asker.me(body["token"]))[0] == 200


@pytest.mark.parametrize("name", ["Ann", "aNN", "Ａnn"])
async def test_taken_name_is_a_conflict_and_changes_nothing(asker: Asker, name: str) -> None:
    await asker.register("Ann")
    assert await error_of(await asker.post("/api/register", {"name": name, "password": PASSWORD + "2"})) == (
        409,
        "bad_request",
    )
    assert (await asker.post("/api/login", {"name": "Ann", "password": PASSWORD})).status == 200


async def test_one_of_many_registering_the_same_name_at_once_gets_it(asker: Asker) -> None:
    body = {"name": "Ann", "password": PASSWORD}
    answers = await asyncio.gather(*(asker.post("/api/register", body) for _ in range(6)))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 5


@pytest.mark.parametrize("role", STAFF)
async def test_staff_sign_in_and_have_no_wallet(asker: Asker, role: Role) -> None:
    user = await asker.add("Sue", role)
    status, me = await asker.me(await asker.token_of("Sue"))
    assert status == 200
    assert me == {"id": user.id, "name": "Sue", "role": role, "currency": None, "balance": None, "available": None}


async def test_guest_gets_play_money_from_the_credit_account_in_one_posting(asker: Asker) -> None:
    body = await (await asker.post("/api/guest", {})).json()
    user = body["user"]
    assert user["name"].startswith("Guest ")
    assert await asker.me(body["token"]) == (200, {**user, "currency": "FUN", "balance": 100_000, "available": 100_000})
    postings = schema.postings.c
    moved = await rows(asker.database, select(postings.source, postings.destination, postings.amount))
    assert moved == [(credit("FUN").id, player_cash(user["id"], "FUN").id, 100_000)]
    assert (await asker.post("/api/login", {"name": user["name"], "password": ""})).status == 401


async def test_many_guests_at_once_are_different_people(asker: Asker) -> None:
    tokens = await asyncio.gather(*(asker.guest() for _ in range(20)))
    found = [(await asker.me(token))[1] for token in tokens]
    assert len({me["id"] for me in found}) == len({me["name"] for me in found}) == 20
    assert {me["balance"] for me in found} == {100_000}


async def test_guest_needs_no_body_at_all(one_asker: Asker) -> None:
    assert (await one_asker.client.post("/api/guest")).status == 200


@pytest.mark.req("SEC-2")
async def test_sign_out_ends_the_session_and_notifies_at_once(asker: Asker) -> None:
    token, other = await asker.register(), await asker.token_of("Ann")
    revoked: list[str] = []

    async def listen(session_id: str) -> None:
        revoked.append(session_id)

    sessions = asker.app[SESSIONS]
    sessions.on_signed_out.append(listen)
    session = await sessions.find(token)
    assert session is not None
    answer = await asker.post("/api/logout", token=token)
    assert (answer.status, revoked) == (200, [session.id])
    assert cookie_in(answer)["max-age"] == "0"
    assert await error_of(await asker.get("/api/me", token)) == (401, "not_authenticated")
    assert await error_of(await asker.post("/api/logout", token=token)) == (401, "not_authenticated")
    assert (await asker.me(other))[0] == 200
    assert (await actions(asker.database))[-1] == ("Ann", "player", "signed_out")


@pytest.mark.req("SEC-2")
async def test_cookie_does_what_the_token_does_and_no_script_can_read_it(one_asker: Asker) -> None:
    answer = await one_asker.post("/api/guest", {})
    cookie = cookie_in(answer)
    assert cookie.value == (await answer.json())["token"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["secure"]) == (True, "Strict", "/", "")
    own = {"Cookie": f"{COOKIE}={cookie.value}"}
    assert (await one_asker.get("/api/me", **own)).status == 200
    assert (await one_asker.get("/api/me", "x" * 43, **own)).status == 401, "a wrong header is not helped by a cookie"
    assert (await one_asker.post("/api/logout", **own)).status == 200
    assert (await one_asker.get("/api/me", **own)).status == 401


class TestBehindTLS:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(update={"service": Service(public_url="https://casino.example")})

    @pytest.mark.req("SEC-2")
    async def test_cookie_is_secure(self, one_asker: Asker) -> None:
        answer = await one_asker.post("/api/guest", {})
        assert cookie_in(answer)["secure"] is True
        assert "max-age" in answer.headers["Strict-Transport-Security"]


class TestWithoutGuests:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(update={"guests": Guests(enabled=False)})

    async def test_guests_are_refused_if_switched_off(self, one_asker: Asker) -> None:
        assert await error_of(await one_asker.post("/api/guest", {})) == (403, "forbidden")
        assert await rows(one_asker.database, select(schema.users.c.id)) == []


class TestPoorGuests:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(update={"guests": Guests(credit=0, currency="TOY")})

    async def test_guest_may_begin_with_nothing(self, one_asker: Asker) -> None:
        _, me = await one_asker.me(await one_asker.guest())
        assert (me["currency"], me["balance"]) == ("TOY", 0)


@pytest.mark.req("SEC-1")
async def test_unknown_name_and_wrong_password_answer_and_write_the_same(asker: Asker) -> None:
    await asker.register("Ann")
    reply, written = [], []
    for name in ("Ann", "Bob", "a\x00b"):
        before = len(await actions(asker.database))
        answer = await asker.post("/api/login", {"name": name, "password": "wrong password"})
        body = await answer.json()
        body["error"].pop("request_id")
        reply.append((answer.status, body, sorted(answer.headers)))
        written.append((await actions(asker.database))[before:])
    assert reply[0] == reply[1] == reply[2]
    assert reply[0][0] == 401
    assert written == [[("nobody", "none", "sign_in_failed")]] * 3


@pytest.mark.req("AUD")
async def test_audit_rows_carry_the_request_and_no_secret(asker: Asker) -> None:
    answer = await asker.post("/api/register", {"name": "Ann", "password": PASSWORD})
    token = (await answer.json())["token"]
    await asker.post("/api/login", {"name": PASSWORD, "password": PASSWORD})
    found = await rows(asker.database, select(schema.audit).order_by(schema.audit.c.id))
    assert {row.request_id for row in found[:2]} == {answer.headers["X-Request-Id"]}
    text = repr(found)
    assert token not in text
    assert PASSWORD not in text
    assert "argon2" not in text
