"""Socket.IO for thousands of clients on one loop: sessions, namespaces, rooms and the order of what is sent.

Decides how bytes reach a client and when a client is gone. Knows nothing of the game, of people or of money.
"""

from casino.sockets.transport.connection import Handshake, Reason
from casino.sockets.transport.limits import Counters, Limits
from casino.sockets.transport.members import Accept, Ack, AckAndThen, Answer, Answers, Namespace, Refuse
from casino.sockets.transport.server import SocketServer

__all__ = [
    "Accept",
    "Ack",
    "AckAndThen",
    "Answer",
    "Answers",
    "Counters",
    "Handshake",
    "Limits",
    "Namespace",
    "Reason",
    "Refuse",
    "SocketServer",
]
