"""Stores what tables leave to the room: finished hands, shown cards and pauses. A failing table pauses.

A failure concerns one table: its hand is void, and it pauses with an incident. Other tables continue.
"""

from collections.abc import Callable, Mapping
from typing import Any

import structlog

from casino.clock import Clock
from casino.poker_room.background_tasks import BackgroundTasks
from casino.poker_room.balances import Balances
from casino.poker_room.effects import StoreShownCards
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_runner import Phase
from casino.poker_room.hand_store import HandStore
from casino.poker_room.incidents import new_pause
from casino.poker_room.running_table import RunningTable
from casino.poker_room.shown_cards import store_shown_cards
from casino.poker_room.stored_tables import store_pause
from casino.storage.database import Database
from casino.wire.common import Pause

Table = RunningTable[Any, Any]
_log = structlog.get_logger()


class TableStorage:
    def __init__(
        self, database: Database, store: HandStore, balances: Balances, clock: Clock, tasks: BackgroundTasks
    ) -> None:
        self._database = database
        self._store = store
        self._balances = balances
        self._clock = clock
        self._tasks = tasks

    async def store_hand(self, table: Table, record: HandRecord) -> bool:
        """Stores the hand and informs the table; returns False if the hand is void because that failed."""
        try:
            await self._store.store(record)
        except Exception as error:  # noqa: BLE001  the hand is void, and staff see it
            _log.error("poker_table_failed", table_id=record.table_id, exc_info=error)
            self._pause(table, "A hand could not be stored.")
            table.not_stored(self._clock())
            return False
        table.stored(await self._available([player.player_id for player in record.players]), self._clock())
        return True

    async def store_shown(self, effect: StoreShownCards) -> None:
        try:
            await store_shown_cards(self._database, effect)
        except Exception as error:  # noqa: BLE001  the cards were shown all the same
            _log.warning("poker_shown_cards_not_stored", hand_id=effect.hand_id, failure=type(error).__name__)

    def fail(self, table: Table, error: Exception, changed: Callable[[], None]) -> None:
        """The hand is void and the table pauses; `changed` publishes it. If that fails as well, the table stops."""
        table_id = table.terms.table_id
        _log.error("poker_table_failed", table_id=table_id, exc_info=error)
        try:
            self._pause(table, "Something went wrong at this table.")
            if table.phase is Phase.PLAYING:
                table.void("Something went wrong at this table.", "system", self._clock())
            changed()
        except Exception as second:  # noqa: BLE001
            _log.error("poker_table_stopped", table_id=table_id, exc_info=second)
            table.stop()

    def _pause(self, table: Table, reason: str) -> None:
        if table.paused is None:
            paused = new_pause(reason, self._clock())
            table.pause(paused)
            self._tasks.spawn(self._store_pause(table.terms.table_id, paused), "poker pause")

    async def _store_pause(self, table_id: str, paused: Pause) -> None:
        try:
            async with self._database.writing(for_table=True) as connection:
                await store_pause(connection, table_id, paused)
        except Exception as error:  # noqa: BLE001  the table is paused all the same, until the next restart
            _log.warning("poker_pause_not_stored", table_id=table_id, failure=type(error).__name__)

    async def _available(self, player_ids: list[str]) -> Mapping[str, int]:
        try:
            return await self._balances.available(player_ids)
        except Exception as error:  # noqa: BLE001  the result is stored and is sent with the last known balances
            _log.warning("poker_balances_unknown", failure=type(error).__name__)
            return {}
