"""Socket.IO server on aiohttp: Engine.IO revision 4 and Socket.IO revision 5, with rooms and ordered fan-out.

See README.md. The package knows no game, no user and no money.
"""

from casino.socketio.engine_server import any_origin, same_host
from casino.socketio.engine_session import Handshake, Reason
from casino.socketio.limits import Counters, Limits
from casino.socketio.namespace_session import (
    Accept,
    Ack,
    AckAndThen,
    Answer,
    Answers,
    ClientDisconnected,
    Namespace,
    Refuse,
)
from casino.socketio.server import SocketServer

__all__ = [
    "Accept",
    "Ack",
    "AckAndThen",
    "Answer",
    "Answers",
    "ClientDisconnected",
    "Counters",
    "Handshake",
    "Limits",
    "Namespace",
    "Reason",
    "Refuse",
    "SocketServer",
    "any_origin",
    "same_host",
]
