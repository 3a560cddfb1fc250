"""Background tasks of the poker room: started by name, kept until they end, their failures logged."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any

import structlog

_log = structlog.get_logger()


class BackgroundTasks:
    """Iterates over the running tasks."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __iter__(self) -> Iterator[asyncio.Task[Any]]:
        return iter(self._running)

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, coroutine: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(coroutine, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def cancel(self) -> None:
        """Cancels all tasks and waits for their end."""
        tasks = [*self._running]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            _log.error("poker_task_failed", task=task.get_name(), exc_info=failure)
