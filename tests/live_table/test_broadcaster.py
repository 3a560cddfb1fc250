"""Broadcaster: the frequency and the recipients of events."""

import pytest

from casino.hosting.interfaces import Connection
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.broadcaster import Broadcaster
from casino.live_table.console import Console
from casino.live_table.seating import Seating
from casino.live_table.shift import Shift
from casino.storage.database import Database
from tests.live_table.live import Ears, table_settings

OPEN = Shift(is_open=True)


async def crier_of(database: Database, ears: Ears, presence: Seating) -> Broadcaster:
    settings = table_settings()
    unit_of_work = await TableUnitOfWork.of(database, settings.id)
    console = Console(settings, unit_of_work, deck=None, incidents={}, of_file=None)
    crier = Broadcaster(settings, unit_of_work, ears, presence, console)
    crier.watchers[Connection("test", "console")] = "pia"
    return crier


@pytest.mark.parametrize(("players", "sent"), [(10, 11), (900, 11), (3_900, 3)])
async def test_counts_travel_more_rarely_at_a_full_table(database: Database, players: int, sent: int) -> None:
    """A player joins twice a second for five seconds."""
    ears, presence = Ears(), Seating(seats=0)
    for number in range(players):
        presence.join(f"p{number}", "Player", None)
    crier = await crier_of(database, ears, presence)
    for number in range(11):
        presence.join(f"late{number}", "Late", None)
        crier.publish_table(crier.table_view(None, is_open=True, presenter=None), None, OPEN, 1_000_000 + 500 * number)
    assert len(ears.all("host", "host")) == 11, "the consoles hear of it every time"
    assert len(ears.all("*", "table")) == sent


async def test_other_changes_are_sent_at_once_and_none_is_lost(database: Database) -> None:
    ears, presence = Ears(), Seating(seats=0)
    for number in range(4_000):
        presence.join(f"p{number}", "Player", None)
    crier = await crier_of(database, ears, presence)

    def tell(now_ms: int, presenter: str | None) -> bool:
        return crier.publish_table(crier.table_view(None, is_open=True, presenter=presenter), None, OPEN, now_ms)

    assert tell(1_000_000, None)
    presence.join("late", "Late", None)
    assert not tell(1_000_500, None), "it has to be told later"
    assert tell(1_000_600, "Pia")
    assert ears.all("*", "table")[-1]["players"] == 4_001
    presence.join("later", "Later", None)
    assert not tell(1_001_000, "Pia")
    assert tell(1_002_700, "Pia")
    assert ears.all("*", "table")[-1]["players"] == 4_002
    assert tell(1_009_000, "Pia")
    assert len(ears.all("*", "table")) == 3, "nothing is sent twice"
