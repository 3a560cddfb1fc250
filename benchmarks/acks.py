"""Acknowledged bets per second over Socket.IO: ours are validated and stored, stock python-socketio only replies."""

import sys
from contextlib import ExitStack

from benchmarks.fanout import LOAD_CORE, SERVER_CORE, Talk
from benchmarks.measurement import Row

CLIENTS = 500
BETS = 20_000
TURNS = 5
GOAL = 1.5


def measure() -> dict[str, float]:
    """Seconds for each acknowledgement, the best of several turns."""
    with ExitStack() as started:
        loads = {}
        for name in ("ours", "stock"):
            server = Talk([sys.executable, "-m", "benchmarks.acks_server", name], SERVER_CORE)
            started.callback(server.kill)
            port = server.read_line().rpartition(":")[2]
            loads[name] = Talk([sys.executable, "-m", "benchmarks.acks_load", port, str(CLIENTS)], LOAD_CORE)
            started.callback(loads[name].kill)
            loads[name].read_line()
            loads[name].ask(str(CLIENTS))  # warm
        best = dict.fromkeys(loads, float("inf"))
        for _ in range(TURNS):
            for name, load in loads.items():
                best[name] = min(best[name], float(load.ask(str(BETS))) / BETS)
        return best


def rows() -> list[Row]:
    seconds = measure()
    ratio = seconds["stock"] / seconds["ours"]
    return [
        Row("ours, validated and durably stored", f"{1 / seconds['ours']:,.0f}/s"),
        Row(
            "stock python-socketio, nothing stored",
            f"{1 / seconds['stock']:,.0f}/s",
            f"we are {ratio:.2f}x as fast",
            f"at least {GOAL:g}x",
            ratio >= GOAL,
        ),
    ]
