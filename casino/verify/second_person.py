"""Verifies stored proposals of one person and answers of another: they are as the audit log records them.

Rows of `corrections` and `finance_requests` change when they are answered, so no chain covers them. The audit log has
an entry for every proposal and every answer, and these are chained and signed. What was done has to be what was
proposed: a row can be changed before the answer and changed back after it.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, Select, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.live_table.journal_replay import NO_DECISIONS, UNREADABLE, Step, steps, stored_events
from casino.storage.schema import audit, corrections, finance_requests, users
from casino.users.requests import audit_target
from casino.uth.events import RoundCorrected
from casino.verify.findings import Check

_CORRECTION: Final = {"correction_proposed", "correction_approved", "correction_rejected"}
_REQUEST: Final = {"finance_request", "finance_request_rejected"}
_APPROVED: Final = {
    "day_close": "day_closed",
    "month_lock": "month_locked",
    "credit": "credit",
    "recovery": "recovery",
    "write_off": "write_off",
    "prize_release": "prize_release",
    "prize_charity": "prize_charity",
    "ticket": "ticket",
    "tournament_create": "tournament_created",
    "tournament_change": "tournament_changed",
}
"""Audit action of an approved request of each kind."""
_KEYS: Final = {
    "credit": "request:{id}",
    "recovery": "{id}",
    "write_off": "{id}",
    "prize_release": "{id}",
    "prize_charity": "{id}",
    "ticket": "request:{id}",
    "tournament_create": "{id}",
    "tournament_change": "{id}",
}
"""The key under which the money of an approved request moves, or is promised."""


class Note(NamedTuple):
    """An audit entry, as the stored row demands it or as it was written."""

    action: str
    target: str
    actor: str
    reason: str
    at_ms: int
    after: Mapping[str, Any]


class Approved(NamedTuple):
    """The entry of an approved request describes the action and names the second person in one of two ways."""

    action: str
    target: str
    at_ms: int
    first: str
    second: str
    money: tuple[Any, ...] = ()  # amount, currency and key


async def check_second_person(connection: AsyncConnection, check: Check) -> None:
    wanted: dict[str, list[Note]] = {}
    for row in await connection.execute(_with_names(corrections, "proposed_by")):
        wanted[f"correction {row.id}"] = _correction(row)
    approvals: dict[str, Approved] = {}
    for row in await connection.execute(_with_names(finance_requests, "requested_by")):
        wanted[f"request {row.id}"] = _request(row)
        if row.status == "approved":
            approvals[f"request {row.id}"] = _approved(row)
    check.counted += len(wanted)
    done: list[Approved] = []
    actions = _CORRECTION | _REQUEST | set(_APPROVED.values())
    for row in await connection.execute(select(audit).where(audit.c.action.in_(actions)).order_by(audit.c.id)):
        if row.action in _APPROVED.values():
            done += _decided(row)
        else:
            _pair(row, wanted, check)
    for subject, notes in wanted.items():
        for note in notes:
            check.fault(f"{subject}: that {note.actor} is behind its {note.action} is not in the audit log")
    for subject, approved in approvals.items():
        if approved not in done:
            people = f"{approved.first} and {approved.second}"
            check.fault(f"{subject}: that {people} have decided it is not in the audit log")
    await _check_corrected_cards(connection, check)


async def _check_corrected_cards(connection: AsyncConnection, check: Check) -> None:
    """Every approved correction has changed the proposed cards, and no others."""
    approved = select(corrections).where(corrections.c.status == "approved").order_by(corrections.c.id)
    for row in (await connection.execute(approved)).all():
        written = await stored_events(connection, row.round_id, NO_DECISIONS)
        try:
            is_done = any(_is_effect(step, row) for step in steps(written))
        except UNREADABLE:
            continue  # named as a round that cannot be replayed
        if not is_done:
            check.fault(f"correction {row.id}: the journal of round {row.round_id} has no such correction of cards")


def _is_effect(step: Step, row: Row[Any]) -> bool:
    event, before = step.event, step.before
    if not isinstance(event, RoundCorrected) or before is None or event.at_ms != row.decided_ms:
        return False
    cards = _parsed(row.cards)
    expected = dict(zip(before.slots, before.cards, strict=True)) | (cards if isinstance(cards, dict) else {})
    return tuple(expected.values()) == tuple(event.cards)


def _with_names(table: Table, first: str) -> Select[Any]:
    """Outer joins: a person who is not there any more is a fault, not a missing row."""
    proposer, decider = users.alias("proposer"), users.alias("decider")
    return (
        select(table, proposer.c.name.label("first"), decider.c.name.label("second"))
        .outerjoin(proposer, proposer.c.id == table.c[first])
        .outerjoin(decider, decider.c.id == table.c.decided_by)
        .order_by(table.c.id)
    )


def _correction(row: Row[Any]) -> list[Note]:
    target = f"round {row.round_id}"
    made = {"correction": row.id, "cards": _parsed(row.cards)}
    notes = [Note("correction_proposed", target, row.first, row.reason, row.proposed_ms, made)]
    if row.status != "open":
        proposer = {"proposed_by": row.first} if row.status == "approved" else {}
        after = {"correction": row.id, **proposer}
        notes.append(Note(f"correction_{row.status}", target, row.second, row.remark, row.decided_ms, after))
    return notes


def _request(row: Row[Any]) -> list[Note]:
    kind, target, details = {"request": row.id, "kind": row.kind}, _request_target(row), _parsed(row.details)
    described = kind | details if isinstance(details, dict) else kind
    notes = [Note("finance_request", target, row.first, row.reason, row.requested_ms, described)]
    if row.status == "rejected":
        after = kind | {"requested_by": row.first}
        notes.append(Note("finance_request_rejected", target, row.second, row.remark, row.decided_ms, after))
    return notes


def _approved(row: Row[Any]) -> Approved:
    details, key = _parsed(row.details), _KEYS.get(row.kind)
    money: tuple[Any, ...] = ()
    if key is not None and isinstance(details, dict):
        money = (details.get("amount_minor"), details.get("currency"), key.format(id=row.id))
    action = _APPROVED.get(row.kind, row.kind)
    return Approved(action, _request_target(row), row.decided_ms, row.first, row.second, money)


def _request_target(row: Row[Any]) -> str:
    return audit_target(row.kind, row.target)


def _decided(row: Row[Any]) -> list[Approved]:
    """Returns the two people of an entry about something that was done; nothing if one person was enough."""
    before, after = _parsed(row.before), _parsed(row.after)
    if isinstance(before, dict) and before.get("confirmed_by"):
        return [Approved(row.action, row.target, row.at_ms, row.actor, before["confirmed_by"])]
    if isinstance(after, dict) and after.get("requested_by"):
        money = (after.get("amount_minor"), after.get("currency"), after.get("key"))
        return [Approved(row.action, row.target, row.at_ms, after["requested_by"], row.actor, money)]
    return []


def _pair(row: Row[Any], wanted: Mapping[str, list[Note]], check: Check) -> None:
    after = _parsed(row.after)
    name = "correction" if row.action in _CORRECTION else "request"
    subject = f"{name} {after.get(name)}" if isinstance(after, dict) else ""
    note = Note(row.action, row.target, row.actor, row.reason, row.at_ms, after)
    notes = wanted.get(subject)
    if notes is None:
        check.fault(f"audit row {row.id}: {row.action} of {subject or row.target}, which is not there")
    elif note in notes:
        notes.remove(note)
    else:
        check.fault(f"audit row {row.id}: {subject} is stored otherwise than this {row.action}")


def _parsed(text: str) -> Any:  # noqa: ANN401  whatever the text holds
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text
