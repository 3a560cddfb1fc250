"""HTTP attacks: request smuggling, oversized bodies, path traversal, odd methods; and the security headers."""

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from casino.http.openapi.routes import NOT_DESCRIBED, ROUTES
from tests.live.clients import Clients
from tests.live.service import LiveService
from tests.security.scene import ROLES, Scene
from tests.service import Service, running_service

HEAD: Final = b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
INNER: Final = b"GET /api/tables HTTP/1.1\r\nHost: x\r\n\r\n"
SMUGGLED: Final = {
    "two kinds of length": HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + INNER,
    "two encodings": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + INNER,
    "an encoding nobody knows": HEAD + b"Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}" + INNER,
    "a space before the colon": HEAD + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + INNER,
    "a length with a sign": HEAD + b"Content-Length: +2\r\n\r\n{}" + INNER,
    "two lengths in one": HEAD + b"Content-Length: 2, 2\r\n\r\n{}" + INNER,
    "lines without returns": b"GET /healthz HTTP/1.1\nHost: x\n\n" + INNER,
    "a folded header": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n" + INNER,
    "two hosts": b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + INNER,
    "a chunk in C": HEAD + b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n" + INNER,
}
CLIMBING: Final = (
    "/assets/../../pyproject.toml", "/assets/..%2f..%2f..%2fpyproject.toml", "/assets/%2e%2e/%2e%2e/README.md",
    "/assets/..%5c..%5cpyproject.toml", "/assets/a%00.js", "//etc/passwd", "/assets//etc/passwd", "/icon.svg/../../x",
    "/assets/%c0%ae%c0%ae/x", "/assets/..;/index.html", "/.git/config", "/data/casino.db", "/config/casino.toml",
)  # fmt: skip


async def exchange(service: LiveService, sent: bytes, seconds: float = 15) -> bytes:
    """What comes back until the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(service.address.rpartition(":")[2]))
    writer.write(sent)
    async with asyncio.timeout(seconds):
        received = await reader.read(-1)
    writer.close()
    return received


@pytest.mark.req("SEC-8")
@pytest.mark.parametrize("what", SMUGGLED)
async def test_a_request_hidden_in_another_is_never_answered(service: LiveService, what: str) -> None:
    received = await exchange(service, SMUGGLED[what])
    assert received.count(b"HTTP/1.") == 1
    assert b" 400 " in received.splitlines()[0]
    assert b'"tables"' not in received


@pytest.mark.req("SEC-7")
@pytest.mark.parametrize("path", CLIMBING)
async def test_no_name_leads_out_of_the_pages(service: LiveService, path: str) -> None:
    received = await exchange(service, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert b" 404 " in received.splitlines()[0] or b" 400 " in received.splitlines()[0]
    assert b"[project]" not in received


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PATCH", "DELETE", "PROPFIND", "X" * 300])
async def test_odd_methods_are_refused_and_nothing_is_echoed(service: LiveService, method: str) -> None:
    sent = f"{method} /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Secret: swordfish\r\n\r\n"
    received = await exchange(service, sent.encode())
    assert received.splitlines()[0].split()[1] in (b"400", b"404", b"405")
    assert b"swordfish" not in received


def processor_seconds(service: LiveService) -> float:
    assert service._process is not None
    threads = Path(f"/proc/{service._process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


@pytest.mark.req("SEC-5")
@pytest.mark.parametrize("path", ["/api/guest", "/healthz", "/nowhere", "/socket.io/?EIO=4&transport=polling&sid=x"])
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_a_body_that_would_grow_is_not_unpacked(service: LiveService, path: str, coding: str) -> None:
    huge = b'{"a":"' + b"0" * 200_000_000 + b'"}'
    packed = gzip.compress(huge, 1) if coding == "gzip" else zlib.compress(huge, 1)
    before = processor_seconds(service)
    headers = {"Content-Encoding": coding, "Content-Type": "application/json"}
    async with aiohttp.ClientSession() as web:
        try:
            async with web.post(service.address + path, data=packed, headers=headers) as answer:
                assert 400 <= answer.status < 500
        except aiohttp.ClientConnectionError:
            pass  # it was closed before all had been sent
    await asyncio.sleep(0.3)
    assert processor_seconds(service) - before < 0.35, "unpacking it takes more than a second"


async def test_a_small_compressed_body_is_refused_with_a_reason(clients: Clients) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    body = gzip.compress(b"{}")
    async with clients.web.post(f"{clients.service.address}/api/guest", data=body, headers=headers) as answer:
        assert answer.status == 415
        assert (await answer.json())["error"]["code"] == "bad_request"


@pytest.mark.req("SEC-7")
@pytest.mark.req("SEC-8")
async def test_every_response_of_every_route_to_every_role_has_the_headers(clients: Clients, scene: Scene) -> None:
    for route in (*ROUTES, *NOT_DESCRIBED):
        method, path = route.split(" ")
        for role in ROLES if "/api/" in path else ("nobody",):
            if path == "/api/logout":
                continue
            token = scene.tokens[role]
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            url = clients.service.address + path.replace("{", "").replace("}", "")
            async with clients.web.request(method, url, headers=headers) as answer:
                response_headers = answer.headers
                assert answer.status < 500, (route, role)
                assert "default-src 'none'" in response_headers["Content-Security-Policy"], route
                assert "unsafe" not in response_headers["Content-Security-Policy"]
                assert "frame-ancestors 'none'" in response_headers["Content-Security-Policy"]
                assert "require-trusted-types-for 'script'" in response_headers["Content-Security-Policy"]
                assert "camera=()" in response_headers["Permissions-Policy"], route
                assert (response_headers["X-Content-Type-Options"], response_headers["Referrer-Policy"]) == (
                    "nosniff",
                    "no-referrer",
                ), route
                assert response_headers["X-Request-Id"]
                assert (response_headers["Server"], response_headers["Cross-Origin-Resource-Policy"]) == (
                    "casino",
                    "same-origin",
                )
                if path.startswith("/api/"):
                    assert response_headers["Cache-Control"] == "no-store", route
                text = await answer.text(errors="replace")
                assert not any(word in text for word in ("Traceback", "sqlalchemy", "sqlite", "SELECT ")), route


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Behind a proxy that speaks TLS."""
    config = tmp_path_factory.mktemp("encrypted")
    (config / "tables").mkdir()
    (config / "casino.toml").write_text(
        '[service]\npublic_url = "https://casino.example"\ntrusted_proxies = ["127.0.0.1"]\n'
    )
    (config / "tables" / "a.toml").write_text('id = "uth-1"\nname = "Table"\n')
    with running_service("--config", str(config)) as running:
        yield running


@pytest.fixture
async def web() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield session


@pytest.mark.req("SEC-2")
@pytest.mark.req("SEC-7")
async def test_behind_tls_cookies_are_secure_and_browsers_stay_with_it(
    encrypted: Service, web: aiohttp.ClientSession
) -> None:
    headers = {"Origin": "https://casino.example", "X-Forwarded-For": "192.0.2.1"}
    async with web.post(f"{encrypted.address}/api/guest", json={}, headers=headers) as answer:
        assert answer.status == 200
        assert "Secure" in answer.headers["Set-Cookie"]
        assert "max-age=31536000" in answer.headers["Strict-Transport-Security"]
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    async with web.get(f"{encrypted.address}/metrics", headers=headers) as answer:
        assert answer.status == 403, "figures are not for those who come through the proxy"
        assert json.loads(await answer.text())["error"]["code"] == "forbidden"
    rebound = {"Origin": "https://evil.example", "Host": "evil.example"}
    async with web.get(f"{encrypted.address}/api/tables", headers=rebound) as answer:
        assert answer.status == 403, "a name that somebody lets lead here is not ours"
