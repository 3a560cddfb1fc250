"""Verifies the ledger independently of games: hashes, accounts, sums and balances.

It does not read the journal; `rounds` determines the expected postings of a round.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

from sqlalchemy import select

from casino.ledger.accounts import Kind, player_cash_id
from casino.ledger.posting import Operation, Posting, record_digest
from casino.storage.schema import accounts, operations, postings, users
from casino.verify.findings import Findings
from casino.verify.snapshot import Snapshot
from casino.verify.tips import Tips

_OPERATIONS_AT_ONCE: Final = 2_000

_NAMES: Final[Mapping[Kind, re.Pattern[str]]] = {
    Kind.PLAYER: re.compile(r"player:(?P<owner>.+):cash", re.DOTALL),
    Kind.ESCROW: re.compile(r"round:(?P<owner>.+):escrow:(?P<currency>[A-Z]{3})", re.DOTALL),
    Kind.TIPS: re.compile(r"presenter:(?P<owner>.+):tips:(?P<currency>[A-Z]{3})", re.DOTALL),
    Kind.CHARITY: re.compile(r"charity:(?P<currency>[A-Z]{3})"),
    Kind.HOUSE: re.compile(r"house:(?P<currency>[A-Z]{3})"),
    Kind.WITHDRAWAL: re.compile(r"withdrawal:(?P<owner>.+):(?P<currency>[A-Z]{3})", re.DOTALL),
    Kind.SEAT: re.compile(r"seat:(?P<table>[^:]+):(?P<owner>.+)", re.DOTALL),
    Kind.POT: re.compile(r"pot:(?P<owner>[^:]+):(?P<currency>[A-Z]{3})"),
    Kind.RAKE: re.compile(r"rake:(?P<currency>[A-Z]{3})"),
    Kind.TOURNAMENT: re.compile(r"mtt:(?P<owner>[^:]+):(pool|bounty|fees):(?P<currency>[A-Z]{3})"),
    Kind.TICKETS: re.compile(r"tickets:(?P<currency>[A-Z]{3})"),
    Kind.FEES: re.compile(r"fees:(?P<currency>[A-Z]{3})"),
    Kind.PROMO: re.compile(r"promo:(?P<currency>[A-Z]{3})"),
    Kind.HELD: re.compile(r"held:(?P<case>[^:]+):(?P<owner>.+)", re.DOTALL),
    Kind.CREDIT: re.compile(r"credit:(?P<currency>[A-Z]{3})"),
    Kind.RECEIVABLE: re.compile(r"receivable:(?P<owner>.+):(?P<currency>[A-Z]{3})", re.DOTALL),
    Kind.CASHIER: re.compile(r"cashier:(?P<currency>[A-Z]{3})"),
}
_MAY_OWE: Final = (Kind.HOUSE, Kind.CASHIER, Kind.CREDIT, Kind.PROMO, Kind.RECEIVABLE)


class Books(Protocol):
    """Collects operations that other books are compared with."""

    def add(self, row: Any, postings: Sequence[Posting]) -> None: ...  # noqa: ANN401


class Stored(NamedTuple):
    """An account as stored."""

    kind: str
    currency: str
    balance: int
    held: int


class Ledger:
    """`read` collects the rows; `rounds` adds the open holds, and `close` checks every account."""

    def __init__(self, findings: Findings, compared: Sequence[Books], step: Callable[[int], None]) -> None:
        self._findings = findings
        self._tips = Tips(findings.tips)
        self._compared = compared
        self._step = step
        self._net: dict[str, int] = defaultdict(int)
        self.accounts: dict[str, Stored] = {}
        self.escrows: dict[str, list[str]] = defaultdict(list)
        """By round, the accounts that are named after it."""
        self.doubtful: set[int] = set()
        """Operations that are not what was written; their round knows which posting it is."""

    async def read(self, snapshot: Snapshot) -> None:
        columns = accounts.c
        query = select(columns.id, columns.kind, columns.currency, columns.balance, columns.held)
        async for rows in snapshot.partitions(query):
            for id_, *stored in rows:
                self._account(id_, Stored(*stored))
        async for rows in snapshot.partitions(select(users.c.id, users.c.currency)):
            for id_, currency in rows:
                wallet = self.accounts.get(player_cash_id(id_))
                if wallet and wallet.currency != currency:
                    self._findings.accounts.fault(f"account {player_cash_id(id_)}: its player has {currency}")
        after: int | None = None
        while True:
            page = await self._page(snapshot, after)
            until = page[-1].id if len(page) == _OPERATIONS_AT_ONCE else None
            await self._postings(snapshot, page, after, until)
            if until is None:
                return
            after = until

    def close(self, held: Mapping[str, int]) -> None:
        """`held` is the sum of open holds of all rounds, by account."""
        totals: dict[str, int] = defaultdict(int)
        for id_, stored in self.accounts.items():
            totals[stored.currency] += whole(stored.balance)
            self._balance(id_, stored)
            if stored.held != held.get(id_, 0):
                text = f"account {id_}: {stored.held} is held, its open holds are {held.get(id_, 0)}"
                self._findings.holds.fault(text)
        for id_ in held.keys() - self.accounts.keys():
            self._findings.holds.fault(f"account {id_}: there is a hold on it, but no such account")
        self._tips.close(self.accounts)
        self._findings.accounts.counted = len(self.accounts)
        self._findings.currencies.counted = len(totals)
        for currency, total in totals.items():
            if total:
                self._findings.currencies.fault(f"currency {currency}: all accounts together are {total}")

    def _account(self, id_: str, stored: Stored) -> None:
        self.accounts[id_] = stored
        pattern = _NAMES.get(Kind(stored.kind)) if stored.kind in set(Kind) else None
        named = pattern.fullmatch(id_) if pattern and isinstance(id_, str) else None
        if named is None:
            self._findings.accounts.fault(f"account {id_}: its name is not that of an account of kind {stored.kind}")
        elif stored.currency != named.groupdict().get("currency", stored.currency):
            self._findings.accounts.fault(f"account {id_}: its currency is {stored.currency}")
        elif stored.kind == Kind.ESCROW:
            self.escrows[named["owner"]].append(id_)

    def _balance(self, id_: str, stored: Stored) -> None:
        fault, net = self._findings.accounts.fault, self._net.get(id_, 0)
        if stored.balance != net:
            fault(f"account {id_}: its balance is {stored.balance}, its postings sum up to {net}")
        if whole(stored.balance) < 0 and stored.kind not in _MAY_OWE:
            fault(f"account {id_}: it is overdrawn by {-stored.balance}")
        if stored.balance and stored.kind == Kind.POT:
            fault(f"account {id_}: a pot is empty between operations, and it has {stored.balance}")
        if whole(stored.balance) > 0 and stored.kind == Kind.RECEIVABLE:
            fault(f"account {id_}: a debt is never positive, and it is {stored.balance}")
        if not 0 <= whole(stored.held) <= max(0, whole(stored.balance)):
            fault(f"account {id_}: {stored.held} is held of a balance of {stored.balance}")

    async def _page(self, snapshot: Snapshot, after: int | None) -> Sequence[Any]:
        query = select(operations).order_by(operations.c.id).limit(_OPERATIONS_AT_ONCE)
        if after is not None:
            query = query.where(operations.c.id > after)
        return (await snapshot.connection.execute(query)).all()

    async def _postings(self, snapshot: Snapshot, page: Sequence[Any], after: int | None, until: int | None) -> None:
        """Reads the postings of these operations, and those in between that belong to none."""
        awaited = {row.id: row for row in page}
        query = select(postings).order_by(postings.c.operation_id, postings.c.line)
        if after is not None:
            query = query.where(postings.c.operation_id > after)
        if until is not None:
            query = query.where(postings.c.operation_id <= until)
        number: int | None = None
        lines: list[Any] = []
        async for rows in snapshot.partitions(query):
            self._findings.postings.counted += len(rows)
            self._step(len(rows))
            for row in rows:
                if row[0] != number:
                    self._operation(awaited.pop(number, None), lines)
                    number, lines = row[0], []
                lines.append(row)
        self._operation(awaited.pop(number, None), lines)
        for row in awaited.values():
            self.doubtful.add(row.id)
            self._findings.operations.fault(f"operation {row.id} ({row.key}): it has no postings")
        self._findings.operations.counted += len(page)

    def _operation(self, row: Any, lines: Sequence[Any]) -> None:  # noqa: ANN401  a row of the database
        moved = cast(
            "list[Posting]", [line[2:] for line in lines]
        )  # positional, since named fields would cost more than the check
        if row is None:
            for number, line, *_ in lines:
                self._findings.postings.fault(f"posting {number}/{line}: there is no operation {number}")
        else:
            self._hashes(row, lines, moved)
            for books in self._compared:
                books.add(row, moved)
            self._tips.add(row, moved)
        prefix = f"round:{row.round_id}:escrow:" if row is not None else ""
        for line, posting in zip(lines, moved, strict=True):
            wrong = self._move(posting, prefix)
            if wrong is not None:
                self._findings.postings.fault(f"posting {line[0]}/{line[1]}: {wrong}")

    def _hashes(self, row: Any, lines: Sequence[Any], moved: Sequence[Posting]) -> None:  # noqa: ANN401
        fault = self._findings.operations.fault
        for place, line in enumerate(lines):
            if line[1] != place:
                self.doubtful.add(row.id)
                fault(f"posting {row.id}/{line[1]}: posting {row.id}/{place} should be here")
                break
        hashed = _input_hash(row, moved)
        if hashed == row.input_hash and record_digest(hashed, row.at_ms) == row.digest:
            return
        self.doubtful.add(row.id)
        if record_digest(hashed, row.at_ms) == row.digest:
            wrong = "its input_hash was changed"
        elif hashed == row.input_hash:
            wrong = "its at_ms or its digest was changed"
        else:
            last = len(moved) - 1
            which = f"one of its postings {row.id}/0 to {row.id}/{last}" if last else f"its posting {row.id}/0"
            wrong = f"it or {which} is not what was written"
        fault(f"operation {row.id} ({row.key}): {wrong}")

    def _move(self, posting: Posting, escrow_prefix: str) -> str | None:
        """Applies the posting, and reports its faults."""
        source, destination, amount, currency = posting
        if type(amount) is not int or amount <= 0:
            return f"it moves {amount}"
        self._net[source] -= amount
        self._net[destination] += amount
        giver, taker = self.accounts.get(source), self.accounts.get(destination)
        if giver is None or taker is None:
            return f"there is no account {source if giver is None else destination}"
        if giver.currency != currency or taker.currency != currency:
            return f"it moves {currency} from account {source} to account {destination}, not both of which have it"
        if giver.kind == taker.kind == "player":
            return "it moves money from player to player"
        if "seat" in (giver.kind, taker.kind) and not _is_own(source, destination):
            return f"it moves chips from {source} to {destination}"
        if giver.kind == "escrow" and not source.startswith(escrow_prefix):
            return f"{source} belongs to another round than the operation"
        if taker.kind == "escrow" and not destination.startswith(escrow_prefix):
            return f"{destination} belongs to another round than the operation"
        return None


def _is_own(source: str, destination: str) -> bool:
    """Whether chips move between a seat and a pot, or between a seat and the cash of its own player."""
    seat, other = (source, destination) if source.startswith("seat:") else (destination, source)
    return other.startswith("pot:") or other == player_cash_id(seat.split(":", 2)[-1])


def _input_hash(row: Any, moved: Sequence[Posting]) -> str:  # noqa: ANN401
    """Returns an impossible hash for values that cannot be hashed, such as bytes instead of text."""
    try:
        return Operation(row.key, row.kind, tuple(moved), row.actor, row.reason, row.round_id).input_hash()
    except TypeError:
        return ""


def whole(value: object) -> int:
    """Returns a number for arithmetic; a wrong type has been reported already."""
    return value if isinstance(value, int) else 0
