"""Seats of a tournament table between hands. The director decides who sits where; banks move with their players.

The state stored with each hand has the time banks and who sits out. Chips and seats are in the journal of the
tournament.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import orjson

from casino.poker.clock import ClockTerms
from casino.poker_room.table_seats import TableSeat, TableSeats

VERSION: Final = 1


class KeptClock(NamedTuple):
    """What a player brings to the next table: the time bank, the hands dealt, and whether the player sits out."""

    bank_ms: int
    hands: int = 0
    sits_out: bool = False


@dataclass(frozen=True, slots=True)
class TournamentSeats(TableSeats):
    """Every player with chips is dealt in. `at_ms` is the time of the state, so that the newest of a player counts.

    `deals` counts the orders of the director to deal, the one for the running or the last hand included.
    """

    at_ms: int = 0
    deals: int = 0

    def seated(self, player_id: str, seat_no: int, chips: int, kept: KeptClock) -> "TournamentSeats":
        seat = TableSeat(player_id, seat_no, chips, kept.bank_ms, kept.hands, sits_out=kept.sits_out)
        return replace(self, seats={**self.seats, player_id: replace(seat, is_current=True, waits_for_bb=False)})

    def clock_of(self, player_id: str) -> KeptClock:
        seat = self.seats[player_id]
        return KeptClock(seat.bank_ms, seat.hands, seat.sits_out)

    def dump(self) -> str:
        """The state as JSON, for the row of the table."""
        seats = {seat.player_id: [seat.bank_ms, seat.hands, seat.sits_out] for seat in self.seats.values()}
        return orjson.dumps({"version": VERSION, "at_ms": self.at_ms, "deals": self.deals, "seats": seats}).decode()


def new_clock(clock: ClockTerms) -> KeptClock:
    return KeptClock(clock.bank_start_ms)


def newest_clocks(states: Iterable[str]) -> dict[str, KeptClock]:
    """The newest stored clock of each player, from the states of all tables. Raises `ValueError` if one is broken."""
    kept: dict[str, tuple[int, KeptClock]] = {}
    for state in states:
        plain = _read(state)
        for player_id, clock in plain["seats"].items():
            if player_id not in kept or kept[player_id][0] <= plain["at_ms"]:
                kept[player_id] = (plain["at_ms"], KeptClock(*clock))
    return {player_id: clock for player_id, (_, clock) in kept.items()}


def stored_deals(state: str) -> int:
    """The number of the deal whose hand was stored last. Raises `ValueError` if the state is broken."""
    deals: int = _read(state)["deals"]
    return deals


def _read(state: str) -> Mapping[str, Any]:
    try:
        plain: Mapping[str, Any] = orjson.loads(state)
        if plain["version"] != VERSION or not {"at_ms", "deals", "seats"} <= plain.keys():
            raise ValueError("the state of the tournament table cannot be read: its version is unknown")
    except (KeyError, TypeError, orjson.JSONDecodeError) as error:
        raise ValueError("the state of the tournament table cannot be read") from error
    return plain
