"""The exact return of a paytable, counted once and then kept in a file.

A kept result is used only if it is whole and was made for exactly these odds and rules; anything else in its place
is counted again and replaced. What the figures mean is decided in `casino.uth.analysis`; no file is known there.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from casino.uth.analysis import Advice, Analysis, advise, cache_key, from_json, to_json
from casino.uth.analysis.spread import Spread, spread_of
from casino.uth.analysis.spread import from_json as spread_from_json
from casino.uth.paytable import STANDARD, Paytable
from casino.uth.settlement import OUTCOMES

T = TypeVar("T")

Progress = Callable[[int, int], None]
"""Told from time to time how many boards are done, and of how many."""

WORKERS_MAX: Final = 8
"""Each thread takes 20 MB, and with more of them memory is the bound."""


def cache_folder() -> Path:
    """Where results are kept unless somebody says otherwise."""
    return Path.home() / ".cache" / "casino" / "returns"


def exact_return(
    paytable: Paytable, cache_dir: Path, progress: Progress | None = None, *, workers: int | None = None
) -> Analysis:
    """The exact return of this paytable: at once if it was ever counted before, else within seconds."""
    key = cache_key(paytable, OUTCOMES)
    path = cache_dir / f"return-{key}.json"
    known = kept(path, key)
    if known:
        return known
    # Compiled code takes a while to load, and a kept result needs none.
    from casino.uth.analysis.enumeration import analyse  # noqa: PLC0415

    analysis = analyse(paytable, workers=workers or _workers(), progress=progress)
    keep(path, key, analysis)
    return analysis


def counted_return() -> Callable[[Paytable], Analysis]:
    """For many questions about a few paytables: each is read, or counted, once."""
    return cache(lambda paytable: exact_return(paytable, cache_folder()))


def known_return(paytable: Paytable, cache_dir: Path) -> Analysis | None:
    """The exact return of this paytable if it was ever counted before."""
    key = cache_key(paytable, OUTCOMES)
    return kept(cache_dir / f"return-{key}.json", key)


def exact_spread(paytable: Paytable, cache_dir: Path, *, workers: int | None = None) -> Spread:
    """How far rounds stray from the exact return: at once if it was ever counted, else within a minute or so."""
    known = known_spread(paytable, cache_dir)
    if known:
        return known
    counted = spread_of(paytable, workers=workers or _workers())
    path, key = _spread_at(paytable, cache_dir)
    _keep(path, key, counted.to_json())
    return counted


def known_spread(paytable: Paytable, cache_dir: Path) -> Spread | None:
    return _kept(*_spread_at(paytable, cache_dir), spread_from_json)


def _spread_at(paytable: Paytable, cache_dir: Path) -> tuple[Path, str]:
    key = f"spread-{cache_key(paytable, OUTCOMES)}"
    return cache_dir / f"{key}.json", key


def figures(analysis: Analysis) -> dict[str, Any]:
    """What is told of a return, as fractions of 1, unrounded."""
    return {
        "house_edge": float(analysis.house_edge),
        "rtp_initial": float(analysis.rtp_initial),
        "rtp_total": float(analysis.rtp_total),
        "element_of_risk": float(analysis.element_of_risk),
        "average_bet": float(analysis.average_bet),
        "trips_rtp": float(analysis.trips_rtp),
        "decision_frequency": {str(action): float(part) for action, part in analysis.decision_frequency.items()},
        "raise_4x": list(analysis.raise_4x),
    }


def exact_advice(
    hole: Sequence[str],
    flop: Sequence[str] = (),
    turn_river: Sequence[str] = (),
    *,
    cache_dir: Path,
    paytable: Paytable = STANDARD,
    progress: Progress | None = None,
) -> Advice:
    """The exact value of every option with these cards. Only before the flop is the whole return needed."""
    return advise(
        hole, flop, turn_river, paytable=paytable, analysis=lambda: exact_return(paytable, cache_dir, progress)
    )


def _workers() -> int:
    return min(len(os.sched_getaffinity(0)), WORKERS_MAX)


def kept(path: Path, key: str) -> Analysis | None:
    """The result in this file, if there is one."""
    return _kept(path, key, from_json)


def _kept(path: Path, key: str, read: Callable[[Any], T]) -> T | None:
    try:
        stored = json.loads(path.read_bytes())
        if stored["digest"] == _digest(key, stored["analysis"]):
            return read(stored["analysis"])
    # Whatever a foreign or damaged file makes of itself, down to brackets nested without end, it is not a result.
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def keep(path: Path, key: str, analysis: Analysis) -> None:
    """Written beside its place and then moved there, so that nobody ever reads half of it.

    A folder that takes no file is no reason to fail: the result is still right, and will only be counted again.
    """
    _keep(path, key, to_json(analysis))


def _keep(path: Path, key: str, record: Any) -> None:  # noqa: ANN401 - as JSON has it
    text = json.dumps({"digest": _digest(key, record), "analysis": record}, indent=1)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".unfinished-") as folder:
            unfinished = Path(folder) / path.name
            unfinished.write_text(text)
            unfinished.replace(path)


def _digest(key: str, record: Any) -> str:  # noqa: ANN401 - whatever the file held
    return hashlib.sha256(f"{key} {json.dumps(record, sort_keys=True)}".encode()).hexdigest()
