"""Identity of a connection: the session that its token or cookie refers to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from casino.socketio.engine_session import Handshake


@dataclass(frozen=True, slots=True)
class Identity:
    user_id: str
    name: str
    role: str
    session_id: str
    is_play_money: bool = False
    currency: str = ""


Identify = Callable[[Handshake, object], Awaitable[Identity | None]]


def token_of(handshake: Handshake, auth: object, cookie: str) -> str | None:
    """Returns `auth: {token}` of the connect message, otherwise the session cookie."""
    token = auth.get("token") if isinstance(auth, dict) else None
    if isinstance(token, str):
        return token
    return handshake.cookies.get(cookie)
