"""Corrections of settled rounds by two people: a manager proposes, another manager or finance approves.

Decides who may approve a proposal, and until when: not after another correction of the round, because the approver saw
what the proposal changes in the round as it was. The unit of work settles the round again in the transaction that
marks the proposal, so a correction is approved exactly if its money has moved.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Select, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.ledger.book import Balance
from casino.live_table import balance_preview
from casino.live_table.journal_replay import UnreadableRoundError, load_round
from casino.live_table.messages import CorrectSettled
from casino.storage import schema
from casino.storage.schema import corrections, rounds, users
from casino.users.roles import Person
from casino.uth.commands import CorrectRound
from casino.uth.round import unfold
from casino.uth.state import Round
from casino.wire.common import Moves
from casino.wire.floor import Correction

EXPIRES_MS: Final = 24 * 3600 * 1000
"""A proposal expires after a day; it can be proposed again."""

Cards = tuple[tuple[str, str], ...]
"""Slots, and the cards that were really there."""


@dataclass(frozen=True, slots=True)
class Proposal:
    round_id: str
    cards: Cards
    reason: str

    def command(self, by: str) -> CorrectRound:
        return CorrectRound(self.cards, self.reason, by)


async def previewed(connection: AsyncConnection, proposal: Proposal, now_ms: int) -> Moves:
    """Returns every balance the correction would change; refuses what the rules would refuse."""
    before = await _round(connection, proposal.round_id)
    after = unfold(before, proposal.command(""), now_ms)[-1][1]
    seats, table = schema.seats, schema.accounts
    query = (
        select(seats.c.player_id, users.c.name, table.c.currency, table.c.balance, table.c.held)
        .join(users, users.c.id == seats.c.player_id)
        .join(table, table.c.id == "player:" + seats.c.player_id + ":cash")
        .where(seats.c.round_id == proposal.round_id)
    )
    rows = (await connection.execute(query)).all()
    moves = balance_preview.correction(before, after, {row.player_id: row.currency for row in rows})
    balances = {row.player_id: Balance(row.currency, row.balance, row.held) for row in rows}
    names = {row.player_id: row.name for row in rows}
    return {"round_id": proposal.round_id, **balance_preview.moves_view(moves, balances, names)}


async def propose(connection: AsyncConnection, proposal: Proposal, by: Person, now_ms: int) -> str:
    """Stores the proposal and returns its id. No money moves before a second person approves."""
    corrected = await _corrections_of(connection, proposal.round_id)  # first: a race makes the proposal outdated
    await previewed(connection, proposal, now_ms)
    id_ = secrets.token_urlsafe(12)
    cards = json.dumps(dict(proposal.cards), sort_keys=True)
    await connection.execute(
        corrections.insert().values(
            id=id_,
            round_id=proposal.round_id,
            cards=cards,
            reason=proposal.reason,
            proposed_by=by.id,
            proposed_ms=now_ms,
            expires_ms=now_ms + EXPIRES_MS,
            status="open",
            remark="",
            after_corrections=corrected,
        )
    )
    after = {"correction": id_, "cards": dict(proposal.cards)}
    entry = audit_log.Entry(
        by.name, by.role, "correction_proposed", f"round {proposal.round_id}", proposal.reason, after=after
    )
    await audit_log.write(connection, entry, now_ms)
    return id_


@dataclass(frozen=True, slots=True)
class Open:
    """A proposal that waits for a second person."""

    id: str
    proposal: Proposal
    proposed_by_id: str
    proposed_by: str
    after_corrections: int
    """How often the round had been corrected when the proposal was made."""

    def verify_second_person(self, by: Person) -> None:
        if by.id == self.proposed_by_id:
            raise Refusal(Code.FORBIDDEN, "Another person has to approve your proposal.")


async def open_one(connection: AsyncConnection, id_: str, now_ms: int) -> Open:
    query = (
        select(corrections, users.c.name)
        .join(users, users.c.id == corrections.c.proposed_by)
        .where(corrections.c.id == id_)
    )
    row = (await connection.execute(query)).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, "This proposal does not exist. Reload the list.")
    if row.status != "open":
        raise Refusal(Code.TOO_LATE, f"This proposal was already {row.status}.")
    if now_ms >= row.expires_ms:
        raise Refusal(Code.TOO_LATE, "This proposal has expired. Propose it again if you still need it.")
    proposal = Proposal(row.round_id, tuple(json.loads(row.cards).items()), row.reason)
    return Open(row.id, proposal, row.proposed_by, row.name, row.after_corrections)


async def table_of(connection: AsyncConnection, id_: str) -> str:
    query = select(rounds.c.table_id).join(corrections, corrections.c.round_id == rounds.c.id)
    table_id: str | None = await connection.scalar(query.where(corrections.c.id == id_))
    if table_id is None:
        raise Refusal(Code.NOT_FOUND, "This proposal does not exist. Reload the list.")
    return table_id


async def round_of(connection: AsyncConnection, message: CorrectSettled, now_ms: int) -> tuple[Open, Round]:
    """Returns the proposal this person may approve, and its round."""
    found = await open_one(connection, message.correction_id, now_ms)
    found.verify_second_person(message.by)
    if await _corrections_of(connection, found.proposal.round_id) != found.after_corrections:
        text = "The round was corrected after this proposal was made. Reject it and propose the correction again."
        raise Refusal(Code.TOO_LATE, text)
    return found, await _round(connection, found.proposal.round_id)


async def _corrections_of(connection: AsyncConnection, round_id: str) -> int:
    journal = schema.journal.c
    query = select(func.count()).where(journal.round_id == round_id, journal.kind == "round_corrected")
    return (await connection.execute(query)).scalar_one()


async def mark_approved(connection: AsyncConnection, found: Open, message: CorrectSettled, now_ms: int) -> None:
    await _decide(connection, found, "approved", message.by, message.remark, at_ms=now_ms)
    entry = audit_log.Entry(
        message.by.name,
        message.by.role,
        "correction_approved",
        f"round {found.proposal.round_id}",
        message.remark,
        after={"correction": found.id, "proposed_by": found.proposed_by},
    )
    await audit_log.write(connection, entry, now_ms)


async def reject(connection: AsyncConnection, id_: str, by: Person, remark: str, now_ms: int) -> None:
    """Rejects a proposal; allowed to all who could approve it, and to its author."""
    found = await open_one(connection, id_, now_ms)
    target = f"round {found.proposal.round_id}"
    entry = audit_log.Entry(by.name, by.role, "correction_rejected", target, remark, after={"correction": id_})
    await audit_log.write(connection, entry, now_ms)  # first, since an approval locks the audit log before the proposal
    await _decide(connection, found, "rejected", by, remark, at_ms=now_ms)


async def _decide(
    connection: AsyncConnection, found: Open, status: str, by: Person, remark: str, *, at_ms: int
) -> None:
    """Marks the proposal as decided; refuses if it was decided already."""
    is_open = (corrections.c.id == found.id, corrections.c.status == "open")
    decided = (
        update(corrections).where(*is_open).values(status=status, decided_by=by.id, decided_ms=at_ms, remark=remark)
    )
    if (await connection.execute(decided)).rowcount != 1:
        raise Refusal(Code.TOO_LATE, "Another person has just answered this proposal. Reload the list.")


async def _round(connection: AsyncConnection, round_id: str) -> Round:
    try:
        return await load_round(connection, round_id)
    except UnreadableRoundError:
        raise Refusal(Code.NOT_FOUND, "There is no such round.") from None


async def page(
    connection: AsyncConnection, limit: int, before: tuple[int, str] | None, now_ms: int
) -> list[Correction]:
    """Returns a page of proposals, newest first."""
    query = _listed()
    if before is not None:
        query = query.where(tuple_(corrections.c.proposed_ms, corrections.c.id) < before)
    rows: Sequence[Row[Any]] = (await connection.execute(query.limit(limit))).all()
    return [_view(row, now_ms) for row in rows]


def _listed() -> Select[Any]:
    proposer, decider = users.alias("proposer"), users.alias("decider")
    return (
        select(
            corrections,
            rounds.c.table_id,
            rounds.c.game_number,
            proposer.c.name.label("proposer"),
            decider.c.name.label("decider"),
        )
        .join(rounds, rounds.c.id == corrections.c.round_id)
        .join(proposer, proposer.c.id == corrections.c.proposed_by)
        .outerjoin(decider, decider.c.id == corrections.c.decided_by)
        .order_by(corrections.c.proposed_ms.desc(), corrections.c.id.desc())
    )


def _view(row: Row[Any], now_ms: int) -> Correction:
    cards: dict[str, str] = json.loads(row.cards)
    return {
        "id": row.id,
        "round_id": row.round_id,
        "table_id": row.table_id,
        "game_number": row.game_number,
        "cards": cards,
        "reason": row.reason,
        "proposed_by": row.proposer,
        "proposed_by_id": row.proposed_by,
        "proposed_at": row.proposed_ms,
        "expires_at": row.expires_ms,
        "status": "expired" if row.status == "open" and now_ms >= row.expires_ms else row.status,
        "decided_by": row.decider,
        "decided_at": row.decided_ms,
        "remark": row.remark,
    }
