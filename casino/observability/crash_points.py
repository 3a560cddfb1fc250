"""Crash points: named places where a test can kill the process, as a power failure would.

`CASINO_CRASH_AT=name` enables one of them, `name:3` at its third passing. Disabled ones do nothing.
"""

import os
import signal
from typing import Final

_passings_left: Final[dict[str, int]] = {}


def enable(point: str) -> None:
    name, _, passing = point.partition(":")
    _passings_left[name] = int(passing or "1")


def crash_point(name: str) -> None:
    if name not in _passings_left:
        return
    _passings_left[name] -= 1
    if _passings_left[name] == 0:
        os.kill(os.getpid(), signal.SIGKILL)


if wanted := os.environ.get("CASINO_CRASH_AT"):
    enable(wanted)
