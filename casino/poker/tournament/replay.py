"""The effect of each event on a tournament. Nothing is checked here: an event has happened."""

from dataclasses import replace

from casino.poker.tournament.balance import Sizes
from casino.poker.tournament.changes import sit_down, stand_up, with_busts, with_entry, with_table, without_bust
from casino.poker.tournament.commands import Means
from casino.poker.tournament.entries import Price
from casino.poker.tournament.events import (
    Announced,
    CarriedOver,
    Changed,
    Continued,
    DisqualificationOrdered,
    Eliminated,
    Event,
    Finished,
    FlightEnded,
    HandDealt,
    HandEnded,
    PauseBegan,
    PauseDue,
    PauseEnded,
    PlayerMoved,
    RebuyDeclined,
    RebuyOffered,
    RefundProposed,
    RefundRejected,
    Registered,
    Started,
    Stopped,
    TableClosed,
    TableOpened,
    Unregistered,
)
from casino.poker.tournament.money_events import (
    BountyPaid,
    Cancelled,
    ChipsBought,
    PrizeAwarded,
    PrizeHeld,
    RegistrationClosed,
    VipPaid,
)
from casino.poker.tournament.records import EntrySeat, PauseReason, RefundProposal
from casino.poker.tournament.state import Entry, Pause, Status, Tournament, TournamentTable


def begin(event: Announced) -> Tournament:
    return Tournament(event.terms)


def evolve(state: Tournament, event: Event) -> Tournament:  # noqa: C901, PLR0912  one case per event
    """The tournament after the event."""
    match event:
        case Announced():
            return begin(event)
        case Changed():
            return state.changed(terms=event.terms)
        case Registered():
            return _registered(state, event)
        case Unregistered():
            return _unregistered(state, event)
        case CarriedOver():
            return _carried_over(state, event)
        case Started():
            return _started(state, event)
        case TableOpened():
            return with_table(state, event.table_no, TournamentTable(is_late=True)).changed(
                idle=state.idle | {event.table_no}, last_table_no=event.table_no
            )
        case TableClosed():
            sizes = state.sizes.changed(event.table_no, len(state.tables[event.table_no].seats), None)
            return state.changed(
                tables=state.tables.delete(event.table_no), sizes=sizes, idle=state.idle - {event.table_no}
            )
        case HandDealt():
            table = state.tables[event.table_no]
            table = replace(table, last_bb=event.positions.big_blind, bb_before=table.last_bb, dealt_in=event.dealt_in)
            tables = state.tables.set(event.table_no, table)
            return state.changed(tables=tables, idle=state.idle - {event.table_no})
        case HandEnded():
            return _hand_ended(state, event)
        case PlayerMoved():
            entry = state.entries[event.entry_id]
            return sit_down(stand_up(state, entry), EntrySeat(event.to_table, event.to_seat, event.entry_id))
        case RebuyOffered():
            entry = replace(state.entries[event.entry_id], offer_until_ms=event.until_ms)
            return with_entry(state, entry)
        case RebuyDeclined():
            return with_entry(state, replace(state.entries[event.entry_id], offer_until_ms=event.at_ms))
        case ChipsBought():
            return _chips_bought(state, event)
        case DisqualificationOrdered():
            return state.changed(ordered_out=state.ordered_out | {event.entry_id})
        case Eliminated():
            return _eliminated(state, event)
        case BountyPaid():
            return _bounty_paid(state, event)
        case VipPaid():
            return state.changed(vip_busts=state.vip_busts.delete(event.player_id))
        case RegistrationClosed():
            return state.changed(is_open=False, prizes=event.prizes, tickets=event.tickets, overlay=event.overlay)
        case PrizeAwarded():
            entry = state.entries[event.entry_id]
            return with_entry(state, replace(entry, prize=entry.prize + event.amount)).changed(
                credited=state.credited + event.amount
            )
        case PrizeHeld():
            return state.changed(held=state.held + event.amount)
        case PauseDue():
            return state.changed(
                pause=Pause(event.reason),
                clock_ms=state.running_ms(event.stopped_ms),
                clock_from_ms=None,
                paused_at_ms=event.stopped_ms,
            )
        case PauseBegan():
            assert state.pause is not None
            return state.changed(pause=replace(state.pause, until_ms=event.until_ms))
        case PauseEnded():
            assert state.pause is not None
            is_over = state.is_add_on_over or state.pause.reason is PauseReason.ADD_ON
            from_ms = None if state.is_stopped else event.at_ms
            return state.changed(pause=None, clock_from_ms=from_ms, is_add_on_over=is_over)
        case Stopped():
            return state.changed(is_stopped=True, clock_ms=state.running_ms(event.at_ms), clock_from_ms=None)
        case Continued():
            from_ms = event.at_ms if state.pause is None else None
            return state.changed(is_stopped=False, clock_from_ms=from_ms, paused_at_ms=event.at_ms)
        case RefundProposed():
            return state.changed(proposal=RefundProposal(event.reason, event.by))
        case RefundRejected():
            return state.changed(proposal=None)
        case FlightEnded() | Finished():
            return state.changed(status=Status.FINISHED)
    assert isinstance(event, Cancelled)
    return state.changed(status=Status.CANCELLED)


def _registered(state: Tournament, event: Registered) -> Tournament:
    number = state.last_entry_no + 1
    entry = Entry(event.entry_id, event.player_id, event.means, event.price, number, event.stack, event.price.bounty)
    state = with_entry(state, entry).changed(
        last_entry_no=number,
        latest=state.latest.set(event.player_id, event.entry_id),
        field_entries=state.field_entries + 1,
        pool=state.pool + event.price.pool,
        fees=state.fees + event.price.fee,
        chips=state.chips + event.stack,
    )
    if event.player_id in state.vip_busts:
        state = state.changed(vip_busts=state.vip_busts.delete(event.player_id))
    return sit_down(state, event.seat) if event.seat else state


def _unregistered(state: Tournament, event: Unregistered) -> Tournament:
    entry = state.entries[event.entry_id]
    return state.changed(
        entries=state.entries.delete(event.entry_id),
        latest=state.latest.delete(entry.player_id),
        field_entries=state.field_entries - 1,
        pool=state.pool - entry.price.pool,
        fees=state.fees - entry.price.fee,
        chips=state.chips - entry.chips,
    )


def _carried_over(state: Tournament, event: CarriedOver) -> Tournament:
    entries = state.entries
    for number, survivor in enumerate(event.survivors, start=1):
        price = Price(0, survivor.fees)
        entry = Entry(survivor.entry_id, survivor.player_id, Means.MONEY, price, number, survivor.stack)
        entries = entries.set(survivor.entry_id, entry)
    return state.changed(
        entries=entries,
        latest=state.latest.update({survivor.player_id: survivor.entry_id for survivor in event.survivors}),
        last_entry_no=len(event.survivors),
        field_entries=event.field_entries,
        pool=event.pool,
        fees=sum(survivor.fees for survivor in event.survivors),
        chips=sum(survivor.stack for survivor in event.survivors),
    )


def _started(state: Tournament, event: Started) -> Tournament:
    seats: dict[int, list[tuple[int, str]]] = {}
    entries = state.entries.mutate()
    for table_no, seat_no, entry_id in event.seats:
        seats.setdefault(table_no, []).append((seat_no, entry_id))
        entries[entry_id] = replace(entries[entry_id], table_no=table_no, seat_no=seat_no)
    tables = state.tables.update({no: TournamentTable(tuple(sorted(there))) for no, there in seats.items()})
    return state.changed(
        status=Status.RUNNING,
        entries=entries.finish(),
        tables=tables,
        sizes=Sizes.of({no: len(there) for no, there in seats.items()}),
        idle=frozenset(seats),
        last_table_no=max(seats),
        clock_from_ms=event.at_ms,
        paused_at_ms=event.at_ms,
    )


def _hand_ended(state: Tournament, event: HandEnded) -> Tournament:
    table = state.tables[event.table_no]
    by_seat = dict(table.seats)
    entries = state.entries
    for seat_no, chips in event.stacks:
        entries = entries.set(by_seat[seat_no], replace(entries[by_seat[seat_no]], chips=chips))
    out = {bust.entry_id for bust in event.busts}
    seats = tuple(pair for pair in table.seats if pair[1] not in out)
    last_bb = table.bb_before if event.is_void else table.last_bb
    state = with_busts(state, event.busts).changed(entries=entries, idle=state.idle | {event.table_no})
    return with_table(state, event.table_no, replace(table, seats=seats, last_bb=last_bb))


def _chips_bought(state: Tournament, event: ChipsBought) -> Tournament:
    entry = state.entries[event.entry_id]
    paid = Price(entry.price.pool + event.price.pool, entry.price.fee + event.price.fee)
    is_rebuy = event.reason == "rebuy"
    entry = replace(
        entry,
        price=paid,
        chips=entry.chips + event.chips,
        rebuys=entry.rebuys + is_rebuy,
        has_added_on=entry.has_added_on or not is_rebuy,
        offer_until_ms=None,
    )
    state = with_entry(without_bust(state, event.entry_id), entry).changed(
        pool=state.pool + event.price.pool,
        fees=state.fees + event.price.fee,
        chips=state.chips + event.chips,
    )
    return sit_down(state, event.seat) if event.seat else state


def _eliminated(state: Tournament, event: Eliminated) -> Tournament:
    entry = state.entries[event.entry_id]
    if event.disqualified:
        state = stand_up(state, entry).changed(chips=state.chips - entry.chips)
    bust = next((bust for busts in state.busts for bust in busts if bust.entry_id == event.entry_id), None)
    vips = dict(state.terms.vips)
    if bust is not None and bust.eliminators and entry.player_id in vips:
        state = state.changed(vip_busts=state.vip_busts.set(entry.player_id, bust))
    entry = replace(
        entry,
        chips=0,
        out_no=event.out_no,
        is_disqualified=event.disqualified,
        table_no=None,
        seat_no=None,
        offer_until_ms=None,
    )
    ordered_out = state.ordered_out - {event.entry_id}
    return with_entry(without_bust(state, event.entry_id), entry).changed(out=state.out + 1, ordered_out=ordered_out)


def _bounty_paid(state: Tournament, event: BountyPaid) -> Tournament:
    victim = state.entries[event.entry_id]
    state = with_entry(state, replace(victim, head=victim.head - event.amount - event.to_head))
    winner = state.entries[event.eliminator]
    return with_entry(state, replace(winner, head=winner.head + event.to_head)).changed(
        heads_paid=state.heads_paid + event.amount
    )
