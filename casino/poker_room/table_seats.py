"""Seats of a cash table between hands: players dealt in, blinds owed, and the state that is stored with each hand.

A new player, and one who has missed a blind, waits for the big blind or posts one. On the first hand of a table, and
whenever fewer than two players owe nothing, positions start over with a drawn button and no debts.

The state is stored with every finished hand. It has no chips: those are the balances of the seats' accounts. A seat
that the stored state does not know belongs to a player who sat down after the last hand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

import orjson

from casino.poker.cash.seating import START_MIN, may_start
from casino.poker.clock import ClockTerms, bank_after_hand
from casino.poker.commands import Entrant
from casino.poker.positions import PLAYERS_MIN, LastHand, NextHand, Table, next_positions
from casino.poker_room.pool import Draw

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One seated player. `is_current` owes no blind; `hands` counts hands dealt here, for the time bank."""

    player_id: str
    seat_no: int
    stack: int
    bank_ms: int
    hands: int = 0
    is_current: bool = False
    waits_for_bb: bool = True
    sits_out: bool = False
    sits_out_at_bb: bool = False
    auto_top_up: bool = False

    @property
    def is_present(self) -> bool:
        return self.stack > 0 and not self.sits_out


@dataclass(frozen=True, slots=True)
class Dealt:
    """Positions and players of the next hand, and the table with their consequences."""

    seats: "TableSeats"
    next_hand: NextHand
    entrants: tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class TableSeats:
    """All seats of a table, and the positions of its last hand. A void hand leaves no trace here."""

    size: int
    seats: Mapping[str, TableSeat] = field(default_factory=dict)
    last: LastHand | None = None

    @property
    def present(self) -> tuple[TableSeat, ...]:
        return tuple(seat for seat in self.seats.values() if seat.is_present)

    def may_start(self, start_min: int = START_MIN) -> bool:
        """Whether a hand may start: with three present, or once with two after a hand of three or more."""
        return may_start(len(self.present), len(self.last.dealt_in) if self.last else 0, start_min)

    def sat_down(self, seat: TableSeat) -> Self:
        """Raises if the seat is taken or the player sits here: the pool gives out seats."""
        assert seat.player_id not in self.seats, "a player has one seat at a table"
        assert all(other.seat_no != seat.seat_no for other in self.seats.values()), "a seat has one player"
        assert 1 <= seat.seat_no <= self.size, "the table has no such seat"
        return replace(self, seats={**self.seats, seat.player_id: seat})

    def stood_up(self, player_id: str) -> Self:
        return replace(self, seats={other: seat for other, seat in self.seats.items() if other != player_id})

    def changed(self, player_id: str, **fields: Any) -> Self:  # noqa: ANN401  any field of a seat
        return replace(self, seats={**self.seats, player_id: replace(self.seats[player_id], **fields)})

    def with_sit_outs(self) -> tuple[Self, tuple[str, ...]]:
        """The seats before the next hand, and the players who sit out because their big blind has come.

        The start rule is checked afterwards, because these players no longer count.
        """
        after, passed = self, []
        while (seat := after._next_big_blind()) is not None and seat.sits_out_at_bb:
            after = after.changed(seat.player_id, sits_out=True, sits_out_at_bb=False)
            passed.append(seat.player_id)
        return after, tuple(passed)

    def _next_big_blind(self) -> TableSeat | None:
        """The player whom the big blind reaches next; None if positions start over."""
        if self.last is None or sum(seat.is_current for seat in self.present) < PLAYERS_MIN:
            return None
        last = self.last.big_blind
        return min(self.present, key=lambda seat: (seat.seat_no - last - 1) % self.size)

    def deal(self, draw: Draw) -> Dealt:
        """The next hand. Players whom a blind has passed owe one; those dealt in owe nothing afterwards.

        `with_sit_outs` comes before. `draw` is asked for the button only if positions start over.
        """
        present = sorted(seat.seat_no for seat in self.present)
        by_no = {seat.seat_no: seat for seat in self.seats.values()}
        table = Table(
            self.size,
            frozenset(present),
            frozenset(seat.seat_no for seat in self.present if seat.is_current),
            self.last,
            posting=frozenset(seat.seat_no for seat in self.present if not seat.is_current and not seat.waits_for_bb),
        )
        if table.needs_draw:
            table = replace(table, drawn=present[draw(len(present))])
        following = next_positions(table)
        owing = {seat_no: False for seat_no in following.passed if seat_no in by_no}
        after = {**self.seats}
        for seat_no, is_current in (owing | dict.fromkeys(following.dealt_in, True)).items():
            seat = by_no[seat_no]
            if seat.is_current is not is_current:
                after[seat.player_id] = replace(seat, is_current=is_current)
        last = LastHand(following.positions.big_blind, frozenset(following.dealt_in))
        entrants = tuple(
            Entrant(seat_no, by_no[seat_no].player_id, by_no[seat_no].stack) for seat_no in following.dealt_in
        )
        return Dealt(replace(self, seats=after, last=last), following, entrants)

    def played(self, stacks: Mapping[str, int], banks: Mapping[str, int], clock: ClockTerms) -> Self:
        """The seats after a settled hand: new stacks, and time banks that grow with every tenth hand of a player."""
        after = {**self.seats}
        for player_id, stack in stacks.items():
            if player_id in after:
                hands = after[player_id].hands + 1
                bank_ms = bank_after_hand(clock, banks[player_id], hands)
                after[player_id] = replace(after[player_id], stack=stack, hands=hands, bank_ms=bank_ms)
        return replace(self, seats=after)

    def dump(self) -> str:
        """The state as JSON, for the row of the table. It holds no chips and no cards."""
        last = None if self.last is None else {"bb": self.last.big_blind, "dealt_in": sorted(self.last.dealt_in)}
        seats = {seat.player_id: {name: getattr(seat, name) for name in _STORED} for seat in self.seats.values()}
        return orjson.dumps({"version": VERSION, "last": last, "seats": seats}).decode()


_STORED: Final = ("bank_ms", "hands", "is_current", "waits_for_bb", "sits_out", "sits_out_at_bb", "auto_top_up")


def new_seat(player_id: str, seat_no: int, stack: int, clock: ClockTerms, *, waits_for_bb: bool = True) -> TableSeat:
    """A player who sits down with a full bank, and owes a big blind."""
    return TableSeat(player_id, seat_no, stack, clock.bank_start_ms, waits_for_bb=waits_for_bb)


def restored(state: str, size: int, occupied: Iterable[tuple[str, int, int]], clock: ClockTerms) -> TableSeats:
    """The seats from the stored state, and the player, seat and chips of each occupied seat.

    Raises `ValueError` if the state cannot be read: staff decide about such a table.
    """
    try:
        return _restored(orjson.loads(state), TableSeats(size), occupied, clock)
    except (KeyError, TypeError, AttributeError, orjson.JSONDecodeError) as error:
        raise ValueError("the state of the table cannot be read") from error


def _restored(
    plain: Mapping[str, Any], table: TableSeats, occupied: Iterable[tuple[str, int, int]], clock: ClockTerms
) -> TableSeats:
    if plain["version"] != VERSION:
        raise ValueError("the state of the table cannot be read: its version is unknown")
    if last := plain["last"]:
        table = replace(table, last=LastHand(last["bb"], frozenset(last["dealt_in"])))
    for player_id, seat_no, stack in occupied:
        seat = new_seat(player_id, seat_no, stack, clock)
        if player_id in plain["seats"]:
            seat = replace(seat, **{name: plain["seats"][player_id][name] for name in _STORED})
        table = table.sat_down(seat)
    return table
