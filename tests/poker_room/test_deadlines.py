"""Deadlines: the earliest first, one for each name, and other tasks run before work that has just become due."""

import asyncio

from casino.poker_room.deadlines import Deadlines


class Run:
    def __init__(self) -> None:
        self.now_ms = 1_000
        self.ran: list[str] = []
        self.again_ms: int | None = None
        self.deadlines = Deadlines(lambda: self.now_ms, self.run, self.late)
        self.delays: list[int] = []

    def run(self, name: str, _now_ms: int) -> None:
        self.ran.append(name)
        if name == "failing":
            raise ZeroDivisionError
        if self.again_ms is not None:
            self.deadlines.set(name, self.again_ms)

    def late(self, late_ms: int) -> None:
        self.delays.append(late_ms)


async def test_the_earliest_runs_first_and_a_replaced_deadline_does_not_run() -> None:
    run = Run()
    run.deadlines.set("b", 900)
    run.deadlines.set("a", 800)
    run.deadlines.set("c", 700)
    run.deadlines.set("c", 5_000)
    run.deadlines.set("d", 600)
    run.deadlines.set("d", None)
    run.deadlines.run_due()
    assert run.ran == ["a", "b"]
    run.deadlines.stop()


async def test_a_deadline_that_stays_in_the_past_does_not_stop_the_process() -> None:
    run = Run()
    run.again_ms = 500
    run.deadlines.set("a", 900)
    run.deadlines.run_due()
    assert run.ran == ["a"]
    run.again_ms = None
    await asyncio.sleep(0.01)
    assert run.ran == ["a", "a"]
    assert not run.delays
    run.deadlines.stop()


async def test_a_failure_does_not_take_the_turn_of_others() -> None:
    run = Run()
    run.deadlines.set("failing", 800)
    run.deadlines.set("b", 900)
    run.deadlines.run_due()
    assert run.ran == ["failing", "b"]
    run.deadlines.stop()
