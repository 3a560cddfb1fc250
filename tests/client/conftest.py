from collections.abc import Iterator

import pytest

from tests.live.service import Kind, LiveService, started_service

# Betting cannot end early, a decision window does once all players have answered.
FAST = {"betting": 1.5, "decide_preflop": 15.0, "decide_flop": 15.0, "decide_river": 15.0}
SILENT = {"betting": 1.0, "decide_preflop": 0.5, "decide_flop": 0.5, "decide_river": 0.5}
KINDS = {
    "fast": Kind(6, dealing="auto", seconds=FAST),
    "silent": Kind(3, dealing="auto", seconds=SILENT),
    "seven": Kind(1, dealing="auto", hands="own", seconds=FAST),
    "live": Kind(2, seconds=FAST | {"betting": 6.0}),
}


@pytest.fixture(scope="session")
def service() -> Iterator[LiveService]:
    """One service for all tests that only play; its books must be right after the last one."""
    with started_service(KINDS, staff=("paula", "max")) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()
