"""Bounded pool of connections that have not authenticated yet.

Every connection begins in the pool, and leaves it by authenticating or closing. The pool is bounded per address and in
total, so unauthenticated connections never use up the room of signed-in players. If an address has used up its share, a
new connection replaces the one that was idle the longest, so a person at the same address can still sign in. An address
is never banned.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from casino.security.client_address import is_loopback

IDLE_SECONDS_MIN: Final = 1.0
"""A connection with progress this recent keeps its place."""


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """`*_from_loopback` apply to connections of the machine itself, such as proxies and load generators."""

    total: int = 1_000
    per_address: int = 128
    from_loopback: int = 512
    signed_in_per_address: int = 500  # over HTTP; sockets are counted by the Socket.IO server
    signed_in_from_loopback: int = 2_000


class Slot:
    """Place of one connection. `evict` closes the connection; `leave` must be called once it is closed."""

    __slots__ = ("_holds", "_is_counted", "_is_signed_in", "_pool", "address", "evict", "progress_at")

    def __init__(self, pool: "Pool", address: str, evict: Callable[[], object], now: float) -> None:
        self._pool: Pool | None = pool
        self._holds = 0
        self._is_counted = False
        self._is_signed_in = False
        self.address = address
        self.evict = evict
        self.progress_at = now

    @property
    def is_signed_in(self) -> bool:
        return self._is_signed_in

    def touch(self) -> None:
        """Records that a complete request has arrived."""
        if self._pool is not None and not self._is_signed_in and not self._holds:
            self._pool.touch(self)

    def hold(self) -> None:
        """Takes the connection out of the pool while its credentials are verified."""
        self._holds += 1
        if self._pool is not None and not self._is_signed_in and self._holds == 1:
            self._pool.take_out(self)

    def release(self) -> None:
        self._holds -= 1
        if self._pool is not None and not self._is_signed_in and not self._holds:
            self._pool.put_back(self)

    def authenticate(self) -> None:
        """Leaves the pool for good, if the address has room for another signed-in connection."""
        if self._pool is not None and not self._is_signed_in and self._pool.sign_in(self):
            self._is_counted = True
            self.admit()

    def admit(self) -> None:
        """Leaves the pool for good: the connection is counted elsewhere."""
        if self._pool is not None and not self._is_signed_in:
            if not self._holds:
                self._pool.take_out(self)
            self._is_signed_in = True

    def leave(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        if self._is_counted:
            pool.sign_out(self)
        if not self._is_signed_in and not self._holds:
            pool.take_out(self)


class Pool:
    def __init__(self, limits: PoolLimits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._waiting: dict[str, OrderedDict[Slot, None]] = {}  # by address, longest idle first
        self._signed_in: dict[str, int] = {}
        self._total = 0

    def __len__(self) -> int:
        return self._total

    def enter(self, address: str, evict: Callable[[], object]) -> Slot | None:
        """Returns a place for a new connection; None if there is no room and no idle connection to evict."""
        here = len(self._waiting.get(address, ()))
        if here >= _limit(address, self._limits.per_address, self._limits.from_loopback):
            if not self._evict_from(address):
                return None
        elif self._total >= self._limits.total and not self._evict_from(max(self._waiting, key=self._crowd)):
            return None
        slot = Slot(self, address, evict, self._clock())
        self._add(slot)
        return slot

    # Interface for slots

    def touch(self, slot: Slot) -> None:
        slot.progress_at = self._clock()
        self._waiting[slot.address].move_to_end(slot)

    def take_out(self, slot: Slot) -> None:
        here = self._waiting[slot.address]
        del here[slot]
        if not here:
            del self._waiting[slot.address]
        self._total -= 1

    def put_back(self, slot: Slot) -> None:
        slot.progress_at = self._clock()
        self._add(slot)

    def sign_in(self, slot: Slot) -> bool:
        """Whether the address has room for one more signed-in connection; if so, counts it."""
        address, limits = slot.address, self._limits
        here = self._signed_in.get(address, 0)
        if here >= _limit(address, limits.signed_in_per_address, limits.signed_in_from_loopback):
            return False
        self._signed_in[address] = here + 1
        return True

    def sign_out(self, slot: Slot) -> None:
        left = self._signed_in[slot.address] - 1
        if left:
            self._signed_in[slot.address] = left
        else:
            del self._signed_in[slot.address]

    def _add(self, slot: Slot) -> None:
        self._waiting.setdefault(slot.address, OrderedDict())[slot] = None
        self._total += 1

    def _crowd(self, address: str) -> int:
        return len(self._waiting[address])

    def _evict_from(self, address: str) -> bool:
        idlest = next(iter(self._waiting[address]))
        if self._clock() - idlest.progress_at < IDLE_SECONDS_MIN:
            return False
        idlest.leave()
        idlest.evict()
        return True


def _limit(address: str, elsewhere: int, from_loopback: int) -> int:
    return max(elsewhere, from_loopback) if is_loopback(address) else elsewhere
