"""Pauses of a tournament: synchronised breaks, and the pause for add-ons."""

from casino.poker.tournament.events import PauseBegan, PauseDue, PauseEnded
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.knockouts import rank_and_close
from casino.poker.tournament.records import PauseReason
from casino.poker.tournament.state import Tournament
from casino.poker.tournament.structure import HOUR_MS, next_break_ms
from casino.poker.tournament.terms import ADD_ON_MS


def pause_if_due(journal: Journal) -> None:
    """Stop the level clock when a pause is due; begin it when all tables have finished; end it in time.

    The add-on pause also waits for the last rebuy offer. So no knock-out can close registration, and with it the
    prizes, while some players have taken an add-on and others have not. If registration closes before the pause
    begins, there is no add-on for anybody.
    """
    state = journal.state
    if state.pause is None and not state.is_stopped and (due := _due_pause(state, journal.now_ms)):
        journal.add(PauseDue(due[0], due[1], journal.now_ms))
        state = journal.state
    pause = state.pause
    if pause is None:
        return
    is_add_on = pause.reason is PauseReason.ADD_ON
    is_over = pause.until_ms is not None and journal.now_ms >= pause.until_ms
    if is_over or (is_add_on and not state.is_open):
        journal.add(PauseEnded(journal.now_ms))
        rank_and_close(journal)
    elif pause.until_ms is None and state.is_all_idle and not (is_add_on and state.busts):
        length = ADD_ON_MS if is_add_on else state.terms.break_ms
        journal.add(PauseBegan(journal.now_ms + length, journal.now_ms))


def _due_pause(state: Tournament, now_ms: int) -> tuple[PauseReason, int] | None:
    """The add-on pause after the rebuy levels, or a break at 55 minutes past the hour, but never in level 1."""
    terms = state.terms
    if terms.addon and terms.rebuy and state.is_open and not state.is_add_on_over:
        over_ms = state.running_ms(now_ms) - terms.rebuy.levels * terms.structure.level_ms
        if over_ms >= 0:
            return PauseReason.ADD_ON, now_ms - over_ms
    if not terms.sync_breaks:
        return None
    next_ms = next_break_ms(now_ms)
    due_ms = now_ms if next_ms == now_ms else next_ms - HOUR_MS
    if due_ms > state.paused_at_ms and state.level(due_ms) > 1:
        return PauseReason.BREAK, due_ms
    return None
