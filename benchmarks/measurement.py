"""Measures alternatives in turns, and formats the rows of a report."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

REPEATS = 7


@dataclass(frozen=True, slots=True)
class Work:
    """Something to time, how many units of work one run of it does, and what must be ready before and is not timed."""

    run: Callable[[], object]
    units: int = 1
    prepare: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a report; `met` is None where there is no goal."""

    what: str
    figure: str
    ratio: str = ""
    goal: str = ""
    met: bool | None = None


def race(works: Mapping[str, Work], repeats: int = REPEATS) -> dict[str, float]:
    """Seconds per unit, the best of several runs taken in turn, so that a slow moment of the machine hits all alike."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for name, work in works.items():
            if work.prepare:
                work.prepare()
            started = time.perf_counter()
            work.run()
            best[name] = min(best[name], (time.perf_counter() - started) / work.units)
    return best


def faster(what: str, seconds: float, ours: float, goal: float | None = None) -> Row:
    """A peer, and how many times as fast as it we are."""
    ratio = seconds / ours
    if goal is None:
        return Row(what, duration(seconds), f"we are {times(ratio)} as fast")
    return Row(what, duration(seconds), f"we are {times(ratio)} as fast", f"at least {goal:g}x", ratio >= goal)


def times(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.2f}x"


def duration(seconds: float) -> str:
    for unit, size in (("s ", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-9:.2f} ns"


def report(title: str, rows: list[Row]) -> str:
    """The rows under their title, in columns."""
    lines = [title]
    cells = [(row.what, row.figure, row.ratio, row.goal) for row in rows]
    wide = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    for row, (what, figure, ratio, goal) in zip(rows, cells, strict=True):
        verdict = "" if row.met is None else "met" if row.met else "MISSED"
        line = f"  {what:<{wide[0]}}  {figure:>{wide[1]}}  {ratio:<{wide[2]}}  {goal:<{wide[3]}}  {verdict}"
        lines.append(line.rstrip())
    return "\n".join(lines)
