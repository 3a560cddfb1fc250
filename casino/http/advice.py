"""What every option of a situation was worth, for players who ask after the round: exact, counted aside, kept.

A flop takes a tenth of a second of all a processor can do, so a process of its own counts, at a low priority,
one situation after the other, and it is started when somebody asks for the first time. Suits are interchangeable,
so thousands who played the same cards ask one question. Whose round it was is not known here.
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

from casino.errors import Code, Refusal
from casino.returns import cache_folder, exact_advice, known_return
from casino.uth.paytable import Paytable

Values = dict[str, float]
"""In ANTEs, the smaller bet first."""

Cards = tuple[str, ...]
Question = tuple[Paytable, Cards, Cards]

KEPT_MAX: Final = 20_000
WAITING_MAX: Final = 200
_LOW_PRIORITY: Final = 10
"""Behind everything at the tables; but somebody waits for it, and at the lowest a busy machine would never answer."""
_RENAMED_SUITS: Final = tuple(str.maketrans("cdhs", "".join(suits)) for suits in permutations("cdhs"))


def canonical(hole: Sequence[str], board: Sequence[str]) -> tuple[Cards, Cards]:
    """The same for all situations that differ only in the names of the suits or in the order of the cards."""
    return min(
        (tuple(sorted(card.translate(names) for card in hole)), tuple(sorted(card.translate(names) for card in board)))
        for names in _RENAMED_SUITS
    )


class Advisor:
    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder()
        self._known: dict[Question, Values] = {}
        self._asked: dict[Question, asyncio.Future[Values | None]] = {}
        self._turn = asyncio.Lock()
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    async def values(self, paytable: Paytable, hole: Sequence[str], board: Sequence[str]) -> Values | None:
        """None as long as the return of this paytable is not counted, without which no starting hand has a value."""
        question = paytable, *canonical(hole, board)
        if known := self._known.get(question):
            return known
        asked = self._asked.get(question)
        if asked is None:
            if len(self._asked) >= WAITING_MAX:
                raise Refusal(Code.RATE_LIMITED, "Too many ask at once. Ask again in a while.")
            asked = self._asked[question] = asyncio.ensure_future(self._count(question))
            asked.add_done_callback(lambda _: self._asked.pop(question, None))
        # Whoever goes away takes the answer from nobody else.
        return await asyncio.shield(asked)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()  # which also ends the waiting for it
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

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
            raise Refusal(Code.INTERNAL, "The values could not be counted. Ask again in a while.") from None
        return found

    def _begin(self) -> None:
        self._line, there = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(
            target=_count_in_this_process, args=(self._folder, there), daemon=True
        )
        self._process.start()
        there.close()  # now only the process has this end, and its death ends the waiting


def _count_in_this_process(folder: Path, there: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service is told to stop, and tells this process
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    os.nice(_LOW_PRIORITY)
    while True:
        there.send(values_in(folder, *there.recv()))


def values_in(folder: Path, paytable: Paytable, hole: Cards, board: Cards) -> Values | None:
    if not board and known_return(paytable, folder) is None:
        return None
    advice = exact_advice(hole, board[:3], board[3:], cache_dir=folder, paytable=paytable)
    return {str(action): float(value) for action, value in advice.values.items()}


def _end_with_the_service() -> None:
    service = multiprocessing.parent_process()
    assert service is not None
    service.join()
    os._exit(1)
