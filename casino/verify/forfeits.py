"""Verifies forfeited rounds, whose journal was unreadable for 90 days: only the money is known.

All captures and plays must come from its players, and charity must have received exactly that amount.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.posting import Posting
from casino.storage.schema import operations, postings
from casino.verify.ledger import whole
from casino.verify.round_rows import RoundRows


async def forfeit_faults(connection: AsyncConnection, round_id: str, records: RoundRows) -> list[str]:
    query = (
        select(operations.c.key, operations.c.kind, postings)
        .join(postings, postings.c.operation_id == operations.c.id)
        .where(operations.c.round_id == round_id)
        .order_by(operations.c.id, postings.c.line)
    )
    rows = (await connection.execute(query)).all()
    return [*_money_faults(round_id, rows), *_hold_faults(round_id, rows, records)]


def _hold_faults(round_id: str, rows: Sequence[Any], records: RoundRows) -> Iterator[str]:
    captured = {row.source: row.amount for row in rows if row.kind == "capture"}
    for _, player_id, account, amount, status in records.holds:
        posted = captured.pop(account, None)
        if (amount if status == "captured" else None) != posted:
            yield f"hold {round_id}/{player_id}: {amount} is {status}, and {posted} was posted"
    for account, amount in captured.items():
        yield f"round {round_id}: no hold was captured for the {amount} of account {account}"


def _money_faults(round_id: str, rows: Sequence[Any]) -> Iterator[str]:
    staked: dict[str, int] = defaultdict(int)
    for key, kind, number, line, *fields in rows:
        posting = Posting(*fields)
        escrow = accounts.escrow(round_id, posting.currency).id
        if kind in ("capture", "play"):
            staked[posting.currency] += whole(posting.amount)
            is_right = str(posting.source).startswith("player:") and posting.destination == escrow
        elif kind == "play_return":
            staked[posting.currency] -= whole(posting.amount)
            is_right = posting.source == escrow and str(posting.destination).startswith("player:")
        else:
            forfeited = Posting(escrow, accounts.charity(posting.currency).id, staked.pop(posting.currency, 0), "")
            is_right = kind == "forfeit" and posting[:3] == forfeited[:3]
            is_right &= key == f"{round_id}:forfeit:{posting.currency}"
        if not is_right:
            yield f"posting {number}/{line}: it does not belong to round {round_id}, which was forfeited"
    for currency, amount in staked.items():
        yield f"round {round_id}: the {amount} {currency} staked did not go to charity"
