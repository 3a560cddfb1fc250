"""Floor of tournament tables: opens and closes them, stores their hands, and sets their deadlines.

A failure concerns one table: its hand is void, and it pauses with an incident. The tournament waits for it.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol

import structlog

from casino.clock import Clock
from casino.poker.state import Hand
from casino.poker_room.background_tasks import BackgroundTasks
from casino.poker_room.balances import Balances
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.deadlines import Deadlines
from casino.poker_room.decks import Decks
from casino.poker_room.effects import ReportHand, StoreHand, StoreShownCards
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_runner import Phase
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.table_storage import TableStorage
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.table_seats import TournamentSeats
from casino.poker_room.tournament.table_terms import table_terms
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.poker_room.transaction_retry import until_known
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database

_log = structlog.get_logger()
_DECKS_AT_ONCE: Final = 32
"""Decks prepared before other work has its turn."""


_REST_SECONDS: Final = 0.02


class Report(Protocol):
    """Tells the director of the table that a hand is stored."""

    def __call__(self, running: RunningTournament, table_no: int, hand: Hand) -> None: ...


class RunDue(Protocol):
    """Does what is due of a tournament, by its id."""

    def __call__(self, tournament_id: str, now_ms: int) -> None: ...


class TournamentFloor:
    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        publisher: RoomPublisher,
        clock: Clock,
        *,
        decks: Decks,
        store: HandStore,
        balances: Balances,
        report: Report,
        run_due: RunDue,
    ) -> None:
        self._settings = settings
        self._publisher = publisher
        self._clock = clock
        self._decks = decks
        self._store = store
        self._report = report
        self._run_tournament = run_due
        self._tables: dict[str, tuple[RunningTournament, int, TournamentTable]] = {}
        self.is_draining = False
        self.tasks: Final = BackgroundTasks()
        self._storage = TableStorage(database, store, balances, clock, self.tasks)
        self.deadlines: Final = Deadlines(clock, self._run_due, self.postpone)

    def __iter__(self) -> Iterator[TournamentTable]:
        return (table for _, _, table in [*self._tables.values()])

    def find(self, table_id: str) -> TournamentTable | None:
        found = self._tables.get(table_id)
        return found[2] if found is not None else None

    def running_of(self, table_id: str) -> RunningTournament:
        return self._tables[table_id][0]

    # Tables

    async def open(self, running: RunningTournament, first_hands_ms: Mapping[int, int]) -> None:
        """Opens tables, each given with the time of its first hand.

        Their first decks are stored, so that their roots are fixed before a card is dealt.
        """
        tables: list[TournamentTable] = []
        rows: list[NewTable] = []
        for number, (table_no, first_hand_ms) in enumerate(first_hands_ms.items(), 1):
            terms = table_terms(self._settings, running.spec, running.state.terms, table_no)
            deck, seats = self._decks.prepare(), TournamentSeats(running.state.terms.seats)
            pool, stored = f"tournament:{running.tournament_id}", deck.stored
            rows.append(NewTable(terms.table_id, pool, terms.currency, stored, seats.dump(), running.tournament_id))
            broadcaster = TableBroadcaster(terms.table_id, self._publisher)
            tables.append(
                TournamentTable(
                    terms, seats, deck=deck, decks=self._decks, broadcaster=broadcaster, first_hand_ms=first_hand_ms
                )
            )
            if number % _DECKS_AT_ONCE == 0:
                await asyncio.sleep(0)
        await until_known(lambda: self._store.open_or_adopt_all(rows, self._clock()))
        for table_no, table in zip(first_hands_ms, tables, strict=True):
            self.add(running, table_no, table)

    def add(self, running: RunningTournament, table_no: int, table: TournamentTable) -> None:
        running.tables[table_no] = table
        self._tables[table.terms.table_id] = (running, table_no, table)

    async def close(self, running: RunningTournament, table_nos: Iterable[int]) -> None:
        """Ends tables without players. Their prepared decks are never dealt."""
        closing = [running.tables.pop(table_no) for table_no in table_nos]
        for table in closing:
            table.notice("table_closed", "This table is closed.")  # to those who watch it
            self._tables.pop(table.terms.table_id, None)
            self.deadlines.set(table.terms.table_id, None)
        table_ids = [table.terms.table_id for table in closing]
        await until_known(lambda: self._store.close_tables(table_ids, self._clock()))

    async def at_rest(self, running: RunningTournament) -> None:
        """Waits for hands that are being stored."""
        while any(not table.is_at_rest for table in running.tables.values()):  # noqa: ASYNC110  storing ends by itself
            await asyncio.sleep(_REST_SECONDS)

    def changed(self, table: TournamentTable) -> None:
        """Carries out the effects of the table, publishes what has changed, and sets its next deadline."""
        table_id = table.terms.table_id
        if self.is_draining:
            table.drain()
        while effects := table.take_effects():
            for effect in effects:
                match effect:
                    case StoreHand(record):
                        self.tasks.spawn(self._store_hand(table, record), "tournament hand")
                    case StoreShownCards():
                        self.tasks.spawn(self._storage.store_shown(effect), "tournament shown cards")
                    case ReportHand(hand) if table_id in self._tables:
                        running, table_no, _ = self._tables[table_id]
                        self._report(running, table_no, hand)
        table.publish_changes(self._clock())
        self.deadlines.set(table_id, table.due_ms if table_id in self._tables else None)

    def void_all(self, reason: str) -> None:
        """Rolls all running hands back to their starts."""
        for table in self:
            if table.phase is Phase.PLAYING:
                table.void(reason, "system", self._clock())
                self.changed(table)

    async def _store_hand(self, table: TournamentTable, record: HandRecord) -> None:
        await self._storage.store_hand(table, record)
        self.changed(table)

    # Time

    def _run_due(self, name: str, now_ms: int) -> None:
        found = self._tables.get(name)
        if found is None:
            self._run_tournament(name, now_ms)
            return
        table = found[2]
        try:
            table.tick(now_ms)
            self.changed(table)
        except Exception as error:  # noqa: BLE001  other tables go on
            self.fail(table, error)

    def postpone(self, late_ms: int) -> None:
        _log.warning("poker_room_was_late", late_ms=late_ms)
        for table in self:
            table.postpone(late_ms)
            self.deadlines.set(table.terms.table_id, table.due_ms)

    def fail(self, table: TournamentTable, error: Exception) -> None:
        """The hand is void and the table pauses; other tables play on until the director needs this one."""
        self._storage.fail(table, error, lambda: self.changed(table))

    def table(self, table_id: str) -> TournamentTable:
        """Refuses `no_such_table`."""
        found = self.find(table_id)
        if found is None:
            raise Reason.NO_SUCH_TABLE.refusal()
        return found
