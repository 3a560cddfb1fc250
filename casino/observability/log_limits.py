"""Log rate limit: a bounded number of warnings and errors per cause and minute, the rest counted.

A cause is a logger, an event, its level, the exception type and the table. Without a limit, a failure that repeats with
every request fills the disk, and then nothing can be stored. Info lines are not limited: they concern single rounds,
and are few.
"""

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

LINES_PER_MINUTE: Final = 20
_MINUTE: Final = 60.0
_CAUSES_MAX: Final = 1_000
_TEMPLATE_MAX: Final = 200

Cause = tuple[object, ...]


class _Window:
    __slots__ = ("began", "lines", "suppressed")

    def __init__(self, began: float) -> None:
        self.began = began
        self.lines = 0
        self.suppressed = 0


class CauseLimit(logging.Filter):
    """The first line of a cause after a minute carries the number `suppressed` before it."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._windows: OrderedDict[Cause, _Window] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        window = self._window(_cause_of(record))
        now = self._seconds()
        if now - window.began >= _MINUTE:
            if window.suppressed:
                record.suppressed = window.suppressed
            window.began, window.lines, window.suppressed = now, 0, 0
        window.lines += 1
        if window.lines > LINES_PER_MINUTE:
            window.suppressed += 1
            return False
        return True

    def _window(self, cause: Cause) -> _Window:
        window = self._windows.get(cause)
        if window is None:
            window = self._windows[cause] = _Window(self._seconds())
            if len(self._windows) > _CAUSES_MAX:
                self._windows.popitem(last=False)
        self._windows.move_to_end(cause)
        return window


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
