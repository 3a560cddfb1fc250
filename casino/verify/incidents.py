"""Verifies that the journal and the audit log record the same incidents and corrections.

The chain proves that audit rows are unchanged; this module compares their content.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.live_table.postings import SYSTEM
from casino.storage.schema import audit
from casino.uth.events import (
    CardCorrected,
    CardsSwapped,
    DecisionsReopened,
    IncidentClassified,
    ProposalEvent,
    ProposalMade,
    RoundCancelled,
)
from casino.verify.findings import Check
from casino.verify.round_replay import Audited

FORFEITED: Final = "round_forfeited"
_ACTIONS: Final = (
    "round_paused",
    "incident_classified",
    "round_resumed",
    "card_corrected",
    "cards_swapped",
    "decisions_reopened",
    "round_cancelled",
    "round_corrected",
    "proposal_made",
    "proposal_approved",
    "proposal_rejected",
    FORFEITED,
)
_TARGET: Final = "round "


class Note(NamedTuple):
    action: str
    at_ms: int
    actor: str
    reason: str
    before: str
    after: str


class Incidents:
    def __init__(self, check: Check) -> None:
        self._check = check
        self._noted: dict[str, list[tuple[int, Note]]] = defaultdict(list)

    async def read(self, connection: AsyncConnection) -> None:
        columns = audit.c
        noted = (columns.action, columns.at_ms, columns.actor, columns.reason, columns.before, columns.after)
        query = select(columns.id, columns.target, *noted).where(columns.action.in_(_ACTIONS)).order_by(columns.id)
        for id_, target, *fields in await connection.execute(query):
            self._noted[target].append((id_, Note(*fields)))

    def compare(self, round_id: str, events: Iterable[Audited]) -> None:
        self._pair(round_id, [_note(event) for event in events])

    def compare_forfeit(self, round_id: str, ended_ms: int | None) -> None:
        """Compares only the end of a round that could not be read."""
        rows = self._noted.pop(f"{_TARGET}{round_id}", [])
        ends = [(note.at_ms, note.actor) for _, note in rows if note.action == FORFEITED]
        self._check.counted += 1
        if ends != [(ended_ms, SYSTEM)]:
            self._check.fault(f"round {round_id}: that it was forfeited is not in the audit log as it happened")

    def forget(self, round_id: str) -> None:
        self._noted.pop(f"{_TARGET}{round_id}", None)

    def close(self) -> None:
        for target, rows in self._noted.items():
            for id_, note in rows:
                self._check.fault(f"audit row {id_}: {note.action} of {target}, which is not there")

    def _pair(self, round_id: str, demanded: list[Note]) -> None:
        self._check.counted += len(demanded)
        for id_, note in self._noted.pop(f"{_TARGET}{round_id}", []):
            if note in demanded:
                demanded.remove(note)
            else:
                self._check.fault(f"audit row {id_}: the journal of round {round_id} has no such {note.action}")
        for note in demanded:
            self._check.fault(f"round {round_id}: its {note.action} at {note.at_ms} is not in the audit log")


def _note(event: Audited) -> Note:
    before, after = _cards(event) if isinstance(event, CardCorrected) else ("", "")
    if isinstance(event, CardsSwapped):
        before = json.dumps({event.slot: event.other_card, event.other_slot: event.card}, sort_keys=True)
        after = json.dumps({event.slot: event.card, event.other_slot: event.other_card}, sort_keys=True)
    elif isinstance(event, IncidentClassified):
        after = json.dumps({"incident_class": event.incident_class})
    elif isinstance(event, DecisionsReopened):
        after = json.dumps({"phase": event.phase})
    elif isinstance(event, RoundCancelled) and event.phase:
        lapsed = {"proposal": "lapsed", "proposed_by": event.proposed_by} if event.proposed_by else {}
        after = json.dumps({"phase": event.phase, **lapsed}, sort_keys=True)
    elif isinstance(event, ProposalEvent):
        after = json.dumps(_proposal(event), sort_keys=True)
    return Note(event.kind, event.at_ms, event.by, event.reason, before, after)


def _proposal(event: ProposalEvent) -> dict[str, str | None]:
    if isinstance(event, ProposalMade):
        change = {"slot": event.slot, "card": event.card} if event.slot else {}
        if event.other_slot:
            change["other_slot"] = event.other_slot
        return {"proposal": event.proposal_id, "proposes": event.proposes, **change}
    return {"proposal": event.proposal_id, "proposed_by": event.proposed_by}


def _cards(event: CardCorrected) -> Iterator[Any]:
    for card in (event.was, event.card):
        yield json.dumps({"card": card, "slot": event.slot})
