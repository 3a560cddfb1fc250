"""Deposits and withdrawals: each payment has moved in the ledger what its status says, and nothing else has."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from casino.ledger.payments import KINDS, PREFIX, Paid, demanded
from casino.ledger.posting import Posting
from casino.storage.schema import payments
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot

Moved = tuple[str, str, tuple[Posting, ...]]
"""Kind, actor and postings of an operation."""


class Payments:
    """Filled with what the ledger holds; `compare` then reads the payments."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._moved: dict[str, tuple[int, Moved]] = {}

    def add(self, row: Any, postings: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind in KINDS or (isinstance(row.key, str) and row.key.startswith(PREFIX)):
            self._moved[row.key] = (row.id, (row.kind, row.actor, tuple(postings)))

    async def compare(self, snapshot: Snapshot) -> None:
        columns = payments.c
        paid = (columns.id, columns.player_id, columns.kind, columns.amount, columns.currency)
        async for rows in snapshot.partitions(select(*paid, columns.status)):
            self._check.counted += len(rows)
            for *fields, status in rows:
                self._compare(Paid(*fields), status)
        for key, (number, _) in self._moved.items():
            self._check.fault(f"operation {number} ({key}): no payment asks for it")

    def _compare(self, paid: Paid, status: str) -> None:
        try:
            operations = demanded(paid, status)
        except (AssertionError, TypeError):
            self._check.fault(f"payment {paid.id}: it cannot have been asked for")
            return
        for operation in operations:
            number, moved = self._moved.pop(operation.key, (None, None))
            if moved is None:
                self._check.fault(f"payment {paid.id}: it has {status}, and the ledger has no {operation.key}")
            elif moved != (operation.kind, operation.actor, operation.postings):
                self._check.fault(f"payment {paid.id}: operation {number} moved something else")
