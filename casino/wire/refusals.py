"""Refusals on the wire: `{code, message, params}`, the same in acknowledgements and HTTP responses."""

from typing import cast

from casino.errors import Refusal
from casino.wire.player_events import Problem, RefusalParams


def error_of(refusal: Refusal) -> Problem:
    """Leaves `params` out if the sentence has none."""
    error: Problem = {"code": refusal.code, "message": refusal.message}
    if refusal.params:
        error["params"] = cast(RefusalParams, dict(refusal.params))  # tests/test_refusals.py compares the names
    return error
