"""Exact returns and variances for the overview: cached, or computed in a separate process without blocking.

The computation takes a minute of full CPU time, so a separate process runs it at the lowest priority. A file keeps the
result for later requests.
"""

import contextlib
import multiprocessing
import os
import signal
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from casino.finance.variance import Deviation
from casino.uth.analysis import Analysis
from casino.uth.paytable import Paytable, parse_paytable
from casino.uth.rtp_cache import cache_folder, exact_return, exact_variance, known_return, known_variance

_LOWEST_PRIORITY: Final = 19


class RtpProcess:
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
            known = known_variance(paytable, self._folder)
            if known is None:
                self._count(paytable)
                return None
            self._deviations[written] = Deviation.of(known)
        return self._deviations[written]

    def stop(self) -> None:
        if self._counting is not None and self._counting.is_alive():
            self._counting.kill()

    def _count(self, paytable: Paytable) -> None:
        """Computes one paytable after the other."""
        if self._counting is None or not self._counting.is_alive():
            spawned = multiprocessing.get_context("spawn")
            self._counting = spawned.Process(target=_count_in_this_process, args=(paytable, self._folder), daemon=True)
            self._counting.start()


def _count_in_this_process(paytable: Paytable, folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service handles the signal, and stops this process
    os.nice(_LOWEST_PRIORITY)
    with contextlib.suppress(ValueError):  # odds too large to compute stay unknown
        exact_return(paytable, folder, workers=1)
        exact_variance(paytable, folder, workers=1)
