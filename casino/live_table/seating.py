"""Who is at the table, and at an own-hands table on which seat. Nothing here is about money."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from casino.uth.state import Round

IDLE_ROUNDS_MAX: Final = 3
"""Whoever sits through so many rounds without a bet makes room if somebody waits: seven who only sit would otherwise
close a table to everybody."""


@dataclass(slots=True)
class Presence:
    """`seats` is 0 at a shared-hand table, where nobody needs a seat of the own."""

    seats: int
    names: dict[str, str] = field(default_factory=dict)  # of everybody who is here or in the round, for the views
    here: set[str] = field(default_factory=set)
    seat_of: dict[str, int] = field(default_factory=dict)
    _line: list[str] = field(default_factory=list)  # of those who wait for a seat, the first to come first
    _idle: dict[str, int] = field(default_factory=dict)  # by who has a seat, the rounds since the last bet
    _from_the_start: set[str] = field(default_factory=set)  # had a seat when the round began
    _left: dict[str, int] = field(default_factory=dict)  # by who has left meanwhile, the seat

    @classmethod
    def of(cls, seats: int, running: Round | None, names: Mapping[str, str]) -> "Presence":
        """After a restart nobody is here yet, but those who have a bet in the round keep their names and seats."""
        in_round = running.seats.values() if running else ()
        return cls(seats, dict(names), seat_of={seat.player_id: seat.seat_no for seat in in_round if seat.seat_no})

    def join(self, player_id: str, name: str, wish: int | None, *, may_move: bool = True) -> int | None:
        """The player's seat number, or None: at a shared-hand table, or watching because every seat is taken, or will
        be by those who wait for one already."""
        self.names[player_id] = name
        self.here.add(player_id)
        if not self.seats:
            return None
        free, left = self._free(), self._left.pop(player_id, None)
        if player_id not in self.seat_of and left in free:  # the line was cut for a moment
            self.seat_of[player_id] = left
        elif player_id not in self.seat_of:
            if player_id not in self._line:
                self._line.append(player_id)
            if self._waiting().index(player_id) < len(free):
                self._seat(player_id, wish if wish in free else free[0])
        elif wish in free and may_move:
            self.seat_of[player_id] = wish
        return self.seat_of.get(player_id)

    def _seat(self, player_id: str, seat: int) -> None:
        self.seat_of[player_id] = seat
        self._line.remove(player_id)
        self._idle[player_id] = 0

    def _free(self) -> list[int]:
        return [seat for seat in range(1, self.seats + 1) if seat not in self.seat_of.values()]

    def _waiting(self) -> list[str]:
        return [one for one in self._line if one in self.here]

    def leave(self, player_id: str, *, keeps_seat: bool) -> None:
        """A player whose bet stands keeps the seat until the round is over."""
        self.here.discard(player_id)
        if player_id in self._line:
            self._line.remove(player_id)
        if not keeps_seat and player_id in self.seat_of:
            self._left[player_id] = self.seat_of.pop(player_id)

    def round_begins(self) -> list[str]:
        """Nobody who has left is in it; who has found a seat."""
        self.names = {player_id: name for player_id, name in self.names.items() if player_id in self.here}
        found = self._hand_out()
        self._from_the_start = set(self.seat_of)
        return found

    def round_ends(self, players: Collection[str], *, counts: bool = True) -> list[str]:
        """Whose seat is another now: those of whoever has left become free, and if that is not enough for all who
        wait, those of whoever has not bet for long. It `counts` if everybody could have bet."""
        before = self.seat_of
        self.seat_of = {player_id: seat for player_id, seat in before.items() if player_id in self.here}
        missed = self._from_the_start - set(players) if counts else set[str]()
        self._idle = {one: 0 if one in players else self._idle.get(one, 0) + (one in missed) for one in self.seat_of}
        lacking = max(0, len(self._waiting()) - len(self._free()))
        idle_ones = [one for one in self.seat_of if self._idle[one] >= IDLE_ROUNDS_MAX]
        gone = sorted(idle_ones, key=self._idle.__getitem__, reverse=True)[:lacking]
        for player_id in gone:
            del self.seat_of[player_id]
        found = self._hand_out()
        self._line += gone
        return [*gone, *found]

    def _hand_out(self) -> list[str]:
        """The free seats to those who wait for one; who has one now."""
        self._left.clear()
        found = list(zip(self._waiting(), self._free(), strict=False))
        for player_id, seat in found:
            self._seat(player_id, seat)
        return [player_id for player_id, _ in found]
