"""Durability checker: it reports every lost acknowledgement, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.durability_checker import DurabilityChecker

OPENED: list[Any] = [
    ["opened", "uth-1", "uth-1-5"],
    ["asking", "uth-1", "uth-1-5", [["bet", "p7", 2500]]],
    ["answered", "uth-1", "uth-1-5", "betting", [2, "digest"], [["bet", "p7", 2500]]],
]
LAST_BET_NOT_ANSWERED: list[Any] = [["asking", "uth-1", "uth-1-5", [["bet", "p7", 900], ["Advance"]]]]
NEXT_PROCESS: list[Any] = [
    ["recovering", False],
    ["asking", "uth-1", "uth-1-5", [["DealCard"]]],
    ["answered", "uth-1", "uth-1-5", "dealing_hole", [4, "digest"], [["DealCard"]]],
]


def listening(folder: Path, *processes: list[Any]) -> DurabilityChecker:
    checker = DurabilityChecker()
    for number, lines in enumerate(processes):
        words = folder / f"words-{number}"
        words.write_text("".join(json.dumps(line) + "\n" for line in lines))
        checker.listen(words)
    return checker


@pytest.mark.parametrize("stored", [900, 2500])
def test_a_bet_that_was_never_answered_may_be_stored_or_not_also_after_the_next_process(
    tmp_path: Path, stored: int
) -> None:
    checker = listening(tmp_path, [*OPENED, *LAST_BET_NOT_ANSWERED], NEXT_PROCESS)
    checker.check_bets(checker.rounds["uth-1-5"], {"p7": stored})


@pytest.mark.parametrize("stored", [{}, {"p7": 1000}, {"p7": 2500, "p6": 100}])
def test_bets_that_were_never_asked_for_or_are_lost_are_found(tmp_path: Path, stored: dict[str, int]) -> None:
    checker = listening(tmp_path, [*OPENED, *LAST_BET_NOT_ANSWERED], NEXT_PROCESS)
    with pytest.raises(AssertionError):
        checker.check_bets(checker.rounds["uth-1-5"], stored)


def test_an_answered_bet_must_be_stored_although_an_earlier_one_was_larger(tmp_path: Path) -> None:
    answered = ["answered", "uth-1", "uth-1-5", "dealing_hole", [3, "digest"], [["bet", "p7", 900], ["Advance"]]]
    checker = listening(tmp_path, [*OPENED, *LAST_BET_NOT_ANSWERED, answered], NEXT_PROCESS)
    with pytest.raises(AssertionError):
        checker.check_bets(checker.rounds["uth-1-5"], {"p7": 2500})
