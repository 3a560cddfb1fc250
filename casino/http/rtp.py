"""The exact returns of the tables, for everybody to read: at once where they are known, else counted aside.

Counting takes seconds of all a processor can do, so it runs in a process of its own, at the lowest priority, and
begins when somebody asks, or when the service has had time to settle. Nothing ever waits for it.
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
from typing import Any, Final

import structlog

from casino.returns import cache_folder, exact_return, figures, known_return
from casino.uth.paytable import Paytable

BEGIN_AFTER_SECONDS: Final = 30.0
_LOWEST_PRIORITY: Final = 19

_log = structlog.get_logger()

Count = Callable[[Paytable], Awaitable[dict[str, Any]]]


class Returns:
    """`of` answers at once, with None for what is not counted yet."""

    def __init__(
        self, paytables: Iterable[Paytable], *, folder: Path | None = None, count: Count | None = None
    ) -> None:
        self._folder = folder or cache_folder()
        self._count = count or (lambda paytable: _counted_aside(paytable, self._folder))
        self._known: dict[Paytable, dict[str, Any] | None] = dict.fromkeys(paytables)
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._find_all())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def of(self, paytable: Paytable) -> dict[str, Any] | None:
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


async def _counted_aside(paytable: Paytable, folder: Path) -> dict[str, Any]:
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=_count_in_this_process, args=(paytable, folder, there), daemon=True
    )
    try:
        await asyncio.to_thread(process.start)
        there.close()  # now only the process has this end, and its death ends the waiting
        found: dict[str, Any] = await asyncio.to_thread(here.recv)
        return found
    finally:
        if process.is_alive():
            process.kill()


def _count_in_this_process(paytable: Paytable, folder: Path, there: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service is told to stop, and tells this process
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    os.nice(_LOWEST_PRIORITY)
    there.send(figures(exact_return(paytable, folder, workers=1)))


def _end_with_the_service() -> None:
    service = multiprocessing.parent_process()
    assert service is not None
    service.join()
    os._exit(1)
