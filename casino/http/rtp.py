"""Public routes for the exact return to player (RTP) of the tables: cached, or computed in a separate process.

The computation takes seconds of full CPU time. A separate process runs it at the lowest priority, on the first request
or some time after the start. No request waits for it.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import structlog

from casino.uth.paytable import Paytable
from casino.uth.rtp_cache import ReturnFigures, cache_folder, exact_return, figures, known_return

BEGIN_AFTER_SECONDS: Final = 30.0
_LOWEST_PRIORITY: Final = 19

_log = structlog.get_logger()

Count = Callable[[Paytable], Awaitable[ReturnFigures]]


class Returns:
    """`of` returns at once, with None for what is not computed yet."""

    def __init__(
        self, paytables: Iterable[Paytable], *, folder: Path | None = None, count: Count | None = None
    ) -> None:
        self._folder = folder or cache_folder()
        self._count = count or (lambda paytable: _counted_in_process(paytable, self._folder))
        self._known: dict[Paytable, ReturnFigures | None] = dict.fromkeys(paytables)
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._find_all())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def of(self, paytable: Paytable) -> ReturnFigures | None:
        found = self._known[paytable]
        if found is None:
            self._asked.set()
        return found

    async def _find_all(self) -> None:
        for paytable in self._known:
            known = await asyncio.to_thread(known_return, paytable, self._folder)
            self._known[paytable] = figures(known) if known else None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._asked.wait(), BEGIN_AFTER_SECONDS)
        for paytable, known_figures in list(self._known.items()):
            if known_figures is None:
                try:
                    self._known[paytable] = await self._count(paytable)
                except Exception:  # noqa: BLE001 - a return that cannot be counted is not shown, and stops nothing
                    _log.exception("return_not_counted")


async def _counted_in_process(paytable: Paytable, folder: Path) -> ReturnFigures:
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=_count_in_this_process, args=(paytable, folder, there), daemon=True
    )
    try:
        await asyncio.to_thread(process.start)
        there.close()  # only the process holds this end now, so its death ends the wait
        found: ReturnFigures = await asyncio.to_thread(here.recv)
        return found
    finally:
        if process.is_alive():
            process.kill()


def _count_in_this_process(paytable: Paytable, folder: Path, there: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service handles the signal, and stops this process
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    os.nice(_LOWEST_PRIORITY)
    there.send(figures(exact_return(paytable, folder, workers=1)))


def _end_with_the_service() -> None:
    service = multiprocessing.parent_process()
    assert service is not None
    service.join()
    os._exit(1)
