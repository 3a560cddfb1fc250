"""Time at which a silent player's default action is due: the end of the last stage of the timer."""

from hypothesis import given
from hypothesis import strategies as st

from casino.poker.clock import CASH, Stage, Timer, start_timer

TIMES = st.integers(0, 40_000)


def end_of(timer: Timer) -> int:
    while timer.stage is not Stage.OVER:
        timer = timer.at(timer.ends_ms)
    return timer.since_ms


@given(
    TIMES,
    st.one_of(st.none(), st.integers(0, 30_000)),
    st.booleans(),
    st.lists(st.tuples(TIMES, st.booleans()), max_size=4),
)
def test_due_is_the_end_of_the_last_stage(
    bank_ms: int,
    protection_ms: int | None,
    is_connected: bool,  # noqa: FBT001
    changes: list[tuple[int, bool]],
) -> None:
    timer, now_ms = start_timer(CASH, 0, bank_ms, is_connected=is_connected, protection_ms=protection_ms), 0
    assert timer.due_ms == end_of(timer)
    for later_ms, is_back in changes:
        now_ms += later_ms
        timer = timer.connected(now_ms, is_connected=is_back)
        assert timer.due_ms == end_of(timer)
