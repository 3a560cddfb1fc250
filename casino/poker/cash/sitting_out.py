"""Sitting out at cash tables: where it takes effect, and when the player is removed.

A player who sits out at one of several tables sits out at all of them and has 500 seconds to come back. Sitting out
before the next big blind concerns one table only. At a single table a player is removed after more than ten minutes.
Times are milliseconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

REMOVE_AFTER_MS: Final = 10 * 60_000
REMOVE_EVERYWHERE_AFTER_MS: Final = 500_000


@dataclass(frozen=True, slots=True)
class SittingOut:
    """A player's absence at one table. `everywhere_since_ms` is set if the player sits out at several tables."""

    since_ms: int
    everywhere_since_ms: int | None = None

    def last_ms(
        self, remove_after_ms: int = REMOVE_AFTER_MS, everywhere_after_ms: int = REMOVE_EVERYWHERE_AFTER_MS
    ) -> int:
        """The last moment to come back. A hand that is running then ends before the player is removed."""
        last_ms = self.since_ms + remove_after_ms
        if self.everywhere_since_ms is None:
            return last_ms
        return min(last_ms, self.everywhere_since_ms + everywhere_after_ms)

    def is_removal_due(self, now_ms: int) -> bool:
        return now_ms > self.last_ms()


def sit_out(
    absences: dict[str, SittingOut], tables: Iterable[str], table_id: str, now_ms: int, *, at_big_blind: bool
) -> dict[str, SittingOut]:
    """The player's absences by table after sitting out at this table; at other tables they begin with the next hand.

    `tables` are all cash tables of the player. An absence that has begun goes on; it is not begun again.
    """
    others = [other for other in tables if other != table_id]
    if at_big_blind or not others:
        return {table_id: SittingOut(now_ms)} | absences
    began = {table: absences.get(table, SittingOut(now_ms)) for table in (table_id, *others)}
    return {
        table: absence
        if absence.everywhere_since_ms is not None
        else SittingOut(absence.since_ms, everywhere_since_ms=now_ms)
        for table, absence in began.items()
    }
