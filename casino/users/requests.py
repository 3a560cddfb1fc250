"""Requests of staff for a second person: day close, month lock, credits, tickets, debts, held prizes and tournaments.

One person requests, another one of the same desk approves. What finance requests is marked in the transaction that does
it, so it is approved exactly if it happened. What managers request is marked before the poker room does it (300).
"""

import json
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Row, Select, case, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.storage.schema import finance_requests as requests
from casino.storage.schema import users
from casino.users.roles import Person
from casino.wire.common import Minor, Moment

LISTED_MAX: Final = 200


class RequestKind(StrEnum):
    DAY_CLOSE = "day_close"
    MONTH_LOCK = "month_lock"
    CREDIT = "credit"
    RECOVERY = "recovery"
    WRITE_OFF = "write_off"
    PRIZE_RELEASE = "prize_release"
    PRIZE_CHARITY = "prize_charity"
    TICKET = "ticket"
    TOURNAMENT_CREATE = "tournament_create"
    TOURNAMENT_CHANGE = "tournament_change"


OF_MANAGERS: Final = (RequestKind.TOURNAMENT_CREATE, RequestKind.TOURNAMENT_CHANGE)
"""Decided at the host console, not by finance."""
_PREFIXES: Final[dict[str, str]] = {
    RequestKind.DAY_CLOSE: "day ",
    RequestKind.MONTH_LOCK: "month ",
    RequestKind.TOURNAMENT_CREATE: "",
    RequestKind.TOURNAMENT_CHANGE: "",
}
"""Of the target in the audit log; other requests are about a player."""


class RequestView(TypedDict):
    id: str
    kind: RequestKind
    target: str
    player: str | None
    amount: Minor | None
    currency: str | None
    tournament: str | None
    """In which a prize is held."""
    reason: str
    requested_by: str
    requested_by_id: str
    requested_at: Moment
    status: str
    decided_by: str | None
    decided_at: Moment | None
    remark: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """`target` is a day, a month, or the id of a player or tournament; the amount is in minor units."""

    kind: RequestKind
    target: str
    reason: str
    player: str | None = None
    amount: int | None = None
    currency: str | None = None
    tournament: str | None = None
    terms: str | None = None
    """Of a tournament that is created or changed, as JSON."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    id: str
    wanted: Wanted
    requested_by: Person


async def submit(connection: AsyncConnection, wanted: Wanted, by: Person, now_ms: int) -> str:
    """Stores the request; nothing happens before a second person approves."""
    same = select(requests.c.id).where(
        requests.c.kind == wanted.kind, requests.c.target == wanted.target, requests.c.status == "open"
    )
    if (await connection.execute(same)).first() is not None:
        raise Refusal(Code.TOO_LATE, "The same request is waiting for a second person already.")
    id_ = secrets.token_urlsafe(12)
    details = {"player": wanted.player, "amount_minor": wanted.amount, "currency": wanted.currency}
    details |= {"tournament": wanted.tournament, "terms": wanted.terms}
    known = {name: value for name, value in details.items() if value is not None}
    after = {"request": id_, "kind": wanted.kind, **known}
    target = audit_target(wanted.kind, wanted.target)
    entry = audit_log.Entry(by.name, by.role, "finance_request", target, wanted.reason, after=after)
    await audit_log.write(connection, entry, now_ms)
    await connection.execute(
        requests.insert().values(
            id=id_,
            kind=wanted.kind,
            target=wanted.target,
            details=json.dumps(known, sort_keys=True),
            reason=wanted.reason,
            requested_by=by.id,
            requested_ms=now_ms,
            status="open",
            remark="",
        )
    )
    return id_


async def open_request(connection: AsyncConnection, id_: str) -> OpenRequest:
    query = select(requests, users.c.name, users.c.role).join(users, users.c.id == requests.c.requested_by)
    row = (await connection.execute(query.where(requests.c.id == id_))).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, "This request does not exist. Reload the list.")
    if row.status != "open":
        raise Refusal(Code.TOO_LATE, f"This request was already {row.status}.")
    return _open(row)


def _open(row: Row[Any]) -> OpenRequest:
    return OpenRequest(row.id, _wanted(row), Person(row.requested_by, row.name, row.role))


def verify_second_person(found: OpenRequest, by: Person) -> None:
    if by.id == found.requested_by.id:
        raise Refusal(Code.FORBIDDEN, "Another person has to approve your request.")


async def mark(
    connection: AsyncConnection, found: OpenRequest, status: str, by: Person, *, remark: str, now_ms: int
) -> None:
    """Marks the request, last in its transaction; refuses if it was decided already."""
    decided = (
        update(requests)
        .where(requests.c.id == found.id, requests.c.status == "open")
        .values(status=status, decided_by=by.id, decided_ms=now_ms, remark=remark)
    )
    if (await connection.execute(decided)).rowcount != 1:
        raise Refusal(Code.TOO_LATE, "Another person has just answered this request. Reload the list.")


async def reject(connection: AsyncConnection, id_: str, by: Person, remark: str, now_ms: int) -> None:
    """Rejects a request; allowed to all of finance, and to its author."""
    found = await open_request(connection, id_)
    after = {"request": id_, "kind": found.wanted.kind, "requested_by": found.requested_by.name}
    target = audit_target(found.wanted.kind, found.wanted.target)
    entry = audit_log.Entry(by.name, by.role, "finance_request_rejected", target, remark, after=after)
    await audit_log.write(connection, entry, now_ms)
    await mark(connection, found, "rejected", by, remark=remark, now_ms=now_ms)


async def listed(connection: AsyncConnection) -> list[RequestView]:
    """Returns open requests of finance first, then decided ones, newest first."""
    rows = await connection.execute(_listed().where(requests.c.kind.not_in(OF_MANAGERS)).limit(LISTED_MAX))
    return [_view(row) for row in rows]


async def open_ones(connection: AsyncConnection, *kinds: RequestKind) -> list[tuple[OpenRequest, int]]:
    """Returns open requests of these kinds with their times, the oldest first."""
    query = select(requests, users.c.name, users.c.role).join(users, users.c.id == requests.c.requested_by)
    query = query.where(requests.c.status == "open", requests.c.kind.in_(kinds))
    rows = await connection.execute(query.order_by(requests.c.requested_ms, requests.c.id))
    return [(_open(row), row.requested_ms) for row in rows]


async def approved_since(connection: AsyncConnection, kind: RequestKind, from_ms: int) -> list[Wanted]:
    query = select(requests).where(requests.c.kind == kind, requests.c.status == "approved")
    return [_wanted(row) for row in await connection.execute(query.where(requests.c.decided_ms >= from_ms))]


def _listed() -> Select[Any]:
    first, second = users.alias("first"), users.alias("second")
    return (
        select(requests, first.c.name.label("first"), second.c.name.label("second"))
        .join(first, first.c.id == requests.c.requested_by)
        .outerjoin(second, second.c.id == requests.c.decided_by)
        .order_by(case((requests.c.status == "open", 0), else_=1), requests.c.requested_ms.desc(), requests.c.id)
    )


def _wanted(row: Row[Any]) -> Wanted:
    details = json.loads(row.details)
    kind = RequestKind(row.kind)
    player, amount, currency = (details.get(name) for name in ("player", "amount_minor", "currency"))
    tournament, terms = details.get("tournament"), details.get("terms")
    return Wanted(kind, row.target, row.reason, player, amount, currency, tournament, terms)


def _view(row: Row[Any]) -> RequestView:
    wanted = _wanted(row)
    return {
        "id": row.id,
        "kind": wanted.kind,
        "target": wanted.target,
        "player": wanted.player,
        "amount": wanted.amount,
        "currency": wanted.currency,
        "tournament": wanted.tournament,
        "reason": wanted.reason,
        "requested_by": row.first,
        "requested_by_id": row.requested_by,
        "requested_at": row.requested_ms,
        "status": row.status,
        "decided_by": row.second,
        "decided_at": row.decided_ms,
        "remark": row.remark,
    }


def audit_target(kind: str, target: str) -> str:
    return f"{_PREFIXES.get(kind, 'user ')}{target}"
