"""Time-based one-time passwords as in RFC 6238: HMAC-SHA1, six digits, thirty seconds."""

import base64
import hmac
import secrets
from typing import Final
from urllib.parse import quote, urlencode

STEP_MS: Final = 30_000
DIGITS: Final = 6
ISSUER: Final = "Casino"

_SECRET_BYTES: Final = 20
_SKEW_STEPS: Final = 1  # tolerates a clock that is half a minute off either way


def new_secret() -> bytes:
    return secrets.token_bytes(_SECRET_BYTES)


def code_at(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """Returns the code of one time step (RFC 4226, section 5.3)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}d}"


def matching_step(secret: bytes, code: str, at_ms: int, *, after_step: int) -> int | None:
    """Returns the step of this code, near the given time and after the last used one; None if there is none."""
    now = at_ms // STEP_MS
    found = None
    for step in range(now - _SKEW_STEPS, now + _SKEW_STEPS + 1):
        is_match = hmac.compare_digest(code_at(secret, step).encode(), code.encode("utf-8", "surrogatepass"))
        if is_match and step > after_step and found is None:
            found = step
    return found


def base32(secret: bytes) -> str:
    return base64.b32encode(secret).decode().rstrip("=")


def otpauth_uri(secret: bytes, name: str) -> str:
    """Returns the URI that authenticator apps read, as a link or as a QR code."""
    parameters = urlencode(
        {"secret": base32(secret), "issuer": ISSUER, "algorithm": "SHA1", "digits": DIGITS, "period": STEP_MS // 1000}
    )
    return f"otpauth://totp/{ISSUER}:{quote(name, safe='')}?{parameters}"
