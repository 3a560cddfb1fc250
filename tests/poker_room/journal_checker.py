"""Replays the stored journal of a tournament and checks each event against the rules that need the whole field."""

import orjson
from sqlalchemy import select

from casino.poker.tournament.balance import table_to_break
from casino.poker.tournament.director import begin, evolve
from casino.poker.tournament.events import (
    Announced,
    Event,
    HandDealt,
    HandEnded,
    PauseBegan,
    PauseDue,
    load_event,
)
from casino.poker.tournament.records import PauseReason
from casino.poker.tournament.state import Tournament
from casino.poker.tournament.structure import HOUR_MS
from casino.storage.database import Database
from casino.storage.tournament_schema import tournament_journal

BREAK_AT_MS = 55 * 60_000


class JournalChecker:
    """`violations` are sentences. `moves`, `voids`, `breaks` and `synchronised` count what was put to the test.

    `synchronised` are hands after which their tables had to wait hand-for-hand.
    """

    def __init__(self, state: Tournament) -> None:
        self.state = state
        self.violations: list[str] = []
        self.hands = self.moves = self.voids = self.breaks = self.synchronised = 0
        self._dealt_together: set[int] = set()

    @classmethod
    async def of(cls, database: Database, tournament_id: str) -> "JournalChecker":
        columns = tournament_journal.c
        query = select(columns.event).where(columns.tournament_id == tournament_id).order_by(columns.seq)
        async with database.reading() as connection:
            texts = (await connection.execute(query)).scalars().all()
        announced, *events = (load_event(orjson.loads(text)) for text in texts)
        assert isinstance(announced, Announced)
        checker = cls(begin(announced))
        for event in events:
            checker.check(event)
        checker.check_end()
        return checker

    def check(self, event: Event) -> None:
        match event:
            case HandDealt():
                self._check_deal(event)
            case HandEnded():
                self._check_hand(event)
            case PauseDue(reason=PauseReason.BREAK):
                self._expect(event.stopped_ms % HOUR_MS == BREAK_AT_MS, "a break is due at another minute than 55")
            case PauseBegan():
                self.breaks += 1
                self._expect(self.state.is_all_idle, "a break began while a hand was played")
        self.moves += event.kind == "player_moved"
        self.state = evolve(self.state, event)
        tables = self.state.sizes
        if tables.tables:
            self._expect(tables.largest <= self.state.terms.seats, "a table has more players than seats")

    def _check_deal(self, event: HandDealt) -> None:
        state, table = self.state, self.state.tables[event.table_no]
        self.hands += 1
        last, now, seats = table.last_bb, event.positions.big_blind, state.terms.seats
        if last is not None:
            steps = (now - last) % seats
            passed = {(last + step - 1) % seats + 1 for step in range(1, steps)}
            self._expect(bool(steps), f"the big blind fell twice running on seat {now} of table {event.table_no}")
            self._expect(not passed & set(event.dealt_in), f"the big blind passed a player of table {event.table_no}")
        self._expect(set(event.dealt_in) == {seat for seat, _ in table.seats}, "a player with chips was not dealt in")
        self._expect(state.pause is None, "a hand was dealt in a break")
        sizes = state.sizes
        broken = table_to_break(sizes, seats)
        self._expect(broken != event.table_no, f"table {event.table_no} should be broken")
        # Tables are balanced only while none is to be broken.
        is_balanced = len(table.seats) < sizes.largest or sizes.largest - sizes.smallest < 2
        self._expect(is_balanced or broken is not None, f"table {event.table_no} should give a player to a smaller one")
        if state.is_hand_for_hand:
            waiting = state.idle | self._dealt_together
            self._expect(waiting == frozenset(state.tables), "a table did not wait hand-for-hand")
        self._dealt_together.add(event.table_no)

    def _check_hand(self, event: HandEnded) -> None:
        self._dealt_together.clear()
        by_seat = dict(self.state.tables[event.table_no].seats)
        before = {seat: self.state.entries[by_seat[seat]].chips for seat, _ in event.stacks}
        self.voids += event.is_void
        self.synchronised += self.state.is_hand_for_hand
        self._expect(sum(before.values()) == sum(chips for _, chips in event.stacks), "a hand made or lost chips")
        self._expect(not event.is_void or before == dict(event.stacks), "a void hand moved chips")

    def check_end(self) -> None:
        state = self.state
        entries = state.entries.values()
        out = sorted(entry.out_no for entry in entries if entry.out_no is not None)
        self._expect(out == [*range(1, len(entries))], "places have gaps")
        self._expect(sum(entry.chips for entry in entries) == state.chips, "chips were made or lost")
        self._expect(state.credited == sum(state.prizes) == state.pool + state.overlay, "prizes are not the pool")

    def _expect(self, is_right: bool, violation: str) -> None:  # noqa: FBT001  it has no other argument
        if not is_right:
            self.violations.append(violation)
