"""Running tournament: its director, its tables, and what is known of its players outside the rules."""

from dataclasses import dataclass, field
from typing import TypeVar

from casino.poker.tournament.state import Entry, Tournament
from casino.poker_room.tournament.director import Director
from casino.poker_room.tournament.spec import TournamentSpec
from casino.poker_room.tournament.table_seats import KeptClock
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.wire.poker_hexapro import HexaReveal

Table = TypeVar("Table", bound=TournamentTable | None)


@dataclass
class RunningTournament:
    """`names` are those of its players. `clocks` are time banks of players who have no seat at the moment."""

    director: Director
    names: dict[str, str] = field(default_factory=dict)
    tables: dict[int, TournamentTable] = field(default_factory=dict)
    clocks: dict[str, KeptClock] = field(default_factory=dict)
    available: dict[str, int] = field(default_factory=dict)
    """Last known balances of its players."""
    shown_ms: int = 0
    """When its view was last sent to those who follow it."""
    reveal: HexaReveal | None = None
    """The draw of a HexaPro game, as its players saw it."""
    next_level_ms: int | None = None
    """The level clock as tables show it."""
    seats: dict[str, TournamentTable] = field(default_factory=dict)
    """The table of each player who has a seat."""
    _touched: dict[str, TournamentTable] = field(default_factory=dict)
    """Tables that have changed since they were last shown."""

    @property
    def spec(self) -> TournamentSpec:
        return self.director.spec

    @property
    def state(self) -> Tournament:
        return self.director.state

    @property
    def tournament_id(self) -> str:
        return self.director.spec.tournament_id

    def entry_of(self, player_id: str) -> Entry | None:
        """The player's newest entry."""
        entry_id = self.state.latest.get(player_id)
        return self.state.entries[entry_id] if entry_id is not None else None

    def table_of(self, player_id: str) -> TournamentTable | None:
        return self.seats.get(player_id)

    def touch(self, table: Table) -> Table:
        """Notes that the table has changed. A player who is out has none."""
        if table is not None:
            self._touched[table.terms.table_id] = table
        return table

    def touch_all(self) -> None:
        self._touched |= {table.terms.table_id: table for table in self.tables.values()}

    def take_touched(self) -> list[TournamentTable]:
        """Tables that have changed since they were last taken."""
        touched = [*self._touched.values()]
        self._touched.clear()
        return touched
