"""Route for the exact value of every option of a decision, for players after the round: computed and cached.

A flop takes a tenth of a second of full CPU time. A separate low-priority process, started on first use, computes one
situation after the other. Suits are interchangeable, so thousands of players with the same cards share one computation.
This module does not know whose round it was.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from itertools import permutations
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final

from casino.refusals import Reason
from casino.uth.bets import Action
from casino.uth.paytable import Paytable
from casino.uth.rtp_cache import cache_folder, exact_advice, known_return

Values = dict[Action, float]
"""In ANTEs, the smaller bet first."""

Cards = tuple[str, ...]
Question = tuple[Paytable, Cards, Cards]

KEPT_MAX: Final = 20_000
WAITING_MAX: Final = 200
_LOW_PRIORITY: Final = 10
"""Below the tables, but not the lowest: a person waits, and a busy machine would never reply."""
_RENAMED_SUITS: Final = tuple(str.maketrans("cdhs", "".join(suits)) for suits in permutations("cdhs"))


def canonical(hole: Sequence[str], board: Sequence[str]) -> tuple[Cards, Cards]:
    """Returns the same key for situations that differ only in suit names or card order."""
    return min(
        (tuple(sorted(card.translate(names) for card in hole)), tuple(sorted(card.translate(names) for card in board)))
        for names in _RENAMED_SUITS
    )


class Advisor:
    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder()
        self._known: dict[Question, Values] = {}
        self._computing: dict[Question, asyncio.Future[Values | None]] = {}
        self._turn = asyncio.Lock()
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    async def values(self, paytable: Paytable, hole: Sequence[str], board: Sequence[str]) -> Values | None:
        """Returns None until the return of this paytable is known, which starting hands need."""
        question = paytable, *canonical(hole, board)
        if known := self._known.get(question):
            return known
        computing = self._computing.get(question)
        if computing is None:
            if len(self._computing) >= WAITING_MAX:
                raise Reason.BUSY.refusal()
            computing = self._computing[question] = asyncio.ensure_future(self._count(question))
            computing.add_done_callback(lambda _: self._computing.pop(question, None))
        # A cancelled caller must not cancel the computation that others wait for.
        return await asyncio.shield(computing)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()  # also ends the wait for it
        await asyncio.gather(*self._computing.values(), return_exceptions=True)

    async def _count(self, question: Question) -> Values | None:
        async with self._turn:
            found = await asyncio.to_thread(self._ask, question)
        if found is not None:
            if len(self._known) >= KEPT_MAX:
                self._known.pop(next(iter(self._known)))
            self._known[question] = found
        return found

    def _ask(self, question: Question) -> Values | None:
        if self._process is None or self._line is None or not self._process.is_alive():
            self._begin()
        assert self._line is not None
        try:
            self._line.send(question)
            found: Values | None = self._line.recv()
        except (EOFError, OSError):
            raise Reason.TRAINER_FAILED.refusal() from None
        return found

    def _begin(self) -> None:
        self._line, there = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(
            target=_count_in_this_process, args=(self._folder, there), daemon=True
        )
        self._process.start()
        there.close()  # only the process holds this end now, so its death ends the wait


def _count_in_this_process(folder: Path, there: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service handles the signal, and stops this process
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    os.nice(_LOW_PRIORITY)
    while True:
        there.send(values_in(folder, *there.recv()))


def values_in(folder: Path, paytable: Paytable, hole: Cards, board: Cards) -> Values | None:
    if not board and known_return(paytable, folder) is None:
        return None
    advice = exact_advice(hole, board[:3], board[3:], cache_dir=folder, paytable=paytable)
    return {Action(action): float(value) for action, value in advice.values.items()}


def _end_with_the_service() -> None:
    service = multiprocessing.parent_process()
    assert service is not None
    service.join()
    os._exit(1)
