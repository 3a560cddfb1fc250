"""Client address behind proxies: forwarding headers count only from trusted networks."""

import pytest

from casino.security.client_address import UNKNOWN, Networks, address_of, rate_limit_key

NOBODY = Networks([])
PROXIES = Networks(["10.0.0.0/8", "::1/128"])


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "address"),
    [
        (NOBODY, "192.0.2.1", [], "192.0.2.1"),
        (NOBODY, "192.0.2.1", ["198.51.100.7"], "192.0.2.1"),  # any client can write a header
        (PROXIES, "192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        (PROXIES, "10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        (PROXIES, "10.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),  # the first one is hearsay
        (PROXIES, "10.0.0.1", ["198.51.100.7", "10.0.0.2"], "198.51.100.7"),
        (PROXIES, "::1", ["198.51.100.7, 10.0.0.2"], "198.51.100.7"),
        (PROXIES, "::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        (PROXIES, "10.0.0.1", [], "10.0.0.1"),
        (PROXIES, "10.0.0.1", ["rubbish"], "10.0.0.1"),
        (PROXIES, "10.0.0.1", [""], "10.0.0.1"),
        (PROXIES, None, ["198.51.100.7"], UNKNOWN),
    ],
)
def test_only_trusted_proxies_speak_for_others(
    trusted: Networks, peer: str | None, forwarded: list[str], address: str
) -> None:
    assert address_of(peer, forwarded, trusted) == address


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (UNKNOWN, UNKNOWN),
    ],
)
def test_limits_count_by_rate_limit_key(address: str, counted: str) -> None:
    assert rate_limit_key(address) == counted
