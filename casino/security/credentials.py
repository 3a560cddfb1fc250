"""Where a request carries its session: in the Authorization header of a script, or in the cookie of a page."""

from typing import Final

COOKIE: Final = "casino_session"


def token_of(authorization: str | None, cookie: str | None) -> str | None:
    """None if there is no token at all. A header, right or wrong, is what counts: the cookie beside it does not."""
    if authorization is None:
        return cookie
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
