"""Cancellation by a manager, by the published cases, with a preview of every refund.

It is an entry of the audit log, written before it has an effect. Anything outside the published cases is not offered.
"""

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import Cancel
from casino.poker.tournament.director import decide
from casino.poker.tournament.money_events import Cancelled
from casino.poker_room.tournament.messages import CancelTournament
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.storage.database import Database
from casino.wire.poker_floor import CancellationPreview

ACTION = "tournament_cancelled"


class Cancellations:
    def __init__(self, database: Database, clock: Clock, pick: Pick) -> None:
        self._database = database
        self._clock = clock
        self._pick = pick

    def preview(self, running: RunningTournament) -> CancellationPreview:
        """What every player would get now. Running hands count as void."""
        events = decide(running.state, Cancel("preview", "house"), self._clock(), self._pick)
        cancelled = next(event for event in events if isinstance(event, Cancelled))
        entries = running.state.entries
        return {
            "tournament_id": running.tournament_id,
            "currency": running.spec.currency,
            "case": cancelled.case.value,
            "to_house": cancelled.to_house,
            "refunds": [
                {
                    "player_id": entries[refund.entry_id].player_id,
                    "name": running.names.get(entries[refund.entry_id].player_id, ""),
                    "chips": entries[refund.entry_id].chips,
                    "fees": refund.fees,
                    "share": refund.share,
                    "bounty": refund.bounty,
                    "ticket": refund.ticket,
                }
                for refund in cancelled.refunds
            ],
        }

    async def cancel(self, running: RunningTournament, message: CancelTournament) -> None:
        by = message.by
        entry = audit_log.Entry(by.name, by.role, ACTION, message.tournament_id, message.reason)
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())
        await running.director.post(Cancel(message.reason, by.name))
