"""Round file for disputes: everything stored about one round, except cards that are not yet on the table.

It replays the journal, event by event, with their hashes, and adds the postings, audit rows and fairness proof. The
audit chain stores the hash of the file, and the file states where, so that both together prove its origin.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.chat.archive import lines_between
from casino.errors import Code, Refusal
from casino.finance.round_file_corrections import CorrectionNotes, Decided, decided_corrections
from casino.finance.round_file_redaction import for_player
from casino.finance.round_file_types import (
    FiledAudit,
    FiledChatLine,
    FiledFairness,
    FiledIncident,
    FiledLimits,
    FiledPaytable,
    FiledPosting,
    FiledRound,
    FiledSeat,
    FiledSettlement,
    NoSignature,
    RoundFile,
    UnsignedRoundFile,
)
from casino.finance.round_rules import settlement_steps
from casino.history.fairness import Unseal, proof_for
from casino.live_table.journal import chain_name
from casino.live_table.journal_replay import UNREADABLE, steps
from casino.live_table.settlement_records import dealers
from casino.storage.database import Database
from casino.storage.hash_chain import head_of
from casino.storage.schema import audit, journal, operations, postings, rounds, seats, users
from casino.users.roles import Actor
from casino.uth.events import DecisionMade, DecisionsReopened, Event, WindowClosed
from casino.uth.fairness import faults_in
from casino.uth.state import Incident, Round
from casino.wire.fairness_proofs import FairnessProof
from casino.wire.past_rounds import Decision
from casino.wire.round_views import bets_view, hand_view

ACTION: Final = "round_file"


async def unsigned_round_file(
    database: Database, round_id: str, unseal: Unseal, *, at_ms: int, player_id: str | None = None
) -> UnsignedRoundFile:
    """Returns the content and its hash, which the audit chain does not hold."""
    filed, digest = await _hashed_file(database, round_id, unseal, player_id)
    signature: NoSignature = {"sha256": digest, "audit_row": None, "audit_digest": None, "at": at_ms, "by": None}
    return {"round": filed, "signature": signature}


async def signed_round_file(
    database: Database, round_id: str, unseal: Unseal, *, by: Actor, at_ms: int, player_id: str | None = None
) -> RoundFile:
    """Returns the content and its hash, and writes the hash into the audit chain.

    With `player_id` the content is the copy for this player.
    """
    filed, digest = await _hashed_file(database, round_id, unseal, player_id)
    after = {"sha256": digest} | ({"player": filed["for_player"]} if "for_player" in filed else {})
    entry = audit_log.Entry(by.name, by.role, ACTION, f"round {round_id}"[:120], after=after)
    async with database.writing() as connection:
        await audit_log.write(connection, entry, at_ms)
        head = await head_of(connection, audit_log.CHAIN)
    return {
        "round": filed,
        "signature": {"sha256": digest, "audit_row": head.seq, "audit_digest": head.digest, "at": at_ms, "by": by.name},
    }


async def _hashed_file(
    database: Database, round_id: str, unseal: Unseal, player_id: str | None
) -> tuple[FiledRound, str]:
    async with database.reading() as connection:
        filed = await round_file(connection, round_id, unseal)
    if player_id is not None:
        filed = for_player(filed, player_id)
    return filed, hashlib.sha256(canonical(filed)).hexdigest()


def canonical(filed: FiledRound) -> bytes:
    """Returns the content as hashed: JSON with sorted keys and no spaces."""
    return orjson.dumps(filed, option=orjson.OPT_SORT_KEYS)


async def round_file(connection: AsyncConnection, round_id: str, unseal: Unseal) -> FiledRound:
    row = (await connection.execute(select(rounds).where(rounds.c.id == round_id))).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, f"There is no round {round_id!r}.")
    events = await connection.execute(select(journal).where(journal.c.round_id == round_id).order_by(journal.c.seq))
    written = events.all()
    players = await _players(connection, round_id)
    filed: FiledRound = {
        "round_id": row.id,
        "table_id": row.table_id,
        "day": row.day,
        "game_number": row.game_number,
        "status": row.status,
        "presenter": row.presenter,
        "started_at": row.started_ms,
        "ended_at": row.ended_ms,
        "journal": [
            {"seq": one.seq, "at": one.at_ms, "kind": one.kind, "data": orjson.loads(one.data), "digest": one.digest}
            for one in written
        ],
        "journal_chain": chain_name(row.table_id),
        "postings": await _postings(connection, round_id),
        "audit": await _audit_rows(connection, round_id),
        "chat": await _chat(connection, row),
    }
    try:
        decided = await decided_corrections(connection, round_id)
        _add_replay(filed, written, players, decided, proof=lambda round_: proof_for(round_, row.sealed_shoe, unseal))
    except UNREADABLE as error:
        filed["unreadable"] = f"The journal of this round cannot be replayed: {error}"
    return filed


def _add_replay(
    filed: FiledRound,
    written: Sequence[Any],
    players: Mapping[str, Mapping[str, str]],
    decided: Sequence[Decided],
    *,
    proof: Callable[[Round], FairnessProof | None],
) -> None:
    """Changes nothing if the journal is unreadable."""
    decisions, settled, notes = dict[str, list[Decision]](), list[FiledSettlement](), CorrectionNotes(decided)
    for step in steps(one.data for one in written):
        event, before, round_ = step
        notes.note(step)
        if before is not None:
            _note_decisions(decisions, event, round_)
            settled += settlement_steps(event, before, round_)
    fairness = _fairness(round_, proof(round_))
    filed["dealers"] = dealers(round_)
    filed["layout"] = round_.terms.layout
    filed["limits"] = _limits(round_)
    filed["paytable"] = _paytable(round_)
    filed["board"] = list(round_.board)
    filed["dealer_cards"] = list(round_.dealer_cards)
    filed["dealer_hand"] = hand_view(round_.dealer_hand)
    filed["seats"] = [_seat(round_, player, players.get(player, {}), decisions) for player in sorted(round_.seats)]
    filed["settlements"] = settled
    filed["corrections"] = notes.noted
    filed["incidents"] = [_incident(one) for one in round_.incidents]
    filed["fairness"] = fairness


def _incident(incident: Incident) -> FiledIncident:
    return {
        "incident_id": incident.incident_id,
        "reason": incident.reason,
        "at": incident.at_ms,
        "outcome": incident.outcome,
        "resolution": incident.resolution,
    }


def _limits(round_: Round) -> FiledLimits:
    limits = round_.terms.limits
    return {
        "ante_min": limits.ante_min,
        "ante_max": limits.ante_max,
        "trips_min": limits.trips_min,
        "trips_max": limits.trips_max,
        "smallest_chip": limits.smallest_chip,
    }


def _note_decisions(decisions: dict[str, list[Decision]], event: Event, after: Round) -> None:
    """Collects the decisions that count. Those of a window that was opened again are in the journal alone."""
    decided: Sequence[str] = ()
    if isinstance(event, DecisionsReopened):
        for player_id, made in decisions.items():
            decisions[player_id] = [one for one in made if one["phase"] is not event.phase]
    if isinstance(event, DecisionMade):
        decided = (event.player_id,)
    elif isinstance(event, WindowClosed):
        decided = event.automatic
    for player_id in decided:
        last = after.seats[player_id].last
        assert last is not None
        view: Decision = {"phase": last.phase, "action": last.action, "automatic": last.automatic, "at": event.at_ms}
        decisions.setdefault(player_id, []).append(view)


def _seat(
    round_: Round, player_id: str, person: Mapping[str, str], decisions: Mapping[str, list[Decision]]
) -> FiledSeat:
    seat = round_.seats[player_id]
    return {
        "player_id": player_id,
        "name": person.get("name"),
        "currency": person.get("currency"),
        "seat_no": seat.seat_no,
        "player_cards": list(round_.hole_cards(seat.seat_no)),
        "player_hand": hand_view(round_.hand(seat.seat_no)),
        "bets": bets_view(seat.bets),
        "decisions": decisions.get(player_id, []),
    }


def _paytable(round_: Round) -> FiledPaytable:
    blind, trips = f"{round_.terms.paytable}".split(" ")
    return {"from": "high_card", "to": "royal_flush", "blind": blind.split(","), "trips": trips.split(",")}


def _fairness(round_: Round, proof: FairnessProof | None) -> FiledFairness:
    """Checks the proof against the cards the round was settled on, corrections included."""
    return {"commitment": round_.commitment, "proof": proof, "faults": faults_in(proof) if proof else None}


async def _players(connection: AsyncConnection, round_id: str) -> dict[str, Mapping[str, str]]:
    query = select(seats.c.player_id, seats.c.currency, users.c.name)
    query = query.outerjoin(users, users.c.id == seats.c.player_id).where(seats.c.round_id == round_id)
    return {row.player_id: {"currency": row.currency, "name": row.name} for row in await connection.execute(query)}


async def _postings(connection: AsyncConnection, round_id: str) -> list[FiledPosting]:
    query = (
        select(operations, postings.c.line, postings.c.source, postings.c.destination)
        .add_columns(postings.c.amount, postings.c.currency)
        .join(postings, postings.c.operation_id == operations.c.id)
        .where(operations.c.round_id == round_id)
        .order_by(operations.c.id, postings.c.line)
    )
    return [
        {
            "at": row.at_ms,
            "id": row.id,
            "line": row.line,
            "kind": row.kind,
            "key": row.key,
            "source": row.source,
            "destination": row.destination,
            "amount": row.amount,
            "currency": row.currency,
            "actor": row.actor,
            "reason": row.reason,
            "digest": row.digest,
        }
        for row in await connection.execute(query)
    ]


async def _chat(connection: AsyncConnection, row: Row[Any]) -> list[FiledChatLine]:
    return [
        {
            "at": said.at_ms,
            "name": said.name,
            "role": said.role,
            "player_id": said.player_id,
            "text": said.text,
            "blocked": said.blocked,
        }
        for said in await lines_between(connection, row.table_id, row.started_ms, row.ended_ms)
    ]


async def _audit_rows(connection: AsyncConnection, round_id: str) -> list[FiledAudit]:
    """Leaves out entries about round files: each would change the next."""
    query = select(audit).where(audit.c.target == f"round {round_id}", audit.c.action != ACTION).order_by(audit.c.id)
    return [
        {
            "at": row.at_ms,
            "id": row.id,
            "actor": row.actor,
            "role": row.role,
            "action": row.action,
            "before": row.before,
            "after": row.after,
            "reason": row.reason,
            "digest": row.digest,
        }
        for row in await connection.execute(query)
    ]
