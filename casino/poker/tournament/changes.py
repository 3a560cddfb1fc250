"""Changes of a tournament's state that several events have in common."""

from dataclasses import replace

from casino.poker.tournament.records import BustRecord, EntrySeat
from casino.poker.tournament.state import Entry, Tournament, TournamentTable


def with_entry(state: Tournament, entry: Entry) -> Tournament:
    return state.changed(entries=state.entries.set(entry.entry_id, entry))


def with_table(state: Tournament, table_no: int, table: TournamentTable) -> Tournament:
    before = state.tables.get(table_no)
    sizes = state.sizes.changed(table_no, None if before is None else len(before.seats), len(table.seats))
    return state.changed(tables=state.tables.set(table_no, table), sizes=sizes)


def with_busts(state: Tournament, busts: tuple[BustRecord, ...]) -> Tournament:
    """With the knock-outs of one more hand. All hands of a synchronised round count as one."""
    if not busts:
        return state
    if state.busts and state.is_hand_for_hand:
        return state.changed(busts=(*state.busts[:-1], state.busts[-1] + busts))
    return state.changed(busts=(*state.busts, busts))


def without_bust(state: Tournament, entry_id: str) -> Tournament:
    hands = (tuple(bust for bust in busts if bust.entry_id != entry_id) for busts in state.busts)
    return state.changed(busts=tuple(filter(None, hands)))


def sit_down(state: Tournament, seat: EntrySeat) -> Tournament:
    table = state.tables[seat.table_no]
    seated = replace(table, seats=tuple(sorted((*table.seats, (seat.seat_no, seat.entry_id)))))
    entry = replace(state.entries[seat.entry_id], table_no=seat.table_no, seat_no=seat.seat_no)
    return with_entry(with_table(state, seat.table_no, seated), entry)


def stand_up(state: Tournament, entry: Entry) -> Tournament:
    """Without the entry at its table; the entry remembers where it sat."""
    assert entry.table_no is not None
    table = state.tables[entry.table_no]
    seats = tuple(pair for pair in table.seats if pair[1] != entry.entry_id)
    return with_table(state, entry.table_no, replace(table, seats=seats))
