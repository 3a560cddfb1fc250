"""Logging: one JSON line per event, on standard error.

A line carries the id of its request. Secrets are removed by key name and by pattern, and tracebacks contain no values
of variables.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, Final, TextIO

import orjson
import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

from casino.observability.log_limits import CauseLimit, add_suppressed

REDACTED: Final = "[redacted]"

_SECRET_NAMES: Final = re.compile(r"passw|secret|token|authorization|cookie|api_?key|shoe|deck", re.IGNORECASE)
_SECRET_SHAPES: Final = re.compile(
    r"\$argon2[^\s'\",)\]}]+"  # a password hash
    r"|(?<![\w-])[\w-]{43}(?![\w-])"  # a session reference
    r"|(?i:bearer)\s+\S+"
    r"|(?<=://)[^\s/@]+:[^\s/@]+(?=@)",  # name and password in a database URL
    re.ASCII,
)
_DEPTH_MAX: Final = 8
_FRAMES_MAX: Final = 30


def configure_logging(stream: TextIO | None = None) -> None:
    """Configures logging once at the start; library loggers write the same format."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[add_suppressed, structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_RENDERED],
        )
    )
    handler.addFilter(CauseLimit())
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
    logging.getLogger("casino").setLevel(logging.INFO)


def redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: _without_secrets(name, value, _DEPTH_MAX) for name, value in event.items()}


def _without_secrets(name: str, value: object, depth: int) -> object:
    if _SECRET_NAMES.search(name):
        return REDACTED
    if isinstance(value, bool | int | float | None):
        return value
    if depth == 0:
        return REDACTED
    if isinstance(value, Mapping):
        return {str(key): _without_secrets(str(key), item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_without_secrets("", item, depth - 1) for item in value]
    return _SECRET_SHAPES.sub(REDACTED, str(value))


def _line(event: object, **_: object) -> str:
    return orjson.dumps(event, default=str).decode()


_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_RENDERED: Final[list[Processor]] = [
    ExceptionRenderer(ExceptionDictTransformer(show_locals=False, max_frames=_FRAMES_MAX)),
    redact,
    structlog.processors.JSONRenderer(serializer=_line),
]
