"""Bot core: one action per window, and stakes and decisions by its options."""

from collections import Counter
from random import Random

from casino.bots.core import BotCore, Habits, all_stakes, chips_down, chips_up
from casino.uth.bets import Action
from casino.uth.phases import OFFERED, Phase

PREFLOP = OFFERED[Phase.DECIDING_PREFLOP]


def bot(habits: Habits) -> BotCore:
    return BotCore(habits, Random(7))


def test_a_bot_acts_once_in_every_window_that_takes_answers() -> None:
    one = bot(Habits([(100, 0)]))
    windows = [("r1", phase) for phase in Phase] + [("r2", Phase.BETTING)]
    acted = []
    for window in windows:
        for _ in range(2):
            if one.may_act(*window):
                one.act(*window)
                acted.append(window)
    assert acted == [("r1", Phase.BETTING), *(("r1", phase) for phase in OFFERED), ("r2", Phase.BETTING)]


def test_a_bot_acts_again_in_a_window_when_its_bet_was_returned() -> None:
    one = bot(Habits([(100, 0)]))
    one.act("r1", "betting")
    one.retry()
    assert one.may_act("r1", "betting")


def test_stakes_are_equally_likely() -> None:
    one = bot(Habits(all_stakes((100, 200), (0, 0, 50))))
    drawn = Counter(one.stakes() for _ in range(6_000))
    assert drawn.keys() == {(100, 0), (100, 50), (200, 0), (200, 50)}
    assert 1_800 < drawn[100, 0] < 2_200
    assert 850 < drawn[200, 50] < 1_150


def test_without_rates_every_option_is_equally_likely() -> None:
    one = bot(Habits([(100, 0)]))
    drawn = Counter(one.decide(Phase.DECIDING_PREFLOP, PREFLOP) for _ in range(3_000))
    assert drawn.keys() == set(PREFLOP)
    assert all(880 < count < 1_120 for count in drawn.values())


def test_rates_choose_between_the_largest_play_and_the_last_option() -> None:
    one = bot(Habits([(100, 0)], play_rates={Phase.DECIDING_PREFLOP: 0.25}, silence=0.2))
    drawn = Counter(one.decide("deciding_preflop", PREFLOP) for _ in range(5_000))
    assert drawn.keys() == {Action.PLAY_4X, Action.CHECK, None}
    assert 880 < drawn[None] < 1_120
    assert 880 < drawn[Action.PLAY_4X] < 1_120


def test_a_silent_bot_never_decides() -> None:
    one = bot(Habits([(100, 0)], silence=1.0))
    assert {one.decide(phase, options) for phase, options in OFFERED.items() for _ in range(50)} == {None}


def test_a_bot_thinks_for_a_part_of_the_window() -> None:
    one = bot(Habits([(100, 0)], thinking=(0.1, 0.6)))
    delays = [one.delay(10) for _ in range(1_000)]
    assert 1 <= min(delays) < 1.1
    assert 5.9 < max(delays) <= 6
    assert bot(Habits([(100, 0)])).delay(10) == 0


def test_amounts_are_rounded_to_whole_chips() -> None:
    assert (chips_up(150, 100), chips_up(200, 100), chips_down(950, 100)) == (200, 200, 900)
