"""Export of a player's own hands as PHH or OHH.

An export must not feed a tracker during play: it has only hands that ended at least a day ago, and opponents under
names of that sitting or tournament only, which identify no person and no other sitting.
"""

import asyncio
import hmac
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.history.poker_hands import ShownCards, StoredHand, UnsealDeck, own_hands, shown_later, stored_hand
from casino.history.tournament_infos import ExportedTournament, tournaments_of
from casino.poker.notation.history import History
from casino.poker.notation.ohh import to_ohh
from casino.poker.notation.phh_writer import to_phh
from casino.poker.state import Status
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_sittings

DAY_MS: Final = 86_400_000
HANDS_MAX: Final = 5_000
"""Hands in one file."""
HANDS_AT_ONCE: Final = 50
"""Hands written before others have their turn: few enough that no bet waits noticeably."""
_PAUSE_SECONDS: Final = 0.02
_NAME_LENGTH: Final = 8


class Notation(StrEnum):
    PHH = "phh"
    OHH = "ohh"


class Period(NamedTuple):
    """Ends of hands: from a moment, until before another one."""

    from_ms: int
    until_ms: int


class _Played(NamedTuple):
    """What exported hands are written with, besides their rows: cards shown, sittings by table, and tournaments."""

    shown: Mapping[str, ShownCards]
    sittings: Mapping[str, Sequence["_Sitting"]]
    tournaments: Mapping[str, ExportedTournament]


class _Sitting(NamedTuple):
    from_ms: int
    key: str


@dataclass(frozen=True, slots=True)
class Exporter:
    """The player, the key that makes session names, the decks' seal, and the seats of a table by stake."""

    player_id: str
    name: str
    names_key: bytes
    unseal: UnsealDeck
    seats: Mapping[str, int] = field(default_factory=dict)


async def export_hands(database: Database, reader: Exporter, notation: Notation, period: Period, now_ms: int) -> str:
    """Returns the file. Raises `bad_request` if the period has too many hands for one file.

    The connection is one of those of the back office, and free while the file is written.
    """
    own = poker_hand_players
    is_wanted = (
        own.c.ended_ms >= period.from_ms,
        own.c.ended_ms < min(period.until_ms, now_ms - DAY_MS),
        poker_hands.c.status == Status.SETTLED.value,
    )
    async with database.reading(long_running=True) as connection:
        rows = [*await connection.execute(own_hands(reader.player_id).where(*is_wanted).limit(HANDS_MAX + 1))]
        if len(rows) > HANDS_MAX:
            raise Refusal(Code.BAD_REQUEST, f"from: more than {HANDS_MAX} hands; choose fewer days.")
        rows.reverse()  # a file begins with the oldest hand
        played = _Played(
            await shown_later(connection, [row.id for row in rows]),
            await _sittings(connection, reader.player_id),
            await tournaments_of(connection, {row.tournament_id for row in rows if row.tournament_id}),
        )
    written: list[str] = []
    for start in range(0, len(rows), HANDS_AT_ONCE):
        part = rows[start : start + HANDS_AT_ONCE]
        written += await asyncio.to_thread(_written, part, played, reader, notation)
        await asyncio.sleep(_PAUSE_SECONDS)
    if notation is Notation.OHH:
        return "\n".join(written)
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(written, start=1))


async def _sittings(connection: AsyncConnection, player_id: str) -> dict[str, list[_Sitting]]:
    """Returns the player's sittings by table, in order."""
    query = select(poker_sittings.c.table_id, poker_sittings.c.from_ms, poker_sittings.c.key)
    found: dict[str, list[_Sitting]] = {}
    for row in await connection.execute(query.where(poker_sittings.c.player_id == player_id)):
        found.setdefault(row.table_id, []).append(_Sitting(row.from_ms, row.key))
    return {table_id: sorted(sittings) for table_id, sittings in found.items()}


def _written(rows: Sequence[Row[Any]], played: _Played, reader: Exporter, notation: Notation) -> list[str]:
    hands = [stored_hand(row, played.shown.get(row.id, {})) for row in rows]
    histories = [_history(stored, played, reader) for stored in hands]
    return [to_ohh(history) if notation is Notation.OHH else to_phh(history) for history in histories]


def _history(stored: StoredHand, played: _Played, reader: Exporter) -> History:
    """A tournament is one sitting, at all its tables. Its amounts are chips."""
    row = stored.row
    sittings, tournament = played.sittings.get(row.table_id, ()), played.tournaments.get(row.tournament_id)
    dealer = stored.dealer(reader.unseal)
    place = bisect_right(sittings, row.started_ms, key=lambda sitting: sitting.from_ms)
    sitting = sittings[place - 1].key if place else row.tournament_id or row.table_id
    names = {entrant.player_id: _session_name(reader, sitting, entrant.player_id) for entrant in stored.opened.seats}
    hole: dict[int, Any] = {row.seat_no: dealer.hole(row.seat_no)} if dealer else {}
    return History(
        stored.opened,
        stored.events,
        hole,
        names | {reader.player_id: reader.name},
        currency=row.currency if tournament is None else None,
        table_name=row.table_id,
        reader=reader.player_id,
        seats=reader.seats.get(row.pool_id.partition(":")[0]) if tournament is None else tournament.seats,
        tournament=tournament.info if tournament is not None else None,
    )


def _session_name(reader: Exporter, sitting: str, player_id: str) -> str:
    digest = hmac.digest(reader.names_key, f"{reader.player_id}|{sitting}|{player_id}".encode(), "sha256")
    return f"Player {digest.hex()[:_NAME_LENGTH]}"
