"""Drill-down to the rows behind a number: settled seats and postings, filtered, with pagination, in minor units.

Totals cover all pages. The postings of one account also show its change and its balance after each posting, so that the
last line is the balance that was clicked.
"""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.finance import postings as ledger
from casino.finance import settlements as seats
from casino.finance.account_names import names_of, owner_id
from casino.finance.columns import Kind, Layout
from casino.finance.period import Period, time_text
from casino.finance.tournament_money import FIGURES, is_of_event
from casino.storage.schema import operations, postings, settled_seats, settlements

PAGE: Final = 200
PLAYED: Final = "played"
"""Selects every status but `cancelled`: what stakes and results are made of."""

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
    connection: AsyncConnection, period: Period, filters: Mapping[str, str], page: int
) -> dict[str, Any]:
    verify_printable(filters)
    query = seats.query_of(period, is_sqlite=connection.dialect.name == "sqlite")
    for name, column in SEAT_FILTERS.items():
        if name == "status" and filters.get(name) == PLAYED:
            query = query.where(column != "cancelled")
        elif name in filters:
            query = query.where(column == filters[name] if filters[name] else or_(column == "", column.is_(None)))
    found = await _page(connection, query, seats.LAYOUT, page)
    return found | {"totals": await _totals(connection, query, seats.LAYOUT)}


async def posted_rows(
    connection: AsyncConnection, period: Period, filters: Mapping[str, str], page: int
) -> dict[str, Any]:
    verify_printable(filters)
    query = ledger.query_of(period)
    for name, column in POSTING_FILTERS.items():
        if name in filters:
            query = query.where(column == filters[name])
    figure, event = filters.get("figure"), filters.get("event")
    if figure is not None:
        if figure not in FIGURES:
            raise Refusal(Code.BAD_REQUEST, f"figure: use one of {', '.join(FIGURES)}.")
        query = query.where(FIGURES[figure])
    if event:
        query = query.where(is_of_event(event))
    account = filters.get("account")
    if account is not None:
        query = query.where(or_(postings.c.source == account, postings.c.destination == account))
    found = await _page(connection, query, ledger.LAYOUT, page)
    await _add_owners(connection, found["rows"])
    totals = await _totals(connection, query, ledger.LAYOUT)
    if account is not None:
        is_narrower = period.table_id is not None or bool({"kind", "round", "figure", "event"} & {*filters})
        await _add_changes(connection, found["rows"], account, has_balance=not is_narrower)
        for currency, moved_in in (await _received(connection, query, account)).items():
            totals[currency] |= {"in": moved_in, "out": totals[currency]["amount"] - moved_in}
            if not is_narrower:
                totals[currency]["balance"] = await _balance(connection, account, operations.c.at_ms < period.until_ms)
    return found | {"totals": totals}


async def _add_owners(connection: AsyncConnection, rows: list[dict[str, Any]]) -> None:
    sides = ("source", "destination")
    ids = {owner_id(row[side]) for row in rows for side in sides} | {row["actor"] for row in rows}
    names = await names_of(connection, ids)
    for row in rows:
        row |= {f"{side}_owner": names.get(owner_id(row[side])) for side in sides}
        row["actor_name"] = names.get(row["actor"])  # players are recorded by id, staff by name


async def _add_changes(
    connection: AsyncConnection, rows: list[dict[str, Any]], account: str, *, has_balance: bool
) -> None:
    """Adds the account's change and, where no other posting was left out, its balance after the posting."""
    balance = await _balance_before(connection, account, rows[0]) if rows and has_balance else None
    for row in rows:
        change = row["amount"] if row["destination"] == account else -row["amount"]
        balance = None if balance is None else balance + change
        row |= {"change": change, "balance": balance}


async def _balance_before(connection: AsyncConnection, account: str, first: Mapping[str, Any]) -> int:
    """Returns the balance before this posting, in the order of the drill-down."""
    operation_id, at_ms = int(first["operation_id"]), first["posted_at"]
    is_earlier = or_(
        operations.c.at_ms < at_ms,
        (operations.c.at_ms == at_ms) & (operations.c.id < operation_id),
        (operations.c.id == operation_id) & (postings.c.line < first["line"]),
    )
    return await _balance(connection, account, is_earlier)


async def _balance(connection: AsyncConnection, account: str, are_counted: ColumnElement[bool]) -> int:
    change = case((postings.c.destination == account, postings.c.amount), else_=-postings.c.amount)
    query = (
        select(func.coalesce(func.sum(change), 0))
        .join(operations, operations.c.id == postings.c.operation_id)
        .where(or_(postings.c.source == account, postings.c.destination == account), are_counted)
    )
    return int((await connection.execute(query)).scalar_one())


async def _totals(connection: AsyncConnection, query: Select[Any], layout: Layout) -> dict[str, dict[str, int]]:
    """Returns the sums of all pages by currency."""
    rows = query.order_by(None).subquery()
    column_of = dict(zip(layout.names, rows.c, strict=False))
    amounts = [column.name for column in layout.columns if column.kind is Kind.AMOUNT and column.name in column_of]
    sums = select(column_of["currency"], func.count(), *(func.sum(column_of[name]) for name in amounts))
    found = await connection.execute(sums.group_by(column_of["currency"]))
    return {
        currency: {"rows": count} | {name: int(value or 0) for name, value in zip(amounts, values, strict=True)}
        for currency, count, *values in found
    }


async def _received(connection: AsyncConnection, query: Select[Any], account: str) -> dict[str, int]:
    """Returns what the account received, by currency."""
    rows = query.order_by(None).subquery()
    received = case((rows.c.destination == account, rows.c.amount), else_=0)
    found = await connection.execute(select(rows.c.currency, func.sum(received)).group_by(rows.c.currency))
    return {currency: int(amount) for currency, amount in found}


def verify_printable(filters: Mapping[str, str]) -> None:
    """Refuses invisible characters, which no name or id has; PostgreSQL cannot even compare some of them."""
    if not all(value.isprintable() for value in filters.values()):
        raise Refusal(Code.BAD_REQUEST, "Remove invisible characters from the filter.")


async def _page(connection: AsyncConnection, query: Select[Any], layout: Layout, page: int) -> dict[str, Any]:
    found = (await connection.execute(query.limit(PAGE + 1).offset(page * PAGE))).all()
    kinds = [column.kind for column in layout.columns]
    rows = []
    for row in found[:PAGE]:
        values = (_FLAGS[value] if kind is Kind.FLAG else value for kind, value in zip(kinds, row, strict=False))
        rows.append(dict(zip(layout.names, (*values, time_text(row[0])), strict=True)))
    return {"rows": rows, "next_page": page + 1 if len(found) > PAGE else None}
