"""Floor of tournament tables: opens and closes them, stores their hands, and sets their deadlines.

A failure concerns one table: its hand is void, and it pauses with an incident. The tournament waits for it.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

import structlog

from casino.clock import Clock
from casino.poker.state import Hand
from casino.poker_room.balances import Balances
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.deadlines import Deadlines
from casino.poker_room.decks import Decks
from casino.poker_room.effects import ReportHand, StoreHand, StoreShownCards
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_runner import Phase
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.incidents import new_pause
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.shown_cards import store_shown_cards
from casino.poker_room.stored_tables import store_pause
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.table_seats import TournamentSeats
from casino.poker_room.tournament.table_terms import table_id_of, table_terms
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
        self._database = database
        self._publisher = publisher
        self._clock = clock
        self._decks = decks
        self._store = store
        self._balances = balances
        self._report = report
        self._run_tournament = run_due
        self._tables: dict[str, tuple[RunningTournament, int, TournamentTable]] = {}
        self.is_draining = False
        self.tasks: Final[set[asyncio.Task[Any]]] = set()
        self.deadlines: Final = Deadlines(clock, self._run_due, self.postpone)

    def __iter__(self) -> Iterator[TournamentTable]:
        return (table for _, _, table in [*self._tables.values()])

    def find(self, table_id: str) -> TournamentTable | None:
        found = self._tables.get(table_id)
        return found[2] if found is not None else None

    def running_of(self, table_id: str) -> RunningTournament:
        return self._tables[table_id][0]

    # Tables

    async def open(self, running: RunningTournament, table_nos: Sequence[int], first_hand_ms: int) -> None:
        """Opens tables with their first decks stored, whose roots are thereby fixed before a card is dealt."""
        new = []
        for number, table_no in enumerate(table_nos, 1):
            table_id = table_id_of(running.tournament_id, table_no)
            deck = self._decks.prepare()
            new.append((table_no, deck, TournamentSeats(running.state.terms.seats)))
            if number % _DECKS_AT_ONCE == 0:
                await asyncio.sleep(0)
        rows = [
            NewTable(
                table_id_of(running.tournament_id, table_no),
                f"tournament:{running.tournament_id}",
                table_terms(self._settings, running.spec, running.state.terms, table_no).currency,
                deck.stored,
                seats.dump(),
                running.tournament_id,
            )
            for table_no, deck, seats in new
        ]
        await until_known(lambda: self._store.open_or_adopt_all(rows, self._clock()))
        for table_no, deck, seats in new:
            table_id = table_id_of(running.tournament_id, table_no)
            table = TournamentTable(
                table_terms(self._settings, running.spec, running.state.terms, table_no),
                seats,
                deck=deck,
                decks=self._decks,
                broadcaster=TableBroadcaster(table_id, self._publisher),
                first_hand_ms=first_hand_ms,
            )
            self.add(running, table_no, table)

    def add(self, running: RunningTournament, table_no: int, table: TournamentTable) -> None:
        running.tables[table_no] = table
        self._tables[table.terms.table_id] = (running, table_no, table)

    async def close(self, running: RunningTournament, table_nos: Iterable[int]) -> None:
        """Ends tables without players. Their prepared decks are never dealt."""
        closing = [running.tables.pop(table_no) for table_no in table_nos]
        for table in closing:
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
                        self.spawn(self._keep(table, record), "tournament hand")
                    case StoreShownCards():
                        self.spawn(self._store_shown(effect), "tournament shown cards")
                    case ReportHand(hand) if table_id in self._tables:
                        running, table_no, _ = self._tables[table_id]
                        self._report(running, table_no, hand)
        table.publish_changes()
        self.deadlines.set(table_id, table.due_ms if table_id in self._tables else None)

    def void_all(self, reason: str) -> None:
        """Rolls all running hands back to their starts."""
        for table in self:
            if table.phase is Phase.PLAYING:
                table.void(reason, "system", self._clock())
                self.changed(table)

    # Storing

    async def _keep(self, table: TournamentTable, record: HandRecord) -> None:
        try:
            await self._store.store(record)
        except Exception as error:  # noqa: BLE001  the hand is void, and staff see it
            _log.error("tournament_table_failed", table_id=record.table_id, exc_info=error)
            self._pause(table, "A hand could not be stored.")
            table.not_stored(self._clock())
        else:
            table.stored(await self._available([player.player_id for player in record.players]), self._clock())
        self.changed(table)

    async def _available(self, player_ids: list[str]) -> Mapping[str, int]:
        try:
            return await self._balances.available(player_ids)
        except Exception as error:  # noqa: BLE001  the result is stored and is sent with the last known balances
            _log.warning("poker_balances_unknown", failure=type(error).__name__)
            return {}

    async def _store_shown(self, effect: StoreShownCards) -> None:
        try:
            await store_shown_cards(self._database, effect)
        except Exception as error:  # noqa: BLE001  the cards were shown all the same
            _log.warning("poker_shown_cards_not_stored", hand_id=effect.hand_id, failure=type(error).__name__)

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
        _log.error("tournament_table_failed", table_id=table.terms.table_id, exc_info=error)
        try:
            self._pause(table, "Something went wrong at this table.")
            if table.phase is Phase.PLAYING:
                table.void("Something went wrong at this table.", "system", self._clock())
            self.changed(table)
        except Exception as second:  # noqa: BLE001
            _log.error("tournament_table_stopped", table_id=table.terms.table_id, exc_info=second)
            table.stop()

    def _pause(self, table: TournamentTable, reason: str) -> None:
        if table.paused is None:
            paused = new_pause(reason, self._clock())
            table.pause(paused)
            self.spawn(self._store_pause(table.terms.table_id), "tournament pause")

    async def _store_pause(self, table_id: str) -> None:
        table = self.find(table_id)
        try:
            async with self._database.writing(for_table=True) as connection:
                await store_pause(connection, table_id, table.paused if table is not None else None)
        except Exception as error:  # noqa: BLE001  the table is paused all the same, until the next restart
            _log.warning("poker_pause_not_stored", table_id=table_id, failure=type(error).__name__)

    def table(self, table_id: str) -> TournamentTable:
        """Refuses `no_such_table`."""
        found = self.find(table_id)
        if found is None:
            raise Reason.NO_SUCH_TABLE.refusal()
        return found

    # Tasks

    def spawn(self, coroutine: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(coroutine, name=name)
        self.tasks.add(task)
        task.add_done_callback(partial(_ended, self.tasks))


def _ended(tasks: set[asyncio.Task[Any]], task: asyncio.Task[Any]) -> None:
    tasks.discard(task)
    failure = None if task.cancelled() else task.exception()
    if failure is not None:
        _log.error("tournament_task_failed", task=task.get_name(), exc_info=failure)
