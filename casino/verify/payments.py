"""Verifies deposits and withdrawals: each payment moved exactly the money its status implies."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select

from casino.ledger.payments import KINDS, PREFIX, Paid, demanded
from casino.ledger.posting import Posting
from casino.storage.schema import payments
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot

_KINDS: Final = ("deposit", "withdrawal")
_STATUSES: Final = ("pending", "succeeded", "failed")

Moved = tuple[str, str, int | None, tuple[Posting, ...]]
"""Kind, actor, time and postings of an operation."""


class Payments:
    """Collects operations from the ledger; `compare` then reads the payments."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._moved: dict[str, tuple[int, Moved]] = {}

    def add(self, row: Any, postings: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind in KINDS or (isinstance(row.key, str) and row.key.startswith(PREFIX)):
            self._moved[row.key] = (row.id, (row.kind, row.actor, row.at_ms, tuple(postings)))

    async def compare(self, snapshot: Snapshot) -> None:
        columns = payments.c
        paid = (columns.id, columns.player_id, columns.kind, columns.amount, columns.currency)
        stands = (columns.status, columns.asked_ms, columns.ended_ms)
        async for rows in snapshot.partitions(select(*paid, *stands)):
            self._check.counted += len(rows)
            for *fields, status, asked_ms, ended_ms in rows:
                self._compare(Paid(*fields), status, asked_ms, ended_ms)
        for key, (number, _) in self._moved.items():
            self._check.fault(f"operation {number} ({key}): no payment asks for it")

    def _compare(self, paid: Paid, status: str, asked_ms: int, ended_ms: int | None) -> None:
        is_possible = paid.kind in _KINDS and status in _STATUSES and (status == "pending") == (ended_ms is None)
        if not is_possible or type(paid.amount) is not int or paid.amount <= 0:
            self._check.fault(f"payment {paid.id}: these fields contradict each other")
            return
        operations = demanded(paid, status)
        for operation in operations:
            number, moved = self._moved.pop(operation.key, (None, None))
            if moved is None:
                self._check.fault(f"payment {paid.id}: it has {status}, and the ledger has no {operation.key}")
            at_ms = asked_ms if operation.kind == "withdrawal" else ended_ms
            if moved is not None and moved != (operation.kind, operation.actor, at_ms, operation.postings):
                self._check.fault(f"payment {paid.id}: operation {number} moved something else")
