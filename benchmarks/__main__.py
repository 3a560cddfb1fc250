"""Runs the benchmarks named on the command line, or all of them."""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module

from benchmarks.measurement import Row, report

TOPICS = (
    "live_ranking",
    "bulk_ranking",
    "settlement",
    "settle_command",
    "exact_return",
    "poker_hands",
    "poker_omaha",
    "poker_icm",
    "durable_bets",
    "durable_settlement",
    "poker_hand_store",
    "exports",
    "restart",
    "fanout",
    "acks",
    "flood",
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("topic", nargs="*", help=f"part of a name; all without one. There are: {', '.join(TOPICS)}")
    wanted: list[str] = parser.parse_args(arguments).topic
    chosen = [topic for topic in TOPICS if not wanted or any(name in topic for name in wanted)]
    if not chosen:
        print(f"No benchmark is called {' or '.join(wanted)}. There are: {', '.join(TOPICS)}.", file=sys.stderr)
        return 2
    for topic in chosen:
        module = import_module(f"benchmarks.{topic}")
        rows: Callable[[], list[Row]] = module.rows
        print(report(f"{topic}: {module.__doc__}", rows()), end="\n\n", flush=True)
    return 0


sys.exit(main(sys.argv[1:]))
