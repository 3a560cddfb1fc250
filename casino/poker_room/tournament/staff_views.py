"""Views of tournaments for managers: all of them with what waits for staff, and one with its tables and players."""

from collections.abc import Mapping

from sqlalchemy import select

from casino.clock import Clock
from casino.ledger.accounts import Kind
from casino.poker.tournament.state import Entry
from casino.poker_room.hand_runner import Phase
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.poker_room.tournament.tournament_views import PLAYERS_MAX, entry_status, row_view, tournament_view
from casino.poker_room.tournament.unreadable_tournaments import UnreadableTournaments
from casino.storage.database import Database
from casino.storage.schema import accounts, audit, users
from casino.storage.tournament_schema import tournaments
from casino.wire.poker_floor import (
    FloorTournament,
    HeldPrize,
    ManagedPlayer,
    ManagedTable,
    ManagedTournament,
    ProposedRefund,
    StaffAct,
    TournamentFloor,
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

    async def floor(self) -> TournamentFloor:
        rows = sorted(self._running.values(), key=lambda one: (one.state.terms.starts_ms, one.tournament_id))
        return {
            "tournaments": [self._row(running) for running in rows],
            "unreadable": self._unreadable.views(),
            "held": await self._held(),
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

    async def _held(self) -> list[HeldPrize]:
        """Accounts of held prizes are named by tournament and player."""
        columns = accounts.c
        query = select(columns.id, columns.currency, columns.balance)
        query = query.where(columns.kind == Kind.HELD.value, columns.balance > 0).order_by(columns.id)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
            held = {row.id: row.id.split(":", 2)[1:] for row in rows}
            titles = select(tournaments.c.id, tournaments.c.name)
            titles = titles.where(tournaments.c.id.in_({case for case, _ in held.values()}))
            named = {row.id: row.name for row in await connection.execute(titles)}
            people = select(users.c.id, users.c.name).where(users.c.id.in_({player for _, player in held.values()}))
            names = {row.id: row.name for row in await connection.execute(people)}
        return [
            {
                "tournament_id": held[row.id][0],
                "tournament": named.get(held[row.id][0], ""),
                "player_id": held[row.id][1],
                "name": names.get(held[row.id][1], ""),
                "currency": row.currency,
                "amount": row.balance,
            }
            for row in rows
        ]

    async def _acts(self, tournament_id: str) -> list[StaffAct]:
        query = select(audit).where(audit.c.target == tournament_id).order_by(audit.c.id.desc()).limit(ACTS_MAX)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [{"action": row.action, "by": row.actor, "at": row.at_ms, "reason": row.reason} for row in rows]


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
