"""Search for rounds by game number, table, day or player: for staff, newest first."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.history.player_rounds import Place
from casino.storage.schema import rounds, seats, users
from casino.users.names import cased, folded

SEARCH_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """Search filter; None means any. `player` is a name or an id."""

    game_number: str | None = None
    table_id: str | None = None
    day: str | None = None
    player: str | None = None
    before: Place | None = None


class Found(NamedTuple):
    round_id: str
    table_id: str
    day: str
    game_number: str
    status: str
    started_ms: int
    presenter: str | None
    players: int


async def find_rounds(connection: AsyncConnection, wanted: Wanted, limit: int) -> tuple[list[Found], Place | None]:
    """Returns at most `limit` rounds, and the cursor of the next page, if there is one."""
    if not 1 <= limit <= SEARCH_MAX:
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {SEARCH_MAX}.")
    query = _filtered(wanted)
    if wanted.player is not None:
        player_id = await _player(connection, wanted.player)
        mine = select(seats.c.round_id).where(seats.c.player_id == player_id)
        query = query.where(rounds.c.id.in_(mine))
    ordered = query.order_by(rounds.c.started_ms.desc(), rounds.c.id.desc()).limit(limit + 1)
    found = [Found._make(row) for row in await connection.execute(ordered)]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], Place(last.started_ms, last.round_id) if last else None


def _filtered(wanted: Wanted) -> Select[Any]:
    filters = (
        (rounds.c.game_number, wanted.game_number),
        (rounds.c.table_id, wanted.table_id),
        (rounds.c.day, wanted.day),
    )
    conditions: list[ColumnElement[bool]] = [column == value for column, value in filters if value is not None]
    conditions.append(rounds.c.status != "void")  # without bets, or all bets returned
    if wanted.before is not None:
        conditions.append(tuple_(rounds.c.started_ms, rounds.c.id) < tuple(wanted.before))
    players = select(func.count()).where(seats.c.round_id == rounds.c.id).scalar_subquery()
    return select(
        rounds.c.id,
        rounds.c.table_id,
        rounds.c.day,
        rounds.c.game_number,
        rounds.c.status,
        rounds.c.started_ms,
        rounds.c.presenter,
        players,
    ).where(*conditions)


async def _player(connection: AsyncConnection, name_or_id: str) -> str | None:
    query = select(users.c.id).where(
        or_(users.c.id == name_or_id, users.c.name_folded.in_({cased(name_or_id), folded(name_or_id)}))
    )
    found: str | None = await connection.scalar(query)
    return found
