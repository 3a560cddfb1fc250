"""Reopened decisions after a correction: those made on the wrong card, before a later card is dealt."""

import pytest

from casino.errors import Code
from casino.uth.bets import Action
from casino.uth.commands import ApproveProposal, CorrectCard, DealCard, ReportProblem, Resume
from casino.uth.events import DecisionsReopened, RoundResumed
from casino.uth.incidents import reopenable
from casino.uth.phases import Phase
from casino.uth.terms import Layout
from tests.uth.tabletop import OWN, SHARED, Tabletop
from tests.uth.test_incidents import refusal_of

REOPEN = Resume("max", "They chose on the wrong card.", reopen=True)
FLOP = "7h 7c 2s"


def decided(*, terms: object = SHARED) -> Tabletop:
    """Ann has played 4x before the flop, Bob 2x and Cid CHECK after it; the turn is due."""
    table = Tabletop(SHARED if terms is SHARED else OWN)
    is_own = table.terms.layout is Layout.OWN
    for at, player in enumerate(("ann", "bob", "cid"), start=1):
        table.bet(player, 500, seat_no=at if is_own else None)
    table.time_out()
    table.deal("As Kd 9c 9d 3h 4h" if is_own else "As Kd")
    table.decide(Action.PLAY_4X, "ann")
    table.decide(Action.CHECK, "bob")
    table.decide(Action.CHECK, "cid")
    table.deal(FLOP)
    table.decide(Action.PLAY_2X, "bob")
    table.decide(Action.CHECK, "cid")
    assert table.phase is Phase.DEALING_RIVER
    return table


def correct(table: Tabletop, slot: str = "flop_1", card: str = "8h") -> None:
    table.do(ReportProblem("wrong card", "pia"))
    table.do(CorrectCard("r1", slot, card, "misread", "max"))
    if table.round.proposal:
        table.do(ApproveProposal(table.round.proposal.proposal_id, "mona"))


@pytest.mark.parametrize("terms", [SHARED, OWN], ids=["shared", "own"])
def test_answers_of_the_last_window_are_void_and_earlier_ones_stay(terms: object) -> None:
    table = decided(terms=terms)
    correct(table)
    assert reopenable(table.round) is Phase.DECIDING_FLOP
    reopened, resumed = table.do(REOPEN)
    assert isinstance(reopened, DecisionsReopened)
    assert isinstance(resumed, RoundResumed)
    assert (reopened.phase, resumed.due_ms) == (Phase.DECIDING_FLOP, table.now_ms + 10_000)
    assert table.round.phase.value == "deciding_flop"
    assert {name: seat.bets.play for name, seat in table.round.seats.items()} == {"ann": 2000, "bob": 0, "cid": 0}
    assert (table.round.undone, table.round.unanswered, table.round.reopened) == (2, 2, 1)
    table.decide(Action.CHECK, "bob")
    table.decide(Action.PLAY_2X, "cid")
    table.deal("Jd 3c")
    table.decide(Action.PLAY_1X, "bob")
    table.deal("Qh Qd")
    assert table.round.phase is Phase.SETTLED
    assert {name: seat.bets.play for name, seat in table.round.seats.items()} == {"ann": 2000, "bob": 500, "cid": 1000}


def test_window_that_is_still_open_begins_again() -> None:
    table = Tabletop()
    table.bet("ann", 500)
    table.bet("bob", 500)
    table.time_out()
    table.deal("As Kd")
    table.decide(Action.PLAY_4X, "ann")
    correct(table, "player_1", "2c")
    table.do(REOPEN)
    assert table.round.seats["ann"].bets.play == 0
    assert table.round.unanswered == 2


def test_nothing_is_opened_again_without_a_correction_or_after_a_later_card() -> None:
    table = decided()
    table.do(ReportProblem("wrong card", "pia"))
    assert refusal_of(table, REOPEN) is Code.NOT_OFFERED
    table.do(Resume("max"))
    table.do(DealCard("r1", "Jd"))
    correct(table)
    assert reopenable(table.round) is None
    assert refusal_of(table, REOPEN) is Code.NOT_OFFERED
    table.do(Resume("max", "Only resumed."))
    assert reopenable(table.round) is None


def test_correction_of_an_earlier_stop_opens_nothing() -> None:
    table = decided()
    correct(table)
    table.do(Resume("max", "Only resumed."))
    table.do(ReportProblem("something else", "pia"))
    assert refusal_of(table, REOPEN) is Code.NOT_OFFERED


def test_without_answers_nothing_is_reopened() -> None:
    table = Tabletop()
    table.bet("ann", 500)
    table.time_out()
    table.deal("As Kd")
    correct(table, "player_1", "2c")
    assert reopenable(table.round) is None
