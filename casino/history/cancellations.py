"""Counts cancelled rounds by table, by phase, and by the people who cancelled them."""

import json
from collections import Counter
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, FromClause, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import journal, rounds
from casino.uth.phases import CANCELLABLE, Phase
from casino.wire.past_rounds import Cancellations

_ORDER: Final[dict[str | None, int]] = {phase: place for place, phase in enumerate(CANCELLABLE)}


async def count_cancellations(
    connection: AsyncConnection, from_ms: int, until_ms: int, table_id: str | None = None
) -> list[Cancellations]:
    """Counts rounds that ended in this time, by the people of `cancelled_by`.

    `phase` is None for rounds stored before the phase was recorded.
    """
    approved, cancelled = journal.alias(), journal.alias()
    query = (
        select(rounds.c.table_id, cancelled.c.data, approved.c.data)
        .join(cancelled, (cancelled.c.round_id == rounds.c.id) & (cancelled.c.kind == "round_cancelled"))
        .outerjoin(approved, approval_of(approved, cancelled))
        .where(rounds.c.status == "cancelled", rounds.c.ended_ms >= from_ms, rounds.c.ended_ms < until_ms)
    )
    if table_id is not None:
        query = query.where(rounds.c.table_id == table_id)
    counted: Counter[tuple[str, str | None, CancelledBy]] = Counter()
    for table, data, approval in await connection.execute(query):
        counted[table, json.loads(data).get("phase"), cancelled_by(data, approval)] += 1
    in_order = sorted(counted.items(), key=lambda one: (one[0][0], _ORDER.get(one[0][1], -1), one[0][2].order))
    return [
        {
            "table_id": table,
            "phase": None if phase is None else Phase(phase),
            "by": people.by,
            "proposed_by": people.proposed_by,
            "approved_by": people.approved_by,
            "lapsed": people.lapsed,
            "rounds": times,
        }
        for (table, phase, people), times in in_order
    ]


class CancelledBy(NamedTuple):
    """The people behind a cancelled round.

    One person (`by`), a proposer and an approver, or a proposer whose proposal lapsed unanswered: then `by` is the
    service.
    """

    by: str
    proposed_by: str | None
    approved_by: str | None
    lapsed: bool

    @property
    def order(self) -> tuple[str, str, str]:
        return self.by, self.proposed_by or "", self.approved_by or ""


def cancelled_by(data: str, approval: str | None) -> CancelledBy:
    """Reads the people from the stored cancellation, and from the approval before it if there was one."""
    details = json.loads(data)
    by: str = details["by"]
    if approval is not None:
        return CancelledBy(by, proposed_by=by, approved_by=json.loads(approval)["by"], lapsed=False)
    lapsed = details.get("proposed_by")
    return CancelledBy(by, proposed_by=lapsed, approved_by=None, lapsed=lapsed is not None)


def approval_of(approved: FromClause, cancelled: FromClause) -> ColumnElement[bool]:
    """Condition of a join: the approval is directly before the event it allows."""
    return (
        (approved.c.table_id == cancelled.c.table_id)
        & (approved.c.seq == cancelled.c.seq - 1)
        & (approved.c.round_id == cancelled.c.round_id)
        & (approved.c.kind == "proposal_approved")
    )
