"""Static pages and plain addresses, requested over a real connection in this process."""

import asyncio
import gzip
import hashlib
import os
from pathlib import Path
from typing import NoReturn

import pytest
from aiohttp.web import Application, Request

from casino.http.authorization import PUBLIC, add_route
from tests.http.conftest import AddRoutes, Asker, Client


@pytest.fixture
def more_routes() -> AddRoutes:
    def add(app: Application) -> None:
        add_route(app, "GET", "/broken", _broken, PUBLIC)

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
    assert (error["code"], error["message"]) == ("not_found", "There is no such address.")


async def test_a_person_at_an_unknown_address_gets_a_page(client: Client, dist: Path) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    plain = await client.get("/nowhere", headers=browser)
    assert (plain.status, await plain.text()) == (404, "This page doesn't exist.")
    (dist / "not_found.html").write_text("<!doctype html><a href='/'>Go to the tables</a>")
    page = await client.get("/tables/uth-1", headers=browser)
    assert (page.status, page.content_type, "Go to the tables" in await page.text()) == (404, "text/html", True)
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    known = await client.get("/nowhere", headers=browser | {"If-None-Match": page.headers["Etag"]})
    assert known.status == 404
    for path in ("/api/nowhere", "/assets/nothing.js"):
        assert (await (await client.get(path, headers=browser)).json())["error"]["code"] == "not_found"
    assert (await client.post("/nowhere", headers=browser)).content_type == "application/json"


@pytest.mark.parametrize("name", ["..%2findex.html", "..%2f..%2fsecret", "..", "%2e%2e%2f%2e%2e%2fsecret"])
async def test_an_asset_name_cannot_climb_out_of_its_folder(client: Client, name: str) -> None:
    reader, writer = await _connect(client)
    writer.write(f"GET /assets/{name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    status_line = await reader.readline()
    writer.close()
    assert b" 404 " in status_line


async def test_other_methods_are_refused_with_the_allowed_ones(client: Client) -> None:
    answer = await client.post("/healthz")
    assert answer.status == 405
    assert "GET" in answer.headers["Allow"]
    assert (await answer.json())["error"]["code"] == "bad_request"


async def test_internal_error_reveals_no_cause_to_the_client(client: Client) -> None:
    answer = await client.get("/broken")
    assert answer.status == 500
    text = await answer.text()
    assert "internal" in text
    assert answer.headers["X-Request-Id"] in text
    assert "As Kd" not in text


async def test_page_is_revalidated_and_its_assets_are_cached(client: Client) -> None:
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


async def test_a_file_is_read_once_and_again_after_a_new_build(
    client: Client, dist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    read_bytes = Path.read_bytes

    def counted(path: Path) -> bytes:
        read.append(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", counted)
    first = [await (await client.get("/assets/index-abc.js")).read() for _ in range(20)]
    assert len(set(first)) == 1
    assert len(read) == 1
    (dist / "assets" / "index-abc.js").write_text("new build")
    os.utime(dist / "assets" / "index-abc.js", ns=(1, 1))
    assert await (await client.get("/assets/index-abc.js")).text() == "new build"


async def test_large_file_arrives_complete_and_is_not_sent_again_to_its_cache(client: Client, dist: Path) -> None:
    body = os.urandom(200_000)
    (dist / "assets" / "large.bin").write_bytes(body)
    answer = await client.get("/assets/large.bin")
    assert (await answer.read(), answer.content_length) == (body, len(body))
    known = await client.get("/assets/large.bin", headers={"If-None-Match": answer.headers["Etag"]})
    assert (known.status, await known.read()) == (304, b"")
    head = await client.head("/assets/large.bin")
    assert (head.status, head.content_length) == (200, len(body))
    assert (await client.get("/healthz")).status == 200


SCRIPT = b"export const answer = 42;\n" * 200


@pytest.fixture
def compressed(dist: Path) -> dict[str, bytes]:
    """A script with the two forms that a build adds. The service passes them on unread, so any bytes will do."""
    (dist / "assets" / "index-xyz.js").write_bytes(SCRIPT)
    forms = {"br": b"brotli, much shorter", "gzip": gzip.compress(SCRIPT)}
    (dist / "compressed").mkdir()
    for coding, suffix in (("br", "br"), ("gzip", "gz")):
        name = f"{hashlib.sha256(SCRIPT).hexdigest()[:32]}.{suffix}"
        (dist / "compressed" / name).write_bytes(forms[coding])
    return forms


async def _raw(client: Client, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Asks for the script and decodes nothing."""
    reader, writer = await _connect(client)
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    writer.write(f"{method} /assets/index-xyz.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, *fields = head.decode().split("\r\n")
    named = dict(field.split(": ", 1) for field in fields)
    return int(status.split()[1]), {name.lower(): value for name, value in named.items()}, body


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip"),
        ("*", "br"),
        ("br;q=0.0, *;q=0", None),
        ("deflate", None),
        ("", None),
        (";;,,=q", None),
    ],
)
async def test_script_is_served_in_the_smallest_encoding_the_client_accepts(
    client: Client, compressed: dict[str, bytes], accepted: str, coding: str | None
) -> None:
    status, headers, body = await _raw(client, Accept_Encoding=accepted)
    assert (status, headers.get("content-encoding"), headers["vary"]) == (200, coding, "Accept-Encoding")
    assert body == (SCRIPT if coding is None else compressed[coding])
    assert (headers["content-length"], headers["content-type"]) == (str(len(body)), "text/javascript")
    status, head, nothing = await _raw(client, "HEAD", Accept_Encoding=accepted)
    assert (status, nothing, head["content-length"], head["etag"]) == (200, b"", str(len(body)), headers["etag"])


async def test_each_form_of_a_script_has_its_own_tag(client: Client, compressed: dict[str, bytes]) -> None:
    del compressed
    tags = {form: (await _raw(client, Accept_Encoding=form))[1]["etag"] for form in ("br", "gzip", "identity")}
    assert len(set(tags.values())) == 3
    for form, tag in tags.items():
        status, headers, body = await _raw(client, Accept_Encoding=form, If_None_Match=tag)
        assert (status, body, headers["vary"], headers["etag"]) == (304, b"", "Accept-Encoding", tag)
        others = ", ".join(tags[other] for other in tags if other != form)
        assert (await _raw(client, Accept_Encoding=form, If_None_Match=others))[0] == 200


async def test_new_build_is_never_served_in_compressed_forms_of_the_old_one(
    client: Client, dist: Path, compressed: dict[str, bytes]
) -> None:
    del compressed
    assert (await _raw(client, Accept_Encoding="br"))[1]["content-encoding"] == "br"
    (dist / "assets" / "index-xyz.js").write_text("new build")
    os.utime(dist / "assets" / "index-xyz.js", ns=(1, 1))
    _, headers, body = await _raw(client, Accept_Encoding="br")
    assert ("content-encoding" in headers, body) == (False, b"new build")


@pytest.mark.req("SEC-5")
async def test_openapi_document_is_built_once_for_concurrent_requests(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []

    def counted(app: Application) -> bytes:
        written.append(app)
        return b"{}"

    monkeypatch.setattr("casino.http.openapi.endpoint._written", counted)
    answers = await asyncio.gather(*(client.get("/api/openapi.json") for _ in range(20)))
    assert {answer.status for answer in answers} == {200}
    assert len(written) == 1
