"""Button, blinds and posters of the next hand: one algorithm for cash tables and tournaments.

The big blind moves to the next player and never skips one. The small blind follows it and may be missing; the
button follows the small blind and may stay where it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from casino.errors import Code, Refusal

PLAYERS_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class Positions:
    """Seats of one hand. `small_blind` is None if no player posts it; heads-up it is the button.

    `posters` post a live big blind out of position.
    """

    button: int
    small_blind: int | None
    big_blind: int
    posters: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LastHand:
    """Seats of the hand before: the big blind, and all players who were dealt in."""

    big_blind: int
    dealt_in: frozenset[int]


@dataclass(frozen=True, slots=True)
class Table:
    """Facts about a table between two hands.

    `present` have chips and are not sitting out; in tournaments that is all with chips. `current` owe no blind.
    `posting` are newcomers and returning players who want to post instead of waiting for the big blind. `drawn` is
    the button to use if the positions are not derived from a last hand; a tournament takes the highest seat. In
    tournaments no player sits out the big blind, so `sit_out_next_bb` has no effect there.
    """

    seats: int
    present: frozenset[int]
    current: frozenset[int]
    last: LastHand | None
    is_tournament: bool = False
    posting: frozenset[int] = frozenset()
    sit_out_next_bb: frozenset[int] = frozenset()
    drawn: int | None = None

    def clockwise_after(self, seat: int) -> Iterator[int]:
        """All seats once, beginning left of this one and ending with it."""
        return ((seat + step - 1) % self.seats + 1 for step in range(1, self.seats + 1))

    def before(self, seat: int) -> Iterator[int]:
        """All other seats once, counter-clockwise."""
        return ((seat - step - 1) % self.seats + 1 for step in range(1, self.seats))

    @property
    def needs_draw(self) -> bool:
        """Positions start over: a first hand, or fewer than two players who owe no blind."""
        return self.last is None or len(self.present & self.current) < PLAYERS_MIN


@dataclass(frozen=True, slots=True)
class NextHand:
    """Positions of the next hand and their consequences.

    `sat_out` wanted to sit out before paying a big blind, and it has come to them. `missed_big_blind` are the
    seats the big blind passed; `missed_small_blind` is the last big blind's seat if no player there pays the small one.
    """

    positions: Positions
    dealt_in: tuple[int, ...]
    sat_out: tuple[int, ...] = ()
    missed_big_blind: tuple[int, ...] = ()
    missed_small_blind: tuple[int, ...] = ()

    @property
    def passed(self) -> tuple[int, ...]:
        """Every seat a blind has passed, clockwise."""
        return self.missed_small_blind + self.missed_big_blind


def next_positions(table: Table) -> NextHand:
    """Assign the positions of the next hand.

    Refuses `not_offered` with fewer than two players present, `bad_request` if a button must be drawn and is not one
    of the present players.
    """
    if len(table.present) < PLAYERS_MIN:
        raise Refusal(Code.NOT_OFFERED, "A hand needs at least two players.")
    if table.last is None or table.needs_draw:
        return _start_over(table)

    last = table.last.big_blind
    big_blind = next(seat for seat in table.clockwise_after(last) if seat in table.present)
    if big_blind in table.sit_out_next_bb and not table.is_tournament:
        without = next_positions(replace(table, present=table.present - {big_blind}))
        return replace(without, sat_out=(big_blind, *without.sat_out))

    core = (table.present & table.current) | {big_blind}
    small_blind = last if last in core and last != big_blind else None
    missed_big_blind = _passed(table, last, big_blind)
    missed_small_blind = (last,) if small_blind is None and last not in table.present else ()
    if len(core) == PLAYERS_MIN:
        (button,) = core - {big_blind}
        positions, dealt_in = Positions(button, button, big_blind), core
    else:
        button = _button(table, table.last, core - {big_blind})
        posters = _posters(table, core, button, big_blind)
        positions, dealt_in = Positions(button, small_blind, big_blind, posters), core.union(posters)
    return NextHand(
        positions,
        tuple(sorted(dealt_in)),
        missed_big_blind=missed_big_blind,
        missed_small_blind=missed_small_blind,
    )


def _start_over(table: Table) -> NextHand:
    """All players present are dealt in and owe nothing."""
    button = max(table.present) if table.is_tournament else table.drawn
    if button is None or button not in table.present:
        raise Refusal(Code.BAD_REQUEST, "The button of a first hand must be one of the players present.")
    first, second, *_ = (seat for seat in table.clockwise_after(button) if seat in table.present)
    heads_up = len(table.present) == PLAYERS_MIN
    positions = Positions(button, button, first) if heads_up else Positions(button, first, second)
    return NextHand(positions, tuple(sorted(table.present)))


def _passed(table: Table, last: int, big_blind: int) -> tuple[int, ...]:
    """Seats clockwise after the last big blind and before the new one; none of them is present."""
    return tuple(takewhile(lambda seat: seat != big_blind, table.clockwise_after(last)))


def _button(table: Table, last: LastHand, candidates: frozenset[int]) -> int:
    """The first candidate before the last big blind; at a cash table one who played the last hand goes first."""
    in_order = [seat for seat in table.before(last.big_blind) if seat in candidates]
    played = [] if table.is_tournament else [seat for seat in in_order if seat in last.dealt_in]
    return (played or in_order)[0]


def _posters(table: Table, core: frozenset[int], button: int, big_blind: int) -> tuple[int, ...]:
    """Those who want to post. A seat strictly between button and big blind waits for one hand."""
    waiting = set(_passed(table, button, big_blind))
    return tuple(sorted((table.posting & table.present) - core - waiting))
