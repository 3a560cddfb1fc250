"""Accepted connections of one namespace: by connection, by player and by login session; answers their events."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from casino.errors import Refusal
from casino.gateway.account_limits import AccountLimits
from casino.gateway.acks import refused
from casino.gateway.identity import Identity
from casino.socketio.namespace_session import Answer
from casino.socketio.server import SocketServer


@dataclass(slots=True)
class AcceptedConnection:
    visitor: Identity
    limits: AccountLimits
    since_ms: int


C = TypeVar("C", bound=AcceptedConnection)


class Connections(Generic[C]):
    def __init__(self, server: SocketServer) -> None:
        self._server = server
        self._by_sid: dict[str, C] = {}  # in order of connection
        self._of_session: dict[str, set[str]] = defaultdict(set)

    def __getitem__(self, sid: str) -> C:
        return self._by_sid[sid]

    def get(self, sid: str) -> C | None:
        return self._by_sid.get(sid)

    def add(self, sid: str, connection: C) -> None:
        self._by_sid[sid] = connection
        self._of_session[connection.visitor.session_id].add(sid)

    def remove(self, sid: str) -> C | None:
        connection = self._by_sid.pop(sid, None)
        if connection is not None:
            session_id = connection.visitor.session_id
            self._of_session[session_id].discard(sid)
            if not self._of_session[session_id]:
                del self._of_session[session_id]
        return connection

    def answer(self, sid: str, handle: Callable[[C], Answer]) -> Answer:
        """Handles an event; a refusal becomes its acknowledgement, and too many of them close the connection."""
        connection = self._by_sid[sid]
        try:
            return handle(connection)
        except Refusal as refusal:
            if connection.limits.is_abuse:
                self._server.disconnect(sid)
            return refused(refusal)

    @property
    def visitors(self) -> list[Identity]:
        return [connection.visitor for connection in self._by_sid.values()]

    @property
    def since_ms(self) -> dict[str, int]:
        """Returns the connected users with the time of their first connection."""
        since_ms: dict[str, int] = {}
        for connection in self._by_sid.values():
            since_ms.setdefault(connection.visitor.user_id, connection.since_ms)
        return since_ms

    @property
    def session_ids(self) -> set[str]:
        return set(self._of_session)

    def end_session(self, session_id: str) -> None:
        """Closes the connections of a session that was signed out."""
        for sid in tuple(self._of_session.get(session_id, ())):
            self._server.disconnect(sid)
