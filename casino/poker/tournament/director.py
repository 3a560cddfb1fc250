"""Tournament director as pure rules: `decide` and `evolve` for seats, hands, levels, pauses, moves and the end.

A table plays a hand only after `HandDealt`, and reports with `HandDone`. Between the two no player is moved.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from casino.errors import Code, Refusal
from casino.poker.positions import LastHand, NextHand, Table, next_positions
from casino.poker.tournament.balance import (
    Pick,
    balancing_move,
    breaking_moves,
    first_seating,
    table_to_break,
)
from casino.poker.tournament.bounty import eliminators
from casino.poker.tournament.commands import (
    AddOn,
    ApproveRefund,
    Cancel,
    CarryOver,
    Change,
    Command,
    Continue,
    Decline,
    Disqualify,
    HandDone,
    ProposeRefund,
    Rebuy,
    Register,
    RejectRefund,
    Resume,
    Start,
    Stop,
    TimePasses,
    Unregister,
)
from casino.poker.tournament.events import (
    Announced,
    Changed,
    Event,
    HandDealt,
    HandEnded,
    PauseDue,
    PauseEnded,
    PlayerMoved,
    Started,
    TableClosed,
)
from casino.poker.tournament.interventions import (
    approve_refund,
    go_on,
    propose_refund,
    reject_refund,
    stop,
)
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.knockouts import (
    carry_out_disqualifications,
    decline,
    disqualify,
    end_flight,
    finish_if_over,
    pay_vips,
    rank_and_close,
    rank_busts,
)
from casino.poker.tournament.pauses import pause_if_due
from casino.poker.tournament.records import BustRecord, EntrySeat, PauseReason
from casino.poker.tournament.refunds import cancel_tournament
from casino.poker.tournament.registration import add_on, carry_over, rebuy, register, unregister
from casino.poker.tournament.replay import begin, evolve
from casino.poker.tournament.state import Status, Tournament, TournamentTable
from casino.poker.tournament.terms import TournamentTerms

__all__ = ["announce", "begin", "decide", "evolve"]

FIRST_HAND_PLAYERS: Final = 3
"""A table opened for late entrants waits for this many players."""


def announce(terms: TournamentTerms, now_ms: int) -> Announced:
    return Announced(terms, now_ms)


def decide(state: Tournament, command: Command, now_ms: int, pick: Pick) -> list[Event]:
    """The events a command causes, with everything that follows from it. Raises `Refusal` and changes nothing."""
    journal = Journal(state, now_ms, pick)
    if state.status in (Status.FINISHED, Status.CANCELLED):
        raise Refusal(Code.TOO_LATE, "The tournament is over.")
    _HANDLERS[type(command)](journal, command)
    if journal.state.status is Status.RUNNING:
        _go_on(journal)
    return journal.events


def _go_on(journal: Journal) -> None:
    """Everything that is due: offers that end, the close of registration, pauses, moves, and the next hands."""
    rank_and_close(journal)
    carry_out_disqualifications(journal)
    pay_vips(journal)
    finish_if_over(journal)
    if journal.state.status is not Status.RUNNING:
        return
    pause_if_due(journal)
    _move_players(journal)
    _deal(journal)


def _start(journal: Journal, _command: Start) -> None:
    state, terms = journal.state, journal.state.terms
    if state.status is not Status.REGISTERING:
        raise Refusal(Code.NOT_OFFERED, "The tournament has started.")
    if len(state.entries) < (2 if terms.is_phase_two else terms.entries_min):
        cancel_tournament(journal, Cancel("too few entries", "house"))
        return
    seated = first_seating([*sorted(state.entries)], terms.seats, journal.pick)
    seats = [EntrySeat(no, seat, entry_id) for no, table in seated.items() for seat, entry_id in table.items()]
    journal.add(Started(tuple(sorted(seats)), journal.now_ms))


def _hand_done(journal: Journal, command: HandDone) -> None:
    state = journal.state
    table = state.tables.get(command.table_no)
    if table is None or command.table_no in state.idle:
        raise Refusal(Code.NOT_EXPECTED, "This table plays no hand.")
    by_seat = dict(table.seats)
    starts = {seat_no: state.entries[by_seat[seat_no]].chips for seat_no in table.dealt_in}
    ends = dict(command.stacks)
    if ends.keys() != starts.keys() or min(ends.values()) < 0 or sum(ends.values()) != sum(starts.values()):
        raise Refusal(Code.BAD_REQUEST, "Chips are neither made nor lost in a hand.")
    if command.is_void and ends != starts:
        raise Refusal(Code.BAD_REQUEST, "After a void hand every player has the stack from its start.")
    busts = tuple(
        BustRecord(
            by_seat[seat_no],
            starts[seat_no],
            tuple(by_seat[winner] for winner in eliminators(command.awards, seat_no) if winner != seat_no),
        )
        for seat_no, chips in sorted(ends.items())
        if not chips
    )
    stacks = tuple(sorted(command.stacks))
    journal.add(HandEnded(command.table_no, command.is_void, stacks, busts, journal.now_ms))
    rank_busts(journal)
    for entry_id in command.rebuys:
        with suppress(Refusal):
            rebuy(journal, Rebuy(entry_id))


def _move_players(journal: Journal) -> None:
    """Break and balance tables that are between two hands. Near the money all tables must be."""
    if journal.state.is_hand_for_hand and not journal.state.is_all_idle:
        return
    seats = journal.state.terms.seats
    while True:
        broken = table_to_break(journal.sizes, seats)
        if broken is not None and broken in journal.state.idle:
            for breaking in breaking_moves(journal.seating, journal.sizes, broken, seats, journal.pick):
                _move(journal, *breaking)
            journal.add(TableClosed(broken, journal.now_ms))
        elif broken is None and (
            move := balancing_move(journal.seating, journal.sizes, journal.state.idle, seats, journal.pick)
        ):
            _move(journal, *move)
        else:
            return


def _move(journal: Journal, from_table: int, from_seat: int, to_table: int, to_seat: int) -> None:
    entry_id = dict(journal.state.tables[from_table].seats)[from_seat]
    journal.add(PlayerMoved(entry_id, to_table, to_seat, journal.now_ms))


def _deal(journal: Journal) -> None:
    state, now_ms = journal.state, journal.now_ms
    if state.pause is not None or state.is_stopped or (state.is_hand_for_hand and not state.is_all_idle):
        return
    ends = state.terms.flight_ends_level
    if ends is not None and state.levels_played(now_ms) >= ends:
        if state.is_all_idle:
            end_flight(journal)
        return
    for table_no in sorted(state.idle):
        table = state.tables[table_no]
        waits_for_more = table.is_late and not table.dealt_in and state.is_open
        if len(table.seats) >= (FIRST_HAND_PLAYERS if waits_for_more else 2):
            hand = _positions(table, state.terms.seats)
            journal.add(HandDealt(table_no, state.level(now_ms), hand.positions, hand.dealt_in, now_ms))


def _positions(table: TournamentTable, seats: int) -> NextHand:
    occupied = table.seating.occupied
    last = LastHand(table.last_bb, frozenset(table.dealt_in)) if table.last_bb is not None else None
    return next_positions(Table(seats, occupied, occupied, last, is_tournament=True))


def _register(journal: Journal, command: Register) -> None:
    rank_and_close(journal)
    register(journal, command)


def _rebuy(journal: Journal, command: Rebuy) -> None:
    rank_and_close(journal)
    rebuy(journal, command)


def _change(journal: Journal, command: Change) -> None:
    """New terms before the start. Paid-for terms stay: price, chips, game and the kind of event."""
    state, terms = journal.state, command.terms
    if state.status is not Status.REGISTERING:
        raise Refusal(Code.TOO_LATE, "The tournament has started.")
    if terms.tournament_id != state.terms.tournament_id:
        raise Refusal(Code.BAD_REQUEST, "A tournament keeps its id.")
    if state.entries and _paid_for(terms) != _paid_for(state.terms):
        raise Refusal(Code.NOT_OFFERED, "Players have entered on the old terms: cancel the tournament instead.")
    if len(state.entries) > terms.entries_max:
        raise Refusal(Code.BAD_REQUEST, "There are more entries already.")
    journal.add(Changed(terms, command.reason, command.by, journal.now_ms))


def _paid_for(terms: TournamentTerms) -> tuple[Any, ...]:
    kind = (terms.ticket_value, terms.flight_ends_level, terms.is_phase_two, terms.is_sit_and_go, terms.draw)
    return terms.game, terms.price, terms.stack, terms.multi_buy_in, terms.bounty, *kind


def _resume(journal: Journal, command: Resume) -> None:
    """The time of the standstill counts for no level. A break that was running goes on to its end."""
    state = journal.state
    if state.status is Status.RUNNING and state.pause is None and not state.is_stopped:
        journal.add(PauseDue(PauseReason.RESTART, command.stopped_ms, journal.now_ms))
        journal.add(PauseEnded(journal.now_ms))


def _nothing(journal: Journal, command: TimePasses) -> None:
    """Time has passed: everything else follows from that."""


_HANDLERS: Final[dict[type[Command], Callable[[Journal, Any], None]]] = {
    Register: _register,
    Unregister: unregister,
    CarryOver: carry_over,
    Start: _start,
    HandDone: _hand_done,
    Rebuy: _rebuy,
    Change: _change,
    AddOn: add_on,
    Decline: decline,
    Disqualify: disqualify,
    Stop: stop,
    Continue: go_on,
    Cancel: cancel_tournament,
    ProposeRefund: propose_refund,
    ApproveRefund: approve_refund,
    RejectRefund: reject_refund,
    TimePasses: _nothing,
    Resume: _resume,
}
