"""Routes for requests of finance that need a second person, for receivables and for the calendar of the day close."""

import re
import secrets
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.finance import held_prizes
from casino.finance.close_calendar import Calendar, calendar, month_of, record_lock
from casino.finance.close_process import reconcile_in_process
from casino.finance.day_close import record_close
from casino.finance.period import parse_day
from casino.finance.receivables import Receivables, open_receivables, settle_debt, verify_debt
from casino.http.authorization import SESSION, add_route, only
from casino.http.corrections import ToApprove, ToReject
from casino.http.request_body import Body, body_of
from casino.http.responses import Done
from casino.ledger.receivables import Debt
from casino.money import MINOR_MAX
from casino.security.spreadsheet_formulas import KEY_PATTERN
from casino.settings.service import ServiceSettings
from casino.storage.database import Database
from casino.storage.text_types import StoredText
from casino.users import requests
from casino.users.credit import REASON_LENGTH_MAX, Credit, give_credit
from casino.users.promotion_tickets import issue_ticket
from casino.users.requests import OpenRequest, RequestKind, RequestView, Wanted
from casino.users.roles import Actor, Person, Role
from casino.users.users import User, Users
from casino.wire.common import Count, Day, Moment

_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class ToRequest(Body):
    """`target` is a day, a month, or the name of a player; the amount is in minor units."""

    kind: RequestKind
    target: Annotated[StoredText, Field(min_length=1, max_length=40)]
    amount: Annotated[int, Field(ge=1, le=MINOR_MAX)] | None = None
    reason: Annotated[StoredText, Field(min_length=1, max_length=REASON_LENGTH_MAX)]
    tournament: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,40}$")] | None = None
    """In which the prize is held."""
    key: Annotated[str, Field(pattern=KEY_PATTERN)] | None = None
    """Idempotency key of a credit or ticket that one person gives."""


_GIVE: Final = {RequestKind.CREDIT: give_credit, RequestKind.TICKET: issue_ticket}
"""Given by one person up to an amount, and by two above it."""


class Submitted(TypedDict):
    id: str
    done: bool
    """True if one person was enough; false while a second person has to approve."""


class Requests(TypedDict):
    requests: list[RequestView]


class OpenDay(TypedDict):
    day: Day
    next: bool
    """Only the oldest open day can be closed."""


class LockedMonth(TypedDict):
    month: str
    locked_at: Moment | None
    """Null while the month can be locked."""
    by: str | None
    confirmed_by: str | None
    audit_row: Count | None


class OpenDays(TypedDict):
    days: list[OpenDay]
    months: list[LockedMonth]


class RequestRoutes:
    def __init__(self, database: Database, settings: ServiceSettings, clock: Clock = wall_clock) -> None:
        self._database = database
        self._alone_max = settings.cashier.credit_alone_max
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        finance = only(Role.FINANCE)
        add_route(app, "GET", "/api/finance/open-days", self.open_days, finance)
        add_route(app, "GET", "/api/finance/receivables", self.receivables, finance)
        add_route(app, "GET", "/api/finance/requests", self.page, finance)
        add_route(app, "POST", "/api/finance/requests", self.submit, finance)
        path = "/api/finance/requests/{request_id}"
        add_route(app, "POST", f"{path}/approve", self.approve, only(Role.FINANCE, takes_long=True))
        add_route(app, "POST", f"{path}/reject", self.reject, finance)

    async def open_days(self, _request: web.Request) -> OpenDays:
        async with self._database.reading(long_running=True) as connection:
            return _days_view(await calendar(connection, self._clock()))

    async def receivables(self, _request: web.Request) -> Receivables:
        async with self._database.reading(long_running=True) as connection:
            return await open_receivables(connection)

    async def page(self, _request: web.Request) -> Requests:
        async with self._database.reading(long_running=True) as connection:
            return {"requests": await requests.listed(connection)}

    async def submit(self, request: web.Request) -> Submitted:
        body, by, now_ms = await body_of(request, ToRequest), _person(request), self._clock()
        if body.kind in requests.OF_MANAGERS:
            raise Refusal(Code.BAD_REQUEST, "kind: managers create and change tournaments at the host console.")
        async with self._database.writing() as connection:
            if body.kind is RequestKind.DAY_CLOSE:
                day = parse_day(body.target, "target")
                (await calendar(connection, now_ms)).verify_next_day(day)
                wanted = Wanted(body.kind, f"{day}", body.reason)
            elif body.kind is RequestKind.MONTH_LOCK:
                month = month_of(body.target)
                (await calendar(connection, now_ms)).verify_next_month(month)
                wanted = Wanted(body.kind, month, body.reason)
            elif body.kind in held_prizes.KINDS:
                wanted = await _held(connection, body)
            else:
                user, amount = await Users(connection).named(body.target), _amount(body)
                wanted = Wanted(body.kind, user.id, body.reason, user.name, amount, user.currency)
                give = _GIVE.get(body.kind)
                if give is None:
                    await verify_debt(connection, body.kind, Debt(user.id, user.currency, amount))
                elif self._alone_max is None or amount <= self._alone_max:
                    key = body.key or f"office:{secrets.token_hex(16)}"
                    await give(connection, user, Credit(amount, body.reason, key), _actor(by), now_ms)
                    return {"id": key, "done": True}
                else:
                    _verify_wallet(user)
            return {"id": await requests.submit(connection, wanted, by, now_ms), "done": False}

    async def approve(self, request: web.Request) -> Done:
        id_, by, now_ms = _id_in(request), _person(request), self._clock()
        body = await body_of(request, ToApprove, may_be_missing=True)
        async with self._database.reading() as connection:
            found = await requests.open_request(connection, id_)
        requests.verify_second_person(found, by)
        if found.wanted.kind in requests.OF_MANAGERS:
            raise Refusal(Code.FORBIDDEN, "Managers decide about this at the host console.")
        kind, closer = found.wanted.kind, _actor(found.requested_by)
        if kind is RequestKind.DAY_CLOSE:
            await self._close(found, by, body.remark, now_ms)
            return {}
        async with self._database.writing() as connection:
            if kind is RequestKind.MONTH_LOCK:
                month = found.wanted.target
                await record_lock(connection, month, by=closer, confirmed_by=by.name, now_ms=now_ms)
            elif kind in _GIVE:
                await _give(connection, found, by, now_ms)
            elif kind in held_prizes.KINDS:
                await held_prizes.decide_prize(connection, found, by, now_ms)
            else:
                await settle_debt(connection, found, by, now_ms)
            await requests.mark(connection, found, "approved", by, remark=body.remark, now_ms=now_ms)
        return {}

    async def reject(self, request: web.Request) -> Done:
        id_, body = _id_in(request), await body_of(request, ToReject)
        async with self._database.writing() as connection:
            if (await requests.open_request(connection, id_)).wanted.kind in requests.OF_MANAGERS:
                raise Refusal(Code.FORBIDDEN, "Managers decide about this at the host console.")
            await requests.reject(connection, id_, _person(request), body.reason, self._clock())
        return {}

    async def _close(self, found: OpenRequest, by: Person, remark: str, now_ms: int) -> None:
        day = parse_day(found.wanted.target, "target")
        async with self._database.reading() as connection:
            (await calendar(connection, now_ms)).verify_next_day(day)
        exports = await reconcile_in_process(self._database.url, day, now_ms)
        closer = _actor(found.requested_by)
        async with self._database.writing() as connection:
            _, is_new = await record_close(connection, day, exports, by=closer, now_ms=now_ms, confirmed_by=by.name)
            if not is_new:
                raise Refusal(Code.TOO_LATE, f"{day} is closed already.")
            await requests.mark(connection, found, "approved", by, remark=remark, now_ms=now_ms)


async def _held(connection: AsyncConnection, body: ToRequest) -> Wanted:
    """The whole held prize of the player in this tournament."""
    user = await Users(connection).named(body.target)
    if body.tournament is None:
        raise Refusal(Code.BAD_REQUEST, "tournament: name the tournament in which the prize is held.")
    amount = await held_prizes.held_amount(connection, body.tournament, user.id, user.currency)
    return Wanted(body.kind, user.id, body.reason, user.name, amount, user.currency, body.tournament)


async def _give(connection: AsyncConnection, found: OpenRequest, by: Person, now_ms: int) -> None:
    wanted = found.wanted
    assert wanted.player is not None
    assert wanted.amount is not None
    user = await Users(connection).named(wanted.player)
    credit = Credit(wanted.amount, wanted.reason, f"request:{found.id}")
    give = _GIVE[wanted.kind]
    await give(connection, user, credit, _actor(by), now_ms, requested_by=found.requested_by.name)


def _verify_wallet(user: User) -> None:
    if not user.role.has_wallet:
        raise Refusal(Code.FORBIDDEN, f"{user.name} is a {user.role}. Only players have a wallet.")


def _amount(body: ToRequest) -> int:
    if body.amount is None:
        raise Refusal(Code.BAD_REQUEST, "amount: enter an amount above 0.")
    return body.amount


def _days_view(found: Calendar) -> OpenDays:
    months: list[LockedMonth] = [
        {
            "month": one.month,
            "locked_at": one.at_ms,
            "by": one.by,
            "confirmed_by": one.confirmed_by,
            "audit_row": one.audit_id,
        }
        for one in found.locked
    ]
    months += [
        {"month": month, "locked_at": None, "by": None, "confirmed_by": None, "audit_row": None}
        for month in found.lockable
    ]
    return {"days": [{"day": f"{day}", "next": day == found.open[0]} for day in found.open], "months": months}


def _person(request: web.Request) -> Person:
    user = request[SESSION].user
    return Person(user.id, user.name, user.role)


def _actor(person: Person) -> Actor:
    return Actor(person.name, person.role)


def _id_in(request: web.Request) -> str:
    id_ = request.match_info["request_id"]
    if not _ID.fullmatch(id_):
        raise Refusal(Code.NOT_FOUND, "This request does not exist. Reload the list.")
    return id_
