"""Where somebody asks from. A proxy speaks for others, and is believed only if the configuration trusts it."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

UNKNOWN: Final = "unknown"
_HOME_PREFIX: Final = 64
"""One household has this much of IPv6: counting single addresses there would count nothing."""


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
    """The nearest address that no trusted proxy stands at. Farther ones are only hearsay."""
    hops = [hop.strip() for line in forwarded_for for hop in line.split(",")]
    found = peer or UNKNOWN
    while found in trusted and hops:
        try:
            found = str(_plain(hops.pop()))
        except ValueError:
            break
    return found


def household(address: str) -> str:
    """What limits are counted by."""
    try:
        found = _plain(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _HOME_PREFIX), strict=False))
    return str(found)


def _plain(address: str) -> IPv4Address | IPv6Address:
    found = ip_address(address.partition("%")[0])  # without the zone of a link-local address
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found
