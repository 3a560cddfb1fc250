"""Finance reports: tips, refunds, unresolved stakes, charity, cashier and trial balance.

Amounts are integers of minor units, each currency by itself.
"""

import json
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import ColumnElement, Row, Select, and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.finance.period import DAY_MS, Period, day_at
from casino.finance.report_types import (
    BalanceRow,
    Charity,
    Flow,
    Flows,
    PendingPayment,
    PresenterTips,
    Refund,
    Refunds,
    Tips,
    TrialBalance,
    Unresolved,
    UnresolvedStake,
)
from casino.finance.settlements import STAKED, seats_in
from casino.history.cancellations import approval_of, cancelled_by, count_cancellations
from casino.ledger.payments import KINDS
from casino.poker_room.forfeits import KIND as POKER_FORFEIT
from casino.poker_room.tournament.unreadable_tournaments import KIND as TOURNAMENT_FORFEIT
from casino.storage.schema import (
    accounts,
    journal,
    operations,
    payments,
    postings,
    rounds,
    settled_seats,
    settlements,
    users,
)
from casino.users.requests import RequestKind

_FLOWS: Final = (*sorted(KINDS), "credit")
_operation, _posting = operations.c, postings.c


def _in(period: Period) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _operation.at_ms >= period.from_ms, _operation.at_ms < period.until_ms


def _moved(*columns: Any) -> Select[Any]:  # noqa: ANN401  whatever can be selected
    joined = select(*columns).select_from(operations)
    return joined.join(postings, _posting.operation_id == _operation.id)


def _rows_at(route: str, period: Period, **parameters: str) -> str:
    return f"/api/finance/{route}?" + urlencode({"from": f"{period.first}", "to": f"{period.last}", **parameters})


async def tips(connection: AsyncConnection, period: Period) -> Tips:
    """Tips by presenter, for payroll."""
    owner = func.replace(func.replace(_posting.destination, "presenter:", ""), ":tips:" + _posting.currency, "")
    query = (
        _moved(users.c.id, users.c.name, _posting.currency, func.count(), func.sum(_posting.amount))
        .join(users, users.c.id == owner)
        .where(_operation.kind == "tip", *_in(period))
        .group_by(users.c.id, users.c.name, _posting.currency)
        .order_by(users.c.name, _posting.currency)
    )
    rows: list[PresenterTips] = [
        {
            "presenter_id": id_,
            "presenter": name,
            "currency": currency,
            "tips": count,
            "amount": int(amount),
            "rows_at": _rows_at("postings", period, account=f"presenter:{id_}:tips:{currency}"),
        }
        for id_, name, currency, count, amount in await connection.execute(query)
    ]
    return {"rows": rows}


async def refunds(connection: AsyncConnection, period: Period) -> Refunds:
    """Cancelled rounds: counts by phase and person, and each round, newest first, with its refunds and reason."""
    counted = await count_cancellations(connection, period.from_ms, period.until_ms, period.table_id)
    return {"rows": await _refunded(connection, period), "cancellations": counted}


async def _refunded(connection: AsyncConnection, period: Period) -> list[Refund]:
    end, seat = settlements.c, settled_seats.c
    cancelled, approved = journal.alias(), journal.alias()
    by = (
        end.round_id,
        end.table_id,
        end.game_number,
        _operation.at_ms,
        seat.currency,
        cancelled.c.data,
        approved.c.data,
    )
    query = (
        seats_in(period, *by, func.count(), func.sum(STAKED))
        .join(cancelled, (cancelled.c.round_id == end.round_id) & (cancelled.c.kind == "round_cancelled"))
        .outerjoin(approved, approval_of(approved, cancelled))
        .where(end.status == "cancelled")
        .group_by(*by)
        .order_by(_operation.at_ms.desc(), end.round_id, seat.currency)
    )
    found = list[Refund]()
    for (
        round_id,
        table_id,
        game_number,
        at_ms,
        currency_,
        data,
        approval,
        players,
        refunded,
    ) in await connection.execute(query):
        details, people = json.loads(data), cancelled_by(data, approval)
        found.append(
            {
                "round_id": round_id,
                "table_id": table_id,
                "game_number": game_number,
                "at": at_ms,
                "currency": currency_,
                "players": players,
                "refunded": int(refunded),
                "by": people.by,
                "proposed_by": people.proposed_by,
                "approved_by": people.approved_by,
                "lapsed": people.lapsed,
                "phase": details.get("phase"),
                "reason": details["reason"],
                "rows_at": f"/api/finance/rounds/{round_id}",
            }
        )
    return found


async def unresolved(connection: AsyncConnection, now_ms: int) -> Unresolved:
    """Stakes in the escrow of rounds, oldest first, including running rounds."""
    round_of = func.replace(func.replace(accounts.c.id, "round:", ""), ":escrow:" + accounts.c.currency, "")
    query = (
        select(rounds.c.id, rounds.c.table_id, rounds.c.game_number, rounds.c.status, rounds.c.started_ms)
        .add_columns(accounts.c.currency, accounts.c.balance)
        .join_from(accounts, rounds, rounds.c.id == round_of)
        .where(accounts.c.kind == "escrow", accounts.c.balance != 0)
        .order_by(rounds.c.started_ms, rounds.c.id, accounts.c.currency)
    )
    rows: list[UnresolvedStake] = [
        {
            "round_id": id_,
            "table_id": table_id,
            "game_number": game_number,
            "status": status,
            "started_at": started_ms,
            "age_ms": now_ms - started_ms,
            "currency": currency,
            "amount": balance,
            "rows_at": f"/api/finance/rounds/{id_}",
        }
        for id_, table_id, game_number, status, started_ms, currency, balance in await connection.execute(query)
    ]
    return {"rows": rows}


async def charity(connection: AsyncConnection) -> Charity:
    """Stakes and chips that could not be settled or returned for 90 days."""
    balances = select(accounts.c.currency, accounts.c.balance).where(accounts.c.kind == "charity")
    query = _moved(_operation.round_id, _operation.at_ms, _posting.currency, _posting.amount, _operation.reason)
    kinds = ("forfeit", POKER_FORFEIT, TOURNAMENT_FORFEIT, RequestKind.PRIZE_CHARITY.value)
    is_forfeit = and_(_operation.kind.in_(kinds), _posting.destination.startswith("charity:"))
    forfeits = await connection.execute(query.where(is_forfeit).order_by(_operation.at_ms))
    return {
        "balances": {row.currency: row.balance for row in await connection.execute(balances)},
        "rows": [
            {"round_id": round_id, "at": at_ms, "currency": currency, "amount": amount, "reason": reason}
            for round_id, at_ms, currency, amount, reason in forfeits
        ],
    }


async def cashier(connection: AsyncConnection, period: Period) -> Flows:
    """Money in and out by day, and all pending payments."""
    day = _operation.at_ms // DAY_MS
    query = (
        _moved(day, _operation.kind, _posting.currency, func.count(), func.sum(_posting.amount))
        .where(_operation.kind.in_(_FLOWS), *_in(period))
        .group_by(day, _operation.kind, _posting.currency)
        .order_by(day, _operation.kind, _posting.currency)
    )
    flows: list[Flow] = [
        {
            "day": f"{day_at(number * DAY_MS)}",
            "kind": kind,
            "currency": currency,
            "payments": count,
            "amount": int(amount),
            "rows_at": _rows_at("postings", Period.of_day(day_at(number * DAY_MS)), kind=kind, currency=currency),
        }
        for number, kind, currency, count, amount in await connection.execute(query)
    ]
    waiting = (
        select(payments, users.c.name)
        .join(users, users.c.id == payments.c.player_id)
        .where(payments.c.status == "pending")
        .order_by(payments.c.asked_ms)
    )
    return {"flows": flows, "pending": [_payment(row) for row in await connection.execute(waiting)]}


async def trial_balance(connection: AsyncConnection) -> TrialBalance:
    """Current balances by kind of account. The sum of every currency is zero, or the books are wrong."""
    query = (
        select(accounts.c.currency, accounts.c.kind, func.count(), func.sum(accounts.c.balance))
        .add_columns(func.sum(accounts.c.held))
        .group_by(accounts.c.currency, accounts.c.kind)
        .order_by(accounts.c.currency, accounts.c.kind)
    )
    rows: list[BalanceRow] = [
        {"currency": currency, "kind": kind, "accounts": count, "balance": int(balance), "held": int(held)}
        for currency, kind, count, balance, held in await connection.execute(query)
    ]
    return {"rows": rows, "totals": _sums(rows)}


def _sums(rows: Iterable[BalanceRow]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for row in rows:
        totals[row["currency"]] = totals.get(row["currency"], 0) + row["balance"]
    return totals


def _payment(row: Row[Any]) -> PendingPayment:
    return {
        "payment_id": row.id,
        "player_id": row.player_id,
        "player": row.name,
        "kind": row.kind,
        "currency": row.currency,
        "amount": row.amount,
        "asked_at": row.asked_ms,
        "tries": row.tries,
    }
