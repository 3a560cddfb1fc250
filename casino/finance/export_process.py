"""An export for somebody who asks a running service: written by a process of its own, at low priority.

Writing a million rows takes all a processor can do for seconds, and the tables share theirs with nobody.
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
from casino.returns import counted_return
from casino.storage.database import Database
from casino.verify.snapshot import snapshot

LOWER_PRIORITY: Final = 10

Told = Manifest | tuple[Code, str]
"""How it ended: with a file, or refused."""


async def write_aside(url: str, order: Order, path: Path) -> Manifest:
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=_write_in_this_process, args=(url, order, path, there), daemon=True
    )
    try:
        await asyncio.to_thread(process.start)
        there.close()  # now only the process has this end, and its death ends the waiting
        told: Told = await asyncio.to_thread(here.recv)
    finally:
        if process.is_alive():
            process.kill()
    if isinstance(told, Manifest):
        return told
    raise Refusal(*told)


def _write_in_this_process(url: str, order: Order, path: Path, there: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service is told to stop, and tells this process
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    os.nice(LOWER_PRIORITY)
    try:
        there.send(asyncio.run(_write(url, order, path)))
    except Refusal as refusal:
        there.send((refusal.code, refusal.message))
    except OSError as error:
        there.send((Code.INTERNAL, f"The export cannot be written: {error.strerror or error}."))


async def _write(url: str, order: Order, path: Path) -> Manifest:
    database = await Database.open(url)
    try:
        async with snapshot(database) as books:
            return await write_export(books, order, path, counted_return())
    finally:
        await database.close()


def _end_with_the_service() -> None:
    service = multiprocessing.parent_process()
    assert service is not None
    service.join()
    os._exit(1)
