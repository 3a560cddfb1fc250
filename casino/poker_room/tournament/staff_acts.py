"""Acts of staff on tournaments: entries of the audit log, written before the act has an effect."""

from collections.abc import Mapping
from typing import Any

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import Command
from casino.poker.tournament.director import decide
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.storage.database import Database
from casino.users.roles import Person


class StaffActs:
    def __init__(self, database: Database, clock: Clock, pick: Pick) -> None:
        self._database = database
        self._clock = clock
        self._pick = pick

    def verify(self, running: RunningTournament, command: Command) -> None:
        """Refuses what the rules refuse now."""
        decide(running.state, command, self._clock(), self._pick)

    async def do(
        self,
        running: RunningTournament,
        by: Person,
        action: str,
        command: Command,
        *,
        after: Mapping[str, Any] | None = None,
        reason: str | None = None,
    ) -> None:
        """What the rules refuse now is not written down."""
        self.verify(running, command)
        why = reason if reason is not None else getattr(command, "reason", "")
        await self.note(by, action, running.tournament_id, why, after)
        await running.director.post(command)

    async def note(
        self, by: Person, action: str, target: str, reason: str, after: Mapping[str, Any] | None = None
    ) -> None:
        entry = audit_log.Entry(by.name, by.role, action, target, reason, after=after or {})
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())
