"""A posting moves one amount from one account to another; an operation is the postings that belong together.

One row has one source, one destination and one amount, so it cannot be out of balance. What an operation did is
summed up in two hashes: one of what was asked, to tell a repetition from another request under the same key, and
one of the whole record, to notice when somebody edits it.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from casino.ledger.accounts import Account, Kind


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
    assert source.kind is not destination.kind or source.kind is not Kind.PLAYER, "no money goes from player to player"
    return Posting(source.id, destination.id, amount, source.currency)


@dataclass(frozen=True, slots=True)
class Operation:
    """`key` makes it happen once: the same key again must ask for the same postings, and moves nothing."""

    key: str
    kind: str
    postings: tuple[Posting, ...]
    actor: str
    reason: str = ""
    round_id: str | None = None

    def input_hash(self) -> str:
        head = json.dumps((self.key, self.kind, self.round_id, self.actor, self.reason))  # one line, whatever is in it
        lines = "\n".join([f"{giver}>{taker} {amount} {currency}" for giver, taker, amount, currency in self.postings])
        return hashlib.sha256(f"{head}\n{lines}".encode()).hexdigest()


def record_digest(input_hash: str, at_ms: int) -> str:
    return hashlib.sha256(f"{input_hash} {at_ms}".encode()).hexdigest()


def net_changes(postings: Iterable[Posting]) -> dict[str, int]:
    """What each account gains or loses in all."""
    net: dict[str, int] = defaultdict(int)
    for posting in postings:
        net[posting.source] -= posting.amount
        net[posting.destination] += posting.amount
    return net
