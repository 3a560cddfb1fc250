"""Compares the expected operations of a round with the stored ones, posting by posting."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.posting import Operation, Posting
from casino.storage.schema import operations, postings
from casino.verify.findings import Findings
from casino.verify.round_replay import ReplayedRound


async def check_posted(
    connection: AsyncConnection, replayed: ReplayedRound, stored: Sequence[Any], findings: Findings, doubtful: set[int]
) -> None:
    """`doubtful` are operations whose hashes do not match their postings."""
    findings.settlements.counted += 1
    fault, round_id = findings.settlements.fault, replayed.round.round_id
    numbers = sorted(_play_numbers(round_id, stored))
    demanded = {operation.key: operation for operation in (*replayed.operations, *replayed.plays_as_in(numbers))}
    for play in replayed.plays:
        if not numbers or play.seq <= numbers[0]:
            where = f"journal row {replayed.round.table_id}/{play.seq}"
            fault(f"{where}: the PLAY of {play.player_id} for {play.amount} was not posted")
    for _, number, key, input_hash in stored:
        operation = demanded.pop(key, None)
        if operation is None:
            fault(f"operation {number} ({key}): the journal of round {round_id} does not lead to it")
        elif number in doubtful or operation.input_hash() != input_hash:
            if findings.settlements.is_full:
                fault(f"operation {number} ({key}): it is not the one the journal leads to")
                continue
            async for difference in _differences(connection, number, operation):
                fault(difference)
    for key in demanded:
        fault(f"round {round_id}: the operation {key} is missing")


def _play_numbers(round_id: str, stored: Sequence[Any]) -> Iterator[int]:
    for _, _, key, _ in stored:
        number = key.removeprefix(f"{round_id}:play:") if isinstance(key, str) else ""
        if number.isdecimal() and key == f"{round_id}:play:{int(number)}":
            yield int(number)


async def _differences(connection: AsyncConnection, operation_id: int, demanded: Operation) -> AsyncIterator[str]:
    row = (await connection.execute(select(operations).where(operations.c.id == operation_id))).one()
    for name in ("kind", "round_id", "actor", "reason"):
        if getattr(row, name) != getattr(demanded, name):
            yield f"operation {row.id} ({row.key}): its {name} is not the one the journal leads to"
    query = select(postings).where(postings.c.operation_id == operation_id)
    found = {line.line: Posting(*line[2:]) for line in await connection.execute(query)}
    right = dict(enumerate(demanded.postings))
    for line in sorted(found.keys() | right.keys(), key=str):
        if found.get(line) != right.get(line):
            difference = f"it is {_worded(found.get(line))}, and should be {_worded(right.get(line))}"
            yield f"posting {operation_id}/{line}: {difference}"


def _worded(posting: Posting | None) -> str:
    if posting is None:
        return "missing"
    return f"{posting.amount} {posting.currency} from {posting.source} to {posting.destination}"
