"""Proposals of managers for a second one: tournaments for which the house promises more than one person may.

A proposal is a request of staff (`casino/users/requests.py`). Its answer, and the entry of the audit log about what it
leads to, are stored in one transaction before the room does it (300).
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.poker.tournament.terms import TournamentTerms
from casino.refusals import Reason
from casino.storage.database import Database
from casino.users import requests
from casino.users.requests import OpenRequest, RequestKind, Wanted
from casino.users.roles import Person

_ACTIONS: Final = {
    RequestKind.TOURNAMENT_CREATE: "tournament_created",
    RequestKind.TOURNAMENT_CHANGE: "tournament_changed",
}


class Proposed(NamedTuple):
    """What a manager proposes: a new tournament by its `template`, or `changes` and start of an announced one."""

    template: str | None = None
    changes: str = "{}"
    starts_ms: int | None = None

    @classmethod
    def load(cls, text: str | None) -> "Proposed":
        return cls(**json.loads(text or "{}"))


def promised(terms: TournamentTerms) -> int:
    """Money of the house that the terms promise: guarantee, added money and guaranteed seats of a satellite."""
    return terms.guarantee + terms.added + terms.seats_guaranteed * terms.ticket_value


def needs_two(terms: TournamentTerms, alone_max: int, before: TournamentTerms | None = None) -> bool:
    """Whether this promise needs two people; a change only if it promises more than `before`."""
    return promised(terms) > max(alone_max, promised(before) if before else 0)


class StaffProposals:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def open_ones(self) -> list[tuple[OpenRequest, int]]:
        async with self._database.reading() as connection:
            return await requests.open_ones(connection, *requests.OF_MANAGERS)

    async def submit(
        self, kind: RequestKind, proposed: Proposed, terms: TournamentTerms, currency: str, *, by: Person, reason: str
    ) -> None:
        wanted = Wanted(
            kind,
            terms.tournament_id,
            reason,
            amount=promised(terms),
            currency=currency,
            tournament=terms.name,
            terms=json.dumps(proposed._asdict()),
        )
        async with self._database.writing() as connection:
            await requests.submit(connection, wanted, by, self._clock())

    async def find(self, proposal_id: str) -> OpenRequest:
        """Refuses what is answered already."""
        async with self._database.reading() as connection:
            found = await requests.open_request(connection, proposal_id)
        if found.wanted.kind not in requests.OF_MANAGERS:
            raise Reason.NOT_FOUND.refusal()
        return found

    async def approve(self, found: OpenRequest, by: Person, remark: str, after: Mapping[str, Any]) -> None:
        """Marks the proposal and writes what it leads to into the audit log."""
        wanted, now_ms = found.wanted, self._clock()
        details = {"amount_minor": wanted.amount, "currency": wanted.currency, "key": found.id}
        details |= {"requested_by": found.requested_by.name, **after}
        action = _ACTIONS[wanted.kind]
        entry = audit_log.Entry(by.name, by.role, action, wanted.target, wanted.reason, after=details)
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, now_ms)
            await requests.mark(connection, found, "approved", by, remark=remark, now_ms=now_ms)

    async def reject(self, proposal_id: str, by: Person, remark: str) -> None:
        """Allowed to all managers, and to its author."""
        async with self._database.writing() as connection:
            await requests.reject(connection, proposal_id, by, remark, self._clock())

    async def approved_since(self, from_ms: int) -> list[Wanted]:
        """Approved new tournaments."""
        async with self._database.reading(for_table=True) as connection:
            return await requests.approved_since(connection, RequestKind.TOURNAMENT_CREATE, from_ms)
