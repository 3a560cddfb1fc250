"""The accounts behind a line of the trial balance, page by page: those that hold something first."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.finance.rows import PAGE, verify_printable
from casino.ledger.accounts import player_cash_id
from casino.storage.schema import accounts, users

_FILTERS: Final = {"kind": accounts.c.kind, "currency": accounts.c.currency}
_OWNED: Final = ("player:", "presenter:")


async def held_accounts(connection: AsyncConnection, asked: Mapping[str, str], page: int) -> dict[str, Any]:
    """By `kind` and `currency`, or the cash account of a player by `owner`."""
    verify_printable(asked)
    query = select(accounts).order_by(accounts.c.balance == 0, accounts.c.id)
    for name, column in _FILTERS.items():
        if name in asked:
            query = query.where(column == asked[name])
    if "owner" in asked:
        query = query.where(accounts.c.id == player_cash_id(asked["owner"]))
    found = (await connection.execute(query.limit(PAGE + 1).offset(page * PAGE))).all()
    owners = await _names(connection, (_owner_id(row.id) for row in found[:PAGE]))
    rows = [
        {
            "account": row.id,
            "kind": row.kind,
            "owner": owners.get(_owner_id(row.id)),
            "currency": row.currency,
            "balance": row.balance,
            "held": row.held,
        }
        for row in found[:PAGE]
    ]
    return {"rows": rows, "next_page": page + 1 if len(found) > PAGE else None}


def _owner_id(account: str) -> str:
    """Empty where the account is nobody's."""
    return account.split(":")[1] if account.startswith(_OWNED) else ""


async def _names(connection: AsyncConnection, ids: Iterable[str]) -> dict[str, str]:
    query = select(users.c.id, users.c.name).where(users.c.id.in_(set(ids)))
    return {row.id: row.name for row in await connection.execute(query)}
