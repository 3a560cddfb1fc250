"""Reconciles a day for its close in a separate process at low priority: replaying its rounds takes CPU time."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context

from casino.errors import Code, Refusal
from casino.finance.day_close import ClosedExport, UnreconciledError, reconciled_exports
from casino.finance.export_process import lower_priority
from casino.finance.period import Period
from casino.storage.database import Database
from casino.uth.rtp_cache import memoized_exact_return
from casino.verify.snapshot import snapshot

Outcome = dict[str, ClosedExport] | tuple[Code, str]
"""Outcome: the exports of the day, or a refusal."""


async def reconcile_in_process(url: str, day: date, now_ms: int) -> dict[str, ClosedExport]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=lower_priority) as pool:
        outcome = await asyncio.get_running_loop().run_in_executor(pool, _reconcile, url, day, now_ms)
    if isinstance(outcome, tuple):
        raise Refusal(*outcome)
    return outcome


def _reconcile(url: str, day: date, now_ms: int) -> Outcome:
    try:
        return asyncio.run(_exports(url, day, now_ms))
    except Refusal as refusal:
        return refusal.code, refusal.message
    except UnreconciledError as error:
        text = f"{day} cannot be closed: journal, settlements and ledger differ in {len(error.found)} places."
        return Code.INTERNAL, f"{text} Run casino close {day} for the list."


async def _exports(url: str, day: date, now_ms: int) -> dict[str, ClosedExport]:
    database = await Database.open(url)
    try:
        async with snapshot(database) as books:
            return await reconciled_exports(books, Period.of_day(day), now_ms, memoized_exact_return())
    finally:
        await database.close()
