"""Device cookies: mark a browser that has signed in to an account before, and give it its own sign-in attempts.

The cookie holds a few signed entries, one per account that signed in there. An entry proves only that this browser once
knew a password of this name, and which one. It signs no user in and contains no name. An entry of an earlier password
is worth nothing: a thief of that password may have it.
"""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

DEVICE_COOKIE: Final = "casino_device"
DEVICE_COOKIE_PATH: Final = "/api"
"""Sign-in, registration, enrolment and password change read the cookie: each changes one entry and keeps the others."""

DEVICE_COOKIE_SECONDS: Final = 365 * 86_400
ENTRIES_MAX: Final = 8
"""Presenters share a console; the account with the oldest sign-in is dropped first."""

_ENTRY: Final = re.compile(r"([pf][A-Za-z0-9_-]{16})([A-Za-z0-9_-]{8})([A-Za-z0-9_-]{22})")
_VERSION_BYTES: Final = 6
_SIGNATURE_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Device:
    """`id` is the key that attempts are counted by."""

    id: str
    password_version: str

    @property
    def has_second_factor(self) -> bool:
        """Whether the sign-in it was issued for also passed the second factor."""
        return self.id.startswith("f")


class DeviceCookies:
    def __init__(self, secret_key: str) -> None:
        self._key = hmac.digest(secret_key.encode(), b"device cookie v2", "sha256")

    def find(self, cookie: str | None, name_key: str) -> Device | None:
        """Returns the device that this cookie was issued to for this name, under its present or an earlier password."""
        return next(
            (device for device, signature in _entries(cookie) if self._is_of(device, signature, name_key)), None
        )

    def renew(self, cookie: str | None, name_key: str, password_hash: str, *, second_factor: bool) -> str:
        """Returns the cookie's next value after a complete sign-in. A device keeps its id and its attempts."""
        known, kind, version = self.find(cookie, name_key), "f" if second_factor else "p", self.version(password_hash)
        is_kept = known is not None and known.id.startswith(kind) and known.password_version == version
        device = known if known and is_kept else Device(kind + secrets.token_urlsafe(12), version)
        others = [entry for entry in _entries(cookie) if not self._is_of(*entry, name_key)]
        entries = [(device, self._signature(device, name_key)), *others][:ENTRIES_MAX]
        return ".".join(device.id + device.password_version + signature for device, signature in entries)

    def _is_of(self, device: Device, signature: str, name_key: str) -> bool:
        return hmac.compare_digest(signature, self._signature(device, name_key))

    def _signature(self, device: Device, name_key: str) -> str:
        return self._digest(f"device|{device.id}|{device.password_version}|{name_key}", _SIGNATURE_BYTES)

    def version(self, password_hash: str) -> str:
        """Returns a text that changes with the password and reveals nothing about it."""
        return self._digest(f"password|{password_hash}", _VERSION_BYTES)

    def _digest(self, text: str, length: int) -> str:
        digest = hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:length]).decode().rstrip("=")


def _entries(cookie: str | None) -> list[tuple[Device, str]]:
    """Parses at most as many entries as are ever issued, so that a longer cookie costs no more."""
    parts = (cookie or "").split(".", ENTRIES_MAX)[:ENTRIES_MAX]
    return [(Device(match[1], match[2]), match[3]) for match in map(_ENTRY.fullmatch, parts) if match]
