"""Hosting inside one process: gateways and tables share memory, and messages pass without encoding."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from casino.hosting.interfaces import Connection, SeatHolder
from casino.wire.outbound import Payload

GATEWAY: Final = "local"
"""Name of the only gateway."""


class LocalDirectory:
    def __init__(self) -> None:
        self._states: dict[str, Payload] = {}
        self._results: dict[str, Sequence[Payload]] = {}
        self._seats: dict[str, dict[str, SeatHolder]] = defaultdict(dict)  # by table and player
        self._tables_of: dict[str, set[str]] = defaultdict(set)  # by player
        self._epoch = 0

    def publish(self, table_id: str, state: Payload) -> None:
        self._states[table_id] = state

    def publish_results(self, table_id: str, results: Sequence[Payload]) -> None:
        self._results[table_id] = results

    def take_seat(self, table_id: str, player_id: str, connection: Connection) -> None:
        before = self._seats[table_id].get(player_id)
        if before is not None and before.connection == connection:
            return
        self._epoch += 1
        self._seats[table_id][player_id] = SeatHolder(connection, self._epoch)
        self._tables_of[player_id].add(table_id)

    def release_seat(self, table_id: str, player_id: str) -> None:
        if self._seats[table_id].pop(player_id, None) is None:
            return
        tables = self._tables_of[player_id]
        tables.discard(table_id)
        if not tables:
            del self._tables_of[player_id]

    def state(self, table_id: str) -> Payload:
        return self._states[table_id]

    def results(self, table_id: str) -> Sequence[Payload]:
        return self._results.get(table_id, ())

    def seat_holder(self, table_id: str, player_id: str) -> SeatHolder | None:
        return self._seats[table_id].get(player_id)

    def tables_of(self, player_id: str) -> set[str]:
        return set(self._tables_of.get(player_id, ()))
