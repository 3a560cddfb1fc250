"""Proposals, the decisions of two people: a manager proposes, another manager or finance approves or rejects.

Two people cancel a machine-dealt round once cards are out, and correct a scanned card once a player has decided or a
decision window has closed. The round stays paused until then, so that nothing changes what was proposed. A proposal
belongs to its round: it lapses when the round is resumed or ends.
"""

from typing import Final, Literal

from casino.errors import Code, Refusal
from casino.uth import incidents
from casino.uth.commands import ApproveProposal, CancelRound, CorrectCard, RejectProposal, ReportProblem, SwapCards
from casino.uth.events import CardCorrected, CardsSwapped, Event, ProposalApproved, ProposalMade, ProposalRejected
from casino.uth.phases import Phase
from casino.uth.state import Proposal, Round

CANCEL: Final = "cancel_round"
CORRECT: Final = "correct_card"
SWAP: Final = "swap_cards"
_COURSE: Final = tuple(Phase)


def is_cancelling_for_two(round_: Round) -> bool:
    """One person who sees the cards of a committed deck must not decide alone that they do not count."""
    return round_.commitment is not None and bool(round_.cards) and not round_.is_over


def is_correcting_for_two(round_: Round) -> bool:
    """Whether a player has decided on the cards that are out, or some decision window of the round has closed."""
    is_decided = any(seat.answers for seat in round_.seats.values())
    return is_decided or _COURSE.index(round_.phase) > _COURSE.index(Phase.DECIDING_PREFLOP)


def propose_cancel(round_: Round, command: CancelRound, now_ms: int) -> list[Event]:
    """Pauses the round unless it is paused already."""
    incidents.verify_open(round_, command.incident_id)
    incidents.verify_running(round_)
    if _is_repeated(round_, CANCEL, command.by):
        return []
    made = ProposalMade(_next_id(round_), CANCEL, None, None, command.reason, command.by, now_ms)
    if round_.paused:
        return [made]
    return [*incidents.report_problem(round_, ReportProblem(command.reason, command.by), now_ms), made]


def correct_or_propose(round_: Round, command: CorrectCard | SwapCards, now_ms: int) -> list[Event]:
    """A swap of two cards is a correction too, by the same rules."""
    change: CardCorrected | CardsSwapped
    if isinstance(command, SwapCards):
        change, other_slot = incidents.swap_cards(round_, command, now_ms), command.other_slot
    else:
        change, other_slot = incidents.correct_card(round_, command, now_ms), None
    if not is_correcting_for_two(round_):
        return [change]
    slot, card = change.slot, change.card
    proposes: Literal["correct_card", "swap_cards"] = SWAP if other_slot else CORRECT
    if _is_repeated(round_, proposes, command.by, (slot, card, other_slot)):
        return []
    id_ = _next_id(round_)
    return [ProposalMade(id_, proposes, slot, card, command.reason, command.by, now_ms, other_slot)]


def approve(round_: Round, command: ApproveProposal, now_ms: int) -> list[Event]:
    """Executes the proposal, under the same rules as if one person could do it."""
    proposal = _answerable(round_, command.proposal_id, command.by)
    if proposal.proposes == CANCEL:
        effect = incidents.cancel_round(round_, CancelRound(proposal.reason, proposal.by), now_ms)
    else:
        effect = [_correction(round_, proposal, now_ms)]
    return [ProposalApproved(proposal.proposal_id, proposal.by, command.by, now_ms), *effect]


def _correction(round_: Round, proposal: Proposal, now_ms: int) -> CardCorrected | CardsSwapped:
    slot, card, other_slot = proposal.slot, proposal.card, proposal.other_slot
    assert slot is not None
    assert card is not None
    if other_slot is not None:
        swap = SwapCards(round_.round_id, slot, other_slot, proposal.reason, proposal.by)
        return incidents.swap_cards(round_, swap, now_ms)
    correction = CorrectCard(round_.round_id, slot, card, proposal.reason, proposal.by)
    return incidents.correct_card(round_, correction, now_ms)


def reject(round_: Round, command: RejectProposal, now_ms: int) -> list[Event]:
    """The round stays paused, for a manager to resume it or to propose something else."""
    proposal = _answerable(round_, command.proposal_id, command.by)
    return [ProposalRejected(proposal.proposal_id, proposal.by, command.reason, command.by, now_ms)]


def round_id_of(proposal_id: str) -> str:
    """The round a proposal belongs to; empty if this is the id of no proposal."""
    return proposal_id.rpartition(".")[0]


def _next_id(round_: Round) -> str:
    return f"{round_.round_id}.{len(round_.proposals) + 1}"


def _is_repeated(
    round_: Round, proposes: str, by: str, change: tuple[str | None, str | None, str | None] = (None, None, None)
) -> bool:
    """Repeating a proposal changes nothing; another one has to wait until the first is answered."""
    waiting = round_.proposal
    if waiting is None:
        return False
    known = (waiting.slot, waiting.card, waiting.other_slot)
    if (waiting.proposes, waiting.by, known) == (proposes, by, change):
        return True
    raise Refusal(Code.NOT_EXPECTED, f"A proposal by {waiting.by} is open. Approve or reject it first.")


def _answerable(round_: Round, proposal_id: str, by: str) -> Proposal:
    known = next((one for one in round_.proposals if one.proposal_id == proposal_id), None)
    if known is None:
        if round_id_of(proposal_id) in ("", round_.round_id):
            raise Refusal(Code.NOT_FOUND, "This proposal does not exist. Reload the list.")
        raise Refusal(Code.TOO_LATE, "The round of this proposal is over.")
    if known.outcome == "lapsed":
        raise Refusal(Code.TOO_LATE, "This proposal ended when the round was resumed or finished.")
    if known.outcome != "open":
        raise Refusal(Code.TOO_LATE, f"{known.answered_by} has already {known.outcome} this proposal.")
    if known.by == by:
        raise Refusal(Code.FORBIDDEN, "Another manager or finance has to answer your proposal.")
    return known
