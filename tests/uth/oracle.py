"""Independent settlement with another hand evaluator, to check the first."""

from fractions import Fraction

from phevaluator import evaluate_cards

# phevaluator numbers hands from 1 (royal flush) to 7462; these are the last numbers of each category.
_LAST = [
    (1, "royal_flush"),
    (10, "straight_flush"),
    (166, "four_of_a_kind"),
    (322, "full_house"),
    (1599, "flush"),
    (1609, "straight"),
    (2467, "three_of_a_kind"),
    (3325, "two_pair"),
    (6185, "pair"),
    (7462, "high_card"),
]
_BLIND = {
    "royal_flush": Fraction(500),
    "straight_flush": Fraction(50),
    "four_of_a_kind": Fraction(10),
    "full_house": Fraction(3),
    "flush": Fraction(3, 2),
    "straight": Fraction(1),
}
_TRIPS = {
    "royal_flush": 50,
    "straight_flush": 40,
    "four_of_a_kind": 30,
    "full_house": 8,
    "flush": 7,
    "straight": 4,
    "three_of_a_kind": 3,
}


def _category(number: int) -> str:
    return next(name for last, name in _LAST if number <= last)


def category_of(cards: tuple[str, ...]) -> str:
    return _category(evaluate_cards(*cards))


def returned(
    player: tuple[str, ...], board: tuple[str, ...], dealer: tuple[str, ...], bets: tuple[int, int, int]
) -> dict[str, int]:
    """What comes back to each spot for (ante, trips, play), where no play means a fold."""
    ante, trips, play = bets
    mine, theirs = evaluate_cards(*player, *board), evaluate_cards(*dealer, *board)
    hand = _category(mine)
    back = {"ante": 0, "blind": 0, "trips": 0, "play": 0}
    if trips and hand in _TRIPS:
        back["trips"] = trips * (1 + _TRIPS[hand])
    if play:
        dealer_has_pair = theirs <= 6185
        if mine == theirs:
            back |= {"ante": ante, "blind": ante, "play": play}
        elif mine < theirs:  # the player is better
            back["play"] = 2 * play
            back["ante"] = 2 * ante if dealer_has_pair else ante
            gain = _BLIND.get(hand, Fraction(0)) * ante
            assert gain.denominator == 1
            back["blind"] = ante + int(gain)
        elif not dealer_has_pair:
            back["ante"] = ante
    return back
