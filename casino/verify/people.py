"""Verifies accounts of people: name, role, currency and state are those of the audit log.

A changed name changes every export, and a changed role or an inserted account gives powers. No chain covers the rows of
`users`, but the audit log has an entry for every account and every change of one.
"""

import json
from typing import Any, Final

from sqlalchemy import or_, select

from casino.storage.schema import audit, users
from casino.users.roles import Role
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot

_ADDED: Final = "user_added"
_ARCHIVED: Final = "guests_archived"
_ACTIONS: Final = (_ADDED, "role_changed", "user_disabled", "user_enabled", _ARCHIVED)
_TARGET: Final = "user "
_WORDS: Final = {"name": "name", "role": "role", "currency": "currency", "disabled": "state"}

Recorded = dict[str, Any]
"""The fields of an account as the audit log leaves them."""


async def check_people(snapshot: Snapshot, check: Check) -> None:
    recorded = await _recorded(snapshot)
    columns = users.c
    query = select(columns.id, columns.name, columns.role, columns.currency, columns.disabled)
    async for rows in snapshot.partitions(query):
        check.counted += len(rows)
        for id_, *fields in rows:
            is_ = dict(zip(_WORDS, fields, strict=True))
            should_be = recorded.pop(id_, None)
            if should_be is None:
                if is_["role"] != Role.PLAYER:
                    check.fault(f"user {id_}: the audit log does not say who added this {is_['role']}")
                continue
            wrong = [word for field, word in _WORDS.items() if is_[field] != should_be[field]]
            if wrong:
                check.fault(f"user {id_}: {', '.join(wrong)} differ from the audit log")
    for id_ in recorded:
        check.fault(f"user {id_}: the audit log has this account, and it is not there")


async def _recorded(snapshot: Snapshot) -> dict[str, Recorded]:
    """Entries that cannot be read are named by the check of the audit log."""
    found: dict[str, Recorded] = {}
    query = select(audit.c.action, audit.c.target, audit.c.after).order_by(audit.c.id)
    async for rows in snapshot.partitions(query.where(or_(*(audit.c.action == action for action in _ACTIONS)))):
        for action, target, after in rows:
            try:
                details = json.loads(after)
                _apply(found, action, target.removeprefix(_TARGET), details)
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
    return found


def _apply(found: dict[str, Recorded], action: str, id_: str, details: Any) -> None:  # noqa: ANN401  whatever is written
    if action == _ADDED:
        found[id_] = {"name": details["name"], "role": details["role"], "currency": details["currency"], "disabled": 0}
    elif action == _ARCHIVED:
        for guest in details["guests"]:
            if guest in found:
                found[guest]["disabled"] = 1
    elif id_ in found:
        found[id_] |= {"disabled": int(details["disabled"])} if "disabled" in details else {"role": details["role"]}
