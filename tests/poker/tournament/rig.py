"""Tournament for rule tests: commands in, events kept, hands decided by naming their losers."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from casino.errors import Code, Refusal
from casino.poker.state import Award
from casino.poker.terms import Game
from casino.poker.tournament.commands import Command, HandDone, Register, SeatChips, Start
from casino.poker.tournament.director import announce, begin, decide, evolve
from casino.poker.tournament.entries import Price
from casino.poker.tournament.events import Event, dump_event, load_event
from casino.poker.tournament.state import Entry, Tournament
from casino.poker.tournament.terms import TournamentTerms
from tests.poker.tournament.published import RULES

MINUTE = 60_000
START = 1_800_000_000_000 // 3_600_000 * 3_600_000
"""A full hour."""

TERMS = TournamentTerms(
    "t1",
    "Test",
    Game.NLHE,
    6,
    Price(900, 100),
    RULES.structures.structure("regular"),
    5000,
    START,
    late_levels=0,
    entries_min=2,
)
E = TypeVar("E", bound=Event)


class Rig:
    """Plays a tournament by command, and proves on the way that its events rebuild it."""

    def __init__(self, players: int = 0, **terms: Any) -> None:  # noqa: ANN401  fields of the terms
        self.events: list[Event] = []
        self.now = START
        self.chance = random.Random(1)
        first = announce(replace(TERMS, **terms), START)
        self.events.append(first)
        self.state: Tournament = begin(first)
        for number in range(1, players + 1):
            self.do(Register(f"e{number}", f"p{number}"))

    def do(self, command: Command) -> list[Event]:
        events = decide(self.state, command, self.now, self.chance.randrange)
        for event in events:
            self.state = evolve(self.state, event)
        self.events += events
        self.check()
        return events

    def refused(self, command: Command) -> Code:
        before = self.state
        try:
            decide(self.state, command, self.now, self.chance.randrange)
        except Refusal as refusal:
            assert self.state is before
            return refusal.code
        raise AssertionError("the command was taken")

    def start(self) -> "Rig":
        self.do(Start())
        return self

    def bust(self, *out: str, table: int | None = None, rebuys: tuple[str, ...] = ()) -> list[Event]:
        """A hand at their table in which these entries lose everything to the first other player there."""
        table_no = self.entry(out[0]).table_no if table is None else table
        assert table_no is not None
        seated = dict(self.state.tables[table_no].seats)
        dealt = [seat for seat in self.state.tables[table_no].dealt_in if seat in seated]
        winner = next(seat for seat in dealt if seated[seat] not in out)
        chips = {seat: self.entry(seated[seat]).chips for seat in dealt}
        awards = []
        for number, name in enumerate(out, start=1):
            seat = self.entry(name).seat_no
            assert seat is not None
            awards.append(Award(number, 0, 0, (seat, winner), ((winner, chips[seat]),)))
            chips[winner] += chips[seat]
            chips[seat] = 0
        stacks = tuple(SeatChips(seat, amount) for seat, amount in chips.items())
        return self.do(HandDone(table_no, stacks, tuple(awards), rebuys=rebuys))

    def quiet(self, table_no: int, *, is_void: bool = False, rebuys: tuple[str, ...] = ()) -> list[Event]:
        """A hand in which no chip changes hands."""
        table = self.state.tables[table_no]
        seated = dict(table.seats)
        stacks = tuple(SeatChips(seat, self.entry(seated[seat]).chips) for seat in table.dealt_in)
        return self.do(HandDone(table_no, stacks, is_void=is_void, rebuys=rebuys))

    def entry(self, entry_id: str) -> Entry:
        return self.state.entries[entry_id]

    def at(self, table_no: int) -> list[str]:
        return [entry for _, entry in self.state.tables[table_no].seats]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def places(self) -> dict[str, int]:
        return {
            entry.entry_id: self.state.place_of(entry.out_no)
            for entry in self.state.entries.values()
            if entry.out_no is not None
        }

    def check(self) -> None:
        """Invariants after every command."""
        state = self.state
        in_play = [entry for entry in state.entries.values() if entry.out_no is None]
        assert sum(entry.chips for entry in in_play) == state.chips
        assert sum(entry.price.pool for entry in state.entries.values()) in (state.pool, 0)
        assert state.credited <= state.pool + state.overlay + state.terms.added
        taken = sum(entry.price.bounty for entry in state.entries.values())
        assert state.heads_paid + sum(entry.head for entry in state.entries.values()) == taken
        assert state.sizes.tables == len(state.tables)
        assert state.sizes.players == sum(len(table.seats) for table in state.tables.values())
        assert all(len(table.seats) <= state.terms.seats for table in state.tables.values())
        seated = [entry for table in state.tables.values() for _, entry in table.seats]
        assert len(seated) == len(set(seated))

    def rebuilt(self) -> Tournament:
        """The tournament from its events, written and read."""
        first, *more = [load_event(dump_event(event)) for event in self.events]
        assert first == self.events[0]
        state = Tournament(TERMS)
        for event in (first, *more):
            state = evolve(state, event)
        return state


def same(one: Tournament, other: Tournament) -> bool:
    plain = [{**state.__dict__, "sizes": None} for state in (one, other)]
    return plain[0] == plain[1]


def entries(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]
