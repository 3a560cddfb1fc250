"""Accounts at a service in its own process: restarts, other processes, malformed HTTP, and its log."""

import asyncio
import json
import re
import signal
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from casino.http.connection import HEAD_SECONDS_MAX
from casino.storage import service_lock
from casino.users.session_cache import KEEP_SECONDS
from tests.databases import PostgresServer
from tests.http.conftest import PASSWORD
from tests.service import CASINO, Service, running_service

ADDRESS = re.compile(r"http://([\d.]+):(\d+)")
WHOLE_ANSWER = ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "X-Request-Id", "Server")


def ask(service: Service, path: str, body: object = None, token: str | None = None) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{service.address}{path}", data, headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def casino(*arguments: str, stdin: str = "") -> None:
    subprocess.run([CASINO, *arguments], input=stdin, text=True, check=True, timeout=30, capture_output=True)


@pytest.mark.req("SEC-2")
def test_sessions_survive_a_restart(database_url: str) -> None:
    with running_service("--database", database_url) as service:
        _, registered = ask(service, "/api/register", {"name": "Ann", "password": PASSWORD})
        _, guest = ask(service, "/api/guest", {})
        _, gone = ask(service, "/api/guest", {})
        assert ask(service, "/api/logout", {}, gone["token"])[0] == 200
        assert service.stop() == 0
    with running_service("--database", database_url) as service:
        assert ask(service, "/readyz")[0] == 200
        assert ask(service, "/api/me", token=registered["token"])[1]["name"] == "Ann"
        assert ask(service, "/api/me", token=guest["token"])[1]["balance"] == 100_000
        assert ask(service, "/api/me", token=gone["token"])[0] == 401


@pytest.mark.req("RND-1")
def test_a_second_service_on_the_same_database_is_refused_and_touches_nothing(database_url: str) -> None:
    """It would take running rounds for rounds that a crash left behind, and return bets that stand."""
    with running_service("--database", database_url) as first:
        second = subprocess.run(
            [CASINO, "serve", "--port", "0", "--database", database_url],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr.endswith("The database cannot be served: another service is running on it.\n")
        first.stop(signal.SIGKILL)
    with running_service("--database", database_url):
        pass  # the lock died with the process


@pytest.mark.req("RND-1")
def test_a_service_whose_place_was_taken_stops_and_touches_nothing(postgres: PostgresServer, tmp_path: Path) -> None:
    """PostgreSQL was restarted, and another service was faster."""
    with (
        postgres.lent_database() as url,
        (tmp_path / "log").open("w") as log,
        running_service("--database", url, stderr=log) as service,
    ):

        async def take_the_place() -> int:
            connection = await asyncpg.connect(url)
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            await connection.execute("SELECT pg_advisory_lock($1)", service_lock._KEY)
            try:
                return await asyncio.to_thread(service.process.wait, 30)
            finally:
                await connection.close()

        assert asyncio.run(take_the_place()) == 1
        assert (tmp_path / "log").read_text().endswith("is served by another service now; this one stops.\n")


@pytest.mark.req("SEC-9")
def test_disabling_in_another_process_ends_the_sessions_here(database_url: str) -> None:
    with running_service("--database", database_url) as service:
        database = ("--database", database_url)
        casino("user", "add", "Sue", "--role", "finance", "--password-stdin", *database, stdin=PASSWORD + "\n")
        token = ask(service, "/api/login", {"name": "Sue", "password": PASSWORD})[1]["token"]
        assert ask(service, "/api/me", token=token)[1]["role"] == "finance"
        casino("user", "disable", "Sue", *database)
        known_until = time.monotonic() + KEEP_SECONDS + 30  # a guard against hanging
        while ask(service, "/api/me", token=token)[0] != 401:
            assert time.monotonic() < known_until
        assert ask(service, "/api/login", {"name": "Sue", "password": PASSWORD})[0] == 401
        casino("user", "enable", "Sue", *database)
        assert ask(service, "/api/me", token=token)[0] == 401
        assert ask(service, "/api/login", {"name": "Sue", "password": PASSWORD})[0] == 200
        casino("verify", *database)


@pytest.fixture(scope="module")
def steady() -> Iterator[Service]:
    with running_service() as service:
        yield service


def raw(service: Service, sent: bytes, seconds: float = 10) -> bytes:
    match = ADDRESS.fullmatch(service.address)
    assert match is not None
    with socket.create_connection((match[1], int(match[2])), timeout=seconds) as connection:
        connection.sendall(sent)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts)


NOT_HTTP = {
    "rubbish": b"\x16\x03\x01\x00\xa5\x01\x00\x00\r\n\r\n",
    "bad method": b"B@D / HTTP/1.1\r\nHost: x\r\n\r\n",
    "bad header": b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
    "NUL in a header": b"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n",
    "endless line": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "endless header": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: 1\r\n" * 1000 + b"\r\n",
    "two lengths": b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "length and chunks": (
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"
    ),
    "bad length": b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}",
    "bad encoding": (
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"
    ),
    "bad chunk": (
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n"
    ),
    "unknown expectation": b"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n",
    "expectation nowhere": b"GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n",
}


@pytest.mark.req("SEC-8")
@pytest.mark.parametrize("kind", NOT_HTTP)
def test_malformed_requests_get_a_regular_error(steady: Service, kind: str) -> None:
    head, _, body = raw(steady, NOT_HTTP[kind]).partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    status = int(lines[0].split()[1])
    headers = dict(line.split(": ", 1) for line in lines[1:])
    assert 400 <= status < 500, lines[0]
    error = json.loads(body)["error"]
    assert error["code"] == "bad_request"
    assert error["request_id"] == headers["X-Request-Id"]
    assert all(name in headers for name in WHOLE_ANSWER)
    assert "aiohttp" not in head.decode().lower() + body.decode().lower()
    assert ask(steady, "/healthz")[0] == 200


def test_connection_that_asks_for_nothing_is_closed(steady: Service) -> None:
    match = ADDRESS.fullmatch(steady.address)
    assert match is not None
    seconds = HEAD_SECONDS_MAX
    begun = time.monotonic()
    with socket.create_connection((match[1], int(match[2])), timeout=seconds + 60) as connection:
        connection.sendall(b"GET / HT")
        assert connection.recv(100) == b""
    assert time.monotonic() - begun > seconds - 1


async def test_many_half_open_requests_do_not_keep_others_out(steady: Service) -> None:
    match = ADDRESS.fullmatch(steady.address)
    assert match is not None
    writers = []
    for _ in range(50):
        _, writer = await asyncio.open_connection(match[1], int(match[2]))
        writer.write(
            b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        writers.append(writer)
    assert (await asyncio.to_thread(ask, steady, "/api/guest", {}))[0] == 200
    for writer in writers:
        writer.close()


_HEAD = "HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HANG_UPS = (
    (
        f"GET /socket.io/?EIO=4&transport=websocket {_HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ),
    f"GET /socket.io/?EIO=4&transport=polling {_HEAD}\r\n",
    f"POST /api/guest {_HEAD}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{{",
    f"GET /api/tables {_HEAD}\r\n" * 20,
)


def hang_up(service: Service, sent: bytes) -> None:
    """As a lost line does: without a word, and nothing is taken any more."""
    match = ADDRESS.fullmatch(service.address)
    assert match is not None
    with socket.create_connection((match[1], int(match[2])), timeout=10) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(sent)


def test_client_that_hangs_up_before_its_answer_is_no_error(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as log, running_service(stderr=log) as service:
        for _ in range(25):
            for sent in HANG_UPS:
                hang_up(service, sent.encode())
            session = raw(service, HANG_UPS[1].replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode())
            found = re.search(rb'"sid":"([^"]+)"', session)
            assert found is not None
            address = f"/socket.io/?EIO=4&transport=polling&sid={found[1].decode()}"
            hang_up(service, f"GET {address} {_HEAD}\r\n".encode())
            hang_up(service, f"POST {address} {_HEAD}Content-Length: 99\r\n\r\n40/table,".encode())
        assert ask(service, "/healthz")[0] == 200
        assert service.stop() == 0
    assert '"level":"error"' not in (tmp_path / "log").read_text()


@pytest.mark.req("SEC-8")
def test_log_of_a_busy_service_is_json_and_knows_no_secret(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("log")
    with (folder / "log").open("w") as log, running_service(stderr=log) as service:
        token = ask(service, "/api/register", {"name": "Ann", "password": PASSWORD})[1]["token"]
        ask(service, "/api/login", {"name": "Ann", "password": "wrong" + PASSWORD})
        ask(service, "/api/login", {"name": PASSWORD, "password": PASSWORD, "more": 1})
        ask(service, "/api/me", token=token)
        for sent in NOT_HTTP.values():
            raw(service, sent)
        assert service.stop() == 0
    text = (folder / "log").read_text()
    assert PASSWORD not in text
    assert token not in text
    for line in text.splitlines():
        assert line.startswith("The pages are not built") or json.loads(line)["event"]
