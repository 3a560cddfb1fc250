from pathlib import Path
from random import Random

import pytest

from casino.play import strategy as strategies
from casino.play.door import TableTerms
from casino.play.strategy import Advisor, Situation, chooser, largest_stake, stakes
from casino.play.wish import Strategy
from casino.returns import exact_advice
from casino.uth.analysis.result import Values
from casino.uth.paytable import STANDARD

LIMITS = {"ante_min": 150, "ante_max": 950, "trips_min": 100, "trips_max": 900}
TERMS = TableTerms("uth-1", "Table", is_shared=True, limits=LIMITS, smallest_chip=100, paytable=STANDARD)
FLOP = Situation(("As", "Kd"), ("7h", "7c", "2s"), ("play_2x", "check"))
RIVER = Situation(("3s", "2d"), ("7h", "8c", "Ts", "Jd", "Kc"), ("play_1x", "fold"))


async def test_best_answers_as_the_exact_advice_does(tmp_path: Path) -> None:
    advisor = Advisor(STANDARD, tmp_path)
    choose = chooser(Strategy.BEST, advisor, Random(1))
    try:
        for situation in (FLOP, RIVER):
            hole, board = situation.hole, situation.board
            expected = exact_advice(hole, board[:3], board[3:], cache_dir=tmp_path).best
            assert await choose(situation) == expected
        unaffordable = Situation(FLOP.hole, FLOP.board, ("check",))
        assert await choose(unaffordable) == "check"
    finally:
        advisor.close()


async def test_the_same_cards_are_counted_once_for_all_who_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, ...]] = []

    class Counting(Advisor):
        def _count(self, hole: tuple[str, ...], board: tuple[str, ...]) -> Values:
            counted.append((*hole, *board))
            return super()._count(hole, board)

    advisor = Counting(STANDARD, tmp_path)
    try:
        for hole, board in (("As Kd", "7h 7c 2s"), ("Kd As", "2s 7h 7c"), ("As Kd", "7h 7c 2s Jd 3c")):
            await advisor.values(hole.split(), board.split())
        assert len(counted) == 2
        monkeypatch.setattr(strategies, "KNOWN_MAX", 2)
        await advisor.values(("As", "Kd"), ("7h", "7c", "3s"))
        assert len(advisor._known) == 1
    finally:
        advisor.close()


async def test_random_chooses_what_is_offered_and_never_stays_silent(tmp_path: Path) -> None:
    advisor = Advisor(STANDARD, tmp_path)
    by_chance = chooser(Strategy.RANDOM, advisor, Random(1))
    assert {await by_chance(FLOP) for _ in range(50)} == set(FLOP.options)
    assert await chooser(Strategy.NEVER, advisor, Random(1))(FLOP) is None
    advisor.close()


def test_stakes_are_whole_chips_within_the_limits() -> None:
    assert stakes(Strategy.BEST, TERMS, Random(1)) == (200, 0)
    chance = Random(1)
    for _ in range(200):
        ante, trips = stakes(Strategy.RANDOM, TERMS, chance)
        assert ante in (200, 400, 600, 800, 900)
        assert trips in (0, 100)
    assert largest_stake(500, 100) == 3100
