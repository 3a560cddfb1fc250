"""State of a table that its handlers share: the round, the shift and the players present."""

from dataclasses import dataclass, field

from casino.hosting.interfaces import Connection
from casino.live_table.seating import Seating
from casino.live_table.shift import Shift
from casino.uth.state import Round


@dataclass(slots=True)
class TableState:
    """`round` is the last round until the next one begins; `seat_holders` are the connections that control seats."""

    is_machine: bool
    round: Round | None
    shift: Shift
    seating: Seating
    seat_holders: dict[str, Connection] = field(default_factory=dict)  # by player
    has_changes: bool = False  # status or counts have changed since the last broadcast
    is_failing: bool = False  # the last step failed

    @property
    def is_at_rest(self) -> bool:
        return self.round is None or self.round.is_over

    def is_in_round(self, player_id: str) -> bool:
        return not self.is_at_rest and self.round is not None and player_id in self.round.seats
