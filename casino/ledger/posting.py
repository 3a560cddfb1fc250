"""Postings move one amount between two accounts; an operation groups postings that belong together.

One row has one source, one destination and one amount, so it is always balanced. Two hashes summarize an operation. The
input hash distinguishes a repetition from another request with the same idempotency key. The record hash reveals later
edits.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from casino.ledger.accounts import Account, Kind

_PERSONAL: Final = (Kind.PLAYER, Kind.SEAT)


class Posting(NamedTuple):
    source: str
    destination: str
    amount: int
    currency: str

    def reversed(self) -> "Posting":
        return Posting(self.destination, self.source, self.amount, self.currency)


def move(amount: int, source: Account, destination: Account) -> Posting:
    assert amount > 0, "a posting moves something"
    assert source.currency == destination.currency, "currencies never mix"
    assert source.kind is not destination.kind or source.kind not in _PERSONAL, "no money goes from player to player"
    return Posting(source.id, destination.id, amount, source.currency)


@dataclass(frozen=True, slots=True)
class Operation:
    """`key` is the idempotency key: a repeated key must have the same postings, and moves nothing."""

    key: str
    kind: str
    postings: tuple[Posting, ...]
    actor: str
    reason: str = ""
    round_id: str | None = None

    def input_hash(self) -> str:
        # one line, whatever its content
        head = json.dumps((self.key, self.kind, self.round_id, self.actor, self.reason))
        lines = "\n".join([f"{giver}>{taker} {amount} {currency}" for giver, taker, amount, currency in self.postings])
        return hashlib.sha256(f"{head}\n{lines}".encode()).hexdigest()


def record_digest(input_hash: str, at_ms: int) -> str:
    return hashlib.sha256(f"{input_hash} {at_ms}".encode()).hexdigest()


def net_changes(postings: Iterable[Posting]) -> dict[str, int]:
    """Returns the total gain or loss of each account."""
    net: dict[str, int] = defaultdict(int)
    for posting in postings:
        net[posting.source] -= posting.amount
        net[posting.destination] += posting.amount
    return net
