"""Registration for a tournament: entering, leaving, late registration, re-entry, rebuys and add-ons."""

from dataclasses import replace

from casino.errors import Code, Refusal
from casino.poker.tournament.balance import drawn
from casino.poker.tournament.commands import AddOn, CarryOver, Means, Rebuy, Register, Unregister
from casino.poker.tournament.entries import satellite_prizes
from casino.poker.tournament.events import CarriedOver, Registered, TableOpened, Unregistered
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.money_events import ChipsBought, RegistrationClosed
from casino.poker.tournament.prizes import places_paid, prizes_by_percent, prizes_by_weight
from casino.poker.tournament.records import EntrySeat, PauseReason
from casino.poker.tournament.state import Entry, Status, Tournament


def register(journal: Journal, command: Register) -> None:
    state = journal.state
    _check_entrant(state, command)
    price, stack = state.terms.price, state.terms.stack
    if state.terms.multi_buy_in and command.amount:
        price, stack = state.terms.multi_buy_in.priced(price, stack, command.amount)
    elif command.amount not in (0, price.total):
        raise Refusal(Code.BAD_REQUEST, "This tournament has one price.")
    seat = _late_seat(journal, command.entry_id) if state.status is Status.RUNNING else None
    journal.add(Registered(command.entry_id, command.player_id, command.means, price, stack, seat, journal.now_ms))


def _check_entrant(state: Tournament, command: Register) -> None:
    terms = state.terms
    if not state.is_open or terms.is_phase_two or state.status not in (Status.REGISTERING, Status.RUNNING):
        raise Refusal(Code.TOO_LATE, "Registration for this tournament is closed.")
    if command.entry_id in state.entries:
        raise Refusal(Code.KEY_REUSED, "There is an entry with this id already.")
    if len(state.entries) >= terms.entries_max:
        raise Refusal(Code.TABLE_FULL, "All entries of this tournament are taken.")
    if command.player_id in state.latest:
        if state.entries[state.latest[command.player_id]].out_no is None:
            raise Refusal(Code.ALREADY_DECIDED, "You are registered for this tournament.")
        taken = sum(entry.player_id == command.player_id for entry in state.entries.values())
        if taken > terms.reentries_max:
            raise Refusal(Code.NOT_OFFERED, "You have no re-entry left.")


def unregister(journal: Journal, command: Unregister) -> None:
    state, terms = journal.state, journal.state.terms
    entry = entry_of(state, command.entry_id)
    is_late = terms.unregister_ms is None or journal.now_ms > terms.starts_ms - terms.unregister_ms
    if state.status is not Status.REGISTERING or (is_late and not terms.is_sit_and_go):
        raise Refusal(Code.TOO_LATE, "It is too late to unregister.")
    if terms.is_phase_two:
        raise Refusal(Code.NOT_OFFERED, "You have entered with your flight, which has been played.")
    journal.add(Unregistered(entry.entry_id, entry.means, journal.now_ms))


def carry_over(journal: Journal, command: CarryOver) -> None:
    """Seat the survivors of flights; each player comes once."""
    players = {survivor.player_id for survivor in command.survivors}
    if not journal.state.terms.is_phase_two or journal.state.entries or len(players) != len(command.survivors):
        raise Refusal(Code.NOT_OFFERED, "Only an empty second phase takes survivors, and each player once.")
    if not command.survivors or command.field_entries < len(command.survivors):
        raise Refusal(Code.BAD_REQUEST, "A second phase needs a survivor, and a field that contains them all.")
    carried = CarriedOver(command.survivors, command.field_entries, command.pool, journal.now_ms, command.fees_earned)
    journal.add(carried)


def entry_of(state: Tournament, entry_id: str) -> Entry:
    if entry_id not in state.entries:
        raise Refusal(Code.NOT_FOUND, "There is no such entry.")
    return state.entries[entry_id]


def _late_seat(journal: Journal, entry_id: str) -> EntrySeat:
    """A seat at one of the smallest tables; a new table if all are full."""
    if journal.sizes.smallest == journal.state.terms.seats:
        journal.add(TableOpened(journal.state.last_table_no + 1, journal.now_ms))
    table_no = drawn(sorted(journal.sizes.tables_of(journal.sizes.smallest)), journal.pick)
    return journal.seat_at(table_no, entry_id)


def can_rebuy(state: Tournament, entry: Entry, now_ms: int) -> bool:
    rebuy = state.terms.rebuy
    if rebuy is None or not state.is_open or state.levels_played(now_ms) >= rebuy.levels:
        return False
    return rebuy.most is None or entry.rebuys < rebuy.most


def rebuy(journal: Journal, command: Rebuy) -> None:
    """More chips between two hands; a busted player gets the old seat if it is free, else one as a late entry."""
    state = journal.state
    entry = entry_of(state, command.entry_id)
    terms = state.terms.rebuy
    if terms is None or entry.out_no is not None or state.status is not Status.RUNNING:
        raise Refusal(Code.NOT_OFFERED, "There is no rebuy for you in this tournament.")
    if state.has_offer(command.entry_id, journal.now_ms):
        seat: EntrySeat | None = _old_seat(state, entry) or _late_seat(journal, entry.entry_id)
    elif not entry.chips or not can_rebuy(state, entry, journal.now_ms) or entry.table_no not in state.idle:
        raise Refusal(Code.NOT_OFFERED, "You can rebuy between two hands of the rebuy levels.")
    elif entry.chips > state.terms.stack:
        raise Refusal(Code.NOT_OFFERED, "You can rebuy with the starting stack or less.")
    else:
        seat = None
    journal.add(ChipsBought(entry.entry_id, "rebuy", terms.price, terms.chips, seat, journal.now_ms))


def _old_seat(state: Tournament, entry: Entry) -> EntrySeat | None:
    table = state.tables.get(entry.table_no) if entry.table_no is not None else None
    if table is None or entry.seat_no is None or entry.seat_no in table.seating.occupied:
        return None
    assert entry.table_no is not None
    return EntrySeat(entry.table_no, entry.seat_no, entry.entry_id)


def add_on(journal: Journal, command: AddOn) -> None:
    state = journal.state
    entry = entry_of(state, command.entry_id)
    terms, pause = state.terms.addon, state.pause
    is_pause = pause is not None and pause.reason is PauseReason.ADD_ON and pause.until_ms is not None
    if terms is None or not is_pause or not entry.chips or entry.has_added_on:
        raise Refusal(Code.NOT_OFFERED, "You can take one add-on, in the pause after the rebuy levels.")
    journal.add(ChipsBought(entry.entry_id, "add_on", terms.price, terms.chips, None, journal.now_ms))


def close_if_due(journal: Journal) -> None:
    """Close registration after its last level, or as soon as all players left are in the money."""
    state, terms = journal.state, journal.state.terms
    if not state.is_open or state.status is not Status.RUNNING:
        return
    is_over = state.levels_played(journal.now_ms) >= terms.registration_levels
    if is_over and terms.addon and not state.is_add_on_over:
        is_over = False
    if is_over or terms.is_phase_two or state.left <= len(prizes_if_closed(state).prizes):
        journal.add(replace(prizes_if_closed(state), at_ms=journal.now_ms))


def prizes_if_closed(state: Tournament) -> RegistrationClosed:
    """The prizes if registration closed now."""
    terms = state.terms
    if terms.flight_ends_level is not None:
        return RegistrationClosed((), 0, 0, 0)  # those of all flights are played for in the second phase
    if terms.ticket_value:
        tickets, rest, overlay = satellite_prizes(
            state.pool, terms.ticket_value, terms.seats_guaranteed, state.field_entries
        )
        return RegistrationClosed((terms.ticket_value,) * tickets + ((rest,) if rest else ()), tickets, overlay, 0)
    if terms.draw:
        prizes = prizes_by_percent(terms.draw.pool, terms.percents, len(state.entries))
        return RegistrationClosed(tuple(prizes), 0, terms.draw.pool - state.pool, 0)
    overlay = max(terms.guarantee - state.pool, 0)
    pool = state.pool + overlay + terms.added
    if terms.percents:
        prizes = prizes_by_percent(pool, terms.percents, len(state.entries))
        return RegistrationClosed(tuple(prizes), 0, overlay, 0)
    players_left = len(state.entries) if terms.is_phase_two else None
    places = places_paid(state.field_entries, terms.seats, terms.payouts, players_left=players_left)
    return RegistrationClosed(tuple(prizes_by_weight(pool, places, terms.payouts)), 0, overlay, 0)


def means_of_prize(state: Tournament, place: int) -> Means:
    return Means.TICKET if place <= state.tickets else Means.MONEY
