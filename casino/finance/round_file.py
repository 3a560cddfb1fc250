"""Everything the house knows about one round, for a dispute: nothing is left out but cards not yet on the table.

It is told from the journal, event by event, with the hash of each; beside it stand the postings, the audit rows and
the proof of the shuffle. The hash of the file goes into the audit chain, and the file says where: so whoever has both
can tell that the file is the one the house gave out.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.cards.commitment import Shoe, broken_promises
from casino.errors import Code, Refusal
from casino.finance.round_rules import settlement_steps
from casino.people.roles import Actor
from casino.storage.chain import head_of
from casino.storage.database import Database
from casino.storage.schema import audit, journal, operations, postings, rounds, seats, users
from casino.table.journal import UnreadableRoundError, chain_name
from casino.uth.events import BettingOpened, CardDealt, DecisionMade, Event, WindowClosed, load_event
from casino.uth.replay import begin, evolve
from casino.uth.state import Round
from casino.uth.views import bets_view, hand_view

Unseal = Callable[[str], Shoe | None]
"""Opens the sealed shoe of a round; None if it was sealed with another key."""

View = dict[str, Any]
ACTION: Final = "round_file"
_UNREADABLE: Final = (ValueError, KeyError, IndexError, AssertionError)


async def signed_round_file(database: Database, round_id: str, unseal: Unseal, *, by: Actor, at_ms: int) -> View:
    """`round` is the content; `signature` says where its hash stands in the audit chain."""
    async with database.reading() as connection:
        told = await round_file(connection, round_id, unseal)
    digest = hashlib.sha256(canonical(told)).hexdigest()
    entry = audit_log.Entry(by.name, by.role, ACTION, f"round {round_id}"[:120], after={"sha256": digest})
    async with database.writing() as connection:
        await audit_log.write(connection, entry, at_ms)
        head = await head_of(connection, audit_log.CHAIN)
    return {
        "round": told,
        "signature": {"sha256": digest, "audit_row": head.seq, "audit_digest": head.digest, "at": at_ms, "by": by.name},
    }


def canonical(told: View) -> bytes:
    """The content as it is hashed: JSON with sorted keys and no spaces."""
    return orjson.dumps(told, option=orjson.OPT_SORT_KEYS)


async def round_file(connection: AsyncConnection, round_id: str, unseal: Unseal) -> View:
    row = (await connection.execute(select(rounds).where(rounds.c.id == round_id))).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, f"There is no round {round_id!r}.")
    events = await connection.execute(select(journal).where(journal.c.round_id == round_id).order_by(journal.c.seq))
    written = events.all()
    players = await _players(connection, round_id)
    told: View = {
        "round_id": row.id,
        "table_id": row.table_id,
        "day": row.day,
        "game_number": row.game_number,
        "status": row.status,
        "presenter": row.presenter,
        "started_at": row.started_ms,
        "ended_at": row.ended_ms,
    }
    try:
        told |= _replayed(written, players, row.sealed_shoe, unseal)
    except _UNREADABLE as error:
        told["unreadable"] = f"The journal of this round cannot be replayed: {error}"
    return told | {
        "journal": [
            {"seq": one.seq, "at": one.at_ms, "kind": one.kind, "data": orjson.loads(one.data), "digest": one.digest}
            for one in written
        ],
        "journal_chain": chain_name(row.table_id),
        "postings": await _postings(connection, round_id),
        "audit": await _audit_rows(connection, round_id),
    }


def _replayed(
    written: Sequence[Any], players: Mapping[str, Mapping[str, str]], sealed: str | None, unseal: Unseal
) -> View:
    opened, *events = (load_event(orjson.loads(one.data)) for one in written)
    if not isinstance(opened, BettingOpened):
        raise UnreadableRoundError("the first event of a round opens its betting")
    round_, decisions, steps = begin(opened), dict[str, list[View]](), []
    for event in events:
        before, round_ = round_, evolve(round_, event)
        _note_decisions(decisions, event, round_)
        steps += settlement_steps(event, before, round_)
    shoe = unseal(sealed) if round_.is_over and sealed else None
    dealt = [event.card for event in events if isinstance(event, CardDealt)]
    return {
        "layout": round_.terms.layout,
        "limits": {name: getattr(round_.terms.limits, name) for name in round_.terms.limits.__slots__},
        "paytable": _paytable(round_),
        "board": list(round_.board),
        "dealer_cards": list(round_.dealer_cards),
        "dealer_hand": hand_view(round_.dealer_hand),
        "seats": [_seat(round_, player, players.get(player, {}), decisions) for player in sorted(round_.seats)],
        "settlements": steps,
        "incidents": [
            {"incident_id": one.incident_id, "reason": one.reason, "at": one.at_ms, "outcome": one.outcome}
            | {"resolution": one.resolution}
            for one in round_.incidents
        ],
        "fairness": _fairness(round_, shoe, dealt),
    }


def _note_decisions(decisions: dict[str, list[View]], event: Event, after: Round) -> None:
    decided: Sequence[str] = ()
    if isinstance(event, DecisionMade):
        decided = (event.player_id,)
    elif isinstance(event, WindowClosed):
        decided = event.automatic
    for player_id in decided:
        last = after.seats[player_id].last
        assert last is not None
        view = {"phase": last.phase, "action": last.action, "automatic": last.automatic, "at": event.at_ms}
        decisions.setdefault(player_id, []).append(view)


def _seat(round_: Round, player_id: str, person: Mapping[str, str], decisions: Mapping[str, list[View]]) -> View:
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


def _paytable(round_: Round) -> View:
    blind, trips = f"{round_.terms.paytable}".split(" ")
    return {"from": "high_card", "to": "royal_flush", "blind": blind.split(","), "trips": trips.split(",")}


def _fairness(round_: Round, shoe: Shoe | None, dealt: Sequence[Any]) -> View:
    """A shoe that was promised is shown once the round is over, and checked against the promise."""
    told: View = {"commitment": round_.commitment, "deck": None, "secret": None, "faults": None}
    if shoe is None or round_.commitment is None:
        return told
    faults = broken_promises(round_.commitment, shoe, dealt)
    return told | {"deck": list(shoe.deck), "secret": shoe.secret, "faults": faults}


async def _players(connection: AsyncConnection, round_id: str) -> dict[str, Mapping[str, str]]:
    query = select(seats.c.player_id, seats.c.currency, users.c.name)
    query = query.outerjoin(users, users.c.id == seats.c.player_id).where(seats.c.round_id == round_id)
    return {row.player_id: {"currency": row.currency, "name": row.name} for row in await connection.execute(query)}


async def _postings(connection: AsyncConnection, round_id: str) -> list[View]:
    query = (
        select(operations, postings.c.line, postings.c.source, postings.c.destination)
        .add_columns(postings.c.amount, postings.c.currency)
        .join(postings, postings.c.operation_id == operations.c.id)
        .where(operations.c.round_id == round_id)
        .order_by(operations.c.id, postings.c.line)
    )
    names = ("id", "line", "kind", "key", "source", "destination", "amount", "currency", "actor", "reason", "digest")
    return [{"at": row.at_ms} | {name: getattr(row, name) for name in names} for row in await connection.execute(query)]


async def _audit_rows(connection: AsyncConnection, round_id: str) -> list[View]:
    """But for those that tell that such a file was made: each would change the next."""
    query = select(audit).where(audit.c.target == f"round {round_id}", audit.c.action != ACTION).order_by(audit.c.id)
    names = ("id", "actor", "role", "action", "before", "after", "reason", "digest")
    return [{"at": row.at_ms} | {name: getattr(row, name) for name in names} for row in await connection.execute(query)]
