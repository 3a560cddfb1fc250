"""Search of the audit log by plain words, with names, game numbers and the two people of a decision in every row."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, String, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.audit.reading import AuditRow, Wanted, page_of_audit
from casino.audit.words import action_text, actions_with, values_text
from casino.storage.schema import audit, rounds, users
from casino.wire.common import Day, GameNumber

_APPROVALS: Final = ("correction_approved", "proposal_approved")
_AFTER_APPROVAL: Final = frozenset(
    {"round_corrected", "card_corrected", "cards_swapped", "round_cancelled", "receivable"}
)
"""Rows that name the proposer; the approval is a row of its own in the same moment."""
_ROUND: Final = "round "
_USER: Final = "user "


class AuditRound(TypedDict):
    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber


class ReadableRow(AuditRow):
    """A row of the audit log with what it means."""

    action_text: str
    subject: str
    """Returns the target of an action, with the name of a user and the game number of a round."""
    round: AuditRound | None
    proposed_by: str | None
    approved_by: str | None
    """Null if one person was enough."""
    before_text: str
    after_text: str


@dataclass(frozen=True, slots=True)
class _Names:
    users: Mapping[str, tuple[str, str]]  # name and currency, by id
    rounds: Mapping[str, AuditRound]
    approvals: Mapping[tuple[str, int], str]


async def readable_page(
    connection: AsyncConnection, wanted: Wanted, words: str | None, limit: int, currency: str
) -> list[ReadableRow]:
    """`currency` is that of the house, for amounts recorded without one."""
    rows = await page_of_audit(connection, wanted, limit, [_has(word) for word in (words or "").split()])
    names = _Names(
        await _users(connection, _ids(rows, _USER)),
        await _rounds(connection, {*_ids(rows, _ROUND), *(str(row["after"].get("round_id", "")) for row in rows)}),
        await _approvals(connection, rows),
    )
    return [_readable(row, names, currency) for row in rows]


def _has(word: str) -> ColumnElement[bool]:
    """Whether a row has this word anywhere: in its texts, its label, the name of its user or its game number."""
    columns = [audit.c[name] for name in ("actor", "role", "action", "target", "reason", "before", "after")]
    of_user = select(literal(_USER, String) + users.c.id).where(users.c.name.icontains(word, autoescape=True))
    is_game = rounds.c.game_number.startswith(word, autoescape=True)
    of_round = select(literal(_ROUND, String) + rounds.c.id).where(is_game)
    return or_(
        *(column.icontains(word, autoescape=True) for column in columns),
        audit.c.action.in_(actions_with(word)),
        audit.c.target.in_(of_user),
        audit.c.target.in_(of_round),
    )


def _ids(rows: Iterable[AuditRow], kind: str) -> set[str]:
    return {row["target"].removeprefix(kind) for row in rows if row["target"].startswith(kind)}


async def _users(connection: AsyncConnection, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    query = select(users.c.id, users.c.name, users.c.currency).where(users.c.id.in_(list(ids)))
    return {row.id: (row.name, row.currency) for row in await connection.execute(query)}


async def _rounds(connection: AsyncConnection, ids: Iterable[str]) -> dict[str, AuditRound]:
    query = select(rounds.c.id, rounds.c.table_id, rounds.c.day, rounds.c.game_number).where(rounds.c.id.in_(list(ids)))
    return {
        row.id: {"round_id": row.id, "table_id": row.table_id, "day": row.day, "game_number": row.game_number}
        for row in await connection.execute(query)
    }


async def _approvals(connection: AsyncConnection, rows: Sequence[AuditRow]) -> dict[tuple[str, int], str]:
    """Returns the approvers by target and moment."""
    approved = [row for row in rows if row["action"] in _AFTER_APPROVAL]
    if not approved:
        return {}
    query: Select[Any] = select(audit.c.target, audit.c.at_ms, audit.c.actor).where(
        audit.c.action.in_(_APPROVALS),
        audit.c.at_ms.in_({row["at"] for row in approved}),
        audit.c.target.in_({_round_target(row) for row in approved}),
    )
    return {(row.target, row.at_ms): row.actor for row in await connection.execute(query)}


def _round_target(row: AuditRow) -> str:
    round_id = row["after"].get("round_id")
    return f"{_ROUND}{round_id}" if round_id else row["target"]


def _readable(row: AuditRow, names: _Names, currency: str) -> ReadableRow:
    target, before, after = row["target"], row["before"], row["after"]
    user = names.users.get(target.removeprefix(_USER)) if target.startswith(_USER) else None
    played = names.rounds.get(_round_target(row).removeprefix(_ROUND))
    proposed_by, approved_by = _people(row, names)
    money = user[1] if user else currency
    return {
        **row,
        "action_text": action_text(row["action"]),
        "subject": _subject(target, user, played),
        "round": played,
        "proposed_by": proposed_by,
        "approved_by": approved_by,
        "before_text": values_text(row["action"], before, money),
        "after_text": values_text(row["action"], after, money),
    }


def _subject(target: str, user: tuple[str, str] | None, played: AuditRound | None) -> str:
    if user is not None:
        return user[0]
    if played is not None and target.startswith(_ROUND):
        return f"Game {played['game_number']} of {played['day']}, table {played['table_id']}"
    return target[:1].upper() + target[1:]


def _people(row: AuditRow, names: _Names) -> tuple[str | None, str | None]:
    """Returns the proposer and the approver of a decision of two people."""
    before, after, actor = row["before"], row["after"], row["actor"]
    if row["action"] in _AFTER_APPROVAL:
        approved_by = names.approvals.get((_round_target(row), row["at"]))
        return (actor, approved_by) if approved_by else (None, None)
    if row["action"].endswith("_rejected"):
        return after.get("proposed_by") or after.get("requested_by"), None
    if "confirmed_by" in before:
        return actor, before["confirmed_by"]
    proposed_by = after.get("proposed_by") or after.get("requested_by")
    return (proposed_by, actor) if proposed_by and row["action"] != "finance_request" else (proposed_by, None)
