"""Who is at the table, and at an own-hands table on which seat. Nothing here is about money."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from casino.uth.state import Round


@dataclass(slots=True)
class Presence:
    """`seats` is 0 at a shared-hand table, where nobody needs a seat of the own."""

    seats: int
    names: dict[str, str] = field(default_factory=dict)  # of everybody who is here or in the round, for the views
    here: set[str] = field(default_factory=set)
    seat_of: dict[str, int] = field(default_factory=dict)

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
            taken = set(self.seat_of.values())
            free = [seat for seat in range(1, self.seats + 1) if seat not in taken]
            if free:
                self.seat_of[player_id] = wish if wish in free else free[0]
        return self.seat_of.get(player_id)

    def leave(self, player_id: str, *, keeps_seat: bool) -> None:
        """A player whose bet stands keeps the seat until the round is over."""
        self.here.discard(player_id)
        if not keeps_seat:
            self.seat_of.pop(player_id, None)

    def forget_gone(self) -> None:
        """A new round begins, which nobody who has left is in."""
        self.names = {player_id: name for player_id, name in self.names.items() if player_id in self.here}

    def clear_seats(self) -> None:
        """Between rounds the seats of those who have left become free."""
        self.seat_of = {player_id: seat for player_id, seat in self.seat_of.items() if player_id in self.here}
