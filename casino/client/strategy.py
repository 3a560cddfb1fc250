"""How a bot bets and decides. `best` asks the exact analysis, once for all bots that see the same cards."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from casino.play.door import TableTerms
from casino.play.wish import Strategy
from casino.returns import exact_advice, exact_return
from casino.uth.analysis.result import Values, best_of
from casino.uth.paytable import Paytable

KNOWN_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Situation:
    """What a player sees when asked to decide."""

    hole: tuple[str, ...]
    board: tuple[str, ...]
    options: tuple[str, ...]


Choose = Callable[[Situation], Awaitable[str | None]]
"""The answer, or None for silence."""


class Advisor:
    """The exact value of every option, counted in a thread so that nobody waits, and kept for the next who asks."""

    def __init__(self, paytable: Paytable, cache_dir: Path) -> None:
        self._paytable = paytable
        self._cache_dir = cache_dir
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], asyncio.Future[Values]] = {}
        self._thread = ThreadPoolExecutor(1, "advisor")

    async def prepare(self) -> None:
        """Count the return if it never was, and load the compiled parts, before the first hand is dealt."""
        await asyncio.get_running_loop().run_in_executor(
            self._thread, exact_return, self._paytable, self._cache_dir, None
        )
        await self.values(("As", "Kd"), ("7h", "7c", "2s"))

    async def values(self, hole: Sequence[str], board: Sequence[str]) -> Values:
        situation = (tuple(sorted(hole)), (*sorted(board[:3]), *sorted(board[3:])))
        asked = self._known.get(situation)
        if asked is None:
            if len(self._known) >= KNOWN_MAX:
                self._known.clear()
            asked = asyncio.get_running_loop().run_in_executor(self._thread, self._count, *situation)
            self._known[situation] = asked
        return await asyncio.shield(asked)

    async def choose(self, situation: Situation) -> str | None:
        """The best of what is offered: a PLAY the balance does not cover is not."""
        values = await self.values(situation.hole, situation.board)
        offered = {action: value for action, value in values.items() if action in situation.options}
        return best_of(offered) if offered else None

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

    def _count(self, hole: tuple[str, ...], board: tuple[str, ...]) -> Values:
        return exact_advice(hole, board[:3], board[3:], cache_dir=self._cache_dir, paytable=self._paytable).values


def chooser(strategy: Strategy, advisor: Advisor, chance: Random) -> Choose:
    async def by_chance(situation: Situation) -> str | None:
        return chance.choice(situation.options)

    async def silence(_situation: Situation) -> str | None:
        return None

    return {Strategy.BEST: advisor.choose, Strategy.RANDOM: by_chance, Strategy.NEVER: silence}[strategy]


def stakes(strategy: Strategy, terms: TableTerms, chance: Random) -> tuple[int, int]:
    """ANTE and TRIPS: by chance up to five times the least, otherwise the least and no TRIPS."""
    ante_min, trips_min = (_chips_up(terms.limits[spot], terms.smallest_chip) for spot in ("ante_min", "trips_min"))
    if strategy is not Strategy.RANDOM:
        return ante_min, 0
    ante = min(chance.randint(1, 5) * ante_min, terms.limits["ante_max"] // terms.smallest_chip * terms.smallest_chip)
    return ante, chance.choice((0, trips_min))


def largest_stake(ante: int, trips: int) -> int:
    """What a round may cost at most: ANTE, BLIND, TRIPS and the largest PLAY."""
    return 6 * ante + trips


def _chips_up(minor: int, chip: int) -> int:
    return -(-minor // chip) * chip
