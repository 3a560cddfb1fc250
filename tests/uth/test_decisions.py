"""Decision windows: options, defaults after a timeout, late and repeated decisions."""

import pytest

from casino.errors import Code, Refusal
from casino.uth.bets import Action
from casino.uth.commands import Advance, CancelRound, Decide, ReportProblem, Resume
from casino.uth.decisions import options
from casino.uth.events import DecisionMade, WindowClosed
from casino.uth.phases import OFFERED, Phase
from casino.uth.state import Answer
from tests.uth.tabletop import RICH, Tabletop, table_in

PREFLOP, FLOP, RIVER = OFFERED


def refusal_of(table: Tabletop, action: Action, player: str = "ann", **more: object) -> Code:
    before = table.round
    with pytest.raises(Refusal) as refused:
        table.decide(action, player, **more)  # type: ignore[arg-type]
    assert table.round == before
    return refused.value.code


@pytest.mark.parametrize("phase", OFFERED)
def test_window_offers_exactly_its_actions(phase: Phase) -> None:
    table = table_in(phase)
    assert options(table.round, "ann", RICH) == OFFERED[phase]
    for action in Action:
        if action not in OFFERED[phase]:
            assert refusal_of(table, action) is Code.NOT_OFFERED


@pytest.mark.parametrize(
    ("phase", "action", "play"),
    [
        (PREFLOP, Action.PLAY_4X, 2000),
        (PREFLOP, Action.PLAY_3X, 1500),
        (FLOP, Action.PLAY_2X, 1000),
        (RIVER, Action.PLAY_1X, 500),
    ],
)
def test_play_bets_its_multiple_of_the_ante_once(phase: Phase, action: Action, play: int) -> None:
    table = table_in(phase)
    table.decide(action)
    assert table.round.seats["ann"].bets.play == play
    assert options(table.round, "ann", RICH) == ()
    for other in Action:
        if other is not action:
            assert refusal_of(table, other) is Code.ALREADY_DECIDED


def test_play_the_balance_cannot_cover_is_not_offered() -> None:
    table = table_in(PREFLOP)
    assert options(table.round, "ann", 1999) == (Action.PLAY_3X, Action.CHECK)
    assert options(table.round, "ann", 1499) == (Action.CHECK,)
    assert refusal_of(table, Action.PLAY_4X, available=1999) is Code.INSUFFICIENT_FUNDS
    table.decide(Action.CHECK, available=0)


def test_fold_needs_no_funds() -> None:
    table = table_in(RIVER)
    assert options(table.round, "ann", 0) == (Action.FOLD,)
    table.decide(Action.FOLD, available=0)


@pytest.mark.parametrize(("phase", "silence"), [(PREFLOP, "check"), (FLOP, "check"), (RIVER, "fold")])
def test_no_answer_is_automatic(phase: Phase, silence: str) -> None:
    table = table_in(phase)
    assert table.time_out() == [WindowClosed(phase, ("ann", "bob"), table.now_ms)]
    assert table.round.seats["ann"].last == Answer(phase, Action(silence), automatic=True)


def test_river_without_decision_folds() -> None:
    table = table_in(RIVER)
    table.decide(Action.PLAY_1X, "bob")
    table.time_out()
    assert table.round.seats["ann"].action is Action.FOLD
    assert table.round.seats["bob"].action is Action.PLAY_1X
    assert table.phase is Phase.SHOWDOWN


def test_window_ends_early_once_all_have_decided() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.CHECK, "ann")
    assert table.phase is PREFLOP
    assert table.decide(Action.PLAY_4X, "bob") == [
        DecisionMade("bob", PREFLOP, Action.PLAY_4X, table.now_ms),
        WindowClosed(PREFLOP, (), table.now_ms),
    ]
    assert table.phase is Phase.DEALING_FLOP


def test_window_without_deciders_is_skipped() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.PLAY_4X, "ann")
    table.decide(Action.PLAY_3X, "bob")
    seen = [table.phase]
    for street in ("7h 7c 2s", "Jd 3c", "Qh Qd"):
        table.deal(street)
        seen.append(table.phase)
    assert seen == [Phase.DEALING_FLOP, Phase.DEALING_RIVER, Phase.SHOWDOWN, Phase.SETTLED]


def test_only_undecided_players_are_asked_again() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.PLAY_4X, "ann")
    table.time_out()
    table.deal("7h 7c 2s")
    assert options(table.round, "ann", RICH) == ()
    assert options(table.round, "bob", RICH) == (Action.PLAY_2X, Action.CHECK)
    table.decide(Action.CHECK, "bob")
    assert table.phase is Phase.DEALING_RIVER


def test_stranger_cannot_decide() -> None:
    table = table_in(PREFLOP)
    assert options(table.round, "eve", RICH) == ()
    assert refusal_of(table, Action.CHECK, "eve") is Code.NOT_IN_ROUND


def test_decision_for_another_round_is_stale() -> None:
    table = table_in(PREFLOP)
    with pytest.raises(Refusal) as refused:
        table.do(Decide("r0", "ann", Action.CHECK, RICH))
    assert refused.value.code is Code.STALE_ROUND


def test_nothing_can_be_decided_before_the_cards() -> None:
    betting = Tabletop()
    betting.bet("ann")
    assert refusal_of(betting, Action.CHECK) is Code.NOT_OFFERED
    assert refusal_of(table_in(Phase.DEALING_HOLE), Action.PLAY_4X) is Code.NOT_OFFERED


@pytest.mark.req("RND-6")
def test_answer_that_arrives_at_the_deadline_is_late() -> None:
    table = table_in(PREFLOP)
    assert table.round.due_ms is not None
    table.now_ms = table.round.due_ms
    assert refusal_of(table, Action.PLAY_4X) is Code.TOO_LATE


@pytest.mark.parametrize("phase", [Phase.DEALING_FLOP, Phase.DEALING_RIVER, Phase.SHOWDOWN, Phase.SETTLED])
def test_answer_between_windows_is_late(phase: Phase) -> None:
    assert refusal_of(table_in(phase), Action.PLAY_4X) is Code.TOO_LATE


def test_answer_to_a_cancelled_round_is_late() -> None:
    table = table_in(PREFLOP)
    table.do(CancelRound("deck incomplete", "max"))
    assert refusal_of(table, Action.CHECK) is Code.TOO_LATE


def test_delayed_check_naming_its_window_cannot_answer_the_next() -> None:
    table = table_in(FLOP)
    assert refusal_of(table, Action.CHECK, phase=PREFLOP) is Code.TOO_LATE
    assert options(table.round, "ann", RICH) == (Action.PLAY_2X, Action.CHECK)


@pytest.mark.parametrize("phase", [PREFLOP, Phase.DEALING_FLOP])
def test_window_that_is_not_open_yet_cannot_be_answered(phase: Phase) -> None:
    assert refusal_of(table_in(phase), Action.CHECK, phase=FLOP) is Code.NOT_OFFERED


@pytest.mark.req("LED-5")
def test_stored_answer_may_be_repeated_at_any_later_time() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.PLAY_4X, "ann")
    while True:
        assert table.decide(Action.PLAY_4X, "ann") == []
        assert table.decide(Action.PLAY_4X, "ann", phase=PREFLOP) == []
        if table.round.is_over:
            break
        if table.round.due_ms is not None:
            table.time_out()
        else:
            table.deal(next(c for c in ("7h", "7c", "2s", "Jd", "3c", "Qh", "Qd") if c not in table.round.cards))
    assert table.round.seats["ann"].bets.play == 2000


def test_stored_check_may_be_repeated_by_naming_its_window() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.CHECK, "ann")
    assert table.decide(Action.CHECK, "ann") == []
    table.time_out()
    assert table.decide(Action.CHECK, "ann") == [], "between windows it is the last answer again"
    table.deal("7h 7c 2s")
    assert table.decide(Action.CHECK, "ann", phase=PREFLOP) == []
    assert table.decide(Action.CHECK, "ann") != [], "in the next window it is an answer to that one"


def test_another_answer_in_the_same_window_is_refused() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.CHECK, "ann")
    assert refusal_of(table, Action.PLAY_4X) is Code.ALREADY_DECIDED


def test_automatic_answer_is_not_the_players_and_cannot_be_repeated() -> None:
    table = table_in(Phase.DEALING_FLOP)
    assert table.round.seats["ann"].action is Action.CHECK
    assert refusal_of(table, Action.CHECK) is Code.TOO_LATE
    assert refusal_of(table, Action.CHECK, phase=PREFLOP) is Code.TOO_LATE


def test_paused_round_takes_no_decision_but_remembers_those_made() -> None:
    table = table_in(PREFLOP)
    table.decide(Action.CHECK, "ann")
    table.do(ReportProblem("card dropped", "pia"))
    assert refusal_of(table, Action.CHECK, "bob") is Code.TABLE_PAUSED
    assert options(table.round, "bob", RICH) == ()
    assert table.decide(Action.CHECK, "ann") == []
    table.do(Resume("max"))
    table.decide(Action.CHECK, "bob")


def test_clock_before_the_deadline_changes_nothing() -> None:
    assert table_in(PREFLOP).do(Advance()) == []


def test_checking_and_folding_cost_nothing_whatever_the_balance() -> None:
    table = table_in(PREFLOP)
    assert options(table.round, "ann", -1) == (Action.CHECK,)
    table.decide(Action.CHECK, available=-1)
