"""The rows behind a number: settled seats and postings, filtered and page by page. Amounts in minor units."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Select, or_
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.finance import postings as ledger
from casino.finance import settlements as seats
from casino.finance.columns import Kind, Layout
from casino.finance.period import Period, time_text
from casino.storage.schema import operations, postings, settled_seats, settlements

PAGE: Final = 200
_FLAGS: Final = {None: None, 0: False, 1: True}

SEAT_FILTERS: Final = {
    "player": settled_seats.c.player_id,
    "presenter": settlements.c.presenter,
    "currency": settled_seats.c.currency,
    "status": settlements.c.status,
    "round": settlements.c.round_id,
}
POSTING_FILTERS: Final = {
    "kind": operations.c.kind,
    "currency": postings.c.currency,
    "round": operations.c.round_id,
}


async def settled_rows(
    connection: AsyncConnection, period: Period, asked: Mapping[str, str], page: int
) -> dict[str, Any]:
    verify_printable(asked)
    query = seats.query_of(period, is_sqlite=connection.dialect.name == "sqlite")
    for name, column in SEAT_FILTERS.items():
        if name in asked:
            query = query.where(column == asked[name] if asked[name] else or_(column == "", column.is_(None)))
    return await _page(connection, query, seats.LAYOUT, page)


async def posted_rows(
    connection: AsyncConnection, period: Period, asked: Mapping[str, str], page: int
) -> dict[str, Any]:
    verify_printable(asked)
    query = ledger.query_of(period)
    for name, column in POSTING_FILTERS.items():
        if name in asked:
            query = query.where(column == asked[name])
    if "account" in asked:
        query = query.where(or_(postings.c.source == asked["account"], postings.c.destination == asked["account"]))
    return await _page(connection, query, ledger.LAYOUT, page)


def verify_printable(asked: Mapping[str, str]) -> None:
    """No name and no id has a sign that cannot be seen; PostgreSQL would not even compare some of them."""
    if not all(value.isprintable() for value in asked.values()):
        raise Refusal(Code.BAD_REQUEST, "The rows of such a name cannot be asked for.")


async def _page(connection: AsyncConnection, query: Select[Any], layout: Layout, page: int) -> dict[str, Any]:
    found = (await connection.execute(query.limit(PAGE + 1).offset(page * PAGE))).all()
    kinds = [column.kind for column in layout.columns]
    rows = []
    for row in found[:PAGE]:
        values = (_FLAGS[value] if kind is Kind.FLAG else value for kind, value in zip(kinds, row, strict=False))
        rows.append(dict(zip(layout.names, (*values, time_text(row[0])), strict=True)))
    return {"rows": rows, "next_page": page + 1 if len(found) > PAGE else None}
