"""Who is in which room. Kept from both sides, so that leaving costs as much as one client's own rooms.

Refuses to know what a room is for.
"""

from casino.sockets.transport.members import Member


class Rooms:
    def __init__(self) -> None:
        self._members: dict[tuple[str, str], dict[Member, None]] = {}

    def enter(self, member: Member, room: str) -> None:
        self._members.setdefault((member.namespace, room), {})[member] = None
        member.rooms.add(room)

    def leave(self, member: Member, room: str) -> None:
        if room not in member.rooms:
            return
        member.rooms.discard(room)
        key = (member.namespace, room)
        inside = self._members[key]
        del inside[member]
        if not inside:
            del self._members[key]

    def leave_all(self, member: Member) -> None:
        for room in tuple(member.rooms):
            self.leave(member, room)

    def members(self, namespace: str, room: str) -> list[Member]:
        return list(self._members.get((namespace, room), ()))
