"""Request pace of an address at a real service: every kind of request counts, also those that need no session."""

import http.client
import time
from collections.abc import Iterator
from typing import Final

import pytest

from tests.service import Service, running_service

pytestmark = [pytest.mark.req("SEC-4"), pytest.mark.req("SEC-5")]

PER_SECOND: Final = 20
REQUESTS: Final = 60
POLLING: Final = "/socket.io/?EIO=4&transport=polling"


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    config = tmp_path_factory.mktemp("slow")
    (config / "tables").mkdir()
    (config / "casino.toml").write_text(f"[rates]\nrequests_per_second = {PER_SECOND}\n")
    with running_service("--config", f"{config}") as running:
        yield running


@pytest.mark.parametrize(
    ("method", "path"),
    [("OPTIONS", POLLING), ("OPTIONS", "/api/settings"), ("GET", POLLING), ("POST", f"{POLLING}&sid=x"), ("GET", "/")],
)
def test_requests_without_a_session_are_paced(slow: Service, method: str, path: str) -> None:
    begun = time.monotonic()
    connection = http.client.HTTPConnection(slow.address.removeprefix("http://"), timeout=60)
    for _ in range(REQUESTS):
        connection.request(method, path)
        connection.getresponse().read()
    connection.close()
    assert time.monotonic() - begun > REQUESTS / PER_SECOND - 1, "the burst is at most a fifth of a second"
