"""Who is behind a connection: the session its token or its cookie refers to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from casino.sockets.transport.connection import Handshake


@dataclass(frozen=True, slots=True)
class Visitor:
    user_id: str
    name: str
    role: str
    session_id: str


Identify = Callable[[Handshake, object], Awaitable[Visitor | None]]


def token_of(handshake: Handshake, auth: object, cookie: str) -> str | None:
    """`auth: {token}` of the connect message, otherwise the session cookie."""
    token = auth.get("token") if isinstance(auth, dict) else None
    if isinstance(token, str):
        return token
    return handshake.cookies.get(cookie)
