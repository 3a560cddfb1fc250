"""Views of tournaments for managers: all of them with what waits for staff, and one with its tables and players."""

import json
from collections.abc import Mapping

from sqlalchemy import select

from casino.clock import Clock
from casino.poker.tournament.state import Entry
from casino.poker.tournament.structure import MINUTE_MS
from casino.poker_room.hand_runner import Phase
from casino.poker_room.tournament.held_prizes import held_prizes
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.poker_room.tournament.tournament_views import PLAYERS_MAX, entry_status, row_view, tournament_view
from casino.poker_room.tournament.unreadable_tournaments import UnreadableTournaments
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.storage.schema import audit
from casino.wire.poker_floor import (
    FloorTournament,
    ManagedPlayer,
    ManagedTable,
    ManagedTournament,
    ProposedRefund,
    ProposedTournament,
    StaffAct,
    TournamentFloor,
    TournamentTemplates,
)

TABLES_MAX = 200
ACTS_MAX = 100


class StaffViews:
    def __init__(
        self,
        running: Mapping[str, RunningTournament],
        unreadable: UnreadableTournaments,
        database: Database,
        clock: Clock,
    ) -> None:
        self._running = running
        self._unreadable = unreadable
        self._database = database
        self._clock = clock

    async def floor(self, proposals: list[ProposedTournament]) -> TournamentFloor:
        rows = sorted(self._running.values(), key=lambda one: (one.state.terms.starts_ms, one.tournament_id))
        async with self._database.reading() as connection:
            held = await held_prizes(connection)
        return {
            "tournaments": [self._row(running) for running in rows],
            "proposals": proposals,
            "unreadable": self._unreadable.views(),
            "held": held,
        }

    async def tournament(self, running: RunningTournament) -> ManagedTournament:
        state = running.state
        entries = sorted(state.entries.values(), key=lambda entry: (entry.out_no is not None, -entry.chips))
        tables = sorted(running.tables.items(), key=lambda one: (not _waits_for_staff(one[1]), one[0]))
        return {
            "view": tournament_view(running, self._clock(), None),
            "is_paused": state.is_stopped,
            "proposal": _proposal(running),
            "tables": [_table(table_no, table) for table_no, table in tables[:TABLES_MAX]],
            "players": [_player(running, entry) for entry in entries[:PLAYERS_MAX]],
            "acts": await self._acts(running.tournament_id),
        }

    def _row(self, running: RunningTournament) -> FloorTournament:
        waiting = [table.terms.table_id for table in running.tables.values() if _waits_for_staff(table)]
        return {
            "tournament": row_view(running.spec, running.state, self._clock()),
            "is_paused": running.state.is_stopped,
            "proposal": _proposal(running),
            "tables": len(running.tables),
            "paused_tables": sorted(waiting),
        }

    async def _acts(self, tournament_id: str) -> list[StaffAct]:
        query = select(audit).where(audit.c.target == tournament_id).order_by(audit.c.id.desc()).limit(ACTS_MAX)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            {
                "action": row.action,
                "by": row.actor,
                "at": row.at_ms,
                "reason": row.reason,
                "about": json.loads(row.after or "{}").get("player"),
            }
            for row in rows
        ]


def templates_view(settings: PokerSettings) -> TournamentTemplates:
    structures = settings.structures.structures
    return {
        "templates": [row.model_dump(mode="json", exclude_defaults=True) for row in settings.schedule.tournament],
        "structures": [
            {
                "name": name,
                "level_minutes": settings.structures.structure(name).level_ms // MINUTE_MS,
                "stack": structure.stack,
            }
            for name, structure in structures.items()
        ],
        "prizes": sorted(settings.payouts.tables),
        "currencies": settings.room.currencies,
        "promised_alone_max": settings.room.promised_alone_max,
    }


def _waits_for_staff(table: TournamentTable) -> bool:
    return table.paused is not None or table.phase is Phase.STOPPED


def _proposal(running: RunningTournament) -> ProposedRefund | None:
    proposal = running.state.proposal
    return {"by": proposal.by, "reason": proposal.reason} if proposal is not None else None


def _table(table_no: int, table: TournamentTable) -> ManagedTable:
    hand = table.public_hand
    return {
        "table_id": table.terms.table_id,
        "table_no": table_no,
        "phase": table.phase.value,
        "players": len(table.occupants),
        "hand_id": hand.hand_id if hand is not None and table.phase is Phase.PLAYING else None,
        "hand_no": table.hand_no,
        "paused": table.paused,
    }


def _player(running: RunningTournament, entry: Entry) -> ManagedPlayer:
    return {
        "player_id": entry.player_id,
        "entry_id": entry.entry_id,
        "name": running.names.get(entry.player_id, ""),
        "status": entry_status(running.state, entry),
        "chips": entry.chips,
        "table_no": entry.table_no,
        "is_disqualified": entry.is_disqualified or entry.entry_id in running.state.ordered_out,
    }
