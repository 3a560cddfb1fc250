"""Garbage collection tuning: freeze start-up objects, and collect cyclic garbage less often.

A round of ten thousand seats creates hundreds of thousands of objects, and almost none of them in cycles. Reference
counting frees them. Python's default collection thresholds would cost a third of the time, and every full collection
would stop the whole process while it walks all objects.

Long-lived objects must therefore not end up in a reference cycle (`tests/socketio/test_memory.py`). SQLAlchemy
statements form small, short-lived cycles: a few megabytes of them wait for the next collection.
"""

import gc
from typing import Final

NEW_OBJECTS: Final = 20_000


def tune_gc() -> None:
    """Freezes all existing objects, so that no collection visits them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)
