"""Named places where a test may kill the process, as if the power had gone at that very moment.

`CASINO_CRASH_AT=name` arms one of them, `name:3` at its third passing. Unarmed they do nothing.
"""

import os
import signal
from typing import Final

_ARMED, _, _PASSING = os.environ.get("CASINO_CRASH_AT", "").partition(":")
_passings_left: Final = [int(_PASSING or "1")]


def crash_point(name: str) -> None:
    if name != _ARMED:
        return
    _passings_left[0] -= 1
    if _passings_left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
