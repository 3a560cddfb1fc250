"""Responsible gaming over HTTP: reports, refusals, and limits of deposits."""

from typing import Any

import pytest

from casino.users.roles import Role
from tests.http.conftest import Asker

pytestmark = pytest.mark.req("RGP")

DAY_MS = 86_400_000
NO_AMOUNTS: list[object] = [-1, 1.5, "5", True, 2**63, 10**30, []]
SHAPES: dict[str, list[object]] = {
    "PUT /api/responsible/limits": [
        *[{"kind": "loss", "period": "day", "amount": amount} for amount in NO_AMOUNTS],
        *[{"kind": "session", "period": "day", "amount": amount} for amount in (0, -1, 44_641, "60")],
        {"kind": "win", "period": "day", "amount": 1},
        {"kind": "loss", "period": "year", "amount": 1},
        {"kind": "loss", "period": "day"},
        {"kind": "loss", "period": "day", "amount": 1, "at": 5},
    ],
    "PUT /api/responsible/reality-check": [{}, *[{"minutes": minutes} for minutes in (0, -1, 1441, "5", True, 1.5)]],
    "POST /api/responsible/reality-check/seen": [{"seen": True}, []],
    "POST /api/responsible/time-out": [{}, *[{"days": days} for days in (0, -1, 43, None, "1", True, 1.5)]],
    "POST /api/responsible/self-exclusion": [{}, *[{"months": months} for months in (0, 5, 61, "6", True, 6.5)]],
}


async def ask(asker: Asker, route: str, body: object, token: str | None) -> tuple[int, dict[str, Any]]:
    method, path = route.split()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = await asker.client.request(method, path, json=body, headers=headers)
    return answer.status, await answer.json()


def limit_of(reply: dict[str, Any], kind: str, period: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in reply["limits"] if (one["kind"], one["period"]) == (kind, period))
    return found


async def test_everything_is_shown_also_to_a_guest(asker: Asker) -> None:
    status, reply = await ask(asker, "GET /api/responsible", None, await asker.guest())
    assert status == 200
    assert len(reply["limits"]) == 9
    assert {one["amount"] for one in reply["limits"]} == {None}
    assert (reply["reality_check"], reply["exclusion"]) == ({"minutes": None, "due": False}, None)
    assert (reply["session"], reply["currency"]) == (None, "FUN")


async def test_policy_names_help_lines_by_country(asker: Asker) -> None:
    _, reply = await ask(asker, "GET /api/responsible", None, await asker.guest())
    assert (reply["policy"]["operator"], reply["policy"]["url"]) == ("", "")
    assert [line["country"] for line in reply["policy"]["help_lines"]] == ["DK", "FR", "GB", "ZZ"]
    assert reply["policy"]["help_lines"][0]["phone"] == "70 22 28 25"


async def test_deposit_limit_is_shown_with_what_is_used_and_left(asker: Asker) -> None:
    token = await asker.register()
    for amount, key in ((3_000, "k1"), (1_000, "k2")):
        assert (await asker.post("/api/cashier/deposit", {"amount": amount, "key": key}, token)).status == 200
    body = {"kind": "deposit", "period": "day", "amount": 5_000}
    _, reply = await ask(asker, "PUT /api/responsible/limits", body, token)
    own = limit_of(reply, "deposit", "day")
    assert (own["amount"], own["used"], own["remaining"], own["pending"]) == (5_000, 4_000, 1_000, None)
    assert own["ends_at"] - own["starts_at"] == DAY_MS
    answer = await asker.post("/api/cashier/deposit", {"amount": 1_001, "key": "k3"}, token)
    error = (await answer.json())["error"]
    assert (answer.status, error["code"]) == (409, "limit_reached")
    assert error["message"].startswith("Your deposit limit of 50.00 EUR leaves you 10.00 EUR until ")
    sent = {"reason": "deposit_limit", "limit": 5_000, "left": 1_000, "currency": "EUR", "until": own["ends_at"]}
    assert error["params"] == sent
    assert (await asker.post("/api/cashier/deposit", {"amount": 1_000, "key": "k3"}, token)).status == 200
    _, reply = await ask(asker, "PUT /api/responsible/limits", body | {"amount": None}, token)
    own = limit_of(reply, "deposit", "day")
    assert own["amount"] == 5_000
    assert own["pending"]["amount"] is None
    assert own["pending"]["at"] >= reply["now"] + DAY_MS - 60_000
    _, reply = await ask(asker, "PUT /api/responsible/limits", body, token)
    assert limit_of(reply, "deposit", "day")["pending"] is None


@pytest.mark.parametrize(
    ("route", "body", "kind"),
    [
        ("POST /api/responsible/time-out", {"days": 1}, "time_out"),
        ("POST /api/responsible/self-exclusion", {"months": 6}, "self_exclusion"),
        ("POST /api/responsible/self-exclusion", {"months": None}, "self_exclusion"),
    ],
)
async def test_excluded_player_deposits_nothing_but_signs_in_and_withdraws(
    one_asker: Asker, route: str, body: dict[str, Any], kind: str
) -> None:
    token = await one_asker.register()
    await one_asker.post("/api/cashier/deposit", {"amount": 5_000, "key": "k1"}, token)
    status, reply = await ask(one_asker, route, body, token)
    assert (status, reply["exclusion"]["kind"]) == (200, kind)
    assert (reply["exclusion"]["until"] is None) == (body == {"months": None})
    refused = await one_asker.post("/api/cashier/deposit", {"amount": 1, "key": "k2"}, token)
    assert (await refused.json())["error"]["code"] == "limit_reached"
    token = await one_asker.token_of("Ann")
    paid = await one_asker.post("/api/cashier/withdraw", {"amount": 5_000, "key": "k3"}, token)
    assert (await paid.json())["balance"] == 0
    for shorter in ({"days": 1}, {"days": 42}):
        _, later = await ask(one_asker, "POST /api/responsible/time-out", shorter, token)
        if kind == "self_exclusion":
            assert later["exclusion"] == reply["exclusion"], "a short break does not end a long one"


@pytest.mark.req("SEC-6")
@pytest.mark.parametrize("route", SHAPES)
async def test_bad_input_is_refused_and_changes_nothing(one_asker: Asker, route: str) -> None:
    token = await one_asker.register()
    for body in SHAPES[route]:
        status, reply = await ask(one_asker, route, body, token)
        assert (status, reply["error"]["code"]) == (400, "bad_request"), body
    _, reply = await ask(one_asker, "GET /api/responsible", None, token)
    assert {one["amount"] for one in reply["limits"]} == {None}
    assert (reply["reality_check"]["minutes"], reply["exclusion"]) == (None, None)


@pytest.mark.req("SEC-9")
async def test_only_players_have_safeguards(one_asker: Asker) -> None:
    await one_asker.add("Pia", Role.PRESENTER)
    token = await one_asker.token_of("Pia")
    for route in ("GET /api/responsible", *SHAPES):
        assert (await ask(one_asker, route, {}, token))[0] == 403
        assert (await ask(one_asker, route, {}, None))[0] == 401
