"""Verifies tips: each from one player to one presenter under the player's key, and nothing else in a tip jar."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from casino.ledger.accounts import Kind, player_cash_id
from casino.ledger.posting import Posting
from casino.verify.findings import Check

_KIND: Final = "tip"
_KEY: Final = re.compile(r"tip:(?P<player>[^:]+):[!-~]+")
_PLACE: Final = re.compile(r"table .+")


class Tips:
    """Collects tips from the ledger; `close` then checks the tip jars."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._given: dict[str, int] = defaultdict(int)

    def add(self, row: Any, postings: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind != _KIND:
            return
        self._check.counted += 1
        key = _KEY.fullmatch(row.key) if isinstance(row.key, str) else None
        if key is None or row.actor != key["player"] or row.round_id is not None or not _PLACE.fullmatch(row.reason):
            self._check.fault(f"operation {row.id} ({row.key}): it is not signed as a tip is")
        elif [posting[0] for posting in postings] != [player_cash_id(key["player"])]:
            self._check.fault(f"operation {row.id} ({row.key}): it is not one posting from the player who tips")
        for _, jar, amount, _ in postings:
            self._given[jar] += amount if type(amount) is int else 0

    def close(self, accounts: Mapping[str, Any]) -> None:
        for id_, stored in accounts.items():
            given = self._given.pop(id_, 0)
            if stored.kind == Kind.TIPS and stored.balance != given:
                self._check.fault(f"account {id_}: it holds {stored.balance}, its tips are {given}")
            elif stored.kind != Kind.TIPS and given:
                self._check.fault(f"account {id_}: it was given {given} as tips")
        for id_, given in self._given.items():
            self._check.fault(f"account {id_}: it was given {given} as tips, and is no account")
