"""Money given by the back office: every credit in the ledger stands in the audit log, and none stands only there."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from casino.ledger.accounts import cashier, player_cash_id
from casino.ledger.posting import Posting
from casino.storage.schema import audit
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot

_KIND: Final = "credit"
_KEY: Final = "credit:"
_TARGET: Final = "user "


class Given(NamedTuple):
    actor: str
    reason: str
    at_ms: int
    postings: tuple[Posting, ...]


class Credits:
    """Filled with what the ledger holds; `compare` then reads the log."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._given: dict[str, tuple[int, Given]] = {}

    def add(self, row: Any, postings: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind == _KIND and isinstance(row.key, str) and row.key.startswith(_KEY):
            self._given[row.key] = (row.id, Given(row.actor, row.reason, row.at_ms, tuple(postings)))

    async def compare(self, snapshot: Snapshot) -> None:
        columns = audit.c
        query = select(columns.id, columns.target, columns.after, columns.actor, columns.reason, columns.at_ms)
        async for rows in snapshot.partitions(query.where(columns.action == _KIND)):
            self._check.counted += len(rows)
            for id_, target, after, *by in rows:
                self._compare(id_, target, after, by)
        for key, (number, _) in self._given.items():
            self._check.fault(f"operation {number} ({key}): it is not in the audit log")

    def _compare(self, id_: int, target: str, after: str, by: list[Any]) -> None:
        try:
            told = json.loads(after)
            key, amount, currency = told["key"], told["amount_minor"], told["currency"]
            account = player_cash_id(target.removeprefix(_TARGET))
        except (ValueError, KeyError, TypeError, AttributeError):
            self._check.fault(f"audit row {id_}: it does not tell a credit")
            return
        number, given = self._given.pop(f"{_KEY}{key}", (None, None))
        posting = Posting(cashier(currency).id, account, amount, currency)
        if given is None:
            self._check.fault(f"audit row {id_}: the ledger has no credit {key}")
        elif given != (*by, (posting,)):
            self._check.fault(f"audit row {id_}: it tells the credit otherwise than operation {number}")
