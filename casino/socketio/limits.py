"""The bounds of the socket layer, and the count of who is inside.

Decides whether one more connection fits. Refuses to know who anybody is: an account and an address are words.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound in one place; seconds are floats, sizes are bytes."""

    connections_max: int = 10_000
    connections_per_address_max: int = 200
    connections_per_account_max: int = 10
    message_bytes_max: int = 16 * 1024
    unsent_bytes_max: int = 256 * 1024  # a reader slower than this is cut
    kernel_bytes_max: int = 128 * 1024  # asked of the kernel for each WebSocket, beside the bound above
    unanswered_events_max: int = 100  # of one client in one namespace
    strikes_max: int = 10  # malformed events and refused namespaces; one more closes the connection
    messages_per_second_max: int = 300  # of one client, whatever they say; people send a few, a scanner some dozens
    connects_max: int = 20  # of one client, to any namespace: each of them costs a look at who it is
    control_frames_max: int = 30  # WebSocket pings and pongs of a client between two pings of ours
    writes_per_turn: int = 1_000  # of a broadcast, before other work of the loop has its turn
    ping_s: float = 10.0
    pong_s: float = 5.0  # a dead peer is noticed within ping_s + pong_s
    unauthenticated_s: float = 5.0
    upgrade_s: float = 10.0
    body_s: float = 10.0  # for what a polling client sends to have arrived
    farewell_s: float = 1.0  # for the peer to close its side after we have said goodbye


@dataclass(slots=True)
class Occupancy:
    """How many connections there are, in all, from each address and of each account."""

    limits: Limits
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)
    by_account: Counter[str] = field(default_factory=Counter)

    @property
    def full(self) -> bool:
        return self.total >= self.limits.connections_max

    def address_full(self, address: str) -> bool:
        return self.by_address.get(address, 0) >= self.limits.connections_per_address_max

    def enter(self, address: str) -> None:
        self.total += 1
        self.by_address[address] += 1

    def leave(self, address: str) -> None:
        self.total -= 1
        _take_one(self.by_address, address)

    def enter_account(self, account: str) -> bool:
        """Whether there was room for one more of this account."""
        if self.by_account.get(account, 0) >= self.limits.connections_per_account_max:
            return False
        self.by_account[account] += 1
        return True

    def leave_account(self, account: str) -> None:
        _take_one(self.by_account, account)


def _take_one(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]


@dataclass(slots=True)
class Counters:
    """What the layer has done since it began, for whoever publishes metrics."""

    opened: int = 0
    refused: int = 0
    events: int = 0
    broadcasts: int = 0
    deliveries: int = 0
    write_seconds: float = 0.0
    ended: Counter[str] = field(default_factory=Counter)  # by reason
