"""Rounds of a player, newest first, with pagination: stakes and returns.

Amounts come from the player's own postings, so they cannot differ from the ledger. Keyset pagination keeps the cost of
a page constant: an index finds its first round, and another one the postings between its first and last round.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, Select, TextClause, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.ledger.accounts import escrow, player_cash_id
from casino.storage.schema import operations, postings
from casino.wire.past_rounds import RoundStatus

PAGE_MAX: Final = 200
PAGE_USUAL: Final = 50
_ENDLESS: Final = 2**63 - 1

_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{1,40})")


class Place(NamedTuple):
    """Cursor of a page: it begins after this round."""

    started_ms: int
    round_id: str

    @classmethod
    def parse(cls, written: str) -> "Place":
        found = _PLACE.fullmatch(written)
        if found is None:
            raise Refusal(Code.BAD_REQUEST, "before: use a value that an earlier page gave as `next`.")
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.started_ms}-{self.round_id}"


class Played(NamedTuple):
    round_id: str
    currency: str
    started_ms: int
    table_id: str
    game_number: str
    status: RoundStatus
    staked: int
    returned: int


async def page_of(
    connection: AsyncConnection, player_id: str, limit: int, before: Place | None = None
) -> tuple[list[Played], Place | None]:
    """Returns at most `limit` rounds, and the cursor of the next page, if there is one."""
    if not 1 <= limit <= PAGE_MAX:
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {PAGE_MAX}.")
    parameters = {"player_id": player_id, "limit": limit + 1}
    if before is None:
        rows = (await connection.execute(NEWEST, parameters)).all()
    else:
        rows = (await connection.execute(BEHIND, parameters | before._asdict())).all()
    found = await _with_amounts(connection, player_cash_id(player_id), rows[:limit])
    last = found[-1] if len(rows) > limit else None
    return found, Place(last.started_ms, last.round_id) if last else None


def _page(which: str) -> TextClause:
    """Selects rounds with the numbers of their first, last and paying operations.

    A correction pays again, and the last payment counts.
    """
    return text(f"""
        SELECT page.round_id, page.currency, page.started_ms, rounds.table_id, rounds.game_number, rounds.status,
            capture.id AS first,
            coalesce(settled.id, refunded.id, forfeited.id) AS last,
            CASE rounds.status
                WHEN 'corrected' THEN (
                    SELECT max(latest.id) FROM operations latest
                    WHERE latest.round_id = page.round_id AND latest.kind = 'settle'
                )
                ELSE coalesce(settled.id, refunded.id)
            END AS paid
        FROM (
            SELECT round_id, currency, started_ms FROM seats WHERE player_id = :player_id {which}
            ORDER BY started_ms DESC, round_id DESC LIMIT :limit
        ) page
        JOIN rounds ON rounds.id = page.round_id
        JOIN operations capture ON capture.key = page.round_id || '\\:capture'
        LEFT JOIN operations settled ON settled.key = page.round_id || '\\:settle'
        LEFT JOIN operations refunded ON refunded.key = page.round_id || '\\:refund'
        LEFT JOIN operations forfeited ON forfeited.key = page.round_id || ':forfeit:' || page.currency
        ORDER BY page.started_ms DESC, page.round_id DESC
    """)  # noqa: S608


NEWEST: Final = _page("")
BEHIND: Final = _page("AND (started_ms, round_id) < (:started_ms, :round_id)")

STAKES: Final = (
    select(postings.c.destination.label("escrow"), postings.c.amount.label("amount"))
    .join(operations, operations.c.id == postings.c.operation_id)
    .where(
        postings.c.source == bindparam("cash"),
        postings.c.operation_id.between(bindparam("first"), bindparam("last")),
        operations.c.kind.in_(("capture", "play")),
    )
).union_all(
    # A PLAY of a decision that was opened again went back.
    select(postings.c.source, -postings.c.amount)
    .join(operations, operations.c.id == postings.c.operation_id)
    .where(
        postings.c.destination == bindparam("cash"),
        postings.c.operation_id.between(bindparam("first"), bindparam("last")),
        operations.c.kind == "play_return",
    )
)
PAYOUTS: Final = select(postings.c.operation_id, postings.c.amount).where(
    postings.c.destination == bindparam("cash"), postings.c.operation_id.between(bindparam("first"), bindparam("last"))
)
_LATER: Final = select(postings.c.operation_id, postings.c.amount).where(
    postings.c.destination == bindparam("cash"), postings.c.operation_id.in_(bindparam("paid", expanding=True))
)


async def _with_amounts(connection: AsyncConnection, cash: str, rows: Sequence[Row[Any]]) -> list[Played]:
    """Adds the amounts of the player's account between the first and the last of these rounds."""
    if not rows:
        return []
    ends = [row.last for row in rows]
    span = {"cash": cash, "first": min(row.first for row in rows), "last": _ENDLESS if None in ends else max(ends)}
    staked: dict[str, int] = defaultdict(int)
    for account, amount in await connection.execute(STAKES, span):
        staked[account] += amount
    paid = await _paid(connection, PAYOUTS, span)
    later = [row.paid for row in rows if row.paid is not None and row.paid > span["last"]]  # corrected since
    if later:
        paid |= await _paid(connection, _LATER, {"cash": cash, "paid": later})
    return [
        Played._make((*row[:6], staked[escrow(row.round_id, row.currency).id], paid.get(row.paid, 0))) for row in rows
    ]


async def _paid(connection: AsyncConnection, query: Select[Any], parameters: dict[str, Any]) -> dict[int, int]:
    """Returns payments by operation."""
    return {row.operation_id: row.amount for row in await connection.execute(query, parameters)}
