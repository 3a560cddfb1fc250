"""Allowed web origins for CORS and CSRF checks: the service's own, and those the configuration names."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """Returns the origin of a URL as browsers write it, such as `https://casino.example`; raises if it has none."""
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.username is not None:
        raise ValueError("an origin is written like https://casino.example or http://127.0.0.1:8080")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


class Origins:
    """Own origins also include the host of the request itself: this service served that page.

    A proxy may have terminated TLS, so that host counts with http and https. If the public URL is https, the same host
    over http is foreign. With a public URL, any other host name is foreign, since its owner can point it at this
    server.
    """

    def __init__(self, public_url: str, allowed: Iterable[str]) -> None:
        self._public = origin_of(public_url) if public_url else ""
        self._allowed = {origin_of(url) for url in allowed} | {self._public} - {""}

    @property
    def is_encrypted(self) -> bool:
        return self._public.startswith("https:")

    def is_own(self, origin: str, host: str) -> bool:
        try:
            asking = origin_of(origin)
            if asking in self._allowed:
                return True
            scheme = asking.partition(":")[0]
            return asking == origin_of(f"{scheme}://{host}") and self._may_lead_here(urlsplit(asking).hostname or "")
        except ValueError:  # such as "null", or an invalid port
            return False

    def _may_lead_here(self, host: str) -> bool:
        """An IP address cannot be pointed at another server."""
        if not self._public:
            return True
        if host == urlsplit(self._public).hostname:
            return not self.is_encrypted
        return host == "localhost" or ":" in host or host.replace(".", "").isdigit()
