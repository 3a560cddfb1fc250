"""The lobby: which tables there are, under which terms, and what goes on there. Open to everybody, without a session.

What is configured stands here; what goes on is asked of the running tables, of which only a few words are known.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from aiohttp import web

from casino.api.audience import EVERYBODY, add_route
from casino.api.returns import Returns
from casino.cards.ranking import CATEGORIES
from casino.errors import Code, Refusal
from casino.money import Odds
from casino.settings import TableSettings
from casino.table.lobby import LiveTable, lobby_view
from casino.uth.paytable import Paytable


class Tables(Protocol):
    """The running tables."""

    @property
    def are_up(self) -> bool:
        """True once every table runs, open or not."""

    def live(self, table_id: str) -> LiveTable: ...

    def past(self, table_id: str) -> list[dict[str, Any]]:
        """How the last rounds ended, the newest first."""


@dataclass(frozen=True, slots=True)
class Quiet:
    status: str
    players: int = 0
    presenter: str | None = None
    limits: dict[str, Any] | None = None


class QuietTables:
    """Tables as they are before anybody comes: the machine's are open, a presenter's waits for its presenter."""

    are_up = True

    def __init__(self, configured: Iterable[TableSettings]) -> None:
        self._live = {table.id: Quiet("open" if table.dealing == "auto" else "closed") for table in configured}

    def live(self, table_id: str) -> Quiet:
        return self._live[table_id]

    def past(self, table_id: str) -> list[dict[str, Any]]:  # noqa: ARG002  nothing has happened anywhere
        return []


class Lobby:
    def __init__(self, configured: Iterable[TableSettings], tables: Tables, returns: Returns) -> None:
        self._configured = {table.id: table for table in configured}
        self._tables = tables
        self._returns = returns

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/tables", self.all, EVERYBODY)
        add_route(app, "GET", "/api/tables/{table_id}", self.one, EVERYBODY)
        add_route(app, "GET", "/api/tables/{table_id}/results", self.results, EVERYBODY)

    async def all(self, _request: web.Request) -> web.Response:
        return web.json_response({"tables": [self._short(table) for table in self._open_to_players()]})

    async def one(self, request: web.Request) -> web.Response:
        table = self._asked_for(request)
        paytable = table.paytable.in_force()
        return web.json_response(
            {
                **self._short(table),
                "chips": table.chips.values,
                "seconds": table.seconds.model_dump(),
                "paytables": _paytables(paytable),
                "returns": self._returns.of(paytable),
            }
        )

    async def results(self, request: web.Request) -> web.Response:
        """Cards and hands of the last rounds, as everybody at the table saw them."""
        table = self._asked_for(request)
        return web.json_response({"table_id": table.id, "rounds": self._tables.past(table.id)})

    def _open_to_players(self) -> list[TableSettings]:
        return [table for table in self._configured.values() if not table.practice]

    def _asked_for(self, request: web.Request) -> TableSettings:
        table = self._configured.get(request.match_info["table_id"])
        if table is None:
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        return table

    def _short(self, table: TableSettings) -> dict[str, Any]:
        return lobby_view(table, self._tables.live(table.id))


def _paytables(paytable: Paytable) -> dict[str, dict[str, str]]:
    """From the best hand down, in the words of the configuration."""
    categories = CATEGORIES[::-1]
    return {
        "blind": {category: _odds(paytable.blind_odds(category)) for category in categories},
        "trips": {category: _odds(paytable.trips_odds(category)) for category in categories},
    }


def _odds(odds: Odds | None) -> str:
    if odds is None:
        return "lose"
    return str(odds) if odds.gain else "push"
