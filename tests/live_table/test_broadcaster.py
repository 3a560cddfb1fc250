"""Broadcaster: the frequency and the recipients of events."""

import pytest

from casino.hosting.interfaces import Connection
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.broadcaster import Broadcaster
from casino.live_table.console import Console
from casino.live_table.seating import Seating
from casino.live_table.shift import Shift
from casino.storage.database import Database
from tests.live_table.live import RecordingPublisher, table_settings

OPEN = Shift(is_open=True)


async def broadcaster_of(database: Database, published: RecordingPublisher, presence: Seating) -> Broadcaster:
    settings = table_settings()
    unit_of_work = await TableUnitOfWork.of(database, settings.id)
    console = Console(settings, unit_of_work, deck=None, incidents={}, of_file=None)
    broadcaster = Broadcaster(settings, unit_of_work, published, presence, console)
    broadcaster.watchers[Connection("test", "console")] = "pia"
    return broadcaster


@pytest.mark.parametrize(("players", "sent"), [(10, 11), (900, 11), (3_900, 3)])
async def test_counts_travel_more_rarely_at_a_full_table(database: Database, players: int, sent: int) -> None:
    """A player joins twice a second for five seconds."""
    published, presence = RecordingPublisher(), Seating(seats=0)
    for number in range(players):
        presence.join(f"p{number}", "Player", None)
    broadcaster = await broadcaster_of(database, published, presence)
    for number in range(11):
        presence.join(f"late{number}", "Late", None)
        broadcaster.publish_table(
            broadcaster.table_view(None, is_open=True, presenter=None), None, OPEN, 1_000_000 + 500 * number
        )
    assert len(published.all("host", "host")) == 11, "the consoles receive it every time"
    assert len(published.all("*", "table")) == sent


async def test_other_changes_are_sent_at_once_and_none_is_lost(database: Database) -> None:
    published, presence = RecordingPublisher(), Seating(seats=0)
    for number in range(4_000):
        presence.join(f"p{number}", "Player", None)
    broadcaster = await broadcaster_of(database, published, presence)

    def tell(now_ms: int, presenter: str | None) -> bool:
        return broadcaster.publish_table(
            broadcaster.table_view(None, is_open=True, presenter=presenter), None, OPEN, now_ms
        )

    assert tell(1_000_000, None)
    presence.join("late", "Late", None)
    assert not tell(1_000_500, None), "it has to be told later"
    assert tell(1_000_600, "Pia")
    assert published.all("*", "table")[-1]["players"] == 4_001
    presence.join("later", "Later", None)
    assert not tell(1_001_000, "Pia")
    assert tell(1_002_700, "Pia")
    assert published.all("*", "table")[-1]["players"] == 4_002
    assert tell(1_009_000, "Pia")
    assert len(published.all("*", "table")) == 3, "nothing is sent twice"
