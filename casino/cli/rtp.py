"""`casino rtp` and `casino advise`: the exact analysis of the game, as text or JSON."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from casino.cards.card import parse_cards
from casino.cli.context import stop
from casino.errors import Refusal
from casino.settings import TableSettings
from casino.uth.analysis import Analysis
from casino.uth.rtp_cache import Progress as Report
from casino.uth.rtp_cache import cache_folder, exact_advice, exact_return, figures


def print_return(table: TableSettings, *, as_json: bool) -> None:
    try:
        with _progress_bar() as report:
            analysis = exact_return(table.paytable.in_force(), cache_folder(), report)
    except ValueError as error:  # odds so large that the count would not fit into 64 bits
        stop(f"{table.id}: {error}")
    print(json.dumps(figures(analysis)) if as_json else _in_words(table, analysis))


def print_advice(table: TableSettings, cards: tuple[str, str, str], *, as_json: bool) -> None:
    try:
        hole, flop, turn_river = (parse_cards(text) for text in cards)
        with _progress_bar() as report:
            paytable = table.paytable.in_force()
            advice = exact_advice(hole, flop, turn_river, cache_dir=cache_folder(), paytable=paytable, progress=report)
    except Refusal as refusal:
        stop(refusal.message)
    if as_json:
        print(json.dumps({"values": _floats(advice.values), "best": advice.best}))
        return
    for option, value in sorted(advice.values.items(), key=lambda item: item[1], reverse=True):
        mark = "  best" if option is advice.best else ""
        print(f"{option:8} {float(value):+.6f} ANTE{mark}")


def _floats(parts: Mapping[Any, Fraction]) -> dict[str, float]:
    return {str(name): float(part) for name, part in parts.items()}


def _in_words(table: TableSettings, analysis: Analysis) -> str:
    percent = {
        "Return of the initial bet (ANTE)": analysis.rtp_initial,
        "Return of all main bets": analysis.rtp_total,
        "Return of TRIPS": analysis.trips_rtp,
        "House edge per ANTE": analysis.house_edge,
        "Element of risk": analysis.element_of_risk,
    }
    lines = [f"{table.name}, with best play, by enumeration of every deal:", ""]
    lines += [f"  {name:34} {100 * float(part):10.6f} %" for name, part in percent.items()]
    lines += [f"  {'Average bet':34} {float(analysis.average_bet):10.6f} ANTEs", "", "  How rounds are decided"]
    lines += [f"  {action:34} {100 * float(part):10.6f} %" for action, part in analysis.decision_frequency.items()]
    lines += ["", "  Starting hands to play 4x", "  " + " ".join(analysis.raise_4x)]
    return "\n".join(lines)


@contextmanager
def _progress_bar() -> Iterator[Report]:
    """A bar on the terminal, nothing in a pipe; it appears only if there is something to wait for."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Every board there is", total=None, visible=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield report
