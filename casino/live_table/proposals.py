"""Views of proposals about a running round, for consoles and the back office."""

import contextlib
from collections.abc import Sequence
from typing import Literal, Protocol

from casino.errors import Refusal
from casino.live_table.messages import PreviewCancel
from casino.settings import TableSettings
from casino.uth.events import Event, ProposalMade
from casino.uth.proposals import CANCEL, CORRECT, SWAP
from casino.uth.state import Round
from casino.wire import host_events
from casino.wire.floor import OpenProposal, PublishedState
from casino.wire.outbound import Payload


def view(round_: Round | None, settings: TableSettings) -> host_events.Proposal | None:
    """Returns the proposal that waits for a second person, and its deadline."""
    proposal = round_.proposal if round_ else None
    if round_ is None or proposal is None:
        return None
    proposes: Literal["cancel_round", "correct_card", "swap_cards"] = CANCEL
    if proposal.proposes != CANCEL:
        proposes = SWAP if proposal.other_slot else CORRECT
    dealt = dict(zip(round_.slots, round_.cards, strict=False))
    return {
        "proposal_id": proposal.proposal_id,
        "proposes": proposes,
        "slot": proposal.slot,
        "was": dealt.get(proposal.slot) if proposal.slot else None,
        "card": proposal.card,
        "other_slot": proposal.other_slot,
        "reason": proposal.reason,
        "proposed_by": proposal.by,
        "proposed_at": proposal.at_ms,
        "expires_at": proposal.at_ms + round(settings.seconds.resume_within * 1000),
    }


async def open_proposal(table: "ProposalTable", state: PublishedState, proposal: host_events.Proposal) -> OpenProposal:
    """Returns a proposal for a person without a console: with its round, and every balance it would change."""
    round_id, game_number = state["round_id"], state["game_number"]
    assert round_id is not None
    assert game_number is not None
    open_view: OpenProposal = {
        "table_id": state["table_id"],
        "round_id": round_id,
        "game_number": game_number,
        "phase": state["phase"],
        **proposal,
        "moves": [],
        "totals": [],
    }
    if proposal["proposes"] == CANCEL:
        with contextlib.suppress(Refusal):  # answered a moment ago
            moved = await table.ask(PreviewCancel())
            open_view["moves"], open_view["totals"] = moved["moves"], moved["totals"]
    return open_view


class ProposalTable(Protocol):
    """A running table that accepts messages."""

    async def ask(self, message: PreviewCancel) -> Payload: ...


def pending_reply(round_: Round | None, events: Sequence[Event]) -> host_events.Decided:
    """Returns the reply to a manager's cancellation or correction: done, or waiting for a second person."""
    made = next((event.proposal_id for event in events if isinstance(event, ProposalMade)), None)
    if made is None and not events and round_ and round_.proposal:
        made = round_.proposal.proposal_id  # repeats an earlier proposal
    return {"pending": made is not None, "proposal_id": made}
