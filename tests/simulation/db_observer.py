"""Observes stored rows only: a connection of its own to the SQLite file, independent of the service's code."""

import json
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any

from casino.live_table.journal_replay import rebuild
from casino.uth.events import load_event
from casino.uth.replay import evolve
from casino.uth.state import Round

OPEN_HOLDS = ("open", "captured")


@lru_cache(maxsize=1024)
def _event(data: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(data)
    return event


@lru_cache(maxsize=1024)
def _rebuilt(written: tuple[str, ...]) -> Round:
    """Caches rounds by their rows; a longer journal continues from the cached one."""
    if len(written) < 2:
        return rebuild(written)
    return evolve(_rebuilt(written[:-1]), load_event(_event(written[-1])))


class DatabaseObserver:
    def __init__(self, file: Path) -> None:
        self._raw = sqlite3.connect(f"file:{file}?mode=ro", uri=True, isolation_level=None)

    def close(self) -> None:
        self._raw.close()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._raw.execute(query, values).fetchall()

    def status(self, round_id: str) -> str | None:
        found = self.rows("SELECT status FROM rounds WHERE id = ?", round_id)
        return found[0][0] if found else None

    def staked(self, round_id: str) -> dict[str, int]:
        """By player, what is held for the round or was captured for it; PLAY bets are not in it."""
        query = "SELECT player_id, amount, status FROM holds WHERE round_id = ?"
        return {player: amount for player, amount, status in self.rows(query, round_id) if status in OPEN_HOLDS}

    def journal(self, round_id: str) -> list[dict[str, Any]]:
        return [dict(_event(data)) for data in self.written(round_id)]

    def written(self, round_id: str) -> list[str]:
        query = "SELECT data FROM journal WHERE round_id = ? ORDER BY seq"
        return [data for (data,) in self.rows(query, round_id)]

    def round(self, round_id: str) -> Round:
        return self.rebuilt(self.written(round_id))

    def rebuilt(self, written: list[str]) -> Round:
        return _rebuilt(tuple(written))

    def unfinished(self) -> list[str]:
        return [
            round_id for (round_id,) in self.rows("SELECT id FROM rounds WHERE status = 'open' ORDER BY started_ms")
        ]

    def has_operation(self, key: str) -> bool:
        return bool(self.rows("SELECT 1 FROM operations WHERE key = ?", key))

    def settled(self, round_id: str, player_id: str) -> list[tuple[Any, ...]]:
        """(status, staked, returned) of each settlement, the newest last."""
        return self.rows(
            "SELECT s.status, t.ante * 2 + t.trips + t.play,"
            " t.ante_returned + t.blind_returned + t.trips_returned + t.play_returned"
            " FROM settled_seats t JOIN settlements s ON s.operation_id = t.operation_id"
            " WHERE s.round_id = ? AND t.player_id = ? ORDER BY s.operation_id",
            round_id,
            player_id,
        )
