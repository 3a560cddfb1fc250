"""Cache file of exact returns to player (RTP), one entry per paytable.

A cached result is used only if it is complete and was computed for exactly these odds and rules; anything else is
recomputed and replaced.
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

from typing_extensions import TypedDict

from casino.uth.analysis import Advice, Analysis, advise, cache_key, from_json, to_json
from casino.uth.analysis.variance import RoundVariance, compute_variance
from casino.uth.analysis.variance import from_json as variance_from_json
from casino.uth.bets import Action
from casino.uth.paytable import STANDARD, Paytable
from casino.uth.settlement import OUTCOMES

T = TypeVar("T")

Progress = Callable[[int, int], None]
"""Called from time to time with the number of finished boards, and of all boards."""

WORKERS_MAX: Final = 8
"""Threads of one computation at most. Each takes 20 MB."""


def cache_folder() -> Path:
    """Returns the default cache folder."""
    return Path.home() / ".cache" / "casino" / "returns"


def exact_return(
    paytable: Paytable, cache_dir: Path, progress: Progress | None = None, *, workers: int | None = None
) -> Analysis:
    """Returns the exact return of this paytable: from the cache, or computed within seconds."""
    key = cache_key(paytable, OUTCOMES)
    path = cache_dir / f"return-{key}.json"
    known = load(path, key)
    if known:
        return known
    # Compiled code takes a while to load, and a cached result needs none.
    from casino.uth.analysis.enumeration import analyse  # noqa: PLC0415

    analysis = analyse(paytable, workers=workers or _workers(), progress=progress)
    store(path, key, analysis)
    return analysis


def memoized_exact_return() -> Callable[[Paytable], Analysis]:
    """Returns `exact_return` with a memory: each paytable is loaded or computed once."""
    return cache(lambda paytable: exact_return(paytable, cache_folder()))


def known_return(paytable: Paytable, cache_dir: Path) -> Analysis | None:
    """Returns the cached exact return of this paytable, if there is one."""
    key = cache_key(paytable, OUTCOMES)
    return load(cache_dir / f"return-{key}.json", key)


def exact_variance(paytable: Paytable, cache_dir: Path, *, workers: int | None = None) -> RoundVariance:
    """Returns the exact variance of a round: from the cache, or computed within a minute or so."""
    known = known_variance(paytable, cache_dir)
    if known:
        return known
    computed = compute_variance(paytable, workers=workers or _workers())
    path, key = _variance_file(paytable, cache_dir)
    _store_record(path, key, computed.to_json())
    return computed


def known_variance(paytable: Paytable, cache_dir: Path) -> RoundVariance | None:
    """Returns the cached variance of a round with this paytable, if there is one."""
    return _load_record(*_variance_file(paytable, cache_dir), variance_from_json)


def _variance_file(paytable: Paytable, cache_dir: Path) -> tuple[Path, str]:
    key = f"spread-{cache_key(paytable, OUTCOMES)}"
    return cache_dir / f"{key}.json", key


class ReturnFigures(TypedDict):
    """Fractions of 1, unrounded."""

    house_edge: float
    rtp_initial: float
    rtp_total: float
    element_of_risk: float
    average_bet: float
    trips_rtp: float
    decision_frequency: dict[Action, float]
    raise_4x: list[str]


def figures(analysis: Analysis) -> ReturnFigures:
    return {
        "house_edge": float(analysis.house_edge),
        "rtp_initial": float(analysis.rtp_initial),
        "rtp_total": float(analysis.rtp_total),
        "element_of_risk": float(analysis.element_of_risk),
        "average_bet": float(analysis.average_bet),
        "trips_rtp": float(analysis.trips_rtp),
        "decision_frequency": {action: float(part) for action, part in analysis.decision_frequency.items()},
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
    """Returns the exact value of every option with these cards. Only before the flop is the whole return needed."""
    return advise(
        hole, flop, turn_river, paytable=paytable, analysis=lambda: exact_return(paytable, cache_dir, progress)
    )


def _workers() -> int:
    return min(len(os.sched_getaffinity(0)), WORKERS_MAX)


def load(path: Path, key: str) -> Analysis | None:
    """Returns the result in this file, if there is one."""
    return _load_record(path, key, from_json)


def _load_record(path: Path, key: str, read: Callable[[Any], T]) -> T | None:
    try:
        stored = json.loads(path.read_bytes())
        if stored["digest"] == _digest(key, stored["analysis"]):
            return read(stored["analysis"])
    # A foreign or damaged file may fail in any of these ways, including endlessly nested brackets.
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def store(path: Path, key: str, analysis: Analysis) -> None:
    """Writes a temporary file and renames it, so that no reader sees a partial file.

    An unwritable folder is no failure: the result is only computed again.
    """
    _store_record(path, key, to_json(analysis))


def _store_record(path: Path, key: str, record: Any) -> None:  # noqa: ANN401 - any JSON value
    text = json.dumps({"digest": _digest(key, record), "analysis": record}, indent=1)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".unfinished-") as folder:
            unfinished = Path(folder) / path.name
            unfinished.write_text(text)
            unfinished.replace(path)


def _digest(key: str, record: Any) -> str:  # noqa: ANN401 - any JSON value
    return hashlib.sha256(f"{key} {json.dumps(record, sort_keys=True)}".encode()).hexdigest()
