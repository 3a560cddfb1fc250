"""Log rate limit: a bounded number of warnings and errors per cause and minute, the rest counted.

A cause is a logger, an event, its level, the exception type and the table. Without a limit, a failure that repeats with
every request fills the disk, and then nothing can be stored. Info lines are not limited: they concern single rounds,
and are few.
"""

import logging
import sys
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

from casino.security.rate_limit import MINUTE_MS, PerKey, Rate, SlidingWindow, steady_clock

LINES_PER_MINUTE: Final = 20
_CAUSES_MAX: Final = 1_000
_TEMPLATE_MAX: Final = 200

Cause = tuple[object, ...]


class _CauseCount:
    __slots__ = ("suppressed", "window")

    def __init__(self) -> None:
        self.window = SlidingWindow(Rate(LINES_PER_MINUTE, MINUTE_MS))
        self.suppressed = 0


class CauseLimit(logging.Filter):
    """The first line of a cause after a refused one carries the number `suppressed` before it."""

    def __init__(self, clock: Callable[[], int] = steady_clock) -> None:
        super().__init__()
        self._clock = clock
        self._counts = PerKey(_CauseCount, keys_max=_CAUSES_MAX)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        count = self._counts.of(_cause_of(record))
        if count.window.acquire(self._clock()):
            count.suppressed += 1
            return False
        if count.suppressed:
            record.suppressed, count.suppressed = count.suppressed, 0
        return True


def add_suppressed(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Adds the filter's count to the line."""
    suppressed = getattr(event.get("_record"), "suppressed", None)
    if suppressed is not None:
        event["suppressed"] = suppressed
    return event


def _cause_of(record: logging.LogRecord) -> Cause:
    """Returns the cause of our own events, and of library lines, whose texts vary only in their arguments."""
    event: object = record.msg
    if isinstance(event, Mapping):
        kind = _kind_of(event.get("exc_info"))
        return record.name, record.levelno, str(event.get("event"))[:_TEMPLATE_MAX], kind, event.get("table_id")
    return record.name, record.levelno, str(event)[:_TEMPLATE_MAX], _kind_of(record.exc_info), None


def _kind_of(exc_info: object) -> object:
    if isinstance(exc_info, BaseException):
        return type(exc_info)
    if isinstance(exc_info, tuple):
        return exc_info[0]
    return sys.exc_info()[0] if exc_info else None
