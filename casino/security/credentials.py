"""Credentials of a request: the session in the Authorization header of a script, or in the cookie of a page."""

from typing import Final

COOKIE: Final = "casino_session"


def token_of(authorization: str | None, cookie: str | None) -> str | None:
    """Returns None without any token. A header, valid or not, takes precedence over the cookie."""
    if authorization is None:
        return cookie
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
