"""Wires a table host: recovers the rounds of an earlier run, and runs one actor per table."""

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Iterable
from random import SystemRandom
from typing import Final, NamedTuple

import structlog
from sqlalchemy import select

from casino.audit import log as audit_log
from casino.bootstrap.background import cancel, end_of
from casino.clock import Clock
from casino.history.recent_results import recent_results
from casino.hosting.interfaces import Directory, Publisher
from casino.live_table import limit_overrides
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.actor import TableActor
from casino.live_table.console import Console
from casino.live_table.deck_count import Deck, load_deck
from casino.live_table.practice.drills import ObservedPublisher, Trainer
from casino.live_table.recent_rounds import RECENT_ROUNDS_MAX
from casino.live_table.recovery import Recovered, for_each, recover
from casino.live_table.shoe import Seal
from casino.observability.metrics import Metrics
from casino.settings import Settings, TableSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.state import Round
from casino.wire.common import PastRound

_log = structlog.get_logger()


class StoredTable(NamedTuple):
    """State of a table from earlier runs; `names` are those of its unfinished round's players."""

    unit_of_work: TableUnitOfWork
    names: dict[str, str]
    past: list[PastRound]
    deck: Deck


class TableHost:
    def __init__(
        self, settings: Settings, database: Database, clock: Clock, *, directory: Directory, metrics: Metrics
    ) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._directory = directory
        self._metrics = metrics
        self.actors: Final[dict[str, TableActor]] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.trainer_tasks: list[asyncio.Task[None]] = []

    @property
    def are_up(self) -> bool:
        return len(self.actors) == len(self._settings.tables) and not any(task.done() for task in self.tasks)

    async def open(self, seal: Seal, publisher_of: Callable[[str], Publisher]) -> None:
        """Recovers the rounds of an earlier run, and starts all tables."""
        in_force = await self._in_force()
        await self._note_configuration(in_force.values())
        recovered = await self._recover(seal)
        stored: dict[str, StoredTable] = {}

        async def load(table_id: str) -> None:
            stored[table_id] = await self._load(in_force[table_id], recovered.running.get(table_id), seal)

        await for_each(in_force, load)
        for configured in self._settings.tables:
            table_id = configured.id
            self._start(
                in_force[table_id],
                stored[table_id],
                configured=configured,
                running=recovered.running.get(table_id),
                seal=seal,
                publisher=publisher_of(table_id),
            )

    def _start(
        self,
        settings: TableSettings,
        stored: StoredTable,
        *,
        configured: TableSettings,
        running: Round | None,
        seal: Seal,
        publisher: Publisher,
    ) -> None:
        unit_of_work, names, past, deck = stored
        observed = ObservedPublisher(publisher) if settings.practice else None
        incidents = self._settings.incidents
        actor = self.actors[settings.id] = TableActor(
            settings,
            unit_of_work,
            observed or publisher,
            seal,
            self._clock,
            directory=self._directory,
            running=running,
            names=names,
            past=past,
            metrics=self._metrics,
            console=Console(settings, unit_of_work, deck=deck, incidents=incidents, of_file=configured),
        )
        task = asyncio.create_task(actor.run(), name=f"table {settings.id}")
        task.add_done_callback(_report_defect)
        self.tasks.append(task)
        if observed:
            trainer = Trainer(settings, actor, incidents, publisher.to_hosts, self._clock, SystemRandom())
            observed.observer = trainer.on_event
            self.trainer_tasks.append(asyncio.create_task(trainer.run(self._database), name="practice"))

    async def drain(self, seconds: float) -> None:
        """Returns open bets, and finishes rounds whose betting has closed, within a time limit."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(actor.drain() for actor in self.actors.values()))

    async def stop(self) -> None:
        """Leaves every round at its current step."""
        for actor in self.actors.values():
            await actor.stop()
        await end_of(self.tasks)
        await cancel(self.trainer_tasks)

    async def _load(self, table: TableSettings, running: Round | None, seal: Seal) -> StoredTable:
        unit_of_work = await TableUnitOfWork.of(self._database, table.id, seal)
        names = await self._names(running) if running else {}
        async with self._database.reading() as connection:
            past = await recent_results(connection, table.id, RECENT_ROUNDS_MAX)
            return StoredTable(unit_of_work, names, past, await load_deck(connection, table, self._settings.incidents))

    async def _in_force(self) -> dict[str, TableSettings]:
        """Returns the tables with the limits that managers have set since their files were written."""
        async with self._database.reading() as connection:
            return {table.id: await limit_overrides.in_force(connection, table) for table in self._settings.tables}

    async def _note_configuration(self, tables: Iterable[TableSettings]) -> None:
        """Records each table's configuration, and a fingerprint of the rest, in the audit log."""
        after = {
            table.id: {
                "limits": table.limits.model_dump(),
                "sha256": hashlib.sha256(table.model_dump_json().encode()).hexdigest(),
            }
            for table in tables
        }
        entry = audit_log.Entry("system", "system", "configuration_in_force", "house", after=after)
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())

    async def _recover(self, seal: Seal) -> Recovered:
        resume_within_ms = {table.id: round(table.seconds.resume_within * 1000) for table in self._settings.tables}
        automatic = {table.id for table in self._settings.tables if table.dealing == "auto"}
        recovered = await recover(
            self._database, resume_within_ms, self._clock(), automatic_tables=automatic, seal=seal
        )
        for round_id, outcome in recovered.outcomes.items():
            _log.info("round_recovered", round_id=round_id, outcome=outcome)
        return recovered

    async def _names(self, running: Round) -> dict[str, str]:
        """Returns the names of the round's players, who may never reconnect while others still see them."""
        seats, users = schema.seats, schema.users
        query = select(users.c.id, users.c.name).join(seats, seats.c.player_id == users.c.id)
        async with self._database.reading() as connection:
            found = await connection.execute(query.where(seats.c.round_id == running.round_id))
            return {row.id: row.name for row in found}


def _report_defect(task: asyncio.Task[None]) -> None:
    """Logs a task that stopped by a defect at once: its table does not play until a restart."""
    failure = None if task.cancelled() else task.exception()
    if failure is not None:
        _log.error("table_task_failed", task=task.get_name(), exc_info=failure)
