"""Exact returns and deviations for the overview: at once where they are known, else counted aside, and not waited for.

Counting takes a minute of all a processor can do, so it runs in a process of its own at the lowest priority; what it
has found is kept in a file, and the next who asks finds it there.
"""

import contextlib
import multiprocessing
import os
import signal
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from casino.finance.deviation import Deviation
from casino.returns import cache_folder, exact_return, exact_spread, known_return, known_spread
from casino.uth.analysis import Analysis
from casino.uth.paytable import Paytable, parse_paytable

_LOWEST_PRIORITY: Final = 19


class Counted:
    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder()
        self._returns: dict[Paytable, Analysis] = {}
        self._deviations: dict[str, Deviation] = {}
        self._counting: BaseProcess | None = None

    def return_of(self, paytable: Paytable) -> Analysis | None:
        if paytable not in self._returns:
            known = known_return(paytable, self._folder)
            if known is None:
                self._count(paytable)
                return None
            self._returns[paytable] = known
        return self._returns[paytable]

    def deviation_of(self, written: str) -> Deviation | None:
        if written not in self._deviations:
            paytable = parse_paytable(written)
            known = known_spread(paytable, self._folder)
            if known is None:
                self._count(paytable)
                return None
            self._deviations[written] = Deviation.of(known)
        return self._deviations[written]

    def stop(self) -> None:
        if self._counting is not None and self._counting.is_alive():
            self._counting.kill()

    def _count(self, paytable: Paytable) -> None:
        """One after the other."""
        if self._counting is None or not self._counting.is_alive():
            spawned = multiprocessing.get_context("spawn")
            self._counting = spawned.Process(target=_count_in_this_process, args=(paytable, self._folder), daemon=True)
            self._counting.start()


def _count_in_this_process(paytable: Paytable, folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service is told to stop, and tells this process
    os.nice(_LOWEST_PRIORITY)
    with contextlib.suppress(ValueError):  # odds so large that they cannot be counted: then nothing is known
        exact_return(paytable, folder, workers=1)
        exact_spread(paytable, folder, workers=1)
