"""The independent chip model of Malmuth and Harville, in exact fractions.

The player in the next place is drawn with the share of the chips held by those not yet placed. The chance that a set
of players takes the first places is the sum over its last member, so 2 ** n sets replace n! orders. All sets of one
size share a denominator, so the sums are sums of whole numbers.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from casino.poker.tournament.shares import by_largest_remainder

PLAYERS_MAX: Final = 12


def icm(stacks: Sequence[int], prizes: Sequence[int]) -> list[Fraction]:
    """Each player's expected prize.

    Raises `ValueError` for no player, more than `PLAYERS_MAX`, a stack below 1 or more prizes than players.
    """
    if not 1 <= len(stacks) <= PLAYERS_MAX:
        raise ValueError(f"ICM is worked out for 1 to {PLAYERS_MAX} players")
    if min(stacks) < 1:
        raise ValueError("every stack must be at least 1")
    if len(prizes) > len(stacks):
        raise ValueError("there are more prizes than players")
    unit = gcd(*stacks)
    return _expected([stack // unit for stack in stacks], prizes)


def _expected(stacks: list[int], prizes: Sequence[int]) -> list[Fraction]:
    """`first[placed]` is the chance that this set takes the first places, times `denominator`; sets are bit masks."""
    players = [(1 << index, stack) for index, stack in enumerate(stacks)]
    first = {0: (1, sum(stacks))}
    denominator = 1
    expected = [0] * len(stacks)
    for prize in prizes:
        common = lcm(*(left for _, left in first.values()))
        denominator *= common
        takes_next = [0] * len(stacks)
        following: dict[int, tuple[int, int]] = {}
        for placed, (chance, left) in first.items():
            per_chip = chance * (common // left)
            for index, (bit, stack) in enumerate(players):
                if not placed & bit:
                    takes_next[index] += per_chip
                    known, _ = following.get(placed | bit, (0, 0))
                    following[placed | bit] = (known + per_chip * stack, left - stack)
        expected = [
            known * common + prize * stack * chance
            for known, stack, chance in zip(expected, stacks, takes_next, strict=True)
        ]
        first = following
    return [Fraction(whole, denominator) for whole in expected]


def icm_shares(amount: int, stacks: Sequence[int], prizes: Sequence[int]) -> list[int]:
    """`amount` divided as ICM divides the prizes, in whole units: largest remainder, then most chips, then order."""
    values = icm(stacks, prizes)
    pool = sum(prizes)
    if not pool:
        return [0] * len(stacks)
    return by_largest_remainder(amount, [value / pool for value in values], stacks)
