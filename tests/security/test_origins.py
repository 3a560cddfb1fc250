"""Allowed origins: the service's own, and the configured ones."""

import pytest

from casino.security.origins import Origins, origin_of

pytestmark = pytest.mark.req("SEC-7")

PLAIN = Origins("", [])
PUBLIC = Origins("https://casino.example/", ["http://localhost:5173"])


@pytest.mark.parametrize(
    ("origins", "origin", "host"),
    [
        (PLAIN, "http://127.0.0.1:8080", "127.0.0.1:8080"),
        (PLAIN, "http://LOCALHOST:8080", "localhost:8080"),
        (PLAIN, "http://[::1]:8080", "[::1]:8080"),
        (PLAIN, "http://casino.example", "casino.example:80"),
        (PLAIN, "https://casino.example", "casino.example"),  # a proxy took the encryption off
        (PUBLIC, "https://casino.example", "10.0.0.7:8080"),
        (PUBLIC, "http://localhost:5173", "casino.example"),
        (PUBLIC, "http://10.0.0.7:8080", "10.0.0.7:8080"),
        (PUBLIC, "http://[::1]:8080", "[::1]:8080"),
        (PUBLIC, "http://localhost:8080", "localhost:8080"),
        (Origins("http://casino.example", []), "https://casino.example", "casino.example"),
    ],
)
def test_own_pages(origins: Origins, origin: str, host: str) -> None:
    assert origins.is_own(origin, host)


@pytest.mark.parametrize(
    ("origins", "origin", "host"),
    [
        (PLAIN, "http://evil.example", "casino.example"),
        (PLAIN, "http://casino.example:8081", "casino.example:8080"),
        (PLAIN, "http://casino.example", "casino.example:8080"),
        (PLAIN, "http://casino.example.evil.example", "casino.example"),
        (PLAIN, "http://user@casino.example", "casino.example"),
        (PLAIN, "null", "casino.example"),
        (PLAIN, "", "casino.example"),
        (PLAIN, "http://", ""),
        (PLAIN, "http://casino.example:x", "casino.example:x"),
        (PLAIN, "http://[::1", "[::1"),
        (PLAIN, "file://casino.example", "casino.example"),
        (PUBLIC, "http://casino.example", "casino.example"),  # an attacker on the way may have written that page
        (PUBLIC, "https://other.example", "casino.example"),
        (PUBLIC, "http://evil.example", "evil.example"),  # a foreign name that resolves to this address
        (PUBLIC, "http://10.evil.example", "10.evil.example"),
    ],
)
def test_foreign_pages(origins: Origins, origin: str, host: str) -> None:
    assert not origins.is_own(origin, host)


@pytest.mark.parametrize("url", ["casino.example", "ftp://x", "https://", "https://a:b@x", "https://x:99999"])
def test_invalid_origins_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"origin|[Pp]ort"):
        origin_of(url)
