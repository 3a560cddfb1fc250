"""Background tasks of a process: started by name, ended together."""

import asyncio
from collections.abc import Collection

import structlog

_log = structlog.get_logger()


async def end_of(tasks: Collection[asyncio.Task[None]]) -> None:
    """Waits for all tasks; a failed one does not prevent the others from ending."""
    if tasks:
        await asyncio.wait(tasks)
    for task in tasks:
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, Exception):
            _log.error("task_failed", task=task.get_name(), exc_info=failure)
        elif failure is not None:
            raise failure


async def cancel(tasks: Collection[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await end_of(tasks)
