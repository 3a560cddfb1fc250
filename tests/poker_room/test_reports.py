"""Reports of players about others: stored once with an audit entry, ten a day, read by managers."""

import pytest
from sqlalchemy import select

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import Message, PauseTable, Report, ViewReports, VoidRunningHand
from casino.poker_room.reports import REPORTS_PER_DAY
from casino.storage.database import Database
from casino.storage.schema import audit
from casino.users.roles import Person
from tests.poker_room.running_room import Opened, RunningRoom, sender

DAY_MS = 24 * 60 * 60 * 1000


async def report(
    room: RunningRoom, name: str, hand_id: str, seat_no: int, text: str = "soft play", *, table_id: str = ""
) -> Code | None:
    table_id = table_id or room.table.terms.table_id
    try:
        assert await room.ask(Report(sender(name), table_id, hand_id, seat_no, text)) == {}
    except Refusal as refusal:
        return refusal.code
    return None


async def running_hand(room: RunningRoom) -> str:
    table = await room.deal()
    assert table.live is not None
    return table.live.hand.hand_id


async def test_a_report_is_stored_once_and_read_by_managers(opened: Opened, database: Database) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    hand_id = await running_hand(room)
    for _ in range(2):
        assert await report(room, "ann", hand_id, 2) is None
    await room.fold_out()
    assert await report(room, "cid", hand_id, 2, "after the hand") is None
    page = await room.ask(ViewReports(1))
    (latest,) = page["reports"]
    assert (latest["author"]["id"], latest["player"]["id"], latest["text"]) == ("cid", "bob", "after the hand")
    (first,) = (older := await room.ask(ViewReports(1, int(page["next"]))))["reports"]
    assert (first["author"]["id"], first["hand_id"], first["seat_no"], older["next"]) == ("ann", hand_id, 2, None)
    async with database.reading() as connection:
        entries = (await connection.execute(select(audit).where(audit.c.action == "poker_report"))).all()
    assert [(entry.actor, entry.target, entry.reason) for entry in entries] == [
        ("Ann", "user bob", "soft play"),
        ("Cid", "user bob", "after the hand"),
    ]


async def test_a_report_names_another_player_of_a_hand_at_the_own_table(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    hand_id = await running_hand(room)
    assert await report(room, "ann", hand_id, 1) is Code.NOT_FOUND, "the own seat"
    assert await report(room, "ann", hand_id, 6) is Code.NOT_FOUND, "an empty seat"
    assert await report(room, "ann", "another-1", 2) is Code.NOT_FOUND
    assert await report(room, "dan", hand_id, 2) is Code.NOT_FOUND, "a stranger"
    assert await report(room, "ann", hand_id, 2, table_id="elsewhere") is Code.NOT_FOUND
    await room.fold_out()
    for name in ("ann", "bob", "cid"):
        await room.leave(name)
    await room.advance(60_000)
    assert not [*room.room.tables]
    assert await report(room, "ann", hand_id, 2, table_id=table.terms.table_id) is None, "the table is closed by now"


async def test_ten_reports_a_day(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    hand_id = await running_hand(room)
    for number in range(REPORTS_PER_DAY):
        assert await report(room, "ann", hand_id, 2, f"report {number}") is None
    assert await report(room, "ann", hand_id, 3) is Code.RATE_LIMITED
    assert await report(room, "ann", hand_id, 2, "report 3") is None, "the same one again"
    assert await report(room, "bob", hand_id, 3) is None
    room.clock.now_ms += DAY_MS
    assert await report(room, "ann", hand_id, 3) is None


@pytest.mark.parametrize("limit", [1, 100])
async def test_a_room_without_reports_has_an_empty_list(opened: Opened, limit: int) -> None:
    room = await opened()
    assert await room.ask(ViewReports(limit)) == {"reports": [], "next": None}


@pytest.mark.parametrize("kind", [Report, PauseTable, VoidRunningHand])
async def test_a_message_that_cannot_be_stored_leaves_the_running_hand_alone(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, kind: type[Message]
) -> None:
    """Anybody may send a report about any table: its failure must not void the hand that is being played there."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    table_id, hand_id = table.terms.table_id, await running_hand(room)
    mia = Person("mia-id", "mia", "manager")
    messages: dict[type[Message], Message] = {
        Report: Report(sender("ann"), table_id, hand_id, 2, "soft play"),
        PauseTable: PauseTable(table_id, mia, "a fault"),
        VoidRunningHand: VoidRunningHand(table_id, hand_id, mia, "a fault"),
    }

    async def broken(*_arguments: object) -> None:
        raise RuntimeError("the audit log cannot be written")

    monkeypatch.setattr(audit_log, "write", broken)
    with pytest.raises(Refusal):
        await room.ask(messages[kind])
    assert (table.phase, table.paused) == (Phase.PLAYING, None)
    assert table.public_hand is not None
    assert table.public_hand.hand_id == hand_id
