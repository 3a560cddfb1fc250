"""Runs exports of a service in a separate process at low priority.

Writing a million rows takes seconds of full CPU time, which the tables need.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from casino.errors import Code, Refusal
from casino.finance.export import Manifest, Order, write_export
from casino.storage.database import Database
from casino.uth.rtp_cache import memoized_exact_return
from casino.verify.snapshot import snapshot

LOWER_PRIORITY: Final = 10

Outcome = Manifest | tuple[Code, str]
"""Outcome: a file, or a refusal."""


async def export_in_process(url: str, order: Order, path: Path) -> Manifest:
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=_write_in_this_process, args=(url, order, path, there), daemon=True
    )
    try:
        await asyncio.to_thread(process.start)
        there.close()  # only the process holds this end now, so its death ends the wait
        outcome: Outcome = await asyncio.to_thread(here.recv)
    finally:
        if process.is_alive():
            process.kill()
    if isinstance(outcome, Manifest):
        return outcome
    raise Refusal(*outcome)


def _write_in_this_process(url: str, order: Order, path: Path, there: Connection) -> None:
    lower_priority()
    try:
        there.send(asyncio.run(_write(url, order, path)))
    except Refusal as refusal:
        there.send((refusal.code, refusal.message))
    except OSError as error:
        there.send((Code.INTERNAL, f"The export cannot be written: {error.strerror or error}."))


def lower_priority() -> None:
    """Prepares a helper process: it yields to the tables, and ends with the service."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service handles the signal, and stops this process
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    os.nice(LOWER_PRIORITY)


async def _write(url: str, order: Order, path: Path) -> Manifest:
    database = await Database.open(url)
    try:
        async with snapshot(database) as books:
            return await write_export(books, order, path, memoized_exact_return())
    finally:
        await database.close()


def _end_with_the_service() -> None:
    service = multiprocessing.parent_process()
    assert service is not None
    service.join()
    os._exit(1)
