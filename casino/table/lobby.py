"""A table as the lobby shows it: its terms from the configuration, and a few words about what goes on there."""

from typing import Protocol

from casino.settings import TableSettings
from casino.table.messages import Payload


class LiveTable(Protocol):
    """What goes on at a table: `status` is a word such as open, closed or paused."""

    @property
    def status(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def presenter(self) -> str | None: ...
    @property
    def limits(self) -> Payload | None:
        """Those in force, where they may differ from the file's."""


def lobby_view(table: TableSettings, live: LiveTable) -> Payload:
    return {
        "id": table.id,
        "table_id": table.id,  # as every message of a table names it
        "name": table.name,
        "dealing": table.dealing,
        "hands": table.hands,
        "seats": table.terms().seats if table.hands == "own" else None,
        "language": table.language,
        "multi_table": table.multi_table,
        "limits": live.limits or table.limits.model_dump(),
        "status": live.status,
        "players": live.players,
        "presenter": live.presenter,
    }
