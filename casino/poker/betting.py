"""Betting rule: the options of a player, the size of a raise, and the players a raise reopens betting for.

A street has a price `to`, the bet every player has to match, and `inc`, the last full increment. On each street the
price begins at 0 and the increment at the big blind. Preflop the price is the big blind, however little its poster had.

- A raise goes to at least `to + inc`, or all-in. Pot-limit: at most by the size of the pot after a call.
- A full bet or raise opens betting for every other player.
- An undersized all-in does not, not even a first bet below the big blind: a player who has checked, or has answered
  the last full bet or raise, may only call or fold.
- Undersized all-ins in succession add up. When their sum reaches `inc`, the last of them reopens betting, and `inc`
  stays. A call in between ends the succession, an all-in call for less too; a fold does not.

`Hand.reopened` counts how often betting was opened, and `Seat.answered` is that count at the player's last action.
A player may raise if the two differ.

Example, on a flop with blinds of 1 and 2:

    1 bets 10              full: to 10, inc 10, reopened 1
    2 calls                answered 1
    3 raises all-in to 18  undersized by 8 of 10: to 18, chain 8
    4 raises all-in to 25  undersized by 7, chain 15 >= inc: to 25, reopened 2, inc stays 10
    1 may raise            answered 1, reopened 2: fold, call 15, or raise to at least 35
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from casino.poker.state import Hand, Seat
from casino.poker.terms import Game


class Action(StrEnum):
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE_TO = "raise_to"  # a bet on an unopened street, else a raise


class Sizes(NamedTuple):
    """Any whole number from `smallest` to `largest` is a legal total for the street."""

    smallest: int
    largest: int


class Options(NamedTuple):
    """Legal actions of the player to act. Folding is always legal.

    `call` is the amount to pay, 0 if there is nothing to call; `sizes` is None if no bet or raise is possible.
    """

    seat_no: int
    check: bool
    call: int
    sizes: Sizes | None


def options(hand: Hand) -> Options | None:
    """Options of the player to act; None if the hand waits for no action."""
    if not hand.pending:
        return None
    seat = hand.seats[hand.pending[0]]
    owed = hand.to - seat.bet
    sizes = raise_sizes(hand, seat) if may_raise(hand, seat) else None
    return Options(seat.seat_no, owed == 0, min(owed, seat.stack), sizes)


def may_raise(hand: Hand, seat: Seat) -> bool:
    """Whether betting is open for the player, the call leaves chips, and an opponent could pay more than the price."""
    price = hand.to
    if seat.answered == hand.reopened or seat.stack <= price - seat.bet:
        return False
    for other in hand.seats:
        if other.folded is None and other.stack and other is not seat and other.bet + other.stack > price:
            return True
    return False


def raise_sizes(hand: Hand, seat: Seat) -> Sizes:
    """The smallest and the largest total a bet or raise may reach."""
    all_in = seat.bet + seat.stack
    largest = all_in
    if hand.terms.game is Game.PLO:
        call = hand.to - seat.bet
        largest = min(all_in, hand.to + hand.middle + call)
    return Sizes(min(hand.to + hand.inc, largest), largest)


def after_fold(hand: Hand) -> Hand:
    index = hand.pending[0]
    seats = _with(hand.seats, index, hand.seats[index].folding(hand.street))
    return hand.changed(seats=seats, pending=still_to_act(seats, hand.pending[1:]), turn=hand.turn + 1)


def after_check(hand: Hand) -> Hand:
    index = hand.pending[0]
    seats = _with(hand.seats, index, hand.seats[index].paying(0, hand.reopened))
    return hand.changed(seats=seats, pending=still_to_act(seats, hand.pending[1:]), turn=hand.turn + 1)


def after_call(hand: Hand, paid: int) -> Hand:
    index = hand.pending[0]
    seats = _with(hand.seats, index, hand.seats[index].paying(paid, hand.reopened))
    return hand.changed(seats=seats, pending=still_to_act(seats, hand.pending[1:]), turn=hand.turn + 1, chain=0)


def after_raise(hand: Hand, to: int) -> Hand:
    """A bet or raise to this total: full, or undersized and then part of a chain."""
    index = hand.pending[0]
    seat = hand.seats[index]
    step = to - hand.to
    inc, chain, reopened = hand.inc, hand.chain, hand.reopened
    if step >= inc:
        inc, chain, reopened = step, 0, reopened + 1
    else:
        chain += step
        if chain >= inc:
            chain, reopened = 0, reopened + 1
    seats = _with(hand.seats, index, seat.paying(to - seat.bet, reopened))
    others = (*range(index + 1, len(seats)), *range(index))
    return hand.changed(
        seats=seats,
        pending=still_to_act(seats, others),
        turn=hand.turn + 1,
        to=to,
        inc=inc,
        chain=chain,
        reopened=reopened,
        aggressor=seat.seat_no,
    )


def first_to_act(hand: Hand) -> tuple[int, ...]:
    """The order of a street: preflop from the player left of the big blind, later from left of the button."""
    first = 0
    if not hand.board:
        first = hand.index_of(hand.positions.big_blind) + 1
    return still_to_act(hand.seats, (*range(first, len(hand.seats)), *range(first)))


def still_to_act(seats: Sequence[Seat], order: Iterable[int]) -> tuple[int, ...]:
    """The players among these who must act, in order: all who are able, or none if no answer could change anything.

    The last able player is not asked if every live opponent is all-in with no more in the street than that player.
    """
    live = [seat for seat in seats if seat.folded is None]
    able = [seat for seat in live if seat.stack]
    if len(able) == 1 and all(seat.bet <= able[0].bet for seat in live):
        return ()
    return tuple([index for index in order if seats[index].folded is None and seats[index].stack])


def _with(seats: tuple[Seat, ...], index: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:index], seat, *seats[index + 1 :])
