"""Bad input to every route: a clear error, nothing stored, and no effect on other clients."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import func, select

from casino.http import request_body
from casino.storage import schema
from tests.http.conftest import PASSWORD, Asker
from tests.http.test_accounts import error_of

pytestmark = pytest.mark.req("SEC-6")

ROUTES = ["/api/register", "/api/login", "/api/guest"]

NOT_TEXT: list[Any] = [None, True, 5, 1.5, 2**63, 10**30, [], {}, ["Ann"], {"name": "Ann"}]
NOT_NAMES = [
    "",
    " ",
    "x" * 41,
    "x" * 10_000,
    "a\x00b",
    "a\r\nSet-Cookie: x=1",
    "\u202eevil",
    "zero\u200bwidth",
    "\ufeffAnn",
    "two  spaces",
    "Аnn",  # a Cyrillic A
]
ODD_NAMES = ["<img src=x onerror=alert(1)>", "../../etc/passwd", "__proto__", "' OR 1=1"]
SPREADSHEET_NAMES = [
    "=HYPERLINK(1)",
    "+49",
    "-Bo",
    "@ann",
    "a =1",
    "a;=1+1",
    "a,b",
    "a|b",
    "'; --",
    'Al "Ace"',
    "＝1+1",
]
"""Names like others: they are only ever shown as text."""

NOT_BODIES: dict[str, bytes] = {
    "nothing": b"",
    "not JSON": b"name=Ann&password=x",
    "half": b'{"name": "Ann", "password": "' + PASSWORD.encode(),
    "array": b'[{"name": "Ann", "password": "correct horse battery"}]',
    "text": b'"Ann"',
    "number": b"5",
    "null": b"null",
    "NaN": b'{"name": NaN, "password": NaN}',
    "not UTF-8": b'{"name": "\xff\xfe", "password": "correct horse battery"}',
    "half a character": b'{"name": "\\ud800", "password": "correct horse battery"}',
    "UTF-16": '{"name": "Ann", "password": "correct horse battery"}'.encode("utf-16"),
    "depth": b'{"name":' + b"[" * 1000 + b"]" * 1000 + b"}",
    "depth of objects": b'{"a":' * 1000 + b"1" + b"}" * 1000,
    "many keys": json.dumps({f"k{number}": 1 for number in range(1000)}).encode(),
    "field too many": b'{"name": "Ann", "password": "correct horse battery", "role": "admin"}',
    "prototype": b'{"name": "Ann", "password": "correct horse battery", "__proto__": {"role": "admin"}}',
    "two values": b'{"name": "Ann", "password": "correct horse battery"} {}',
}


def shapes() -> Iterator[dict[str, Any]]:
    yield {}
    for value in NOT_TEXT:
        yield {"name": value, "password": PASSWORD}
        yield {"name": "Ann", "password": value}
    yield {"name": "Ann"}
    yield {"password": PASSWORD}
    yield {"Name": "Ann", "Password": PASSWORD}


async def people(asker: Asker) -> int:
    async with asker.database.reading() as connection:
        return int((await connection.execute(select(func.count()).select_from(schema.users))).scalar_one())


@pytest.mark.parametrize("path", ["/api/register", "/api/login"])
async def test_wrong_shapes_are_refused(one_asker: Asker, path: str) -> None:
    for body in shapes():
        assert await error_of(await one_asker.post(path, body)) == (400, "bad_request"), body
    assert await people(one_asker) == 0


@pytest.mark.parametrize("path", ROUTES)
async def test_unexpected_bodies_are_refused(one_asker: Asker, path: str) -> None:
    for kind, body in NOT_BODIES.items():
        if path == "/api/guest" and kind == "nothing":
            continue
        answer = await one_asker.client.post(path, data=body, headers={"Content-Type": "application/json"})
        assert await error_of(answer) == (400, "bad_request"), kind
        assert PASSWORD not in await answer.text()
    assert await people(one_asker) == 0


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"])
async def test_only_json_is_taken(one_asker: Asker, path: str, kind: str) -> None:
    body = json.dumps({"name": "Ann", "password": PASSWORD}).encode()
    answer = await one_asker.client.post(path, data=body, headers={"Content-Type": kind})
    assert await error_of(answer) == (415, "bad_request")
    assert await people(one_asker) == 0


@pytest.mark.parametrize("path", ROUTES)
async def test_too_large_a_body_is_refused(one_asker: Asker, path: str) -> None:
    for size in (16 * 1024, 10 * 1024 * 1024):
        body = json.dumps({"name": "x" * size, "password": PASSWORD}).encode()
        answer = await one_asker.client.post(path, data=BytesIO(body), headers={"Content-Type": "application/json"})
        assert await error_of(answer) == (413, "bad_request")
    assert (await one_asker.get("/healthz")).status == 200


async def test_body_that_never_ends_is_not_waited_for(one_asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_body, "BODY_SECONDS_MAX", 0.1)

    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(5)

    async with asyncio.timeout(4):
        answer = await one_asker.client.post("/api/guest", data=endless(), headers={"Content-Type": "application/json"})
        assert await error_of(answer) == (408, "bad_request")


@pytest.mark.parametrize("name", NOT_NAMES)
async def test_invalid_names_cannot_be_registered_or_found(one_asker: Asker, name: str) -> None:
    body = {"name": name, "password": PASSWORD}
    assert await error_of(await one_asker.post("/api/register", body)) == (400, "bad_request")
    assert await error_of(await one_asker.post("/api/login", body)) == (401, "not_authenticated")


@pytest.mark.parametrize("name", SPREADSHEET_NAMES)
async def test_name_that_a_spreadsheet_could_execute_or_split_is_refused(one_asker: Asker, name: str) -> None:
    answer = await one_asker.post("/api/register", {"name": name, "password": PASSWORD})
    assert await error_of(answer) == (400, "bad_request")


@pytest.mark.parametrize("key", ["=1+1", "+49", "-1", "@x", "a;=1", "a,b", "a|b", "a b", 'a"', "a\t=1"])
async def test_key_of_a_payment_that_a_spreadsheet_could_execute_or_split_is_refused(
    one_asker: Asker, key: str
) -> None:
    token = await one_asker.register()
    answer = await one_asker.post("/api/cashier/deposit", {"amount": 100, "key": key}, token)
    assert await error_of(answer) == (400, "bad_request")


async def test_odd_names_are_names_and_come_back_as_they_are(asker: Asker) -> None:
    for name in ODD_NAMES:
        answer = await asker.post("/api/register", {"name": name, "password": PASSWORD})
        assert answer.status == 200
        assert answer.content_type == "application/json"
        status, me = await asker.me((await answer.json())["token"])
        assert (status, me["name"]) == (200, name)


@pytest.mark.parametrize("password", ["", "k7#q", "x" * 257, "x" * 10_000])
async def test_bad_password_is_refused_without_repeating_it(one_asker: Asker, password: str) -> None:
    answer = await one_asker.post("/api/register", {"name": "Ann", "password": password})
    assert await error_of(answer) == (400, "bad_request" if len(password) > 256 else "weak_password")
    assert not password or password not in await answer.text()


async def test_password_may_have_any_characters(asker: Asker) -> None:
    password = "\x00\n\u202e💥 'DROP\""  # noqa: S105
    await asker.register(password=password)
    assert (await asker.post("/api/login", {"name": "Ann", "password": password})).status == 200


@pytest.mark.parametrize("table_id", ["nothing", "UTH-1", "uth-1%00", "..%2f", "%ff", "x" * 3000, "%E2%80%AE"])
async def test_unknown_table_is_not_found(one_asker: Asker, table_id: str) -> None:
    answer = await one_asker.get(f"/api/tables/{table_id}")
    assert answer.status == 404
    assert (await answer.json())["error"]["code"] in ("no_such_table", "not_found")


@pytest.mark.parametrize(
    "token", ["", " ", "x", "x" * 43, "x" * 5000, "Ω" * 43, "../" * 14 + "x", "' OR 1=1 --", '"' * 43]
)
async def test_made_up_token_opens_nothing(asker: Asker, token: str) -> None:
    assert await error_of(await asker.get("/api/me", token)) == (401, "not_authenticated")
