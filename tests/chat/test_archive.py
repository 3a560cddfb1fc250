"""Chat archive: every line and every refused attempt, stored in batches, searchable, deleted after its time."""

import pytest
from sqlalchemy.exc import OperationalError

from casino.chat import archive as chat_archive
from casino.chat.archive import ROWS_AT_ONCE, ChatArchive, lines_between
from casino.chat.message_log import Line
from casino.chat.search import Wanted, find_lines
from casino.storage.database import Database

pytestmark = pytest.mark.req("CHT")

DAY_MS = 86_400_000


class Clock:
    now_ms = 100 * DAY_MS

    def __call__(self) -> int:
        return self.now_ms


def line(text: str, at_ms: int = Clock.now_ms, player_id: str | None = "p-1", table_id: str = "uth-1") -> Line:
    return Line(table_id, "Ann" if player_id else "Pia", "player" if player_id else "presenter", text, at_ms, player_id)


async def found(database: Database, wanted: Wanted, limit: int = 100) -> list[str]:
    async with database.reading() as connection:
        return [said.text for said in await find_lines(connection, wanted, limit)]


async def test_messages_of_a_period_are_in_order_with_refused_ones(database: Database) -> None:
    archive = ChatArchive(database, 30, Clock())
    now = Clock.now_ms
    for said, blocked in ((line("one", now), None), (line("example.com", now), "chat_link"), (line("two", now), None)):
        archive.keep(said, blocked)
    archive.keep(line("too early", now - 1))
    archive.keep(line("elsewhere", now, table_id="uth-2"))
    await archive.flush()
    async with database.reading() as connection:
        stored = await lines_between(connection, "uth-1", now, now)
    assert [(said.text, said.blocked) for said in stored] == [
        ("one", None),
        ("example.com", "chat_link"),
        ("two", None),
    ]
    assert (stored[0].player_id, stored[0].name, stored[0].role) == ("p-1", "Ann", "player")


async def test_nothing_a_player_can_write_stops_the_archive(database: Database) -> None:
    archive = ChatArchive(database, 30, Clock())
    archive.keep(line("a\0b \ud800 " + "x" * 5000), "chat_too_long")
    await archive.flush()
    (text,) = await found(database, Wanted())
    assert text.startswith("a\ufffdb ? xxx")
    assert len(text) == chat_archive.TEXT_MAX


async def test_search_by_words_player_table_day_and_refusal(database: Database) -> None:
    archive = ChatArchive(database, 30, Clock())
    now = Clock.now_ms
    archive.keep(line("Good EVENING everybody", now - DAY_MS))
    archive.keep(line("100 % sure_thing", now, "p-2"), "chat_unwanted")
    archive.keep(line("Welcome", now + 1, None))
    await archive.flush()
    assert await found(database, Wanted(text="everybody evening")) == ["Good EVENING everybody"]
    assert await found(database, Wanted(text="100 %")) == ["100 % sure_thing"]
    assert await found(database, Wanted(text="sure.thing")) == []
    assert await found(database, Wanted(only_blocked=True)) == ["100 % sure_thing"]
    assert await found(database, Wanted(player="p-2")) == ["100 % sure_thing"]
    assert await found(database, Wanted(player="PIA")) == ["Welcome"]
    assert await found(database, Wanted(table_id="uth-2")) == []
    assert await found(database, Wanted(from_ms=now, until_ms=now + 1)) == ["100 % sure_thing"]
    async with database.reading() as connection:
        first = await find_lines(connection, Wanted(), 2)
        rest = await find_lines(connection, Wanted(before=first[-1].id), 2)
    assert [said.text for said in (*first, *rest)] == ["Welcome", "100 % sure_thing", "Good EVENING everybody"]


async def test_lines_wait_while_the_database_is_away_and_are_stored_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = ChatArchive(database, 30, Clock())

    async def away(*_: object, **__: object) -> None:
        raise OperationalError("insert", {}, Exception("away"))

    monkeypatch.setattr(chat_archive, "insert_rows", away)
    archive.keep(line("kept"))
    with pytest.raises(OperationalError):
        await archive.flush()
    monkeypatch.undo()
    await archive.flush()
    await archive.flush()
    assert await found(database, Wanted()) == ["kept"]


async def test_message_never_waits_for_the_database(database: Database) -> None:
    """A transaction of a table is open; the line is taken at once and stored afterwards."""
    archive = ChatArchive(database, 30, Clock())
    async with database.writing(for_table=True):
        archive.keep(line("in the middle of a bet"))
    await archive.flush()
    assert await found(database, Wanted()) == ["in the middle of a bet"]


async def test_queue_is_bounded(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_archive, "QUEUE_MAX", 2)
    archive = ChatArchive(database, 30, Clock())
    for number in range(4):
        archive.keep(line(f"{number}"))
    await archive.flush()
    assert await found(database, Wanted()) == ["3", "2"]


async def test_lines_are_deleted_after_their_time_a_few_per_transaction(database: Database) -> None:
    clock = Clock()
    archive = ChatArchive(database, 30, clock)
    old = clock.now_ms - 30 * DAY_MS - 1
    for number in range(ROWS_AT_ONCE + 1):
        archive.keep(line(f"old {number}", old))
    archive.keep(line("still kept", clock.now_ms - 30 * DAY_MS))
    await archive.flush()
    assert [await archive.purge_some() for _ in range(3)] == [ROWS_AT_ONCE, 1, 0]
    assert await found(database, Wanted()) == ["still kept"]


async def test_last_message_of_a_player_or_that_of_a_moment(database: Database) -> None:
    archive = ChatArchive(database, 30, Clock())
    now = Clock.now_ms
    archive.keep(line("rude", now), "chat_unwanted")
    archive.keep(line("polite", now + 5))
    archive.keep(line("elsewhere", now + 9, table_id="uth-2"))
    last, meant, none = [await archive.last_of("uth-1", "p-1", at_ms) for at_ms in (None, now, now + 1)]
    assert last is not None
    assert meant is not None
    assert (last.text, meant.text, meant.blocked, none) == ("polite", "rude", "chat_unwanted", None)
