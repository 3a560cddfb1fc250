"""The betting rule: vectors V3 of the rules, options, sizes and refusals."""

import pytest

from casino.errors import Code
from casino.poker.betting import Action
from casino.poker.commands import Act, Cause, TimeOver
from casino.poker.events import Acted
from casino.poker.positions import Positions
from casino.poker.state import Status, WantKind
from casino.poker.streets import Street
from casino.poker.terms import Game
from tests.poker.table import Table, opened

LIMP_4 = ("3 call", "4 call", "1 call", "2 check")
LIMP_5 = ("3 call", "4 call", "5 call", "1 call", "2 check")


def sizes(table: Table) -> tuple[int, int] | None:
    return table.offered()[3]


def test_v3_1_short_all_ins_in_succession_reopen() -> None:
    table = opened([202, 202, 20, 27]).play(*LIMP_4, "1 raise_to 10", "2 call", "3 raise_to 18", "4 raise_to 25")
    assert table.offered() == (1, False, 15, (35, 200))
    assert table.hand.to == 25


def test_v3_2_a_call_in_between_breaks_the_chain() -> None:
    table = opened([202, 202, 18, 202, 24]).play(
        *LIMP_5, "1 raise_to 10", "2 call", "3 raise_to 16", "4 call", "5 raise_to 22"
    )
    assert table.offered() == (1, False, 12, None)


def test_v3_3_a_check_before_a_full_bet_keeps_the_right_to_raise() -> None:
    table = opened([202, 202, 202, 17]).play(*LIMP_4, "1 check", "2 raise_to 10", "3 call", "4 raise_to 15")
    assert table.offered() == (1, False, 15, (25, 200))
    table.play("1 call")
    assert table.offered() == (2, False, 5, None)
    assert table.play("2 call").offered() == (3, False, 5, None)


def test_v3_4_a_full_all_in_is_no_part_of_a_chain() -> None:
    table = opened([19, 202, 16, 202]).play("3 raise_to 16", "4 call", "1 raise_to 19", "2 call")
    assert table.offered() == (4, False, 3, None)


def test_v3_5_an_undersized_bet_does_not_open_for_who_has_checked() -> None:
    table = opened([202, 3, 202, 202]).play(*LIMP_4, "1 check", "2 raise_to 1")
    assert table.offered() == (3, False, 1, (3, 200))
    assert table.play("3 call", "4 call").offered() == (1, False, 1, None)


def test_v3_6_the_price_is_the_full_big_blind() -> None:
    assert opened([200, 1, 200, 200]).offered() == (3, False, 2, (4, 200))


def test_v3_7_a_fold_does_not_break_the_chain() -> None:
    table = opened([202, 202, 18, 202, 23]).play(
        *LIMP_5, "1 raise_to 10", "2 call", "3 raise_to 16", "4 fold", "5 raise_to 21"
    )
    assert table.offered() == (1, False, 11, (31, 200))


def test_v3_8_a_chain_of_ones_reopens_for_a_limper() -> None:
    table = opened([4, 200, 200, 3]).play("3 call", "4 raise_to 3", "1 raise_to 4", "2 call")
    assert table.offered() == (3, False, 2, (6, 200))


def test_v3_9_no_raise_against_opponents_who_are_all_in() -> None:
    table = opened([4, 200, 200, 3]).play("3 call", "4 raise_to 3", "1 raise_to 4", "2 fold")
    assert table.offered() == (3, False, 2, None)


def test_v3_10_nobody_is_asked_to_call_more_than_the_opponent_has() -> None:
    table = opened([200, 1])
    assert table.hand.pending == ()
    assert table.hand.wants.kind is WantKind.REVEAL
    table.with_cards("2c 3d 4h 8s 9c", {1: "As Ah", 2: "Kc Kd"}).serve()
    assert table.hand.status is Status.SETTLED
    assert table.stacks == {1: 201, 2: 0}


def test_v3_11_pot_limit_plain() -> None:
    assert sizes(opened([200] * 4, game=Game.PLO)) == (4, 7)


def test_v3_12_pot_limit_without_a_small_blind() -> None:
    assert sizes(opened([200] * 4, game=Game.PLO, positions=Positions(4, None, 2))) == (4, 6)


def test_v3_13_pot_limit_with_antes() -> None:
    assert sizes(opened([200] * 4, game=Game.PLO, ante=1)) == (4, 11)


def test_v3_14_pot_limit_with_a_post() -> None:
    assert sizes(opened([200] * 4, game=Game.PLO, posters=(4,))) == (4, 9)


def test_v3_15_pot_limit_with_a_short_big_blind() -> None:
    assert sizes(opened([200, 1, 200, 200], game=Game.PLO)) == (4, 6)


def test_v3_16_pot_limit_after_the_flop() -> None:
    table = opened([20_000] * 4, game=Game.PLO, blinds=(100, 200)).play("3 fold")
    assert sizes(table) == (400, 700)
    table.play("4 raise_to 700", "1 fold", "2 call")
    assert sizes(table) == (200, 1500)
    assert sizes(table.play("2 raise_to 1500")) == (3000, 6000)


def test_bet_5_raise_to_15_asks_for_25() -> None:
    table = opened([200] * 3).play("3 call", "1 call", "2 check", "1 raise_to 5", "2 raise_to 15")
    assert table.offered() == (3, False, 15, (25, 198))


def test_a_poster_has_met_the_price_and_may_raise() -> None:
    table = opened([200] * 4, posters=(4,)).play("3 call")
    assert table.offered() == (4, True, 0, (4, 200))


def test_the_big_blind_has_the_option() -> None:
    table = opened([200] * 3).play("3 call", "1 call")
    assert table.offered() == (2, True, 0, (4, 200))
    assert table.play("2 check").hand.street is Street.FLOP


def test_a_call_for_less_is_a_call() -> None:
    table = opened([200, 200, 200, 5]).play("3 raise_to 20")
    assert table.offered() == (4, False, 5, None)
    table.play("4 call")
    assert table.hand.chain == 0
    assert table.stacks[4] == 0


def test_the_button_acts_first_preflop_and_last_afterwards_heads_up() -> None:
    table = opened([200, 200])
    assert table.options.seat_no == 1
    assert table.play("1 call", "2 check").options.seat_no == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("3 check", Code.NOT_OFFERED),
        ("3 raise_to 3", Code.BELOW_MINIMUM),
        ("3 raise_to 201", Code.ABOVE_MAXIMUM),
        ("3 raise_to 0", Code.BELOW_MINIMUM),
        ("3 raise_to -5", Code.BELOW_MINIMUM),
        ("4 call", Code.NOT_YOUR_TURN),
        ("9 call", Code.NOT_IN_ROUND),
    ],
)
def test_actions_that_are_not_offered_are_refused(line: str, code: Code) -> None:
    table = opened([200] * 4)
    assert table.refused(table.act(line)) is code


def test_nothing_to_call_and_nothing_to_raise_are_not_offered() -> None:
    table = opened([200] * 3).play("3 call", "1 call")
    assert table.refused(table.act("2 call")) is Code.NOT_OFFERED
    table = opened([200, 200, 200, 3]).play("3 raise_to 100", "4 fold", "1 raise_to 200", "2 fold")
    assert table.refused(table.act("3 raise_to 200")) is Code.NOT_OFFERED


def test_an_answer_names_its_turn() -> None:
    table = opened([200] * 4).play("3 call")
    assert table.refused(Act("h1", 1, "p3", Action.CALL)) is Code.TOO_LATE
    assert table.refused(Act("h1", 3, "p4", Action.CALL)) is Code.NOT_YOUR_TURN
    assert table.refused(Act("h0", 2, "p4", Action.CALL)) is Code.STALE_ROUND


@pytest.mark.parametrize(
    ("by", "checks"), [(Cause.CLOCK, True), (Cause.LINE, True), (Cause.SITTING_OUT, False), (Cause.LEFT, False)]
)
def test_a_silent_player_checks_if_it_is_free_and_an_absent_one_folds(by: Cause, checks: bool) -> None:  # noqa: FBT001
    table = opened([200] * 3).do(TimeOver("h1", 1, by)).play("1 call")
    assert table.hand.seats[2].folded is Street.PREFLOP
    table.do(TimeOver("h1", 3, by))
    assert table.hand.is_over is not checks
    assert table.refused(TimeOver("h1", 3, by)) in (Code.TOO_LATE, Code.STALE_ROUND)


def test_a_stack_of_exactly_the_call_is_a_call_and_no_raise() -> None:
    table = opened([200, 200, 200, 20]).play("3 raise_to 20")
    assert table.offered() == (4, False, 20, None)


def test_no_raise_if_the_only_opponent_left_can_just_pay_the_price() -> None:
    table = opened([200, 20, 20]).play("3 raise_to 20")
    assert table.offered() == (1, False, 19, None)


def test_pot_limit_counts_the_call_of_a_player_who_has_chips_in_the_street() -> None:
    """The pot is 1 + 2 + 7; the small blind calls 6 more, so it may raise to 7 + 10 + 6."""
    table = opened([200] * 3, game=Game.PLO).play("3 raise_to 7")
    assert sizes(table) == (12, 23)


def test_a_full_raise_and_a_complete_chain_start_the_chain_from_nothing() -> None:
    raised = opened([200, 200, 200, 27, 29]).play("3 raise_to 10", "4 raise_to 18")
    assert raised.hand.chain == 0
    short = opened([200, 200, 200, 13, 14]).play("3 raise_to 10", "4 raise_to 13", "5 raise_to 14", "1 raise_to 40")
    assert (short.hand.chain, short.hand.inc) == (0, 26)
    complete = opened([202, 202, 20, 27]).play(*LIMP_4, "1 raise_to 10", "2 call", "3 raise_to 18", "4 raise_to 25")
    assert (complete.hand.chain, complete.hand.inc) == (0, 10)


def test_every_action_is_the_next_turn() -> None:
    table = opened([200] * 3)
    for turn, line in enumerate(("3 raise_to 6", "1 call", "2 call", "1 check", "2 raise_to 6", "3 fold"), start=1):
        assert table.hand.turn == turn
        table.play(line)
    assert table.hand.turn == 7


def test_an_action_names_what_was_paid_and_the_price_after_it() -> None:
    table = opened([200] * 4).play("3 call", "4 fold", "1 raise_to 9", "2 call", "3 fold", "1 check", "2 raise_to 4")
    table.do(TimeOver("h1", table.hand.turn, Cause.CLOCK))
    acted = [event for event in table.events if isinstance(event, Acted)]
    assert [(event.seat_no, event.action, event.paid, event.to) for event in acted] == [
        (3, Action.CALL, 2, 2),
        (4, Action.FOLD, 0, 2),
        (1, Action.RAISE_TO, 8, 9),
        (2, Action.CALL, 7, 9),
        (3, Action.FOLD, 0, 9),
        (1, Action.CHECK, 0, 0),
        (2, Action.RAISE_TO, 4, 4),
        (1, Action.FOLD, 0, 4),
    ]
    assert [event.automatic for event in acted] == [None] * 7 + [Cause.CLOCK]


def test_time_is_over_for_the_present_question_only() -> None:
    table = opened([200] * 3).play("3 call")
    assert table.refused(TimeOver("h1", 1, Cause.CLOCK)) is Code.TOO_LATE
    assert table.refused(TimeOver("h1", 3, Cause.CLOCK)) is Code.TOO_LATE
    for line in ("1 call", "2 check"):
        table.do(table.act(line))
    assert table.hand.wants.kind is WantKind.BOARD
    assert table.refused(TimeOver("h1", table.hand.turn, Cause.CLOCK)) is Code.TOO_LATE


def test_an_undersized_all_in_over_the_big_blind_does_not_let_a_limper_raise() -> None:
    """PokerKit lets the limper raise: no bet was made before. The big blind is the price and the first increment."""
    table = opened([200, 200, 200, 3]).play("3 call", "4 raise_to 3", "1 fold", "2 call")
    assert table.offered() == (3, False, 1, None)


def test_a_further_undersized_all_in_does_not_close_what_a_chain_has_reopened() -> None:
    """PokerKit forgets the complete chain: 5 + 5 >= 10 reopened betting for seat 1, which has not answered since."""
    stacks = [202, 202, 17, 22, 26]
    table = opened(stacks).play(*LIMP_5, "1 raise_to 10", "2 call", "3 raise_to 15", "4 raise_to 20", "5 raise_to 24")
    assert (table.hand.reopened, table.hand.chain) == (2, 4)
    assert table.offered() == (1, False, 14, (34, 200))


def test_a_poster_is_asked_while_a_shorter_opponent_has_chips() -> None:
    """PokerKit passes over the poster. The rules pass over a player only if every live opponent is all-in."""
    table = opened([200, 2, 200, 1], posters=(3,))
    assert table.offered() == (3, True, 0, (4, 200))
    table = opened({1: 1, 2: 2, 3: 200, 4: 1}, posters=(3,))
    assert table.offered() == (3, True, 0, None)
    assert table.play("3 check").offered() == (4, False, 1, None)
