"""Reconciliation of a day: totals of journal, settlements and ledger, compared account by account.

The journal implies the movements, the settlements report them, and the ledger holds them. Differences are reported by
round and account. `casino verify` checks the rest of the books.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select

from casino.finance.period import Period
from casino.finance.poker_reconciliation import poker_differences
from casino.finance.settlements import RETURNED, STAKED
from casino.ledger import accounts
from casino.ledger.posting import Operation, Posting, net_changes, record_digest
from casino.storage import schema
from casino.verify.round_replay import ReplayedRound, ReplayError, replay
from casino.verify.snapshot import Snapshot

ROUNDS_AT_ONCE: Final = 500

Net = Mapping[str, int]
"""Gain or loss by account."""

_operation, _posting = schema.operations.c, schema.postings.c


async def differences(snapshot: Snapshot, period: Period) -> AsyncIterator[str]:
    """Yields nothing if the day is correct to the minor unit."""
    began = select(schema.rounds.c.id).where(
        schema.rounds.c.started_ms >= period.from_ms, schema.rounds.c.started_ms < period.until_ms
    )
    rounds = dict.fromkeys((await snapshot.connection.execute(began.order_by(schema.rounds.c.started_ms))).scalars())
    async for operation, postings in _operations(snapshot, period):
        if operation.round_id is not None:
            rounds[operation.round_id] = None
        if not _is_as_written(operation, postings):
            where = f"round {operation.round_id}, " if operation.round_id else ""
            named = ", ".join(sorted({name for posting in postings for name in posting[:2]})[:4]) or "none"
            yield f"{where}operation {operation.id} ({operation.key}) is not what was written; accounts {named}"
    names = list(rounds)
    for start in range(0, len(names), ROUNDS_AT_ONCE):
        page = await _Page.read(snapshot, names[start : start + ROUNDS_AT_ONCE])
        for difference in page.differences():
            yield difference
    async for difference in poker_differences(snapshot, period):
        yield difference


async def _operations(snapshot: Snapshot, period: Period) -> AsyncIterator[tuple[Any, list[Posting]]]:
    """Returns every operation of the period with its postings, also those without any."""
    query = (
        select(schema.operations, _posting.source, _posting.destination, _posting.amount, _posting.currency)
        .outerjoin(schema.postings, _posting.operation_id == _operation.id)
        .where(_operation.at_ms >= period.from_ms, _operation.at_ms < period.until_ms)
        .order_by(_operation.at_ms, _operation.id, _posting.line)
    )
    current, postings = None, []
    async for row in await snapshot.connection.stream(query):
        if current is not None and row.id != current.id:
            yield current, postings
            postings = []
        current = row
        if row.source is not None:
            postings.append(Posting(row.source, row.destination, row.amount, row.currency))
    if current is not None:
        yield current, postings


def _is_as_written(row: Any, postings: Sequence[Posting]) -> bool:  # noqa: ANN401  a row of the operations
    written = Operation(row.key, row.kind, tuple(postings), row.actor, row.reason, row.round_id).input_hash()
    return bool(written == row.input_hash and record_digest(written, row.at_ms) == row.digest)


class _Page:
    """Some rounds with all their rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.journal: dict[str, list[Any]] = {name: [] for name in names}
        self.keys: dict[str, dict[str, int]] = defaultdict(dict)  # by round and key, the operation
        self.posted: dict[int, list[Posting]] = defaultdict(list)  # by operation
        self.settled: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))  # by operation and account
        self.currencies: dict[str, str] = {}  # by player
        self.forfeited: set[str] = set()

    @classmethod
    async def read(cls, snapshot: Snapshot, names: Sequence[str]) -> "_Page":
        page, run = cls(names), snapshot.connection.execute
        j, seat, purse = schema.journal.c, schema.seats.c, schema.accounts.c
        events = select(j.round_id, j.table_id, j.seq, j.kind, j.version, j.at_ms, j.data)
        for row in await run(events.where(j.round_id.in_(names)).order_by(j.table_id, j.seq)):
            page.journal[row.round_id].append(tuple(row))
        moved = select(_operation.round_id, _operation.key, schema.postings)
        moved = moved.join(schema.postings, _posting.operation_id == _operation.id)
        for round_id, key, number, _, *posting in await run(moved.where(_operation.round_id.in_(names))):
            page.keys[round_id][key] = number
            page.posted[number].append(Posting(*posting))
        owned = select(seat.player_id, purse.currency).distinct()
        owned = owned.join(schema.accounts, purse.id == "player:" + seat.player_id + ":cash")
        for player_id, currency in await run(owned.where(seat.round_id.in_(names))):
            page.currencies[player_id] = currency
        await page._read_settled(snapshot, names)
        status = select(schema.rounds.c.id).where(schema.rounds.c.status == "forfeited")
        page.forfeited.update((await run(status.where(schema.rounds.c.id.in_(names)))).scalars())
        return page

    async def _read_settled(self, snapshot: Snapshot, names: Sequence[str]) -> None:
        end, seat = schema.settlements.c, schema.settled_seats.c
        query = select(end.round_id, end.operation_id, seat.player_id, seat.currency, STAKED, RETURNED)
        query = query.join(schema.settled_seats, seat.operation_id == end.operation_id)
        found = await snapshot.connection.execute(query.where(end.round_id.in_(names)))
        for round_id, number, player_id, currency, staked, returned in found:
            net = self.settled[number]
            net[accounts.player_cash_id(player_id)] += returned
            net[accounts.house(currency).id] += staked - returned
            net[accounts.escrow(round_id, currency).id] -= staked

    def differences(self) -> Iterator[str]:
        for round_id, events in self.journal.items():
            if round_id in self.forfeited:
                continue  # unreadable journal, the reason for the forfeit
            try:
                replayed = replay(events, self.currencies.get)
            except ReplayError as error:
                yield f"round {round_id}: its journal cannot be replayed: {error}"
                continue
            yield from self._of_round(replayed)

    def _of_round(self, replayed: ReplayedRound) -> Iterator[str]:
        round_id, numbers = replayed.round.round_id, self.keys[replayed.round.round_id]
        yield from self._strays(replayed, numbers)
        for operation in replayed.operations:
            if operation.key not in replayed.settlements:
                continue
            number = numbers.get(operation.key)
            if number is None:
                yield f"round {round_id}: the ledger has no {operation.key}"
                continue
            totals = {
                "journal": net_changes(operation.postings),
                "settlements": self.settled[number],
                "ledger": net_changes(self.posted[number]),
            }
            yield from _differences(f"round {round_id}, {operation.kind}", totals)
        staked = net_changes(
            posting for one in replayed.operations if one.kind == "capture" for posting in one.postings
        )
        for play in replayed.plays:
            currency = replayed.currencies[play.player_id]
            staked[accounts.player_cash_id(play.player_id)] -= play.amount
            staked[accounts.escrow(round_id, currency).id] += play.amount
        into = [key for key in numbers if _is_stake(key, round_id)]
        posted = net_changes(posting for key in into for posting in self.posted[numbers[key]])
        yield from _differences(f"round {round_id}, stakes", {"journal": staked, "ledger": posted})

    def _strays(self, replayed: ReplayedRound, numbers: Mapping[str, int]) -> Iterator[str]:
        """Yields rows of ledger and settlements beyond what the journal implies."""
        round_id, led_to = replayed.round.round_id, {operation.key for operation in replayed.operations}
        for key, number in numbers.items():
            where = f"round {round_id}, account " + ", ".join(net_changes(self.posted[number]))
            if key not in led_to and not _is_stake(key, round_id):
                yield f"{where}: the ledger has {key}, and the journal does not lead to it"
            if key not in replayed.settlements and number in self.settled:
                yield f"{where}: there is a settlement of {key}, and the journal does not lead to it"


def _is_stake(key: str, round_id: str) -> bool:
    return key.startswith((f"{round_id}:capture", f"{round_id}:play:"))


def _differences(where: str, changes: Mapping[str, Net]) -> Iterator[str]:
    """Yields the accounts whose net change differs between the books."""
    for account in dict.fromkeys(account for net in changes.values() for account in net):
        amounts = {book: net.get(account, 0) for book, net in changes.items()}
        if len(set(amounts.values())) > 1:
            yield f"{where}, account {account}: " + ", ".join(f"{book} {net:+}" for book, net in amounts.items())
