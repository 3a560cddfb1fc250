"""Settings of the transport: limits, timeouts and optional parts of the protocol. Also counts open connections.

The defaults are those of the casino: 16 KB per message, no binary packets, five seconds for the first CONNECT.
"""

from collections import Counter
from dataclasses import dataclass, field

from casino.security.client_address import is_loopback


@dataclass(frozen=True, slots=True)
class Limits:
    """One settings object for all layers. Sizes are in bytes, names that end in `_s` are seconds."""

    connections_max: int = 10_000
    connections_per_address_max: int = 200
    connections_from_loopback_max: int = 0  # for the machine itself, if larger than the limit per address
    connections_per_account_max: int = 10
    message_bytes_max: int = 16 * 1024  # announced to clients as maxPayload
    fragments_max: int = 8  # of one WebSocket message
    frames_per_turn: int = 16  # of one client, in one turn of the event loop
    bytes_per_turn: int = 32 * 1024
    bytes_per_second_max: int = 512 * 1024  # of one client's messages
    unsent_bytes_max: int = 256 * 1024  # a client that reads more slowly is disconnected
    kernel_bytes_max: int = 128 * 1024  # send buffer requested from the kernel, in addition to the limit above
    unanswered_events_max: int = 100  # of one client in one namespace
    awaited_acks_max: int = 100  # acknowledgements the server waits for, of one client in one namespace
    strikes_max: int = 10  # malformed events and refused namespaces; one more closes the connection
    messages_per_second_max: int = 300  # of one client; people send a few, a card scanner some dozens
    connects_max: int = 20  # of one client, to all namespaces: each may cost a database query
    control_frames_max: int = 30  # WebSocket pings and pongs of a client between two of our pings
    writes_per_turn: int = 1_000  # of a broadcast, in one turn of the event loop
    arguments_max: int | None = None  # of one event, after its name; None: any number
    binary: bool = False  # whether binary events and acknowledgements are accepted and sent
    attachments_max: int = 10  # of one binary packet
    attachments_s: float = 10.0  # for all attachments of a packet to arrive
    ping_s: float = 10.0
    pong_s: float = 5.0  # a dead peer is noticed within ping_s + pong_s
    connect_s: float = 5.0  # from the handshake to the first accepted CONNECT
    upgrade_s: float = 10.0
    body_s: float = 10.0  # for the body of a polling request to arrive
    close_timeout_s: float = 1.0  # for the client to close its side, after the server has closed


@dataclass(slots=True)
class Occupancy:
    """Counts authenticated connections: in total, per address and per account."""

    limits: Limits
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)
    by_account: Counter[str] = field(default_factory=Counter)

    @property
    def full(self) -> bool:
        return self.total >= self.limits.connections_max

    def address_full(self, address: str) -> bool:
        here, limit = self.by_address.get(address, 0), self.limits.connections_per_address_max
        if is_loopback(address):
            limit = max(limit, self.limits.connections_from_loopback_max)
        return here >= limit

    def enter(self, address: str) -> None:
        self.total += 1
        self.by_address[address] += 1

    def leave(self, address: str) -> None:
        self.total -= 1
        _take_one(self.by_address, address)

    def enter_account(self, account: str) -> bool:
        """Counts one more connection of the account; False if it has too many."""
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
    """Totals since the start, for metrics."""

    opened: int = 0
    refused: int = 0
    events: int = 0
    broadcasts: int = 0
    deliveries: int = 0
    write_seconds: float = 0.0
    ended: Counter[str] = field(default_factory=Counter)  # by reason
