"""The showdown: the order in which hands are shown, their strengths, and hands that may be mucked."""

from collections.abc import Mapping, Sequence

from casino.cards.card import Card
from casino.cards.ranking import Hand as RankedHand
from casino.cards.ranking import best_hand, strength_of
from casino.poker.omaha import OmahaBoard, best_omaha_hand
from casino.poker.pots import divide
from casino.poker.state import Hand, ShownCards
from casino.poker.streets import Street
from casino.poker.terms import Game, Showing


def strengths(game: Game, hands: Mapping[int, Sequence[Card]], board: Sequence[Card]) -> dict[int, int]:
    """The order of each seat's best hand; higher wins, equal ties."""
    if game is Game.PLO:
        prepared = OmahaBoard(board)
        return {seat_no: prepared.strength(hole) for seat_no, hole in hands.items()}
    return {seat_no: strength_of((*hole, *board)) for seat_no, hole in hands.items()}


def best_of(game: Game, hole: Sequence[Card], board: Sequence[Card]) -> RankedHand | None:
    """The best hand so far; None before an Omaha flop, where a hand needs three board cards."""
    if game is Game.NLHE:
        return best_hand((*hole, *board))
    return best_omaha_hand(hole, board) if board else None


def showing_order(hand: Hand) -> tuple[int, ...]:
    """The last bettor or raiser of the river first, else the first live player left of the button; then clockwise."""
    live = tuple(seat.seat_no for seat in hand.live)
    if hand.street is not Street.RIVER or hand.aggressor not in live:
        return live
    first = live.index(hand.aggressor)
    return live[first:] + live[:first]


def hands_to_show(hand: Hand, held: Mapping[int, tuple[Card, ...]]) -> tuple[ShownCards, ...]:
    """The hands that are turned up, in order.

    All of them, unless the terms let losers muck: then, after a complete river, a hand that is beaten in every pot
    it could win stays hidden.
    """
    order = showing_order(hand)
    if hand.terms.showing is Showing.ALL or len(hand.board) < 5:
        return tuple(ShownCards(seat_no, held[seat_no]) for seat_no in order)
    strength = strengths(hand.terms.game, held, hand.board)
    pots = divide(hand.seats)
    shown: list[ShownCards] = []
    for seat_no in order:
        already = {cards.seat_no for cards in shown}
        contested = [pot.contenders for pot in pots if seat_no in pot.contenders]
        if any(
            all(strength[seat_no] >= strength[other] for other in already.intersection(rivals)) for rivals in contested
        ):
            shown.append(ShownCards(seat_no, held[seat_no]))
    return tuple(shown)
