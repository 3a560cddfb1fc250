"""Serializes a result as JSON, and derives the cache key from everything a result depends on."""

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from casino.uth.analysis.payoffs import CELLS
from casino.uth.analysis.result import Analysis, StartingHand
from casino.uth.analysis.starting_hands import STARTING_HANDS
from casino.uth.bets import Action
from casino.uth.paytable import Paytable
from casino.uth.settlement import FOLDED, OutcomeTable

VERSION: Final = 1
"""Raise it with every change that gives another result or record for the same paytable."""

DECISIONS: Final = (Action.PLAY_4X, Action.PLAY_3X, Action.PLAY_2X, Action.PLAY_1X, Action.FOLD)
"""Every decision that can be a player's last."""

OPENINGS: Final = (Action.CHECK, Action.PLAY_3X, Action.PLAY_4X)
"""Options before the flop, the smaller bet first."""


def cache_key(paytable: Paytable, outcomes: OutcomeTable) -> str:
    """Cache key: equal for two games only if their results are certain to be equal."""
    inputs = {
        "version": VERSION,
        "blind": [str(odds) for odds in paytable.blind],
        "trips": [odds and str(odds) for odds in paytable.trips],
        "outcomes": [outcomes[cell] for cell in CELLS],
        "folded": FOLDED,
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def to_json(analysis: Analysis) -> dict[str, Any]:
    """Fractions as text, `-1/3`. Derived figures are not stored, so that no record can contradict itself."""
    return {
        "starting_hands": {hand.name: _as_text(hand.values) for hand in analysis.starting_hands},
        "decision_frequency": _as_text(analysis.decision_frequency),
        "trips_rtp": str(analysis.trips_rtp),
    }


def from_json(record: Mapping[str, Any]) -> Analysis:
    """Returns the result of a record; raises ValueError for anything else."""
    try:
        return Analysis(
            tuple(StartingHand(name, _as_values(record["starting_hands"][name], OPENINGS)) for name in STARTING_HANDS),
            _as_values(record["decision_frequency"], DECISIONS),
            Fraction(record["trips_rtp"]),
        )
    except (ArithmeticError, KeyError, TypeError) as error:
        raise ValueError("this is not the record of an analysis") from error


def _as_text(values: Mapping[Action, Fraction]) -> dict[str, str]:
    return {str(action): str(value) for action, value in values.items()}


def _as_values(texts: Mapping[str, str], actions: tuple[Action, ...]) -> dict[Action, Fraction]:
    return {action: Fraction(texts[action]) for action in actions}
