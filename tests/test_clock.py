from casino.clock import SteadyClock


class Times:
    def __init__(self) -> None:
        self.wall_ms, self.elapsed_ms = 1_000_000, 50
        self.clock = SteadyClock(lambda: self.wall_ms, lambda: self.elapsed_ms)

    def pass_by(self, ms: int, set_by_ms: int = 0) -> int:
        self.elapsed_ms += ms
        self.wall_ms += ms + set_by_ms
        return self.clock()


def test_it_is_the_time_on_the_wall() -> None:
    times = Times()
    assert times.clock() == 1_000_000
    assert times.pass_by(250) == 1_000_250


def test_a_clock_that_is_set_back_is_not_followed() -> None:
    times = Times()
    assert times.pass_by(100, set_by_ms=-3_600_000) == 1_000_100
    assert times.pass_by(900) == 1_001_000


def test_a_clock_that_is_set_forward_is_followed_also_after_it_was_set_back() -> None:
    times = Times()
    assert times.pass_by(100, set_by_ms=60_000) == 1_060_100
    assert times.pass_by(100, set_by_ms=-60_000) == 1_060_200
    assert times.pass_by(100, set_by_ms=60_500) == 1_060_800
