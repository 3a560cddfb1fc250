"""Transactions in doubt: repeated until the database answers. Each happens once, by its key or the state it changes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from casino.errors import Refusal
from casino.storage.database import is_unavailable

RETRY_SECONDS = 1.0
T = TypeVar("T")

_log = structlog.get_logger()


async def until_known(transaction: Callable[[], Awaitable[T]]) -> T:
    while True:
        try:
            return await transaction()
        except Exception as error:
            if isinstance(error, Refusal) or not is_unavailable(error):
                raise
            _log.warning("poker_chips_wait", failure=type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)
