"""Main pot, side pots, the uncalled bet and odd chips."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.poker.state import Seat


class Pot(NamedTuple):
    """`contenders` are seat numbers, clockwise from the player left of the button."""

    amount: int
    contenders: tuple[int, ...]


def uncalled_bet(seats: Sequence[Seat]) -> tuple[int, int] | None:
    """Index and amount of a bet that no other player has matched: the part of the largest total above all others.

    It goes back to its owner, even after a fold: a player who has posted can fold against blinds that are smaller.
    """
    second, largest = sorted(seat.total for seat in seats)[-2:]
    if second == largest:
        return None
    return next(index for index, seat in enumerate(seats) if seat.total == largest), largest - second


def divide(seats: Sequence[Seat]) -> list[Pot]:
    """The pots, main pot first: one for each different total among the live players.

    Folded money counts up to each level; what is above the highest level belongs to the last pot, dead money to the
    first.
    """
    return _by_levels(seats, {seat.seat_no: seat.total for seat in seats if seat.is_live})


def divide_during_street(seats: Sequence[Seat]) -> list[Pot]:
    """The pots while players may still call, street bets included: only an all-in player ends a level.

    Players with chips left contend for every pot. At the end of a street this is the same as `divide`.
    """
    live = [seat for seat in seats if seat.folded is None]
    if 0 not in [seat.stack for seat in live]:  # nobody is all-in
        return [Pot(sum([seat.total + seat.dead for seat in seats]), tuple([seat.seat_no for seat in live]))]
    price = max([seat.total for seat in live])
    return _by_levels(seats, {seat.seat_no: price if seat.stack else seat.total for seat in live})


def _by_levels(seats: Sequence[Seat], reached: Mapping[int, int]) -> list[Pot]:
    """The pots of the levels that the live players have reached."""
    levels = sorted(set(reached.values()))
    if len(levels) == 1:
        return [Pot(sum([seat.total + seat.dead for seat in seats]), tuple(reached))]
    pots = []
    below = 0
    for level in levels:
        amount = sum(min(seat.total, level) - min(seat.total, below) for seat in seats)
        if level == levels[0]:
            amount += sum(seat.dead for seat in seats)
        if level == levels[-1]:
            amount += sum(max(seat.total - level, 0) for seat in seats)
        contenders = tuple(seat_no for seat_no, own in reached.items() if own >= level)
        pots.append(Pot(amount, contenders))
        below = level
    return pots


def share_out(amount: int, winners: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Equal parts of a pot; odd units go one each to the first winners in this order, left of the button first."""
    each, odd = divmod(amount, len(winners))
    return tuple((seat_no, each + (place < odd)) for place, seat_no in enumerate(winners))
