"""Verifies credits, issued tickets and receivables: those in the ledger and those in the audit log are the same.

Two people decide about a debt, and about a credit above the configured amount.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import or_, select

from casino.ledger import receivables
from casino.ledger.accounts import cashier, credit, player_cash_id
from casino.ledger.posting import Posting
from casino.ledger.receivables import Debt
from casino.storage.schema import audit
from casino.users import promotion_tickets
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot

CREDIT: Final = "credit"
GIVEN: Final = (CREDIT, promotion_tickets.KIND)
_BY_TWO: Final = (receivables.RECOVERY, receivables.WRITE_OFF)
_TARGET: Final = "user "


class Given(NamedTuple):
    actor: str
    reason: str
    at_ms: int
    postings: tuple[Posting, ...]


class Credits:
    """Collects operations of these kinds from the ledger; `compare` then reads the audit log."""

    def __init__(self, check: Check, kinds: Sequence[str] = GIVEN) -> None:
        self._check = check
        self._kinds = frozenset(kinds)
        self._given: dict[str, tuple[int, Given]] = {}

    def add(self, row: Any, postings: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind in self._kinds and isinstance(row.key, str) and row.key.startswith(f"{row.kind}:"):
            self._given[row.key] = (row.id, Given(row.actor, row.reason, row.at_ms, tuple(postings)))

    async def compare(self, snapshot: Snapshot) -> None:
        columns = audit.c
        query = select(
            columns.id, columns.action, columns.target, columns.after, columns.actor, columns.reason, columns.at_ms
        )
        async for rows in snapshot.partitions(
            query.where(or_(*(columns.action == kind for kind in sorted(self._kinds))))
        ):
            self._check.counted += len(rows)
            for id_, action, target, after, *by in rows:
                self._compare(id_, action, target, after, by)
        for key, (number, _) in self._given.items():
            self._check.fault(f"operation {number} ({key}): it is not in the audit log")

    def _compare(self, id_: int, kind: str, target: str, after: str, by: list[Any]) -> None:
        try:
            details = json.loads(after)
            key = details["key"]
            debt = Debt(target.removeprefix(_TARGET), details["currency"], details["amount_minor"])
            expected = _postings(kind, debt)
        except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
            self._check.fault(f"audit row {id_}: it does not describe a {kind}")
            return
        if by[0] == details.get("requested_by") or (kind in _BY_TWO and not details.get("requested_by")):
            self._check.fault(f"audit row {id_}: one person alone has decided about this {kind}")
        number, given = self._given.pop(f"{kind}:{key}", (None, None))
        if given is None:
            self._check.fault(f"audit row {id_}: the ledger has no {kind} {key}")
        elif not any(given == (*by, (posting,)) for posting in expected):
            self._check.fault(f"audit row {id_}: it describes the {kind} differently from operation {number}")


def _postings(kind: str, debt: Debt) -> list[Posting]:
    """Returns the possible postings: earlier versions took credits from the cashier's account."""
    if kind == promotion_tickets.KIND:
        return [promotion_tickets.issue_posting(debt.amount, debt.currency)]
    if kind != CREDIT:
        return list(receivables.operation(kind, "", debt, "", "").postings)
    sources = credit(debt.currency), cashier(debt.currency)
    return [Posting(one.id, player_cash_id(debt.player_id), debt.amount, debt.currency) for one in sources]
