"""File descriptor limit: every connection needs one, and the usual soft limit of 1,024 is soon reached."""

import resource
from typing import Final

import structlog

WANTED_MIN: Final = 12_000
"""Enough for all sockets of one process, the database and files."""

_UNBOUNDED: Final = 1_048_576

_log = structlog.get_logger()


def raise_limit() -> int:
    """Raises the soft limit as far as the system allows; returns the limit in force."""
    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _UNBOUNDED if hard == resource.RLIM_INFINITY else hard
    if before == resource.RLIM_INFINITY or before >= wanted:
        wanted = before
    else:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            wanted = before
    _log.info("file_descriptors", limit=wanted, before=before)
    if wanted != resource.RLIM_INFINITY and wanted < WANTED_MIN:
        advice = f"Allow at least {WANTED_MIN} open files: LimitNOFILE= of systemd, or ulimit -Hn."
        _log.warning("file_descriptor_limit_low", limit=wanted, advice=advice)
    return wanted
