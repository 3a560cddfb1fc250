"""Identity of a connection: the session that its token or cookie refers to."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from casino.errors import Code
from casino.socketio.engine_session import Handshake
from casino.socketio.namespace_session import Refuse


@dataclass(frozen=True, slots=True)
class Identity:
    user_id: str
    name: str
    role: str
    session_id: str
    is_play_money: bool = False
    currency: str = ""


Identify = Callable[[Handshake, object], Awaitable[Identity | None]]


def verify_role(visitor: Identity | None, roles: Collection[str], otherwise: str) -> Identity | Refuse:
    """Returns the visitor, or the refusal of a connection without a session or with another role."""
    if visitor is None:
        return Refuse(Code.NOT_AUTHENTICATED, "Sign in first.")
    return visitor if visitor.role in roles else Refuse(Code.FORBIDDEN, otherwise)


def verify_player(visitor: Identity | None) -> Identity | Refuse:
    return verify_role(visitor, {"player"}, "Staff can't play. Open your own page instead.")


def token_of(handshake: Handshake, auth: object, cookie: str) -> str | None:
    """Returns `auth: {token}` of the connect message, otherwise the session cookie."""
    token = auth.get("token") if isinstance(auth, dict) else None
    if isinstance(token, str):
        return token
    return handshake.cookies.get(cookie)
