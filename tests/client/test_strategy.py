from pathlib import Path
from random import Random

import pytest

from casino.bots.core import BotCore
from casino.client import strategy as strategies
from casino.client.http_api import TableTerms
from casino.client.options import Strategy
from casino.client.strategy import Advisor, Situation, chooser, habits
from casino.uth.analysis.result import Values
from casino.uth.paytable import STANDARD
from casino.uth.rtp_cache import exact_advice

LIMITS = {"ante_min": 150, "ante_max": 950, "trips_min": 100, "trips_max": 900}
TERMS = TableTerms("uth-1", "Table", is_shared=True, limits=LIMITS, smallest_chip=100, paytable=STANDARD)
FLOP = Situation("deciding_flop", ("As", "Kd"), ("7h", "7c", "2s"), ("play_2x", "check"))
RIVER = Situation("deciding_river", ("3s", "2d"), ("7h", "8c", "Ts", "Jd", "Kc"), ("play_1x", "fold"))


def core(strategy: Strategy) -> BotCore:
    return BotCore(habits(strategy, TERMS), Random(1))


async def test_best_answers_as_the_exact_advice_does(tmp_path: Path) -> None:
    advisor = Advisor(STANDARD, tmp_path)
    choose = chooser(Strategy.BEST, advisor, core(Strategy.BEST))
    try:
        for situation in (FLOP, RIVER):
            hole, board = situation.hole, situation.board
            expected = exact_advice(hole, board[:3], board[3:], cache_dir=tmp_path).best
            assert await choose(situation) == expected
        unaffordable = Situation(FLOP.phase, FLOP.hole, FLOP.board, ("check",))
        assert await choose(unaffordable) == "check"
    finally:
        advisor.close()


async def test_same_cards_are_computed_once_for_all_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    by_chance = chooser(Strategy.RANDOM, advisor, core(Strategy.RANDOM))
    assert {await by_chance(FLOP) for _ in range(50)} == set(FLOP.options)
    assert await chooser(Strategy.NEVER, advisor, core(Strategy.NEVER))(FLOP) is None
    advisor.close()


def test_stakes_are_whole_chips_within_the_limits() -> None:
    assert core(Strategy.BEST).stakes() == core(Strategy.NEVER).stakes() == (200, 0)
    by_chance = core(Strategy.RANDOM)
    drawn = {by_chance.stakes() for _ in range(500)}
    assert drawn == {(ante, trips) for ante in (200, 400, 600, 800, 900) for trips in (0, 100)}
