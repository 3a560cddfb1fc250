"""ICM of a nine-player final table, all paid: exact fractions compared with PokerKit's floating-point numbers."""

import random

from pokerkit import calculate_icm

from benchmarks.measurement import Row, Work, duration, faster, race
from casino.poker.tournament.icm import icm

PRIZES = [16646, 9232, 6541, 5122, 4237, 3628, 3183, 2841, 2570]
ROUND_STACKS = [60_000, 50_000, 45_000, 40_000, 35_000, 30_000, 25_000, 15_000, 10_000]


def rows() -> list[Row]:
    chance = random.Random(1)  # noqa: S311
    odd_stacks = [chance.randint(1_000, 200_000) for _ in PRIZES]
    for stacks in (odd_stacks, ROUND_STACKS):
        theirs = calculate_icm(PRIZES, stacks)
        assert all(abs(float(ours) - their) < 1e-6 for ours, their in zip(icm(stacks, PRIZES), theirs, strict=True))
    seconds = race(
        {
            "odd": Work(lambda: icm(odd_stacks, PRIZES)),
            "round": Work(lambda: icm(ROUND_STACKS, PRIZES)),
            "pokerkit": Work(lambda: calculate_icm(PRIZES, odd_stacks)),
        },
        repeats=3,
    )
    return [
        Row("icm, stacks without a common divisor", duration(seconds["odd"])),
        Row("icm, stacks in whole thousands", duration(seconds["round"])),
        faster("PokerKit, the first stacks", seconds["pokerkit"], seconds["odd"], goal=20),
    ]
