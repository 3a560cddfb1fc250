"""Lobby entry of a table: its configured terms and its current state."""

from dataclasses import dataclass
from typing import Protocol

from casino.settings import TableSettings
from casino.settings.table import TableLimits as Limits
from casino.wire.common import LobbyTable, Status, TableLimits
from casino.wire.outbound import Payload


class LiveTable(Protocol):
    """Current state of a table: as its lobby entry shows it."""

    @property
    def status(self) -> Status: ...
    @property
    def players(self) -> int: ...
    @property
    def presenter(self) -> str | None: ...
    @property
    def limits(self) -> TableLimits | None:
        """Limits in force, which may differ from the file."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """Current state of a running table, as it publishes it."""

    status: Status
    players: int
    presenter: str | None
    limits: TableLimits

    @classmethod
    def of(cls, state: Payload) -> "PublishedTable":
        return cls(state["status"], state["players"], state["presenter"], state["limits"])


def limits_view(limits: Limits) -> TableLimits:
    return {
        "ante_min": limits.ante_min,
        "ante_max": limits.ante_max,
        "trips_min": limits.trips_min,
        "trips_max": limits.trips_max,
    }


def lobby_view(table: TableSettings, live: LiveTable) -> LobbyTable:
    return {
        "id": table.id,
        "table_id": table.id,  # the name used in all messages of a table
        "name": table.name,
        "dealing": table.dealing,
        "hands": table.hands,
        "seats": table.terms().seats if table.hands == "own" else None,
        "language": table.language,
        "multi_table": table.multi_table,
        "limits": live.limits or limits_view(table.limits),
        "status": live.status,
        "players": live.players,
        "presenter": live.presenter,
    }
