"""Recovery of tournaments after a stop or a crash: each goes on from its last stored hand.

A hand that was not stored never was: its deck is spent with a void row, and the director receives a void hand. A hand
that was stored and not yet decided about is reported now. The level clock stood still in between. A tournament that
stood still for longer than `resume_within` is cancelled by the published cases.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy import Row, select

from casino.clock import Clock
from casino.observability.crash_points import crash_point
from casino.poker.events import HandOpened
from casino.poker.hand import replay
from casino.poker.state import Hand
from casino.poker.tournament.commands import HandDone, Resume, SeatChips, Start
from casino.poker.tournament.director import begin, evolve
from casino.poker.tournament.events import Announced, Event, HandDealt
from casino.poker.tournament.state import Status, Tournament
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.hand_record import Deck, load_events, unused_deck_record
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.occupants import Occupant
from casino.poker_room.room import PokerRoom
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind
from casino.poker_room.tournament.table_seats import KeptClock, TournamentSeats, new_clock, newest_clocks, stored_deals
from casino.poker_room.tournament.table_terms import table_terms
from casino.poker_room.tournament.tournament_table import Deal, TournamentTable
from casino.poker_room.tournament.tournaments import Tournaments, hand_done
from casino.storage import schema
from casino.storage.database import Database, is_unavailable
from casino.storage.poker_schema import poker_hands, poker_tables

MINUTE_MS: Final = 60_000
_log = structlog.get_logger()


class _Owed(NamedTuple):
    """A hand the director waits for. `hand` is None if it was not stored: then it is void."""

    table_no: int
    hand: Hand | None


async def recover_tournaments(room: PokerRoom, database: Database, publisher: RoomPublisher, clock: Clock) -> None:
    """Brings back all unfinished tournaments, then announces those that are missing."""
    recovery = _Recovery(room, database, publisher, clock)
    for row in await room.tournaments.journals.unfinished():
        try:
            await recovery.recover(row)
        except Exception as error:
            if is_unavailable(error):
                raise
            room.tournaments.running.pop(row.id, None)
            await room.tournaments.unreadable.keep(row, repr(error))
    await room.tournaments.offer_sit_and_gos()
    await room.tournaments.look_at_schedule()
    await room.tournaments.winners.catch_up()
    await room.tournaments.hexapro.open()
    for running in [*room.tournaments.running.values()]:
        if running.spec.kind is TournamentKind.HEXAPRO and running.tables:
            await room.tournaments.restore_reveal(running)
    for line in room.tournaments.hexapro.lines.values():
        await room.tournaments.hexapro.serve(line)


class _Recovery:
    def __init__(self, room: PokerRoom, database: Database, publisher: RoomPublisher, clock: Clock) -> None:
        self._room = room
        self._tournaments: Tournaments = room.tournaments
        self._store: HandStore = room.store
        self._database = database
        self._publisher = publisher
        self._clock = clock

    async def recover(self, row: Row[Any]) -> None:
        stored = await self._tournaments.journals.adopt(row)
        state = _folded(stored.events)
        running = self._tournaments.add(stored, state)
        running.names, running.available = await self._players(state)
        stopped_ms = stored.events[-1].at_ms
        if state.status is Status.RUNNING:
            owed = await self._tables(running, _orders(stored.events))
            await self._go_on(running, owed, max(stopped_ms, _last_hand_ms(owed)))
        elif state.terms.is_phase_two:
            pass  # it starts when its flights are over, however late
        elif not state.terms.is_sit_and_go and self._clock() >= state.terms.starts_ms:
            if self._is_too_late(running, state.terms.starts_ms):
                await self._tournaments.cancel(running, "It could not start in time.", "house")
        elif state.terms.is_sit_and_go and len(state.entries) == state.terms.entries_max:
            running.director.post(Start())
        _log.info("tournament_recovered", tournament_id=row.id, status=state.status, entries=len(state.entries))

    async def _go_on(self, running: RunningTournament, owed: Sequence[_Owed], stopped_ms: int) -> None:
        """Reports of finished hands come first: they happened before the standstill."""
        now_ms = self._clock()
        waits_for_staff = running.state.is_stopped or any(table.paused for table in running.tables.values())
        if self._is_too_late(running, stopped_ms) and not waits_for_staff:
            for table in running.tables.values():
                table.drain()
            minutes = (now_ms - stopped_ms) // MINUTE_MS
            reason = f"The server stood still for {minutes} minutes."
            await self._tournaments.cancel(running, reason, "house")
            return
        await running.director.post(Resume(min(stopped_ms, now_ms)))
        for table in running.tables.values():
            table.wait_for_players(now_ms)
        for table_no, hand in owed:
            running.director.post(self._report(running.state, table_no, hand))
        await self._tournaments.show_tables(running)

    def _report(self, state: Tournament, table_no: int, hand: Hand | None) -> HandDone:
        if hand is not None:
            return hand_done(table_no, hand)
        table = state.tables[table_no]
        by_seat = dict(table.seats)
        stacks = (SeatChips(seat_no, state.entries[by_seat[seat_no]].chips) for seat_no in table.dealt_in)
        return HandDone(table_no, tuple(stacks), is_void=True)

    def _is_too_late(self, running: RunningTournament, stopped_ms: int) -> bool:
        room = self._room.settings.room
        is_hexa = running.spec.kind is TournamentKind.HEXAPRO
        minutes = room.hexapro_resume_within_minutes if is_hexa else room.resume_within_minutes
        return self._clock() - stopped_ms > minutes * MINUTE_MS

    async def _tables(self, running: RunningTournament, dealt: Mapping[int, list[HandDealt]]) -> list[_Owed]:
        """Brings back the tables; returns the hands the director waits for. `dealt` are its orders by table."""
        state, owed = running.state, list[_Owed]()
        rows = await self._rows(running.tournament_id)
        clocks = newest_clocks(row.state for row in rows.values())
        missing = sorted(table_no for table_no in state.tables if table_no not in rows)
        if missing:
            await self._tournaments.floor.open(running, dict.fromkeys(missing, self._clock()))
        for table_no in sorted(state.tables):
            orders = dealt.get(table_no, [])
            is_playing = table_no not in state.idle
            if table_no in rows:
                row = rows[table_no]
                await self._recover_table(running, table_no, row, deals=len(orders))
                if is_playing:
                    is_stored = stored_deals(row.state) == len(orders)
                    owed.append(_Owed(table_no, await self._last_hand(row.id) if is_stored else None))
            self._seat(running, table_no, clocks)
            if table_no not in rows and is_playing:  # stopped before the table was opened: no card was dealt
                order = orders[-1]
                running.tables[table_no].deal(Deal(order.level, order.positions, order.dealt_in, is_protected=True))
        return owed

    async def _recover_table(self, running: RunningTournament, table_no: int, row: Row[Any], *, deals: int) -> None:
        """The prepared deck may have been seen: it is spent with its number, as at cash tables."""
        number, now_ms, deck = row.hand_no + 1, self._clock(), self._room.decks.prepare()
        await self._store.adopt(row.id)
        old = Deck(row.next_root, row.next_sealed)
        spent = unused_deck_record(
            row.id, number, row.currency, now_ms, deck=old, next_deck=deck.stored, state=row.state
        )
        await self._store.store(spent)
        crash_point("tournament_deck_spent")
        table = TournamentTable(
            table_terms(self._room.settings, running.spec, running.state.terms, table_no),
            TournamentSeats(running.state.terms.seats, deals=deals),
            deck=deck,
            decks=self._room.decks,
            broadcaster=TableBroadcaster(row.id, self._publisher),
            hand_no=number,
        )
        if row.paused_ms is not None:
            table.paused = {"reason": row.paused_reason, "since": row.paused_ms, "incident_id": row.incident_id}
        self._tournaments.floor.add(running, table_no, table)

    def _seat(self, running: RunningTournament, table_no: int, clocks: Mapping[str, KeptClock]) -> None:
        state, now_ms, table = running.state, self._clock(), running.tables[table_no]
        for seat_no, entry_id in state.tables[table_no].seats:
            entry = state.entries[entry_id]
            player_id = entry.player_id
            occupant = Occupant(
                player_id, running.names.get(player_id, ""), 0, running.available.get(player_id, 0), now_ms
            )
            table.sit_down(occupant, seat_no, entry.chips, clocks.get(player_id) or new_clock(table.terms.clock))
            running.seats[player_id] = table
        table.terms.level = state.level(now_ms)

    async def _rows(self, tournament_id: str) -> dict[int, Row[Any]]:
        """Tables by number, closed ones too: time banks of players who were moved may be in their state."""
        query = select(poker_tables).where(poker_tables.c.tournament_id == tournament_id)
        async with self._database.reading(for_table=True) as connection:
            rows = (await connection.execute(query)).all()
        return {int(row.id.rpartition("-")[2]): row for row in rows}

    async def _last_hand(self, table_id: str) -> Hand:
        columns = poker_hands.c
        query = select(columns.events).where(columns.table_id == table_id, columns.started_ms.is_not(None))
        async with self._database.reading(for_table=True) as connection:
            text = (await connection.execute(query.order_by(columns.no.desc()).limit(1))).scalar_one()
        opened, *events = load_events(text)
        assert isinstance(opened, HandOpened)
        return replay(opened, events)

    async def _players(self, state: Tournament) -> tuple[dict[str, str], dict[str, int]]:
        """Names and available balances."""
        player_ids = sorted({entry.player_id for entry in state.entries.values()})
        users = schema.users.c
        query = select(users.id, users.name).where(users.id.in_(player_ids))
        async with self._database.reading(for_table=True) as connection:
            names = {row.id: row.name for row in await connection.execute(query)}
        cash = await self._room.money.cash(player_ids)
        return names, {player_id: balance.available for player_id, balance in cash.items()}


def _folded(events: Sequence[Event]) -> Tournament:
    first, *more = events
    assert isinstance(first, Announced), "a journal begins with the announcement"
    state = begin(first)
    for event in more:
        state = evolve(state, event)
    return state


def _orders(events: Sequence[Event]) -> dict[int, list[HandDealt]]:
    """Orders to deal, by table."""
    found: dict[int, list[HandDealt]] = defaultdict(list)
    for event in events:
        if isinstance(event, HandDealt):
            found[event.table_no].append(event)
    return found


def _last_hand_ms(owed: Sequence[_Owed]) -> int:
    return max((hand.ended_ms for _, hand in owed if hand is not None and hand.ended_ms is not None), default=0)
