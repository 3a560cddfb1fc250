"""Betting and decision strategies of bots. `best` asks the exact analysis, once for all bots with the same cards."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from casino.bots.core import BotCore, Habits, all_stakes, chips_down, chips_up
from casino.client.http_api import TableTerms
from casino.client.options import Strategy
from casino.uth.analysis.result import Values, best_of
from casino.uth.paytable import Paytable
from casino.uth.rtp_cache import exact_advice, exact_return

KNOWN_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Situation:
    """Information a player has for a decision."""

    phase: str
    hole: tuple[str, ...]
    board: tuple[str, ...]
    options: tuple[str, ...]


Choose = Callable[[Situation], Awaitable[str | None]]
"""The answer, or None for silence."""


class Advisor:
    """The exact value of every option, computed in a thread to keep the event loop free, and cached."""

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


def habits(strategy: Strategy, terms: TableTerms) -> Habits:
    """`random` bets up to five times the least ANTE; the others bet the least and no TRIPS."""
    chip, limits = terms.smallest_chip, terms.limits
    least, most = chips_up(limits["ante_min"], chip), chips_down(limits["ante_max"], chip)
    if strategy is Strategy.RANDOM:
        antes = [min(times * least, most) for times in range(1, 6)]
        return Habits(all_stakes(antes, (0, chips_up(limits["trips_min"], chip))))
    return Habits([(least, 0)], silence=1.0)


def chooser(strategy: Strategy, advisor: Advisor, core: BotCore) -> Choose:
    async def by_habit(situation: Situation) -> str | None:
        return core.decide(situation.phase, situation.options)

    return advisor.choose if strategy is Strategy.BEST else by_habit
