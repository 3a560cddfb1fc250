"""Report rows of the fan-out benchmark, and their goals."""

from dataclasses import dataclass, field
from statistics import median

from benchmarks.measurement import Row, duration

GOAL_CPU_STOCK, GOAL_CPU_NODE, GOAL_LAST_NODE, GOAL_STALL_STOCK, GOAL_IDLE_NODE = 0.2, 0.75, 1.0, 0.2, 1.6


@dataclass
class Figures:
    """Of one server: processor time per client message, time to the last client, loop stall, memory of a client."""

    cpu_s: list[float] = field(default_factory=list)
    last_s: list[float] = field(default_factory=list)
    stall_s: float = 0.0
    idle_bytes: float = 0.0


def rows_of(clients: int, of: dict[str, Figures]) -> list[Row]:
    ours, stock, node = of["ours"], of["stock"], of["node"]
    title = f"{clients:,} clients:"
    cpu = {name: min(figures.cpu_s) for name, figures in of.items()}
    last = {name: median(figures.last_s) for name, figures in of.items()}
    return [
        Row(f"{title} processor time per client message, ours", duration(cpu["ours"])),
        _against("  python-socketio with uvloop", cpu["stock"], cpu["ours"], GOAL_CPU_STOCK),
        _against("  Node socket.io", cpu["node"], cpu["ours"], GOAL_CPU_NODE),
        Row(f"{title} time to the last client, ours", duration(last["ours"])),
        _against("  python-socketio with uvloop", last["stock"], last["ours"]),
        _against("  Node socket.io", last["node"], last["ours"], GOAL_LAST_NODE),
        Row(f"{title} stall of the loop when all leave at once, ours", duration(ours.stall_s)),
        _against("  python-socketio with uvloop", stock.stall_s, ours.stall_s, GOAL_STALL_STOCK),
        _against("  Node socket.io", node.stall_s, ours.stall_s),
        Row(f"{title} memory of an idle connection, ours", _kib(ours.idle_bytes)),
        _memory("  python-socketio with uvloop", stock.idle_bytes, ours.idle_bytes),
        _memory("  Node socket.io", node.idle_bytes, ours.idle_bytes, GOAL_IDLE_NODE),
    ]


def _against(what: str, theirs: float, ours: float, goal: float | None = None) -> Row:
    return _row(what, duration(theirs), ours / theirs, goal)


def _memory(what: str, theirs: float, ours: float, goal: float | None = None) -> Row:
    return _row(what, _kib(theirs), ours / theirs, goal)


def _row(what: str, figure: str, ratio: float, goal: float | None) -> Row:
    if goal is None:
        return Row(what, figure, f"ours is {ratio:.2f}x")
    return Row(what, figure, f"ours is {ratio:.2f}x", f"at most {goal:g}x", ratio <= goal)


def _kib(size: float) -> str:
    return f"{size / 1024:.1f} KiB"
