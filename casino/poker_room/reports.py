"""Reports of players about others: stored with an audit entry, and read by managers, newest first.

A report names a hand and a seat. Its author was dealt into the hand, or has a seat at the table.
"""

from typing import Any, Final, NamedTuple

from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.poker_room.messages import Report, ViewReports
from casino.poker_room.table import PokerTable
from casino.refusals import Reason
from casino.responsible_gaming.daily_losses import day_of
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_reports
from casino.storage.schema import users
from casino.wire.poker_floor import PokerReport, PokerReports

ACTION: Final = "poker_report"
REPORTS_PER_DAY: Final = 10


class Reported(NamedTuple):
    """The players of a hand, by seat."""

    table_id: str
    players: dict[int, str]


class Reports:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def keep(self, message: Report, table: PokerTable | None) -> None:
        """Stores the report; the same one again is stored once. `table` is the one named, if it is still open.

        Refuses `not_found` without such a player to report, and `rate_limited` after ten reports of a UTC day.
        """
        author, now_ms = message.sender, self._clock()
        async with self._database.writing() as connection:
            hand = _running(message, table) or await _stored(connection, message.hand_id)
            is_there = table is not None and author.player_id in table.occupants
            player_id = hand.players.get(message.seat_no) if hand is not None else None
            if (
                hand is None
                or hand.table_id != message.table_id
                or player_id in {None, author.player_id}
                or not (is_there or author.player_id in hand.players.values())
            ):
                raise Reason.NO_SUCH_SEAT.refusal()
            row = {
                "author_id": author.player_id,
                "player_id": player_id,
                "table_id": message.table_id,
                "hand_id": message.hand_id,
                "seat_no": message.seat_no,
                "text": message.text,
            }
            same = [poker_reports.c[name] == value for name, value in row.items()]
            if (await connection.execute(select(poker_reports.c.id).where(*same))).first() is not None:
                return
            today = select(func.count()).where(
                poker_reports.c.author_id == author.player_id, poker_reports.c.at_ms >= day_of(now_ms)
            )
            if (await connection.execute(today)).scalar_one() >= REPORTS_PER_DAY:
                raise Reason.REPORTS_USED_UP.refusal()
            await connection.execute(poker_reports.insert().values(row | {"at_ms": now_ms}))
            after = {"hand_id": message.hand_id, "seat_no": message.seat_no}
            entry = audit_log.Entry(author.name, "player", ACTION, f"user {player_id}", message.text, after=after)
            await audit_log.write(connection, entry, now_ms)

    async def page(self, message: ViewReports) -> PokerReports:
        """Reports older than `before`, newest first."""
        author, player = users.alias(), users.alias()
        query = (
            select(poker_reports, author.c.name.label("author"), player.c.name.label("player"))
            .join(author, author.c.id == poker_reports.c.author_id, isouter=True)
            .join(player, player.c.id == poker_reports.c.player_id, isouter=True)
            .order_by(poker_reports.c.id.desc())
            .limit(message.limit + 1)
        )
        if message.before is not None:
            query = query.where(poker_reports.c.id < message.before)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        found = rows[: message.limit]
        return {"reports": [_view(row) for row in found], "next": str(found[-1].id) if len(rows) > len(found) else None}


def _running(message: Report, table: PokerTable | None) -> Reported | None:
    """The hand that is not stored yet."""
    hand = table.public_hand if table is not None else None
    if hand is None or hand.hand_id != message.hand_id:
        return None
    return Reported(hand.table_id, {seat.seat_no: seat.player_id for seat in hand.seats})


async def _stored(connection: AsyncConnection, hand_id: str) -> Reported | None:
    columns = poker_hand_players.c
    query = (
        select(poker_hands.c.table_id, columns.seat_no, columns.player_id)
        .join(poker_hands, poker_hands.c.id == columns.hand_id)
        .where(columns.hand_id == hand_id)
    )
    rows = (await connection.execute(query)).all()
    return Reported(rows[0].table_id, {row.seat_no: row.player_id for row in rows}) if rows else None


def _view(row: Row[Any]) -> PokerReport:
    return {
        "id": str(row.id),
        "at": row.at_ms,
        "table_id": row.table_id,
        "hand_id": row.hand_id,
        "seat_no": row.seat_no,
        "author": {"id": row.author_id, "name": row.author or ""},
        "player": {"id": row.player_id, "name": row.player or ""},
        "text": row.text,
    }
