"""Client address of a request. Forwarding headers count only from proxies that the configuration trusts."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

_REMEMBERED: Final = 4_096
UNKNOWN: Final = "unknown"
_HOME_PREFIX: Final = 64
"""IPv6 prefix of one household: a limit per single address would limit nothing."""
_BLOCK_PREFIXES: Final = {4: 24, 6: 48}
"""Prefixes of the smallest networks that are assigned to one organization."""


class Networks:
    def __init__(self, written: Iterable[str]) -> None:
        self._networks: tuple[IPv4Network | IPv6Network, ...] = tuple(ip_network(text) for text in written)

    def __contains__(self, address: str) -> bool:
        try:
            found = _plain(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)


def address_of(peer: str | None, forwarded_for: Iterable[str], trusted: Networks) -> str:
    """Returns the nearest address that is no trusted proxy. Farther ones are unverified."""
    hops = [hop.strip() for line in forwarded_for for hop in line.split(",")]
    found = peer or UNKNOWN
    while found in trusted and hops:
        try:
            found = str(_plain(hops.pop()))
        except ValueError:
            break
    return found


@lru_cache(_REMEMBERED)  # every request asks, and parsing an address costs more than the check it is for
def rate_limit_key(address: str) -> str:
    """Returns the key that rate limits count by."""
    try:
        found = _plain(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(ip_network((found, _HOME_PREFIX), strict=False))
    return str(found)


@lru_cache(_REMEMBERED)
def address_block(address: str) -> str:
    """Returns the network of one organization around the address: many addresses of one cost an attacker little."""
    try:
        found = _plain(address)
    except ValueError:
        return address
    return str(ip_network((found, _BLOCK_PREFIXES[found.version]), strict=False))


def is_loopback(household_address: str) -> bool:
    """Whether it is the machine itself, given a `rate_limit_key`."""
    return household_address.startswith("127.") or household_address == "::1"


@lru_cache(_REMEMBERED)
def _plain(address: str) -> IPv4Address | IPv6Address:
    found = ip_address(address.partition("%")[0])  # without the zone of a link-local address
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found
