"""Room membership, indexed by room and by client, so that leaving costs only that client's rooms."""

from collections.abc import Collection, Mapping
from typing import Final

from casino.socketio.namespace_session import NamespaceSession

_NOBODY: Final[Mapping[NamespaceSession, None]] = {}


class Rooms:
    def __init__(self) -> None:
        self._members: dict[tuple[str, str], dict[NamespaceSession, None]] = {}

    def enter(self, member: NamespaceSession, room: str) -> None:
        self._members.setdefault((member.namespace, room), {})[member] = None
        member.rooms.add(room)

    def leave(self, member: NamespaceSession, room: str) -> None:
        if room not in member.rooms:
            return
        member.rooms.discard(room)
        key = (member.namespace, room)
        inside = self._members[key]
        del inside[member]
        if not inside:
            del self._members[key]

    def leave_all(self, member: NamespaceSession) -> None:
        for room in tuple(member.rooms):
            self.leave(member, room)

    def members(self, namespace: str, room: str) -> Collection[NamespaceSession]:
        """Returns the members as they are now; the collection changes with the room."""
        return self._members.get((namespace, room), _NOBODY)
