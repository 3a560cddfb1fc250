"""Practice drills on a failing table or database: they recover, use bounded memory, and never block closing."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from casino.bootstrap.all_in_one import AllInOne
from casino.errors import Code, Refusal
from casino.live_table.messages import Message
from casino.live_table.practice import drills as training
from casino.live_table.practice.drills import PENDING_EVENTS_MAX, Trainer
from casino.live_table.practice.simulated_players import CROWD
from casino.settings import ServiceSettings, Settings
from casino.storage.database import Database
from casino.users.sessions import Lifetime, Sessions
from casino.wire.outbound import OutboundEvent, Payload
from tests.databases import migrated_sqlite_url
from tests.live_table.live import table_settings


class FailingTable:
    """In the place of a table: it refuses so many messages."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.asked: list[Message] = []
        self.full = asyncio.Event()

    async def ask(self, message: Message) -> Payload:
        if self.failures:
            self.failures -= 1
            raise Refusal(Code.INTERNAL, "The house can store nothing at the moment.")
        self.asked.append(message)
        if len(self.asked) == len(CROWD):
            self.full.set()
        return {}


def trainer_at(table: FailingTable) -> Trainer:
    settings = table_settings(dealing="presenter", practice=True)
    return Trainer(settings, table, {}, lambda _drill: None, lambda: 1_000, Random(1))  # type: ignore[arg-type]


async def test_trainer_that_fails_at_its_start_tries_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "AGAIN_SECONDS", 0.01)
    table = FailingTable(failures=3)
    running = asyncio.create_task(trainer_at(table).run(database))
    async with asyncio.timeout(60):
        await table.full.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_unread_events_are_dropped_oldest_first() -> None:
    trainer = trainer_at(FailingTable(0))
    for number in range(10 * PENDING_EVENTS_MAX):
        trainer.on_event(OutboundEvent(("round", {"number": number})))
    assert trainer._events.qsize() == PENDING_EVENTS_MAX
    assert trainer._events.get_nowait()[1]["number"] == 9 * PENDING_EVENTS_MAX


async def test_one_failed_task_keeps_no_other_from_ending(tmp_path: Path) -> None:
    async def fail() -> None:
        raise Refusal(Code.INTERNAL, "The house can store nothing at the moment.")

    database = await Database.open(migrated_sqlite_url(tmp_path))
    lifetime = Lifetime(unused_ms=1_000, all_ms=1_000)
    house = AllInOne(Settings(ServiceSettings(), (table_settings(),)), database, Sessions(database, lifetime))
    await house.open("sixteen letters!")
    started = [*house.tables.tasks, *house.gateway.tasks]
    for tasks in (house.tables.tasks, house.gateway.tasks):
        tasks.insert(0, asyncio.create_task(fail()))
    await asyncio.sleep(0.05)
    async with asyncio.timeout(60):
        await house.drop_everything()
    assert all(task.done() for task in started)
    await database.close()
