"""Every line of action of small games: two and three players with few chips, blinds 1 and 2, hold'em and Omaha.

Lines that lead to the same state are followed once, and counted. In every state each legal action is accepted,
the nearest illegal ones are refused, and chips are neither made nor lost; at every showdown each order of strengths,
ties included, is paid out.
"""

from collections.abc import Iterator
from itertools import product

import pytest

from casino.errors import Code, Refusal
from casino.poker.betting import Action, options
from casino.poker.commands import Act, DealBoard
from casino.poker.hand import decide, unfold
from casino.poker.pots import divide, divide_during_street, share_out
from casino.poker.results import winners_of
from casino.poker.state import Hand, WantKind
from casino.poker.terms import Game
from tests.deep import DEEP
from tests.poker.table import NOW, opened

BOARD = ("2c", "3d", "4h", "8s", "9c")
REFUSED = {Code.NOT_OFFERED, Code.BELOW_MINIMUM, Code.ABOVE_MAXIMUM}


def orders(count: int) -> list[tuple[int, ...]]:
    """All ways to order hands by strength, ties included: 3 for two hands, 13 for three."""
    ranked = product(range(count), repeat=count)
    return [order for order in ranked if set(order) == set(range(len(set(order))))]


class Enumeration:
    """Walks through all lines of one game. A state is known by all that can matter for what follows."""

    def __init__(self) -> None:
        self.lines: dict[object, int] = {}
        self.showdowns = 0

    def count(self, hand: Hand) -> int:
        """How many lines of action lead from here to the end."""
        key = _key(hand)
        if key not in self.lines:
            self.lines[key] = self._count(hand)
        return self.lines[key]

    def _count(self, hand: Hand) -> int:
        _check_chips(hand)
        wants = hand.wants
        if wants.kind is WantKind.NOTHING:
            return 1
        if wants.kind is WantKind.REVEAL:
            self.showdowns += 1
            _check_showdown(hand)
            return 1
        if wants.kind is WantKind.BOARD:
            dealt = len(hand.board)
            return self.count(unfold(hand, DealBoard("h1", BOARD[dealt : dealt + wants.cards]), NOW)[-1][1])
        _check_refusals(hand)
        return sum(self.count(unfold(hand, act, NOW)[-1][1]) for act in _legal(hand))


def _key(hand: Hand) -> object:
    seats = tuple(
        (seat.stack, seat.bet, seat.total, seat.folded is None, seat.answered == hand.reopened) for seat in hand.seats
    )
    return hand.street, hand.status, seats, hand.to, hand.inc, hand.chain, hand.pending, hand.is_street_over


def _legal(hand: Hand) -> Iterator[Act]:
    offered = options(hand)
    assert offered is not None
    player = f"p{offered.seat_no}"
    yield Act("h1", hand.turn, player, Action.FOLD)
    yield Act("h1", hand.turn, player, Action.CHECK if offered.check else Action.CALL)
    if offered.sizes is not None:
        for amount in range(offered.sizes.smallest, offered.sizes.largest + 1):
            yield Act("h1", hand.turn, player, Action.RAISE_TO, amount)


def _check_refusals(hand: Hand) -> None:
    """Everything that is not offered is refused."""
    offered = options(hand)
    assert offered is not None
    player = f"p{offered.seat_no}"
    illegal = [(Action.CALL if offered.check else Action.CHECK, 0)]
    sizes = offered.sizes
    amounts = (sizes.smallest - 1, sizes.largest + 1) if sizes else (hand.to + 1, hand.to + hand.inc)
    illegal += [(Action.RAISE_TO, amount) for amount in amounts]
    for action, amount in illegal:
        with pytest.raises(Refusal) as refused:
            decide(hand, Act("h1", hand.turn, player, action, amount), NOW)
        assert refused.value.code in REFUSED


def _check_chips(hand: Hand) -> None:
    started = sum(seat.start for seat in hand.seats)
    held = sum(seat.stack for seat in hand.seats)
    assert all(seat.stack >= 0 for seat in hand.seats)
    assert held + (0 if hand.is_over else hand.middle) == started
    pots = divide_during_street(hand.seats)
    assert sum(pot.amount for pot in pots) == hand.middle
    if hand.is_street_over:
        assert pots == divide(hand.seats)
    assert hand.inc >= hand.terms.big_blind
    assert 0 <= hand.chain < hand.inc


def _check_showdown(hand: Hand) -> None:
    """Whoever wins gets back at most what each opponent has matched, and nothing stays behind."""
    pots = divide(hand.seats)
    live = [seat.seat_no for seat in hand.live]
    total = {seat.seat_no: seat.total for seat in hand.seats}
    assert sum(pot.amount for pot in pots) == hand.middle
    for order in orders(len(live)):
        strength = dict(zip(live, order, strict=True))
        won = dict.fromkeys(live, 0)
        for pot in pots:
            for seat_no, amount in share_out(pot.amount, winners_of(pot, strength)):
                won[seat_no] += amount
        assert sum(won.values()) == hand.middle
        highest = max(total[seat_no] for seat_no in live)
        for seat_no in live:
            matched = sum(min(other, total[seat_no]) for other in total.values())
            above = sum(max(other - highest, 0) for other in total.values()) if total[seat_no] == highest else 0
            assert won[seat_no] <= matched + above
            if all(strength[seat_no] > strength[other] for other in live if other != seat_no):
                assert won[seat_no] == matched + above


TWO, THREE = (10, 10) if DEEP else (7, 4)
"""The largest stacks, in small blinds: deep, five big blinds."""


@pytest.mark.parametrize("game", Game)
def test_two_players(game: Game) -> None:
    walk = Enumeration()
    lines = sum(walk.count(opened(stacks, game=game).hand) for stacks in product(range(1, TWO + 1), repeat=2))
    assert walk.showdowns > 40
    assert lines > (30_000 if DEEP else 2_500)


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("ante", [0, 1])
def test_three_players(game: Game, ante: int) -> None:
    walk = Enumeration()
    every = product(range(1, THREE + 1), repeat=3)
    lines = sum(walk.count(opened(stacks, game=game, ante=ante).hand) for stacks in every)
    assert walk.showdowns > 100
    assert lines > (100_000 if DEEP else 500)
