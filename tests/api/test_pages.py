"""What the service answers at its plain addresses, asked over a real connection in this process."""

import asyncio
from pathlib import Path
from typing import NoReturn

import pytest
from aiohttp.web import Application, Request

from casino.api.audience import EVERYBODY, add_route
from tests.api.conftest import AddRoutes, Asker, Client


@pytest.fixture
def more_routes() -> AddRoutes:
    def add(app: Application) -> None:
        add_route(app, "GET", "/broken", _broken, EVERYBODY)

    return add


@pytest.fixture
def client(one_asker: Asker) -> Client:
    return one_asker.client


async def _broken(_request: Request) -> NoReturn:
    raise RuntimeError("As Kd face down")


async def test_healthz_says_ok(client: Client) -> None:
    answer = await client.get("/healthz")
    assert (answer.status, answer.content_type) == (200, "application/json")
    assert await answer.json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/", "/healthz", "/assets/index-abc.js", "/nowhere", "/api/nowhere", "/broken"])
async def test_every_answer_carries_the_security_headers(client: Client, path: str) -> None:
    headers = (await client.get(path)).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "aiohttp" not in headers["Server"]


@pytest.mark.parametrize("path", ["/nowhere", "/api/nowhere", "/assets/nothing.js", "/assets/"])
async def test_an_unknown_address_is_not_found(client: Client, path: str) -> None:
    answer = await client.get(path)
    assert answer.status == 404
    error = (await answer.json())["error"]
    assert (error["code"], error["message"]) == ("not_found", "There is nothing at this address.")


@pytest.mark.parametrize("name", ["..%2findex.html", "..%2f..%2fsecret", "..", "%2e%2e%2f%2e%2e%2fsecret"])
async def test_an_asset_name_cannot_climb_out_of_its_folder(client: Client, name: str) -> None:
    reader, writer = await _connect(client)
    writer.write(f"GET /assets/{name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    status_line = await reader.readline()
    writer.close()
    assert b" 404 " in status_line


async def test_another_method_is_refused_and_told_which_is_allowed(client: Client) -> None:
    answer = await client.post("/healthz")
    assert answer.status == 405
    assert "GET" in answer.headers["Allow"]
    assert (await answer.json())["error"]["code"] == "bad_request"


async def test_a_fault_tells_the_client_nothing_of_its_cause(client: Client) -> None:
    answer = await client.get("/broken")
    assert answer.status == 500
    text = await answer.text()
    assert "internal" in text
    assert answer.headers["X-Request-Id"] in text
    assert "As Kd" not in text


async def test_the_page_is_asked_for_anew_and_its_assets_are_kept(client: Client) -> None:
    page = await client.get("/")
    asset = await client.get("/assets/index-abc.js")
    assert (page.status, page.content_type, page.headers["Cache-Control"]) == (200, "text/html", "no-cache")
    assert asset.status == 200
    assert asset.content_type.endswith("/javascript")
    assert "immutable" in asset.headers["Cache-Control"]
    assert (await client.get("/icon.svg")).content_type == "image/svg+xml"


async def test_without_a_build_the_page_says_how_to_make_one(client: Client, dist: Path) -> None:
    (dist / "index.html").unlink()
    answer = await client.get("/")
    assert answer.status == 503
    assert "make setup" in await answer.text()
    assert (await client.get("/healthz")).status == 200


async def _connect(client: Client) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(client.host, client.port)
