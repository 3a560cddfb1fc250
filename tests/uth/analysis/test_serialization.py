import json
from fractions import Fraction
from typing import Any

import pytest

from casino.cards.ranking import Category
from casino.money import Odds
from casino.uth.analysis import Analysis, StartingHand, cache_key, from_json, to_json
from casino.uth.analysis.serialization import DECISIONS, OPENINGS
from casino.uth.analysis.starting_hands import STARTING_HANDS
from casino.uth.paytable import BLIND_ODDS, STANDARD, TRIPS_ODDS, paytable
from casino.uth.settlement import LOSE, OUTCOMES, Outcomes, Result


def made_up() -> Analysis:
    hands = (
        StartingHand(name, {option: Fraction(-number, 1 + place) for place, option in enumerate(OPENINGS)})
        for number, name in enumerate(STARTING_HANDS)
    )
    return Analysis(tuple(hands), {decision: Fraction(1, 5) for decision in DECISIONS}, Fraction(29, 30))


def test_a_record_gives_back_the_very_result() -> None:
    assert from_json(json.loads(json.dumps(to_json(made_up())))) == made_up()


@pytest.mark.parametrize(
    "change",
    [
        {"trips_rtp": "1/0"},
        {"trips_rtp": "much"},
        {"trips_rtp": None},
        {"decision_frequency": {}},
        {"starting_hands": {"AA": {}}},
        {"starting_hands": []},
    ],
)
def test_invalid_records_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"record|Fraction"):
        from_json(to_json(made_up()) | change)


def test_the_key_depends_on_all_that_the_result_depends_on() -> None:
    keys = [
        cache_key(STANDARD, OUTCOMES),
        cache_key(paytable({**BLIND_ODDS, Category.FLUSH: Odds(2, 1)}), OUTCOMES),
        cache_key(paytable(trips={**TRIPS_ODDS, Category.FLUSH: Odds(6, 1)}), OUTCOMES),
        cache_key(STANDARD, OUTCOMES | {(False, Result.TIE): Outcomes(LOSE, LOSE, LOSE)}),
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0] == cache_key(paytable(), dict(reversed(OUTCOMES.items())))
