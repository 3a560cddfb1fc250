"""Verifies every round against its journal: status, times, seats, holds, operations and escrow."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from casino.clock import utc_day
from casino.ledger.accounts import player_cash_id
from casino.uth.round import game_number
from casino.verify.fairness import Fairness
from casino.verify.findings import Findings
from casino.verify.forfeits import forfeit_faults
from casino.verify.incidents import Incidents
from casino.verify.ledger import Ledger
from casino.verify.postings import check_posted
from casino.verify.round_replay import ReplayedRound, ReplayError, replay
from casino.verify.round_rows import RoundRows, read_records
from casino.verify.settlements import check_settled, stray_settlements
from casino.verify.snapshot import Snapshot

_NO_TIME: Final = (TypeError, ValueError, OverflowError, OSError)


class Rounds:
    def __init__(
        self,
        findings: Findings,
        ledger: Ledger,
        incidents: Incidents,
        step: Callable[[int], None],
        keys: Sequence[str] = (),
    ) -> None:
        self._findings = findings
        self._fairness = Fairness(findings, keys)
        self._ledger = ledger
        self._incidents = incidents
        self._step = step
        self._unfinished: dict[str, list[str]] = defaultdict(list)
        self.held: dict[str, int] = defaultdict(int)
        """By account, what the open holds add up to."""

    async def read(self, snapshot: Snapshot) -> None:
        async for round_id, records in read_records(snapshot):
            self._step(len(records.journal))
            self._findings.seats.counted += len(records.seats)
            self._findings.holds.counted += len(records.holds)
            if records.round is None:
                self._orphans(round_id, records)
            else:
                await self._round(snapshot, round_id, records)
        for table_id, (first, *others) in self._unfinished.items():
            self._findings.unfinished.counted += 1 + len(others)
            for round_id in others:
                text = f"round {round_id}: table {table_id} has left {first} unfinished as well"
                self._findings.unfinished.fault(text)
        async for text in stray_settlements(snapshot):
            self._findings.settled.fault(text)
        for ids in self._ledger.escrows.values():
            self._findings.escrows.fault(f"account {ids[0]}: there is no such round")

    async def _round(self, snapshot: Snapshot, round_id: str, records: RoundRows) -> None:
        self._findings.rounds.counted += 1
        for fault in _row_faults(records):
            self._findings.rounds.fault(f"round {round_id}: {fault}")
        self._holds(round_id, records)
        if records.round.status == "forfeited":
            await self._forfeited(snapshot, round_id, records)
            return
        try:
            replayed = replay(records.journal, self._currency_of)
        except ReplayError as error:
            self._findings.rounds.fault(f"round {round_id}: it cannot be replayed: {error}")
            self._ledger.escrows.pop(round_id, None)
            self._incidents.forget(round_id)
            return
        await self._against(snapshot, replayed, records)

    async def _against(self, snapshot: Snapshot, replayed: ReplayedRound, records: RoundRows) -> None:
        """Compares the replayed round with all other rows about it."""
        round_id = records.round.id
        for fault in _status_faults(replayed, records):
            self._findings.rounds.fault(f"round {round_id}: {fault}")
        for fault in _seat_faults(replayed.currencies, records):
            self._findings.seats.fault(f"seat {round_id}/{fault}")
        for fault in _hold_faults(replayed, records):
            self._findings.holds.fault(f"hold {round_id}/{fault}")
        await check_posted(snapshot.connection, replayed, records.operations, self._findings, self._ledger.doubtful)
        check_settled(replayed, records, self._findings.settled)
        self._fairness.check(replayed, records.round.sealed_shoe)
        self._escrows(replayed, round_id)
        self._incidents.compare(round_id, replayed.audited)
        if replayed.status == "open":
            self._unfinished[records.round.table_id].append(round_id)

    async def _forfeited(self, snapshot: Snapshot, round_id: str, records: RoundRows) -> None:
        self._findings.settlements.counted += 1
        for _, number, *_ in records.settlements:
            self._findings.settled.fault(f"settlement {number}: its round {round_id} was forfeited")
        for fault in await forfeit_faults(snapshot.connection, round_id, records):
            self._findings.settlements.fault(fault)
        players = {}
        for _, player_id, _, _, status in records.holds:
            if status == "captured":
                players[player_id] = self._currency_of(player_id)
            elif status == "open":
                self._findings.holds.fault(f"hold {round_id}/{player_id}: it is open, and the round forfeited")
        for fault in _seat_faults(players, records):
            self._findings.seats.fault(f"seat {round_id}/{fault}")
        for id_ in self._ledger.escrows.pop(round_id, []):
            self._escrow(id_, 0, "forfeited")
        self._incidents.compare_forfeit(round_id, records.round.ended_ms)

    def _orphans(self, round_id: str, records: RoundRows) -> None:
        missing = f"there is no round {round_id}"
        for _, table_id, seq, *_ in records.journal:
            self._findings.rounds.fault(f"journal row {table_id}/{seq}: {missing}")
        for _, number, key, _ in records.operations:
            self._findings.settlements.fault(f"operation {number} ({key}): {missing}")
        for _, number, *_ in records.settlements:
            self._findings.settled.fault(f"settlement {number}: {missing}")
        for _, player_id, *_ in records.seats:
            self._findings.seats.fault(f"seat {round_id}/{player_id}: {missing}")
        for _, player_id, *_ in records.holds:
            self._findings.holds.fault(f"hold {round_id}/{player_id}: {missing}")

    def _currency_of(self, player_id: str) -> str | None:
        stored = self._ledger.accounts.get(player_cash_id(player_id))
        return stored.currency if stored else None

    def _holds(self, round_id: str, records: RoundRows) -> None:
        fault = self._findings.holds.fault
        for _, player_id, account, amount, status in records.holds:
            if account != player_cash_id(player_id):
                fault(f"hold {round_id}/{player_id}: it holds money of {account}")
            if type(amount) is not int or amount <= 0:
                fault(f"hold {round_id}/{player_id}: it holds {amount}")
            elif status == "open":
                self.held[account] += amount

    def _escrows(self, replayed: ReplayedRound, round_id: str) -> None:
        staked: dict[str, int] = defaultdict(int)
        if replayed.status == "open":
            bets = [*(replayed.staked or {}).items(), *((play.player_id, play.amount) for play in replayed.plays)]
            for player_id, amount in bets:
                staked[replayed.currencies[player_id]] += amount
            for player_id, amount in replayed.returned_plays:
                staked[replayed.currencies[player_id]] -= amount
        for id_ in self._ledger.escrows.pop(round_id, []):
            self._escrow(id_, staked.pop(self._ledger.accounts[id_].currency, 0), replayed.status)
        for currency, amount in staked.items():
            self._findings.escrows.fault(f"round {round_id}: there is no escrow for the {amount} {currency} staked")

    def _escrow(self, id_: str, demanded: int, status: str) -> None:
        stored = self._ledger.accounts[id_]
        self._findings.escrows.counted += 1
        if stored.balance != demanded:
            text = f"account {id_}: its balance is {stored.balance} instead of {demanded}, and the round is {status}"
            self._findings.escrows.fault(text)


def _row_faults(records: RoundRows) -> Iterator[str]:
    """Yields faults of the round's own row, and journal rows with a wrong table."""
    row = records.round
    try:
        is_right = (row.day, row.game_number) == (utc_day(row.started_ms), game_number(row.started_ms))
    except _NO_TIME:
        is_right = False
    if not is_right:
        yield f"{row.day} {row.game_number} is not when it started, which is {row.started_ms}"
    if records.journal and records.journal[0][5] != row.started_ms:
        yield f"it started at {row.started_ms}, and its journal at {records.journal[0][5]}"
    for table_id in {event[1] for event in records.journal} - {row.table_id}:
        yield f"it is of table {row.table_id}, and is in the journal of {table_id}"


def _status_faults(replayed: ReplayedRound, records: RoundRows) -> Iterator[str]:
    round_ = replayed.round
    derived = {
        "id": round_.round_id,
        "table_id": round_.table_id,
        "game_number": round_.game_number,
        "started_ms": round_.started_ms,
        "status": replayed.status,
        "ended_ms": replayed.ended_ms,
    }
    for name, value in derived.items():
        stored = getattr(records.round, name)
        if stored != value:
            yield f"its {name} is {stored}, and {value} in the journal"


def _seat_faults(currencies: Mapping[str, str | None], records: RoundRows) -> Iterator[str]:
    demanded = dict(currencies)
    for _, player_id, currency, started_ms in records.seats:
        if demanded.pop(player_id, None) != currency or started_ms != records.round.started_ms:
            yield f"{player_id}: it is not as the journal and the player's account tell"
    for player_id in demanded:
        yield f"{player_id}: it is missing"


def _hold_faults(replayed: ReplayedRound, records: RoundRows) -> Iterator[str]:
    """After betting, a hold is captured as a stake or released; before, it is open or released."""
    demanded = dict(replayed.staked or {})
    is_betting = replayed.status == "open" and replayed.staked is None
    for _, player_id, _, amount, status in records.holds:
        if status == "captured":
            if demanded.pop(player_id, None) != amount:
                yield f"{player_id}: the {amount} captured are not what the journal says was staked"
        elif status == "open" and not is_betting:
            yield f"{player_id}: it is open, and betting is not"
        elif status not in ("open", "released"):
            yield f"{player_id}: it is {status}"
    for player_id, amount in demanded.items():
        yield f"{player_id}: no hold was captured for the {amount} staked"
