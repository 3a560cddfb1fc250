"""Every round against its journal: status and times, seats, holds, operations, escrow.

The rounds are read in the order of their names, some at a time, with all rows that carry a name from there to
there. So a row of a round that does not exist is found as well, and nothing is ever held but these.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.clock import utc_day
from casino.ledger.accounts import player_cash_id
from casino.storage.schema import holds, journal, operations, rounds, seats
from casino.uth.round import game_number
from casino.verify.findings import Findings
from casino.verify.forfeits import forfeit_faults
from casino.verify.incidents import Incidents
from casino.verify.ledger import Ledger
from casino.verify.posted import check_posted
from casino.verify.telling import Told, UntoldError, tell

_ROUNDS_AT_ONCE: Final = 1_000
_SEATS_AT_ONCE: Final = 20_000

_OPERATION = (operations.c.round_id, operations.c.id, operations.c.key, operations.c.kind, operations.c.input_hash)


@dataclass(slots=True)
class Records:
    """All rows that carry the name of one round."""

    round: Any = None
    journal: list[Any] = field(default_factory=list)
    operations: list[Any] = field(default_factory=list)
    seats: list[Any] = field(default_factory=list)
    holds: list[Any] = field(default_factory=list)


class Rounds:
    def __init__(self, findings: Findings, ledger: Ledger, incidents: Incidents, step: Callable[[int], None]) -> None:
        self._findings = findings
        self._ledger = ledger
        self._incidents = incidents
        self._step = step
        self._unfinished: dict[str, list[str]] = defaultdict(list)
        self.held: dict[str, int] = defaultdict(int)
        """By account, what the open holds add up to."""

    async def read(self, connection: AsyncConnection) -> None:
        after: str | None = None
        while True:
            page = await _page(connection, after)
            until = page[-1].id if page else None
            for round_id, records in (await _records(connection, page, after, until)).items():
                await self._round(connection, round_id, records)
            if until is None:
                break
            after = until
        for table_id, unfinished in self._unfinished.items():
            self._findings.unfinished.counted += len(unfinished)
            for round_id in unfinished[1:]:
                text = f"round {round_id}: table {table_id} has left {unfinished[0]} unfinished as well"
                self._findings.unfinished.fault(text)
        for round_id in self._ledger.escrows:
            self._findings.escrows.fault(f"account {self._ledger.escrows[round_id][0]}: there is no such round")

    async def _round(self, connection: AsyncConnection, round_id: str, records: Records) -> None:
        self._step(len(records.journal) + len(records.operations))
        self._findings.seats.counted += len(records.seats)
        self._findings.holds.counted += len(records.holds)
        if records.round is None:
            self._orphans(round_id, records)
            return
        self._findings.rounds.counted += 1
        for fault in _row_faults(records):
            self._findings.rounds.fault(f"round {round_id}: {fault}")
        for hold in records.holds:
            self._hold(hold)
        if records.round.status == "forfeited":
            await self._forfeited(connection, round_id, records)
            return
        try:
            told = tell(records.journal, lambda player_id: self._ledger.currency(player_cash_id(player_id)))
        except UntoldError as error:
            self._findings.rounds.fault(f"round {round_id}: it cannot be replayed: {error}")
            self._ledger.escrows.pop(round_id, None)
            self._incidents.forget(round_id)
            return
        await self._against(connection, told, records)

    async def _against(self, connection: AsyncConnection, told: Told, records: Records) -> None:
        """The round as its journal tells it against everything else that is stored about it."""
        round_id = records.round.id
        for fault in _status_faults(told, records):
            self._findings.rounds.fault(f"round {round_id}: {fault}")
        for fault in _seat_faults(told, records):
            self._findings.seats.fault(f"seat {round_id}/{fault}")
        for fault in _hold_faults(told, records):
            self._findings.holds.fault(f"hold {round_id}/{fault}")
        await check_posted(connection, told, records.operations, self._findings, self._ledger.doubtful)
        self._escrow(told, round_id)
        self._incidents.compare(round_id, told.audited)
        if told.status == "open":
            self._unfinished[records.round.table_id].append(round_id)

    async def _forfeited(self, connection: AsyncConnection, round_id: str, records: Records) -> None:
        captured = {hold.player_id: hold.amount for hold in records.holds if hold.status == "captured"}
        players = {seat.player_id for seat in records.seats}
        self._findings.settlements.counted += 1
        for fault in await forfeit_faults(connection, round_id, captured, players):
            self._findings.settlements.fault(fault)
        for hold in records.holds:
            if hold.status == "open":
                self._findings.holds.fault(f"hold {round_id}/{hold.player_id}: it is open, and the round forfeited")
        for id_ in self._ledger.escrows.pop(round_id, []):
            self._check_escrow(id_, 0, "forfeited")
        self._incidents.compare_forfeit(round_id, records.round.ended_ms)

    def _check_escrow(self, id_: str, demanded: int, status: str) -> None:
        stored = self._ledger.accounts[id_]
        self._findings.escrows.counted += 1
        if stored.balance != demanded:
            text = f"account {id_}: {stored.balance} lies there, {demanded} should, and the round is {status}"
            self._findings.escrows.fault(text)

    def _orphans(self, round_id: str, records: Records) -> None:
        missing = f"there is no round {round_id}"
        for row in records.journal:
            self._findings.rounds.fault(f"journal row {row.table_id}/{row.seq}: {missing}")
        for row in records.operations:
            self._findings.settlements.fault(f"operation {row.id} ({row.key}): {missing}")
        for row in records.seats:
            self._findings.seats.fault(f"seat {round_id}/{row.player_id}: {missing}")
        for row in records.holds:
            self._findings.holds.fault(f"hold {round_id}/{row.player_id}: {missing}")

    def _hold(self, hold: Any) -> None:  # noqa: ANN401  a row of the database
        if hold.account != player_cash_id(hold.player_id):
            self._findings.holds.fault(f"hold {hold.round_id}/{hold.player_id}: it holds money of {hold.account}")
        if type(hold.amount) is not int or hold.amount <= 0:
            self._findings.holds.fault(f"hold {hold.round_id}/{hold.player_id}: it holds {hold.amount}")
        elif hold.status == "open":
            self.held[hold.account] += hold.amount

    def _escrow(self, told: Told, round_id: str) -> None:
        staked: dict[str, int] = defaultdict(int)
        if told.status == "open":
            bets = [*(told.staked or {}).items(), *((play.player_id, play.amount) for play in told.plays)]
            for player_id, amount in bets:
                staked[told.currencies[player_id]] += amount
        for id_ in self._ledger.escrows.pop(round_id, []):
            self._check_escrow(id_, staked.pop(self._ledger.accounts[id_].currency, 0), told.status)
        for currency, amount in staked.items():
            self._findings.escrows.fault(f"round {round_id}: there is no escrow for the {amount} {currency} staked")


async def _page(connection: AsyncConnection, after: str | None) -> Sequence[Any]:
    """The next rounds, as many as have a bearable number of seats together, but at least one."""
    count = select(func.count()).where(seats.c.round_id == rounds.c.id).scalar_subquery()
    columns = rounds.c
    query = select(
        columns.id,
        columns.table_id,
        columns.day,
        columns.game_number,
        columns.status,
        columns.started_ms,
        columns.ended_ms,
        count.label("seats"),
    )
    if after is not None:
        query = query.where(columns.id > after)
    found = (await connection.execute(query.order_by(columns.id).limit(_ROUNDS_AT_ONCE))).all()
    together = 0
    for place, row in enumerate(found):
        together += row.seats
        if place and together > _SEATS_AT_ONCE:
            return found[:place]
    return found


async def _records(
    connection: AsyncConnection, page: Sequence[Any], after: str | None, until: str | None
) -> dict[str, Records]:
    found: dict[str, Records] = defaultdict(Records)
    for row in page:
        found[row.id].round = row

    def between(column: Column[Any]) -> Iterator[ColumnElement[bool]]:
        if after is not None:
            yield column > after
        if until is not None:
            yield column <= until

    queries = {
        "journal": select(journal).where(*between(journal.c.round_id)).order_by(journal.c.table_id, journal.c.seq),
        "operations": select(*_OPERATION).where(*between(operations.c.round_id), operations.c.round_id.is_not(None)),
        "seats": select(seats).where(*between(seats.c.round_id)),
        "holds": select(holds).where(*between(holds.c.round_id)),
    }
    for name, query in queries.items():
        for row in (await connection.execute(query)).all():
            getattr(found[row.round_id], name).append(row)
    return found


def _row_faults(records: Records) -> Iterator[str]:
    """What the row of a round tells about itself, and the journal's rows about where they belong."""
    row = records.round
    try:
        is_right = (row.day, row.game_number) == (utc_day(row.started_ms), game_number(row.started_ms))
    except (TypeError, ValueError, OverflowError, OSError):
        is_right = False
    if not is_right:
        yield f"{row.day} {row.game_number} is not when it started, which is {row.started_ms}"
    for table_id in {event.table_id for event in records.journal} - {row.table_id}:
        yield f"it is of table {row.table_id}, and stands in the journal of {table_id}"


def _status_faults(told: Told, records: Records) -> Iterator[str]:
    row, round_ = records.round, told.round
    stored = {
        name: getattr(row, name) for name in ("id", "table_id", "game_number", "started_ms", "status", "ended_ms")
    }
    replayed = {
        "id": round_.round_id,
        "table_id": round_.table_id,
        "game_number": round_.game_number,
        "started_ms": round_.started_ms,
        "status": told.status,
        "ended_ms": told.ended_ms,
    }
    for name, value in replayed.items():
        if stored[name] != value:
            yield f"its {name} is {stored[name]}, and {value} in the journal"


def _seat_faults(told: Told, records: Records) -> Iterator[str]:
    stored = {row.player_id: (row.currency, row.started_ms) for row in records.seats}
    demanded = {player_id: (currency, told.round.started_ms) for player_id, currency in told.currencies.items()}
    for player_id, values in stored.items():
        if values != demanded.pop(player_id, None):
            yield f"{player_id}: it is not as the journal and the player's account tell"
    for player_id in demanded:
        yield f"{player_id}: it is missing"


def _hold_faults(told: Told, records: Records) -> Iterator[str]:
    """After betting a hold is captured, as a stake, or has been released; before it, open or released."""
    demanded = dict(told.staked or {})
    is_betting = told.status == "open" and told.staked is None
    for row in records.holds:
        if row.status == "open" and not is_betting:
            yield f"{row.player_id}: it is open, and betting is not"
        elif row.status == "captured" and demanded.pop(row.player_id, None) != row.amount:
            yield f"{row.player_id}: the {row.amount} captured are not what the journal says was staked"
    for player_id, amount in demanded.items():
        yield f"{player_id}: no hold was captured for the {amount} staked"
