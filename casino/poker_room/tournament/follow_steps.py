"""Carries out what a director has stored: opens and closes tables, moves players, deals hands, and announces them."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from casino.clock import Clock
from casino.poker.tournament.events import (
    Eliminated,
    Event,
    Finished,
    FlightEnded,
    HandDealt,
    HandEnded,
    PlayerMoved,
    Registered,
    Started,
    TableClosed,
    TableOpened,
)
from casino.poker.tournament.money_events import (
    BountyPaid,
    Cancelled,
    ChipsBought,
    PrizeAwarded,
    VipPaid,
)
from casino.poker.tournament.records import EntrySeat
from casino.poker.tournament.replay import evolve
from casino.poker.tournament.state import Tournament
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.occupants import Occupant
from casino.poker_room.tournament.announcer import Announcer
from casino.poker_room.tournament.due_times import next_level_ms
from casino.poker_room.tournament.floor import TournamentFloor
from casino.poker_room.tournament.journal_store import Step
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind
from casino.poker_room.tournament.table_seats import new_clock
from casino.poker_room.tournament.tournament_table import Deal, TournamentTable
from casino.settings.poker import PokerSettings
from casino.wire.poker_tournaments import MOVED_TABLE, MovedTable, MoveReason

_AT_ONCE: Final = 60
"""Steps carried out, players seated or tables shown before other work has its turn."""
_MOVE_MONEY: Final = (PrizeAwarded, BountyPaid, VipPaid, Cancelled)


class StepFollower:
    def __init__(
        self,
        settings: PokerSettings,
        floor: TournamentFloor,
        publisher: RoomPublisher,
        announcer: Announcer,
        clock: Clock,
        *,
        on_closed: Callable[[RunningTournament], None],
    ) -> None:
        """`on_closed` is called when a tournament is over and its tables are closed."""
        self._pauses = settings.room.pauses
        self._floor = floor
        self._publisher = publisher
        self._announcer = announcer
        self._clock = clock
        self._on_closed = on_closed

    async def follow(self, running: RunningTournament, steps: Sequence[Step]) -> None:
        """Other work has its turn in between: a large tournament deals at all its tables at once."""
        for number, step in enumerate(steps, 1):
            after = evolve(step.before, step.event)
            await self._carry_out(running, step.event, step.before, after)
            self._announcer.announce(running, step.event, step.before, after)
            if number % _AT_ONCE == 0:
                await self.show(running)
                await asyncio.sleep(0)
        await self.show(running)

    def announce_entry(self, running: RunningTournament, entry_id: str) -> None:
        self._announcer.announce_entry(running, entry_id)

    async def show(self, running: RunningTournament) -> None:
        """Shows the level clock and the heads at all tables that steps have touched, and sets their deadlines.

        A new level touches all tables.
        """
        level_ms = next_level_ms(running.state, self._clock())
        if level_ms != running.next_level_ms:
            running.next_level_ms = level_ms
            running.touch_all()
        for number, table in enumerate(running.take_touched(), 1):
            if self._floor.find(table.terms.table_id) is table:
                heads = self._heads(running, table)
                if (table.next_level_ms, table.heads) != (level_ms, heads):
                    table.next_level_ms, table.heads = level_ms, heads
                    table.look_changed()
                self._floor.changed(table)
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)

    def _heads(self, running: RunningTournament, table: TournamentTable) -> dict[str, int]:
        if running.state.terms.bounty is None:
            return {}
        entries = ((player_id, running.entry_of(player_id)) for player_id in table.occupants)
        return {player_id: entry.head for player_id, entry in entries if entry is not None}

    async def _carry_out(  # noqa: C901  one case per event
        self, running: RunningTournament, event: Event, before: Tournament, after: Tournament
    ) -> None:
        match event:
            case Started():
                await self._start(running, event, after)
            case TableOpened():
                await self._floor.open(running, {event.table_no: self._clock()})
            case Registered(seat=seat) if seat is not None:
                self._sit(running, seat, after, "late")
            case HandDealt():
                self._deal(running, event, after)
            case HandEnded():
                running.touch(running.tables[event.table_no]).agree(dict(event.stacks))
                for bust in event.busts:
                    self._stand_up(running, bust.entry_id, after, "no_chips")
            case PlayerMoved():
                self._move(running, event, before, after)
            case ChipsBought():
                self._give_chips(running, event, after)
            case Eliminated(disqualified=True):
                self._stand_up(running, event.entry_id, after, "removed")
            case BountyPaid():
                running.touch(running.table_of(after.entries[event.eliminator].player_id))
            case TableClosed():
                await self._floor.close(running, [event.table_no])
            case Finished() | FlightEnded() | Cancelled():
                self._end(running, event)

    async def _start(self, running: RunningTournament, event: Started, after: Tournament) -> None:
        """Tables begin one after the other: thousands of first hands in one moment would hold up all others."""
        is_hexa = running.spec.kind is TournamentKind.HEXAPRO
        wait = self._pauses.hexapro_reveal if is_hexa else self._pauses.first_hand
        first_ms = self._clock() + wait * 1000
        await self._floor.open(running, {no: first_ms + number for number, no in enumerate(sorted(after.tables))})
        for number, seat in enumerate(event.seats, 1):
            self._sit(running, seat, after, "start")
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)

    def _sit(
        self,
        running: RunningTournament,
        seat: EntrySeat,
        after: Tournament,
        reason: MoveReason,
        *,
        old: TournamentTable | None = None,
    ) -> None:
        entry, table = after.entries[seat.entry_id], running.tables[seat.table_no]
        player_id = entry.player_id
        kept = running.clocks.pop(player_id, None) or new_clock(table.terms.clock)
        name = running.names.get(player_id, "")
        occupant = Occupant(player_id, name, 0, running.available.get(player_id, 0), self._clock())
        table.sit_down(occupant, seat.seat_no, entry.chips, kept)
        running.seats[player_id] = table
        running.touch(table)
        moved: MovedTable = {
            "tournament_id": running.tournament_id,
            "from_table_id": old.terms.table_id if old is not None else None,
            "table_id": table.terms.table_id,
            "seat_no": seat.seat_no,
            "reason": reason,
        }
        self._publisher.to_player(player_id, MOVED_TABLE(moved))

    def _stand_up(self, running: RunningTournament, entry_id: str, state: Tournament, reason: str) -> None:
        player_id = state.entries[entry_id].player_id
        table = running.table_of(player_id)
        if table is not None:
            running.touch(table)
            occupant, running.clocks[player_id] = table.stand_up(player_id, reason)
            del running.seats[player_id]
            running.available[player_id] = occupant.available

    def _move(self, running: RunningTournament, event: PlayerMoved, before: Tournament, after: Tournament) -> None:
        entry = before.entries[event.entry_id]
        assert entry.table_no is not None
        old = running.touch(running.tables[entry.table_no])
        occupant, running.clocks[entry.player_id] = old.stand_up(entry.player_id, "moved")
        old.unsubscribe(occupant)
        running.available[entry.player_id] = occupant.available
        self._sit(running, EntrySeat(event.to_table, event.to_seat, event.entry_id), after, "balance", old=old)
        new = running.tables[event.to_table]
        new.notice("moved_in", f"{occupant.name} comes to this table.")
        old.notice("moved_out", f"{occupant.name} moves to another table.")
        self._floor.changed(old)  # before it is closed

    def _give_chips(self, running: RunningTournament, event: ChipsBought, after: Tournament) -> None:
        player_id = after.entries[event.entry_id].player_id
        if event.seat is not None:
            self._sit(running, event.seat, after, "rebuy")
            return
        table = running.table_of(player_id)
        assert table is not None
        running.touch(table).set_chips(player_id, after.entries[event.entry_id].chips)

    def _deal(self, running: RunningTournament, event: HandDealt, after: Tournament) -> None:
        in_the_money = not after.is_open and after.left <= after.places
        is_final = len(after.tables) == 1 or in_the_money or after.is_hand_for_hand
        deal = Deal(event.level, event.positions, event.dealt_in, is_final)
        running.touch(running.tables[event.table_no]).deal(deal)

    def _end(self, running: RunningTournament, event: Event) -> None:
        """Hands that are still running are void: the tournament was over before they ended."""
        reason = "The tournament is cancelled." if isinstance(event, Cancelled) else "The tournament is over."
        running.touch_all()
        for table in running.tables.values():
            table.drain()
            if table.phase is Phase.PLAYING:
                table.void(reason, "system", self._clock())
        self._floor.tasks.spawn(self._close_all(running), "tournament end")

    async def _close_all(self, running: RunningTournament) -> None:
        """Once their last hands are stored."""
        await self._floor.at_rest(running)
        for table in running.tables.values():
            for player_id in [*table.occupants]:
                table.stand_up(player_id, "finished")
                running.seats.pop(player_id, None)
            self._floor.changed(table)
        await self._floor.close(running, [*running.tables])
        self._on_closed(running)


def moves_money(event: Event) -> bool:
    return isinstance(event, _MOVE_MONEY)
