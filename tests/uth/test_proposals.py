"""Proposals of two people: proposing, approving, rejecting, and concurrent changes."""

from contextlib import suppress

import pytest

from casino.errors import Code, Refusal
from casino.uth.bets import Action
from casino.uth.commands import (
    Advance,
    ApproveProposal,
    CancelRound,
    Command,
    Continue,
    CorrectCard,
    CorrectRound,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    RejectProposal,
    ReportProblem,
    Resume,
    UndoCard,
    WithdrawBet,
)
from casino.uth.events import CardCorrected, ProposalApproved, ProposalMade, RoundCancelled, RoundPaused
from casino.uth.phases import Phase
from casino.uth.results import results
from casino.uth.round import begin, open_round
from tests.uth.tabletop import RICH, Tabletop, hands, table_in
from tests.uth.test_incidents import RUNNING, refusal_of

DEAL = "As Kd | 7h 7c 2s Jd 3c | Qh Qd"
STOP = ReportProblem("card dropped", "pia")
CANCEL = CancelRound("no confidence", "max")
APPROVE = ApproveProposal("r1.1", "mona")
WITH_CARDS = [phase for phase in RUNNING if phase not in (Phase.BETTING, Phase.DEALING_HOLE)]
AFTER_A_WINDOW = [phase for phase in WITH_CARDS if phase is not Phase.DECIDING_PREFLOP]


def committed_in(phase: Phase) -> Tabletop:
    """The same table as `table_in`, with cards from a committed deck."""
    table = Tabletop()
    table.opened = open_round(OpenBetting("r1", "uth-1", table.terms, "9f2c" * 16), table.now_ms)
    table.round = begin(table.opened)
    if phase is Phase.BETTING:
        return table
    table.bet("ann", 500)
    table.bet("bob", 1000, 300)
    table.time_out()
    player, board, dealer = hands(DEAL)
    for street in (player, board[:3], board[3:], dealer):
        if table.phase is phase:
            return table
        table.deal(" ".join(street))
        if table.round.is_street_complete and table.phase is not phase:
            table.time_out()
        if table.phase is phase:
            return table
        table.time_out()
    assert table.phase is phase
    return table


def correction(by: str = "max") -> CorrectCard:
    return CorrectCard("r1", "player_2", "Ad", "misread", by)


@pytest.mark.parametrize("phase", [*RUNNING, Phase.SETTLED])
@pytest.mark.parametrize("is_paused", [True, False])
def test_no_card_of_a_committed_round_can_be_corrected(phase: Phase, is_paused: bool) -> None:  # noqa: FBT001
    table = committed_in(phase)
    if is_paused and phase is not Phase.SETTLED:
        table.do(STOP)
    assert refusal_of(table, correction()) is Code.FORBIDDEN
    assert refusal_of(table, CorrectRound((("dealer_1", "2h"),), "misread", "max")) is Code.FORBIDDEN


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DEALING_HOLE])
def test_before_the_first_card_one_manager_cancels_a_committed_round(phase: Phase) -> None:
    table = committed_in(phase)
    table.do(CANCEL)
    assert table.phase is Phase.CANCELLED


@pytest.mark.parametrize("phase", WITH_CARDS)
@pytest.mark.parametrize("is_paused", [True, False])
def test_two_people_cancel_a_committed_round_with_cards_out(phase: Phase, is_paused: bool) -> None:  # noqa: FBT001
    table = committed_in(phase)
    if phase is Phase.DEALING_FLOP:
        table.deal("7h")
    if is_paused:
        table.do(STOP)
    proposed = table.do(CANCEL)
    assert [type(event) for event in proposed] == ([] if is_paused else [RoundPaused]) + [ProposalMade]
    assert table.phase is phase
    assert table.round.paused is not None
    assert refusal_of(table, ApproveProposal("r1.1", "max")) is Code.FORBIDDEN
    approved = table.do(APPROVE)
    assert [type(event) for event in approved] == [ProposalApproved, RoundCancelled]
    assert isinstance(approved[1], RoundCancelled)
    assert approved[1].phase is phase
    assert table.phase is Phase.CANCELLED
    assert table.round.incidents[-1].ended_by == "max and mona"
    assert {player: refund.returned for player, refund in results(table.round).items()} == {"ann": 1000, "bob": 2300}
    assert refusal_of(table, APPROVE) is Code.TOO_LATE
    assert refusal_of(table, RejectProposal("r1.1", "mona", "no")) is Code.TOO_LATE


def test_one_card_of_a_committed_round_is_enough() -> None:
    table = committed_in(Phase.DEALING_HOLE)
    table.deal("As")
    table.do(CANCEL)
    assert table.phase is Phase.DEALING_HOLE
    assert table.round.proposal is not None


def test_window_that_ran_out_stays_closed_when_a_cancellation_is_proposed() -> None:
    table = committed_in(Phase.DECIDING_FLOP)
    assert table.round.due_ms is not None
    table.now_ms = table.round.due_ms
    table.do(CANCEL)
    table.do(Resume("mona"))
    assert table.phase is Phase.DEALING_RIVER


def test_service_cancels_rounds_that_cannot_continue() -> None:
    table = committed_in(Phase.DECIDING_FLOP)
    table.do(CANCEL)
    table.do(CancelRound("Nobody answered in time.", "system", automatic=True))
    assert table.phase is Phase.CANCELLED
    assert table.round.proposals[-1].outcome == "lapsed"


def test_cancellation_after_an_unanswered_proposal_names_the_proposer() -> None:
    given_up = CancelRound("Nobody answered in time.", "system", automatic=True)
    table = committed_in(Phase.DECIDING_FLOP)
    table.do(CANCEL)
    (cancelled,) = table.do(given_up)
    assert isinstance(cancelled, RoundCancelled)
    assert (cancelled.by, cancelled.proposed_by) == ("system", "max")
    assert table.round.incidents[-1].ended_by == "system (proposed by max)"
    rejected = committed_in(Phase.DECIDING_FLOP)
    rejected.do(CANCEL)
    rejected.do(RejectProposal("r1.1", "mona", "nothing is wrong"))
    (cancelled,) = rejected.do(given_up)
    assert isinstance(cancelled, RoundCancelled)
    assert cancelled.proposed_by is None


@pytest.mark.parametrize("phase", RUNNING)
def test_one_manager_cancels_a_presenter_round_at_once(phase: Phase) -> None:
    table = table_in(phase)
    table.do(CANCEL)
    assert table.phase is Phase.CANCELLED


def test_card_is_corrected_by_one_manager_until_a_window_has_closed() -> None:
    table = table_in(Phase.DECIDING_PREFLOP)
    table.do(STOP)
    assert [type(event) for event in table.do(correction())] == [CardCorrected]


@pytest.mark.parametrize(("late_ms", "made"), [(-1, CardCorrected), (0, ProposalMade), (1, ProposalMade)])
def test_window_closes_at_its_end_for_late_corrections(late_ms: int, made: type) -> None:
    """A manager who stops the table just after the last decision gains nothing: the time decides, not the queue."""
    table = table_in(Phase.DECIDING_PREFLOP)
    assert table.round.due_ms is not None
    table.now_ms = table.round.due_ms + late_ms
    table.do(STOP)
    assert [type(event) for event in table.do(correction())] == [made]


@pytest.mark.parametrize("action", [Action.CHECK, Action.PLAY_3X, Action.PLAY_4X])
def test_first_decision_of_any_seat_makes_a_correction_one_for_two(action: Action) -> None:
    """The window is still open, and another player has not decided yet."""
    table = table_in(Phase.DECIDING_PREFLOP)
    table.decide(action, "ann")
    assert table.phase is Phase.DECIDING_PREFLOP
    table.do(STOP)
    assert [type(event) for event in table.do(correction())] == [ProposalMade]
    assert table.round.hole_cards(None) == ("As", "Kd")
    assert [type(event) for event in table.do(APPROVE)] == [ProposalApproved, CardCorrected]


@pytest.mark.parametrize("phase", AFTER_A_WINDOW)
def test_two_people_correct_a_card_after_a_window_has_closed(phase: Phase) -> None:
    table = table_in(phase)
    table.do(STOP)
    assert [type(event) for event in table.do(correction())] == [ProposalMade]
    assert table.round.hole_cards(None) == ("As", "Kd")
    assert refusal_of(table, ApproveProposal("r1.1", "max")) is Code.FORBIDDEN
    assert [type(event) for event in table.do(APPROVE)] == [ProposalApproved, CardCorrected]
    assert table.round.hole_cards(None) == ("As", "Ad")
    assert table.round.paused is not None
    assert refusal_of(table, APPROVE) is Code.TOO_LATE


def test_rejected_proposal_leaves_the_round_paused_and_can_be_made_again() -> None:
    table = committed_in(Phase.DECIDING_FLOP)
    table.do(CANCEL)
    assert refusal_of(table, RejectProposal("r1.1", "max", "no")) is Code.FORBIDDEN
    table.do(RejectProposal("r1.1", "mona", "nothing is wrong"))
    assert table.round.paused is not None
    assert refusal_of(table, APPROVE) is Code.TOO_LATE
    table.do(CANCEL)
    assert table.round.proposal is not None
    assert table.round.proposal.proposal_id == "r1.2"
    table.do(ApproveProposal("r1.2", "mona"))
    assert table.phase is Phase.CANCELLED


def test_proposal_lapses_when_the_round_is_resumed() -> None:
    table = committed_in(Phase.DECIDING_FLOP)
    table.do(CANCEL)
    table.do(Resume("mona"))
    assert table.round.proposal is None
    assert refusal_of(table, APPROVE) is Code.TOO_LATE
    table.do(STOP)
    assert refusal_of(table, APPROVE) is Code.TOO_LATE


def test_proposal_lapses_when_the_round_is_cancelled() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    table.do(correction())
    table.do(CancelRound("deck incomplete", "mona"))
    assert table.round.proposals[-1].outcome == "lapsed"
    assert refusal_of(table, APPROVE) is Code.TOO_LATE


@pytest.mark.parametrize(
    ("proposal_id", "code"),
    [("r1.2", Code.NOT_FOUND), ("nothing", Code.NOT_FOUND), ("r0.1", Code.TOO_LATE), ("", Code.NOT_FOUND)],
)
def test_unknown_proposal_is_refused(proposal_id: str, code: Code) -> None:
    table = committed_in(Phase.DECIDING_FLOP)
    table.do(CANCEL)
    commands: list[Command] = [ApproveProposal(proposal_id, "mona"), RejectProposal(proposal_id, "mona", "no")]
    for command in commands:
        assert refusal_of(table, command) is code


def test_repeated_proposal_is_the_same_one_and_another_has_to_wait() -> None:
    table = committed_in(Phase.DECIDING_FLOP)
    table.do(CANCEL)
    assert table.do(CANCEL) == []
    assert refusal_of(table, CancelRound("me too", "mona")) is Code.NOT_EXPECTED
    presented = table_in(Phase.DECIDING_FLOP)
    presented.do(STOP)
    presented.do(correction())
    assert presented.do(correction()) == []
    assert refusal_of(presented, correction("mona")) is Code.NOT_EXPECTED
    assert refusal_of(presented, CorrectCard("r1", "player_2", "Ah", "misread", "max")) is Code.NOT_EXPECTED


def test_approval_is_held_to_the_same_rules_as_the_correction() -> None:
    """The incident is classified as one without corrections while the proposal waits."""
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    table.do(correction())
    table.do(ReportProblem("card dropped", "pia", "card_dropped", ("resume", "cancel")))
    assert refusal_of(table, APPROVE) is Code.NOT_OFFERED


@pytest.mark.parametrize("phase", AFTER_A_WINDOW)
def test_nothing_changes_a_round_while_a_proposal_waits(phase: Phase) -> None:
    """So the second person approves what the first has proposed, and what the preview showed."""
    table = table_in(phase)
    table.do(STOP)
    table.do(correction())
    basis = (table.round.cards, table.round.seats, table.phase)
    table.now_ms += 3_600_000
    commands: list[Command] = [
        PlaceBet("r1", "ann", 1000, 0, RICH),
        WithdrawBet("ann"),
        *(Decide("r1", "ann", action, RICH) for action in Action),
        DealCard("r1", "2h", "pia"),
        UndoCard("r1", "pia"),
        CorrectCard("r1", "player_1", "Ah", "misread", "mona"),
        Advance(),
        Continue(are_here=True),
        STOP,
    ]
    for command in commands:
        with suppress(Refusal):
            table.do(command)
        assert (table.round.cards, table.round.seats, table.phase) == basis, command
    assert table.round.proposal is not None
