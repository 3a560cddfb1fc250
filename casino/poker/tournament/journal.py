"""Events of one decision, each applied at once, so that later rules see the state after it."""

from casino.poker.tournament.balance import Pick, Seating, Sizes, seat_for
from casino.poker.tournament.events import Event
from casino.poker.tournament.records import EntrySeat
from casino.poker.tournament.replay import evolve
from casino.poker.tournament.state import Tournament


class Journal:
    def __init__(self, state: Tournament, now_ms: int, pick: Pick) -> None:
        self.state = state
        self.now_ms = now_ms
        self.pick = pick
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)

    @property
    def sizes(self) -> Sizes:
        return self.state.sizes

    def seating(self, table_no: int) -> Seating:
        return self.state.tables[table_no].seating

    def seat_at(self, table_no: int, entry_id: str) -> EntrySeat:
        return EntrySeat(table_no, seat_for(self.seating(table_no), self.state.terms.seats, self.pick), entry_id)
