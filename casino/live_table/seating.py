"""Seating and waitlist: players present at a table, and their seats at an own-hands table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from casino.uth.state import Round

IDLE_ROUNDS_MAX: Final = 3
"""A seated player without a bet for this many rounds loses the seat if others wait.

Otherwise a few idle players could close a table.
"""


@dataclass(slots=True)
class Seating:
    """`seats` is 0 at a shared-hand table, where players need no seat."""

    seats: int
    names: dict[str, str] = field(default_factory=dict)  # of all players present or in the round, for the views
    here: set[str] = field(default_factory=set)
    seat_of: dict[str, int] = field(default_factory=dict)
    _waitlist: list[str] = field(default_factory=list)  # players without a seat, in order of arrival
    _idle: dict[str, int] = field(default_factory=dict)  # by seated player, rounds since the last bet
    _seated_at_start: set[str] = field(default_factory=set)  # players seated when the round began
    _left: dict[str, int] = field(default_factory=dict)  # by departed player, the seat

    @classmethod
    def of(cls, seats: int, running: Round | None, names: Mapping[str, str]) -> "Seating":
        """Restores seating after a restart: players with a bet keep name and seat, although absent."""
        in_round = running.seats.values() if running else ()
        return cls(seats, dict(names), seat_of={seat.player_id: seat.seat_no for seat in in_round if seat.seat_no})

    def join(self, player_id: str, name: str, wanted_seat: int | None, *, may_move: bool = True) -> int | None:
        """Returns the player's seat number; None at a shared-hand table, or on the waitlist."""
        self.names[player_id] = name
        self.here.add(player_id)
        if not self.seats:
            return None
        free, left = self._free(), self._left.pop(player_id, None)
        if player_id not in self.seat_of and left in free:  # a short disconnection
            self.seat_of[player_id] = left
        elif player_id not in self.seat_of:
            if player_id not in self._waitlist:
                self._waitlist.append(player_id)
            if self._waiting().index(player_id) < len(free):
                self._seat(player_id, wanted_seat if wanted_seat in free else free[0])
        elif wanted_seat in free and may_move:
            self.seat_of[player_id] = wanted_seat
        return self.seat_of.get(player_id)

    @property
    def taken(self) -> list[tuple[int, str]]:
        """Seat numbers in ascending order, each with the name of its player."""
        return sorted((seat, self.names.get(player_id, "")) for player_id, seat in self.seat_of.items())

    def _seat(self, player_id: str, seat: int) -> None:
        self.seat_of[player_id] = seat
        self._waitlist.remove(player_id)
        self._idle[player_id] = 0

    def _free(self) -> list[int]:
        return [seat for seat in range(1, self.seats + 1) if seat not in self.seat_of.values()]

    def _waiting(self) -> list[str]:
        return [one for one in self._waitlist if one in self.here]

    def leave(self, player_id: str, *, keeps_seat: bool) -> None:
        """Removes the player; a player with a bet keeps the seat until the round is over."""
        self.here.discard(player_id)
        if player_id in self._waitlist:
            self._waitlist.remove(player_id)
        if not keeps_seat and player_id in self.seat_of:
            self._left[player_id] = self.seat_of.pop(player_id)

    def round_begins(self) -> list[str]:
        """Forgets the names of departed players; returns the players who gained a seat."""
        self.names = {player_id: name for player_id, name in self.names.items() if player_id in self.here}
        found = self._assign_free_seats()
        self._seated_at_start = set(self.seat_of)
        return found

    def round_ends(self, players: Collection[str], *, counts: bool = True) -> list[str]:
        """Returns the players whose seat changed. Seats of departed players become free, then those of idle ones.

        Idle players lose their seat only if others still wait. A round `counts` if all players could bet.
        """
        before = self.seat_of
        self.seat_of = {player_id: seat for player_id, seat in before.items() if player_id in self.here}
        missed = self._seated_at_start - set(players) if counts else set[str]()
        self._idle = {one: 0 if one in players else self._idle.get(one, 0) + (one in missed) for one in self.seat_of}
        lacking = max(0, len(self._waiting()) - len(self._free()))
        idle_ones = [one for one in self.seat_of if self._idle[one] >= IDLE_ROUNDS_MAX]
        removed = sorted(idle_ones, key=self._idle.__getitem__, reverse=True)[:lacking]
        for player_id in removed:
            del self.seat_of[player_id]
        found = self._assign_free_seats()
        self._waitlist += removed
        return [*removed, *found]

    def _assign_free_seats(self) -> list[str]:
        """Assigns free seats to the waitlist; returns the players who gained one."""
        self._left.clear()
        found = list(zip(self._waiting(), self._free(), strict=False))
        for player_id, seat in found:
            self._seat(player_id, seat)
        return [player_id for player_id, _ in found]
