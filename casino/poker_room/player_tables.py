"""Cash tables of one player: sitting out at one or all of them, coming back, and removal.

Sitting out now at one of several tables is sitting out at all of them, with 500 seconds to come back. Sitting out
before the next big blind concerns each table for itself, and there the ten minutes count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from casino.poker.cash.sitting_out import REMOVE_AFTER_MS, REMOVE_EVERYWHERE_AFTER_MS, SittingOut, sit_out


@dataclass(frozen=True, slots=True)
class SitOutTerms:
    """How long a player may sit out: at one table, and at several. Times are milliseconds."""

    remove_after_ms: int = REMOVE_AFTER_MS
    everywhere_after_ms: int = REMOVE_EVERYWHERE_AFTER_MS


@dataclass(frozen=True, slots=True)
class PlayerTables:
    """Cash tables of one player, where the player sits out, and where before the next big blind."""

    tables: tuple[str, ...] = ()
    absences: Mapping[str, SittingOut] = field(default_factory=dict)
    next_big_blind: frozenset[str] = frozenset()

    def joined(self, table_id: str) -> "PlayerTables":
        """Sat down at one more table, present there even if sitting out elsewhere."""
        assert table_id not in self.tables, "a player has one seat at a table"
        return replace(self, tables=(*self.tables, table_id))

    def left(self, table_id: str) -> "PlayerTables":
        return PlayerTables(
            tuple(other for other in self.tables if other != table_id),
            {other: absence for other, absence in self.absences.items() if other != table_id},
            self.next_big_blind - {table_id},
        )

    def moved(self, from_table: str, to_table: str) -> "PlayerTables":
        """The house has moved the player: everything stays as it was, at another table."""

        def renamed(table_id: str) -> str:
            return to_table if table_id == from_table else table_id

        return PlayerTables(
            tuple(map(renamed, self.tables)),
            {renamed(table_id): absence for table_id, absence in self.absences.items()},
            frozenset(map(renamed, self.next_big_blind)),
        )

    def sat_out(self, table_id: str, now_ms: int) -> "PlayerTables":
        """Sits out now; at tables with a running hand from the next hand on."""
        assert table_id in self.tables, "the player has no seat there"
        return replace(self, absences=sit_out({**self.absences}, self.tables, table_id, now_ms, at_big_blind=False))

    def wanting_out_at_big_blind(self, table_ids: Iterable[str], *, on: bool) -> "PlayerTables":
        """Sets or clears the request to sit out before the next big blind at these tables."""
        own = frozenset(table_ids) & frozenset(self.tables)
        return replace(self, next_big_blind=self.next_big_blind | own if on else self.next_big_blind - own)

    def passed_by_big_blind(self, table_id: str, now_ms: int) -> "PlayerTables":
        """The big blind came to a player who wanted to sit out before it: sits out at this table only."""
        assert table_id in self.next_big_blind, "the player has not asked for it"
        absences = sit_out({**self.absences}, self.tables, table_id, now_ms, at_big_blind=True)
        return replace(self, absences=absences, next_big_blind=self.next_big_blind - {table_id})

    def back(self, table_ids: Iterable[str] | None = None) -> "PlayerTables":
        """Comes back at these tables, or at all. Absences at other tables go on, with their deadline."""
        here = frozenset(self.tables if table_ids is None else table_ids)
        absences = {table: absence for table, absence in self.absences.items() if table not in here}
        return replace(self, absences=absences, next_big_blind=self.next_big_blind - here)

    def last_ms(self, table_id: str, terms: SitOutTerms) -> int | None:
        """The last moment to come back to this table; None if the player does not sit out there."""
        absence = self.absences.get(table_id)
        return None if absence is None else absence.last_ms(terms.remove_after_ms, terms.everywhere_after_ms)

    def due_ms(self, terms: SitOutTerms) -> int | None:
        """When `removals` has something to say for the first time."""
        return min((absence_last + 1 for absence_last in self._last_moments(terms).values()), default=None)

    def removals(self, now_ms: int, terms: SitOutTerms, in_hand: Iterable[str] = ()) -> tuple[str, ...]:
        """The tables that remove the player now. Tables where the player is still in a hand wait for its end."""
        playing = frozenset(in_hand)
        return tuple(
            table for table, last_ms in self._last_moments(terms).items() if now_ms > last_ms and table not in playing
        )

    def _last_moments(self, terms: SitOutTerms) -> dict[str, int]:
        last_moments = {table: self.last_ms(table, terms) for table in self.tables}
        return {table: last_ms for table, last_ms in last_moments.items() if last_ms is not None}
