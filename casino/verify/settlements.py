"""Verifies settlement records against the journal: recomputes every field, seat by seat."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from sqlalchemy import select

from casino.live_table.settlement_records import HAND_COLUMNS, HEAD_COLUMNS, SEAT_COLUMNS, presenter_of
from casino.storage.schema import settled_hands, settled_seats, settlements
from casino.verify.findings import Check
from casino.verify.round_replay import ReplayedRound
from casino.verify.round_rows import RoundRows
from casino.verify.snapshot import Snapshot


def check_settled(replayed: ReplayedRound, records: RoundRows, check: Check) -> None:
    numbers = {key: number for _, number, key, _ in records.operations}
    stored = {row[1]: row for row in records.settlements}
    hands, seats = _by_operation(records.settled_hands), _by_operation(records.settled_seats)
    for key, (head, right_hands, right_seats) in replayed.settlements.items():
        number = numbers.get(key, -1)
        row = stored.pop(number, None)
        if row is None:
            named = f"settlement {number}" if key in numbers else f"the settlement of operation {key}"
            check.fault(f"{named}: it is missing, and round {replayed.round.round_id} has it")
            continue
        check.counted += len(seats[number])
        found = (presenter_of(replayed.round, records.round.presenter), *head)
        for fault in _differences(("presenter", *HEAD_COLUMNS), [(number, *row[2:])], [(number, *found)]):
            check.fault(f"settlement {fault}")
        for fault in _differences(HAND_COLUMNS[1:], hands[number], right_hands):
            check.fault(f"settlement {number}, hand {fault}")
        for fault in _differences(SEAT_COLUMNS[1:], seats[number], right_seats):
            check.fault(f"settlement {number}, seat {fault}")
    for number in stored:
        check.fault(f"settlement {number}: the journal of round {replayed.round.round_id} does not lead to it")


async def stray_settlements(snapshot: Snapshot) -> AsyncIterator[str]:
    """Yields rows of missing settlements."""
    for table, name, called in ((settled_hands, "seat_no", "hand"), (settled_seats, "player_id", "seat")):
        is_there = select(settlements.c.operation_id).where(settlements.c.operation_id == table.c.operation_id)
        query = select(table.c.operation_id, table.c[name]).where(~is_there.exists())
        for number, which in await snapshot.rows(query):
            yield f"settlement {number}, {called} {which}: there is no such settlement"


def _by_operation(rows: Sequence[Any]) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        found[row[1]].append(tuple(row[2:]))
    return found


def _differences(columns: Sequence[str], stored: Sequence[Any], right: Sequence[Any]) -> Iterator[str]:
    """The first field of every row names it."""
    if stored == right:
        return
    found, demanded = {row[0]: row for row in stored}, {row[0]: row for row in right}
    for name in dict.fromkeys([*demanded, *found]):
        if name not in found:
            yield f"{name}: it is missing"
        elif name not in demanded:
            yield f"{name}: the journal does not lead to it"
        else:
            for column, is_, should in zip(columns, found[name][1:], demanded[name][1:], strict=True):
                if is_ != should:
                    yield f"{name}: its {column} is {is_}, and should be {should}"
