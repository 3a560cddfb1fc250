"""Cashier over HTTP: responses, bad input, authorization, and signed notifications of the provider."""

import asyncio
import hashlib
import hmac
import json
from typing import Any

import pytest
from pydantic import SecretStr
from yarl import URL

from casino.settings import ServiceSettings
from casino.settings.service import Cashier
from casino.users.roles import Role
from tests.http.conftest import Asker

SECRET = "a secret of two houses, long enough"  # noqa: S105

BAD_AMOUNTS: list[object] = [0, -1, 1.5, "5", True, None, [], {}, 2**53, 2**63, 10**30, "５"]
BAD_KEYS: list[object] = [
    "",
    "x" * 81,
    5,
    None,
    "a b",
    "é",
    "=1",
    "-1",
    "a;b",
    "a,b",
    "a|b",
    "a=b",
    "a+b",
    "@a",
    "a\n",
    "a\x00",
    "\ud800",
    [],
]
BAD_BODIES: list[object] = [
    *[{"amount": amount, "key": "k"} for amount in BAD_AMOUNTS],
    *[{"amount": 5, "key": key} for key in BAD_KEYS],
    {"amount": 5},
    {"key": "k"},
    {"amount": 5, "key": "k", "extra": 1},
    {"amount": 5, "key": "k", "__proto__": {}},
    [],
    5,
]


@pytest.fixture
def service_settings() -> ServiceSettings:
    return ServiceSettings().model_copy(
        update={"cashier": Cashier(provider="embedded", provider_secret=SecretStr(SECRET))}
    )


async def test_deposit_and_withdrawal_answer_with_the_payment_and_the_money(asker: Asker) -> None:
    token = await asker.register()
    body = {"amount": 5_000, "key": "k1"}
    first = await asker.post("/api/cashier/deposit", body, token)
    assert first.status == 200
    reply = await first.json()
    assert reply["payment"] | {"id": "", "at": 0, "ended_at": 0} == {
        "id": "",
        "key": "k1",
        "kind": "deposit",
        "amount": 5_000,
        "currency": "EUR",
        "status": "succeeded",
        "reason": None,
        "at": 0,
        "ended_at": 0,
    }
    assert (reply["balance"], reply["available"]) == (5_000, 5_000)
    assert await (await asker.post("/api/cashier/deposit", body, token)).json() == reply
    reused = await asker.post("/api/cashier/deposit", body | {"amount": 4_000}, token)
    assert (reused.status, (await reused.json())["error"]["code"]) == (409, "key_reused")
    paid = await (await asker.post("/api/cashier/withdraw", {"amount": 2_000, "key": "k2"}, token)).json()
    assert (paid["payment"]["status"], paid["balance"]) == ("succeeded", 3_000)
    assert (await asker.me(token))[1]["balance"] == 3_000
    page = await (await asker.get("/api/cashier?limit=1", token)).json()
    assert [payment["id"] for payment in page["payments"]] == [paid["payment"]["id"]]
    rest = await (await asker.get(f"/api/cashier?limit=1&before={page['next']}", token)).json()
    assert [payment["id"] for payment in rest["payments"]] == [reply["payment"]["id"]]
    assert rest["next"] is None
    assert page["may_withdraw"] is True


async def test_bad_input_is_refused_and_moves_nothing(one_asker: Asker) -> None:
    token = await one_asker.register()
    for path in ("/api/cashier/deposit", "/api/cashier/withdraw"):
        for body in BAD_BODIES:
            answer = await one_asker.post(path, body, token)
            assert (answer.status, (await answer.json())["error"]["code"]) == (400, "bad_request"), (path, body)
    for raw in (b'{"amount": NaN, "key": "k"}', b'{"amount": 1e3, "key": "k"}', b"\xff", b"", b"[" * 1000):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        answer = await one_asker.client.post("/api/cashier/deposit", data=raw, headers=headers)
        assert answer.status == 400, raw
    for query in ("limit=0", "limit=201", "limit=-1", "limit=x", "limit=1.5", "before=nobody", "before="):
        assert (await one_asker.get(f"/api/cashier?{query}", token)).status == 400, query
    assert (await one_asker.me(token))[1]["balance"] == 0


async def test_guest_tops_up_play_money_and_never_withdraws_it(one_asker: Asker) -> None:
    token = await one_asker.guest()
    topped_up = await (await one_asker.post("/api/cashier/deposit", {"amount": 900_000, "key": "k1"}, token)).json()
    assert topped_up["balance"] == 1_000_000
    for path, code, status in (("deposit", "above_maximum", 409), ("withdraw", "forbidden", 403)):
        answer = await one_asker.post(f"/api/cashier/{path}", {"amount": 1, "key": "k2"}, token)
        assert (answer.status, (await answer.json())["error"]["code"]) == (status, code)
    assert (await (await one_asker.get("/api/cashier", token)).json())["may_withdraw"] is False


@pytest.mark.req("SEC-9")
async def test_only_players_have_a_cashier(one_asker: Asker) -> None:
    asked = [("GET", "/api/cashier"), ("POST", "/api/cashier/deposit"), ("POST", "/api/cashier/withdraw")]
    for method, path in asked:
        answer = await one_asker.client.request(method, path, json={"amount": 1, "key": "k"})
        assert answer.status == 401
    for role in set(Role) - {Role.PLAYER}:
        await one_asker.add(f"Staff {role}", role)
        token = await one_asker.token_of(f"Staff {role}")
        for method, path in asked:
            headers = {"Authorization": f"Bearer {token}"}
            answer = await one_asker.client.request(method, path, json={"amount": 1, "key": "k"}, headers=headers)
            assert answer.status == 403


async def confirm(asker: Asker, body: dict[str, Any], secret: str = SECRET) -> int:
    raw = json.dumps(body).encode()
    signature = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
    headers = {"X-Signature": signature, "Content-Type": "application/json"}
    return (await asker.client.post("/api/cashier/confirm", data=raw, headers=headers)).status


@pytest.mark.req("SEC-6")
async def test_word_of_the_provider_is_believed_only_if_it_is_signed(one_asker: Asker) -> None:
    token = await one_asker.register()
    reply = await (await one_asker.post("/api/cashier/deposit", {"amount": 5_000, "key": "k1"}, token)).json()
    word = {"payment_id": reply["payment"]["id"], "status": "succeeded"}
    assert await confirm(one_asker, word) == 200
    assert await confirm(one_asker, word) == 200
    assert await confirm(one_asker, word | {"status": "failed"}) == 200, "it is noted, and nothing moves"
    assert await confirm(one_asker, word, secret=SECRET[::-1]) == 401
    assert (await one_asker.post("/api/cashier/confirm", word)).status == 401
    assert await confirm(one_asker, word | {"payment_id": "nobody"}) == 404
    assert await confirm(one_asker, word | {"status": "perhaps"}) == 400
    assert (await one_asker.me(token))[1]["balance"] == 5_000


class TestWithoutAProvider:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(update={"cashier": Cashier(provider="embedded")})

    async def test_unsigned_confirmation_is_not_found(self, one_asker: Asker) -> None:
        assert await confirm(one_asker, {"payment_id": "x", "status": "succeeded"}) == 404


@pytest.mark.req("SEC-6")
async def test_a_page_before_nonsense_is_a_bad_request_on_every_database(asker: Asker) -> None:
    token = await asker.register()
    headers = {"Authorization": f"Bearer {token}"}
    for before in ("%00", "a%00b", "%ED%A0%80", "x" * 41, ""):
        path = URL(f"/api/cashier?before={before}", encoded=True)
        answer = await asker.client.get(path, headers=headers)
        assert answer.status == 400, before


@pytest.mark.req("SEC-6")
async def test_a_signature_that_is_no_text_is_only_wrong(one_asker: Asker) -> None:
    assert one_asker.client.port is not None
    reader, writer = await asyncio.open_connection("127.0.0.1", one_asker.client.port)
    writer.write(
        b"POST /api/cashier/confirm HTTP/1.1\r\nHost: x\r\nX-Signature: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}"
    )
    assert b" 401 " in await reader.readline()
    writer.close()


@pytest.mark.req("SEC-4")
async def test_one_player_asks_the_cashier_only_so_often(one_asker: Asker) -> None:
    """Every payment is written among the bets of all players."""
    one, other = await one_asker.register("Ann"), await one_asker.register("Ben")
    body = {"amount": 100, "key": "the-same"}
    statuses = [(await one_asker.post("/api/cashier/deposit", body, one)).status for _ in range(301)]
    assert statuses == [200] * 300 + [429]
    assert (await one_asker.post("/api/cashier/withdraw", body, one)).status == 429
    assert (await one_asker.post("/api/cashier/deposit", body, other)).status == 200
    assert (await one_asker.me(one))[1]["balance"] == 100
