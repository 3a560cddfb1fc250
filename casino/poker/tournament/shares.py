"""Division of an amount among players in whole units. Units that are left go to the larger stacks first."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor


def by_largest_remainder(amount: int, shares: Sequence[Fraction], chips: Sequence[int]) -> list[int]:
    """Split `amount` by exact shares that sum to 1; equal remainders go to the larger stack, then in order."""
    exact = [amount * share for share in shares]
    parts = [floor(part) for part in exact]
    order = sorted(range(len(parts)), key=lambda index: (parts[index] - exact[index], -chips[index], index))
    for index in order[: amount - sum(parts)]:
        parts[index] += 1
    return parts


def by_chips(amount: int, chips: Sequence[int]) -> list[int]:
    """Split `amount` in proportion to the stacks."""
    whole = sum(chips)
    return by_largest_remainder(amount, [Fraction(stack, whole) for stack in chips], chips)


def in_equal_parts(amount: int, chips: Sequence[int]) -> list[int]:
    """Split `amount` evenly; odd units go one each."""
    each, odd = divmod(amount, len(chips))
    parts = [each] * len(chips)
    for index in sorted(range(len(chips)), key=lambda index: (-chips[index], index))[:odd]:
        parts[index] += 1
    return parts
