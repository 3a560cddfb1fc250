"""Slow reference implementation of hand ranking, written from the rules; it shares no code with the fast one."""

from collections import Counter
from collections.abc import Sequence

Order = tuple[int, ...]
"""Category from 0 to 9, then the ranks that break a tie, most telling first."""

_VALUE = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}
_CATEGORY_BY_GROUPS = {
    (1, 1, 1, 1, 1): 0,
    (2, 1, 1, 1): 1,
    (2, 2, 1): 2,
    (3, 1, 1): 3,
    (3, 2): 6,
    (4, 1): 7,
}


def order_of_five(cards: Sequence[str]) -> Order:
    values = sorted((_VALUE[card[0]] for card in cards), reverse=True)
    groups = sorted(Counter(values).items(), key=lambda group: (group[1], group[0]), reverse=True)
    category = _CATEGORY_BY_GROUPS[tuple(size for _, size in groups)]
    if category:
        return (category, *(value for value, _ in groups))
    if values == [14, 5, 4, 3, 2]:
        values = [5, 4, 3, 2, 1]
    is_flush = len({card[1] for card in cards}) == 1
    is_straight = values[0] - values[4] == 4
    if is_flush and is_straight:
        return (9 if values[0] == 14 else 8, values[0])
    if is_straight:
        return (4, values[0])
    return (5 if is_flush else 0, *values)
