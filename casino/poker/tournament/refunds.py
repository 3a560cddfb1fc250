"""Cancellation of a tournament, before or after its start."""

from casino.poker.tournament.cancel import Case, Interrupted, Kind, Remaining, cancel
from casino.poker.tournament.commands import Cancel, Means
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.knockouts import in_order, rank_busts
from casino.poker.tournament.money_events import Cancelled
from casino.poker.tournament.records import RefundRecord
from casino.poker.tournament.state import Status


def cancel_tournament(journal: Journal, command: Cancel, *, is_refunded_in_full: bool = False) -> None:
    """Refund by the published cases, or in full. Hands in progress are void: stacks are those of their start."""
    rank_busts(journal, is_cancelled=True)
    state, terms = journal.state, journal.state.terms
    remaining = [entry for entry in in_order(state) if entry.out_no is None]
    if not remaining:
        journal.add(Cancelled(command.reason, command.by, Case.NOT_STARTED, (), terms.added, journal.now_ms))
        return
    is_paid = len(remaining) <= len(state.prizes)
    kind = Kind.HEXAPRO if terms.draw else Kind.SNG if terms.is_sit_and_go else Kind.MTT
    has_started = state.status is Status.RUNNING or terms.is_phase_two  # its flights have been played
    refunds = cancel(
        Interrupted(
            kind,
            has_started,
            tuple(
                Remaining(
                    entry.entry_id,
                    entry.chips,
                    entry.price.pool,
                    terms.draw.fee if terms.draw and has_started else entry.price.fee,
                    entry.head,
                    entry.means is Means.TICKET,
                )
                for entry in remaining
            ),
            state.pool,
            terms.added + state.overlay,
            len(state.prizes),
            max(len(state.tables), 1),
            freeroll=terms.is_freeroll,
            prizes_left=state.prizes[: len(remaining)] if is_paid or terms.draw else (),
            is_refunded_in_full=is_refunded_in_full,
        )
    )
    records = tuple(
        RefundRecord(entry_id, refund.fees, refund.share, refund.bounty, refund.ticket)
        for entry_id, refund in refunds.refunds.items()
    )
    journal.add(Cancelled(command.reason, command.by, refunds.case, records, refunds.to_house, journal.now_ms))
