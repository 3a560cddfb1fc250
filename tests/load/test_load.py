"""Small load run: the report is correct, and the service returns to its earlier state."""

from collections import Counter

import pytest

from benchmarks.load.__main__ import RunOptions, soak, storm
from tests.deep import DEEP

SHORT = RunOptions(rounds=1, betting=1.5, decide=1.5, is_pinned=False)
LATE = {"bet: betting_closed", "decide: too_late", "decide: stale_round"} | {
    f"{what} unanswered" for what in ("join", "bet", "decide", "chat")
}
"""Who asks late on a busy machine is refused, and who wants to ask again too soon has to wait; that is no fault."""


@pytest.mark.req("RND-7")
def test_a_crowd_that_is_cut_off_comes_back() -> None:
    came_back = storm(150, SHORT)
    assert came_back.players == 150
    assert came_back.errors == Counter()


def test_after_a_soak_every_balance_is_right_and_neither_tasks_nor_memory_have_grown() -> None:
    """The service is steady for two thirds of the time; for two minutes in `make test-deep`."""
    soaked = soak(100, 2.0 if DEEP else 0.8, SHORT)
    assert soaked.errors.keys() <= LATE
    assert soaked.unanswered == 0
    assert soaked.money.is_right, soaked.money
    assert soaked.is_money_right
    assert soaked.is_steady
