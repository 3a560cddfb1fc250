"""Which web pages may talk to the service: its own, and those the configuration names. It knows no request."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """The origin of an address as browsers write it, such as `https://casino.example`; refuses what has none."""
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.username is not None:
        raise ValueError("an origin is written like https://casino.example or http://127.0.0.1:8080")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


class Origins:
    """Own is also whatever address the request itself came to: a page there is served by this service.

    A proxy in front may have taken the encryption off, so that host counts with http and with https; but where the
    public address says https, a page of the same host without encryption is nobody's we know. Where there is a
    public address, any other name is nobody's either: whoever owns a name can let it lead here.
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
        except ValueError:  # such as "null", or a port that is no number
            return False

    def _may_lead_here(self, host: str) -> bool:
        """An address in digits is where it says it is."""
        if not self._public:
            return True
        if host == urlsplit(self._public).hostname:
            return not self.is_encrypted
        return host == "localhost" or ":" in host or host.replace(".", "").isdigit()
