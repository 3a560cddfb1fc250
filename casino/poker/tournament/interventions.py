"""Interventions of staff: stop and continue a tournament, and refunds outside the published cases.

A stop is no break: it lasts until staff continue. Refunds outside the cases need two people and a reason.
"""

from casino.errors import Code, Refusal
from casino.poker.tournament.commands import (
    ApproveRefund,
    Cancel,
    Continue,
    ProposeRefund,
    RejectRefund,
    Stop,
)
from casino.poker.tournament.events import Continued, RefundProposed, RefundRejected, Stopped
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.records import RefundProposal
from casino.poker.tournament.refunds import cancel_tournament
from casino.poker.tournament.state import Status


def stop(journal: Journal, command: Stop) -> None:
    """The level clock stops, and no hand begins; running hands are finished."""
    if journal.state.status is not Status.RUNNING:
        raise Refusal(Code.NOT_OFFERED, "Only a running tournament can be paused. Change its start instead.")
    if journal.state.is_stopped:
        raise Refusal(Code.ALREADY_DECIDED, "The tournament is paused already.")
    journal.add(Stopped(command.reason, command.by, journal.now_ms))


def go_on(journal: Journal, command: Continue) -> None:
    if not journal.state.is_stopped:
        raise Refusal(Code.NOT_PAUSED, "The tournament is not paused.")
    journal.add(Continued(command.reason, command.by, journal.now_ms))


def propose_refund(journal: Journal, command: ProposeRefund) -> None:
    """Before the start the published case returns every entry already."""
    if journal.state.status is not Status.RUNNING:
        raise Refusal(Code.NOT_OFFERED, "Before the start every entry comes back: cancel the tournament.")
    if journal.state.proposal is not None:
        raise Refusal(Code.ALREADY_DECIDED, "A refund is proposed already. A second person has to answer it first.")
    journal.add(RefundProposed(command.reason, command.by, journal.now_ms))


def approve_refund(journal: Journal, command: ApproveRefund) -> None:
    """Cancels: each remaining player gets everything back that the player has paid."""
    proposal = _proposal(journal)
    if proposal.by == command.by:
        raise Refusal(Code.FORBIDDEN, "Another person has to approve your proposal.")
    by = f"{proposal.by}, {command.by}"
    cancel_tournament(journal, Cancel(proposal.reason, by), is_refunded_in_full=True)


def reject_refund(journal: Journal, command: RejectRefund) -> None:
    _proposal(journal)
    journal.add(RefundRejected(command.reason, command.by, journal.now_ms))


def _proposal(journal: Journal) -> RefundProposal:
    if journal.state.proposal is None:
        raise Refusal(Code.NOT_OFFERED, "No refund is proposed for this tournament.")
    return journal.state.proposal
