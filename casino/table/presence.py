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
    _waiting: list[str] = field(default_factory=list)  # for a seat, the first to come first
    _idle: dict[str, int] = field(default_factory=dict)  # by who has a seat, the rounds since the last bet

    @classmethod
    def of(cls, seats: int, running: Round | None, names: Mapping[str, str]) -> "Presence":
        """After a restart nobody is here yet, but those who have a bet in the round keep their names and seats."""
        in_round = running.seats.values() if running else ()
        return cls(seats, dict(names), seat_of={seat.player_id: seat.seat_no for seat in in_round if seat.seat_no})

    def join(self, player_id: str, name: str, wish: int | None) -> int | None:
        """The player's seat number, or None: at a shared-hand table, or watching because every seat is taken."""
        self.names[player_id] = name
        self.here.add(player_id)
        if self.seats and player_id not in self.seat_of:
            free = self._free()
            if free:
                self.seat_of[player_id] = wish if wish in free else free[0]
            elif player_id not in self._waiting:
                self._waiting.append(player_id)
        return self.seat_of.get(player_id)

    def _free(self) -> list[int]:
        return [seat for seat in range(1, self.seats + 1) if seat not in self.seat_of.values()]

    def leave(self, player_id: str, *, keeps_seat: bool) -> None:
        """A player whose bet stands keeps the seat until the round is over."""
        self.here.discard(player_id)
        if not keeps_seat:
            self.seat_of.pop(player_id, None)

    def forget_gone(self) -> None:
        """A new round begins, which nobody who has left is in."""
        self.names = {player_id: name for player_id, name in self.names.items() if player_id in self.here}

    def round_ends(self, players: Collection[str]) -> list[str]:
        """Whose seat is another now: those of whoever has left become free, and if that is not enough for all who
        wait, those of whoever has not bet for long."""
        if not self.seats:
            return []
        before = dict(self.seat_of)
        self.seat_of = {player_id: seat for player_id, seat in before.items() if player_id in self.here}
        self._idle = {one: 0 if one in players else self._idle.get(one, 0) + 1 for one in self.seat_of}
        waiting = [one for one in self._waiting if one in self.here and one not in self.seat_of]
        lacking = max(0, len(waiting) - len(self._free()))
        idle = [one for one, rounds in self._idle.items() if rounds >= IDLE_ROUNDS_MAX]
        gone = sorted(idle, key=self._idle.__getitem__, reverse=True)[:lacking]
        for player_id in gone:
            del self.seat_of[player_id]
        free = self._free()
        self.seat_of.update(zip(waiting, free, strict=False))
        self._waiting = [*waiting[len(free) :], *gone]
        return [one for one in sorted(self.here) if self.seat_of.get(one) != before.get(one)]
