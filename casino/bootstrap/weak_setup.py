"""Start-up warnings about weak set-ups: configurations that start, but are unsafe in production."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network

import structlog

from casino.settings import ServiceSettings

_log = structlog.get_logger()


def warn_of_weak_setup(settings: ServiceSettings, host: str) -> None:
    for advice in weaknesses(settings, host):
        _log.warning("weak_setup", advice=advice)


def weaknesses(settings: ServiceSettings, host: str) -> Iterator[str]:
    """Yields one sentence per weakness: the problem, and the remedy."""
    public_url = settings.service.public_url
    if not _is_own_machine(host):
        if not public_url:
            yield (
                f"The service listens on {host}, which other machines reach, without service.public_url. Set it to the "
                "https address people type: without it cookies are not Secure and any Host header is believed."
            )
        elif not public_url.startswith("https:"):
            yield "service.public_url is not https: passwords and sessions cross the network in the clear. Use TLS."
    if any(_is_everything(network) for network in settings.service.trusted_proxies):
        yield "service.trusted_proxies trusts every address: anybody can pretend to be another. Name the proxy."
    if any(_is_everything(network) for network in settings.metrics.allowed_from):
        yield "metrics.allowed_from lets every client read the metrics. Name the network of the monitoring."


def _is_own_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _is_everything(network: str) -> bool:
    return ip_network(network).prefixlen == 0
