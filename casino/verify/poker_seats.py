"""Verifies seats at poker tables: sittings with the operations that began and ended them, and the chips of every seat.

The chips of a seat follow from the ledger's buy-ins, top-ups and departures, and from the results of its hands. Every
hand must begin with exactly these stacks, and the account must hold what is left of them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from casino.ledger import accounts
from casino.ledger.accounts import Account, Kind
from casino.ledger.posting import Operation, Posting, move
from casino.poker_room import forfeits, seat_money
from casino.storage.poker_schema import poker_seats, poker_sittings
from casino.verify.findings import Check
from casino.verify.ledger import Stored, whole
from casino.verify.snapshot import Snapshot

_SEAT: Final = f"{Kind.SEAT}:"


class Chips:
    """Chips of every seat. `add` receives its operations, then `hand` all hands of a table in order."""

    def __init__(self) -> None:
        self._to_come: dict[str, list[tuple[int, int]]] = defaultdict(list)  # operation and change, by seat
        self._now: dict[str, int] = defaultdict(int)
        self._rake: Counter[str] = Counter()

    def add(self, operation_id: int, moved: Sequence[Posting]) -> None:
        """A buy-in, top-up, departure or move."""
        for source, destination, amount, _ in moved:
            for account, change in ((str(source), -whole(amount)), (str(destination), whole(amount))):
                if account.startswith(_SEAT):
                    self._to_come[account].append((operation_id, change))

    def hand(self, row: Any, players: Sequence[Any], operation_id: int | None) -> Iterator[str]:  # noqa: ANN401
        """Yields players who did not begin this hand with the chips of their seat.

        Without an operation of its own, a hand may have begun before or after any buy-in or top-up that follows.
        """
        self._rake[row.currency] += row.rake
        for player in players:
            seat = accounts.seat_id(row.table_id, player.player_id)
            net = player.returned - player.staked
            if operation_id is not None and net:
                self._go_on(seat, operation_id)
                stacks = {self._now[seat]}
            else:
                changes = (change for _, change in self._to_come[seat])
                stacks = set(accumulate(changes, initial=self._now[seat]))
            if player.start not in stacks:
                yield f"{player.player_id} begins with {player.start}, and {seat} has {self._now[seat]}"
            self._now[seat] += net

    def _go_on(self, seat: str, operation_id: int) -> None:
        to_come, done = self._to_come[seat], 0
        for at, change in to_come:
            if at > operation_id:
                break
            self._now[seat] += change
            done += 1
        del to_come[:done]

    def close(self, check: Check, stored: Mapping[str, Stored]) -> None:
        """Compares what is left with the balances of seats and of the rake."""
        for id_, account in stored.items():
            if account.kind == Kind.SEAT:
                left = self._now[id_] + sum(change for _, change in self._to_come[id_])
                if left != account.balance:
                    check.fault(f"account {id_}: it has {account.balance}, buy-ins and hands lead to {left}")
            elif account.kind == Kind.RAKE and self._rake[account.currency] != account.balance:
                raked = self._rake[account.currency]
                check.fault(f"account {id_}: it has {account.balance}, the rake of all hands is {raked}")


class _Sitting(NamedTuple):
    player_id: str
    table_id: str
    key: str
    moved: int
    seat_no: int
    initial: int
    until_ms: int | None
    left_with: int | None

    @property
    def account_id(self) -> str:
        return f"{_SEAT}{self.table_id}:{self.player_id}"


_SITTINGS: Final = select(*(poker_sittings.c[name] for name in _Sitting._fields))

Expect = Callable[[str, str, Operation | None], None]
"""Compares the operation with this key with what it should be."""


class Sittings:
    """Compares sittings with the seats that are occupied now, and with their operations."""

    def __init__(
        self, check: Check, expect: Expect, end_move: Callable[[str], bool], is_posted: Callable[[str], bool]
    ) -> None:
        self._check = check
        self._expect = expect
        self._end_move = end_move
        self._is_posted = is_posted
        self._seat_nos: dict[str, int] = defaultdict(int)  # by account, a bit for each seat the player has had there

    async def read(self, snapshot: Snapshot, stored: Mapping[str, Stored]) -> None:
        fault = self._check.fault
        going_on: dict[str, tuple[int, int]] = {}
        async for rows in snapshot.partitions(_SITTINGS):
            for row in rows:
                sitting = _Sitting(*row)
                self._check.counted += 1
                self._sitting(sitting, stored)
                self._seat_nos[sitting.account_id] |= 1 << sitting.seat_no
                if sitting.until_ms is None:
                    going_on[sitting.account_id] = (sitting.seat_no, sitting.initial)
        occupied = set()
        seats = poker_seats.c
        query = select(seats.table_id, seats.player_id, seats.seat_no, seats.initial)
        for table_id, player_id, *seat in await snapshot.connection.execute(query):
            id_ = f"{_SEAT}{table_id}:{player_id}"
            occupied.add(id_)
            if going_on.pop(id_, None) != tuple(seat) or id_ not in stored:
                fault(f"{id_}: it has no account, or no sitting with this seat and buy-in")
        for id_ in going_on:
            fault(f"{id_}: its sitting goes on, and the seat is free")
        for id_, account in stored.items():
            if account.kind == Kind.SEAT and account.balance and id_ not in occupied:
                fault(f"account {id_}: it has {account.balance}, and the seat is free")

    def has_sat(self, table_id: str, player_id: str, seat_no: int) -> bool:
        """Whether the player has ever had this seat."""
        return bool(self._seat_nos.get(f"{_SEAT}{table_id}:{player_id}", 0) >> seat_no & 1)

    def _sitting(self, sitting: _Sitting, stored: Mapping[str, Stored]) -> None:
        """Compares a sitting with the operations that began and ended it. A move to another table is one operation."""
        account = stored.get(sitting.account_id)
        if account is None:
            self._check.fault(f"{sitting.account_id}: its sitting has no account")
            return
        player_id, currency = sitting.player_id, account.currency
        seat, cash = Account(sitting.account_id, Kind.SEAT, currency), accounts.player_cash(player_id, currency)
        if not sitting.moved:
            bought = move(sitting.initial, cash, seat)
            key = seat_money.operation_key(seat_money.BUY_IN, player_id, sitting.key)
            self._expect(sitting.account_id, key, Operation(key, seat_money.BUY_IN, (bought,), player_id))
        moved = seat_money.operation_key(seat_money.MOVE, player_id, sitting.key)
        if not sitting.left_with or self._end_move(moved):
            return
        forfeit = forfeits.operation_of(
            seat_money.Place(sitting.table_id, "", player_id, currency), sitting.key, sitting.left_with
        )
        if self._is_posted(forfeit.key):
            self._expect(sitting.account_id, forfeit.key, forfeit)
            return
        left = move(sitting.left_with, seat, cash)
        key = seat_money.operation_key(seat_money.LEAVE, player_id, sitting.key)
        self._expect(sitting.account_id, key, Operation(key, seat_money.LEAVE, (left,), player_id))
