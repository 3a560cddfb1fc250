"""How often Python looks for objects that are alive only because they refer to each other in a circle.

A round of ten thousand seats makes objects by the hundred thousand, and next to none of them are in circles: they go
when nobody needs them. Looking for circles as often as Python does by itself costs a third of the time, and every full
look stops everybody for as long as it takes to walk through all there is.

So whatever lives long must not end in a circle: nobody would come for it (`tests/sockets/transport/test_remains.py`).
Statements that SQLAlchemy builds are in circles, small and short-lived: a few megabytes of them wait for the next look.
"""

import gc
from typing import Final

NEW_OBJECTS: Final = 20_000


def look_rarely() -> None:
    """What is there now stays for good and is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)
