"""Division of an amount into whole minor units in proportion to weights."""

from collections.abc import Sequence


def in_proportion(amount: int, weights: Sequence[int]) -> list[int]:
    """Split `amount` by largest remainder; equal remainders go to the earlier weight.

    Without any weight there is nothing to divide by: every part is 0, and the amount must be 0.
    """
    whole = sum(weights)
    if not whole:
        assert not amount, "an amount needs somebody to share it"
        return [0] * len(weights)
    parts = [amount * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: (-(amount * weights[index] % whole), index))
    for index in by_remainder[: amount - sum(parts)]:
        parts[index] += 1
    return parts
