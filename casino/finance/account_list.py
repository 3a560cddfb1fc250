"""Accounts behind a line of the trial balance, with pagination: accounts with a balance first."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.account_names import names_of, owner_id
from casino.finance.drilldown import PAGE, verify_printable
from casino.ledger.accounts import player_cash_id
from casino.storage.schema import accounts
from casino.wire.common import Count, Minor

_FILTERS: Final = {"kind": accounts.c.kind, "currency": accounts.c.currency}


class AccountRow(TypedDict):
    account: str
    kind: str
    owner: str | None
    currency: str
    balance: int
    held: Minor


class Accounts(TypedDict):
    rows: list[AccountRow]
    next_page: Count | None
    totals: dict[str, dict[str, int]]
    """Of all pages, by currency."""


async def held_accounts(connection: AsyncConnection, filters: Mapping[str, str], page: int) -> Accounts:
    """Selects by `kind` and `currency`, or the cash account of a player by `owner`."""
    verify_printable(filters)
    query = select(accounts).order_by(accounts.c.balance == 0, accounts.c.id)
    for name, column in _FILTERS.items():
        if name in filters:
            query = query.where(column == filters[name])
    if "owner" in filters:
        query = query.where(accounts.c.id == player_cash_id(filters["owner"]))
    found = (await connection.execute(query.limit(PAGE + 1).offset(page * PAGE))).all()
    owners = await names_of(connection, (owner_id(row.id) for row in found[:PAGE]))
    rows: list[AccountRow] = [
        {
            "account": row.id,
            "kind": row.kind,
            "owner": owners.get(owner_id(row.id)),
            "currency": row.currency,
            "balance": row.balance,
            "held": row.held,
        }
        for row in found[:PAGE]
    ]
    return {
        "rows": rows,
        "next_page": page + 1 if len(found) > PAGE else None,
        "totals": await _totals(connection, query),
    }


async def _totals(connection: AsyncConnection, query: Select[Any]) -> dict[str, dict[str, int]]:
    """Returns the sums of all pages by currency."""
    rows = query.order_by(None).subquery()
    sums = select(rows.c.currency, func.count(), func.sum(rows.c.balance), func.sum(rows.c.held))
    found = await connection.execute(sums.group_by(rows.c.currency))
    return {
        currency: {"rows": count, "balance": int(balance), "held": int(held)}
        for currency, count, balance, held in found
    }
