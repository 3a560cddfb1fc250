"""Lobby routes: tables with their terms and current state, public and without a session.

Terms come from the configuration, and the state from the running tables.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web
from typing_extensions import TypedDict

from casino.cards.ranking import CATEGORIES, Category
from casino.http.authorization import PUBLIC, add_route
from casino.http.rtp import Returns
from casino.live_table.lobby_entry import LiveTable, lobby_view
from casino.money import Odds
from casino.refusals import Reason
from casino.settings import TableSettings
from casino.settings.table import TableSeconds
from casino.uth.paytable import Paytable
from casino.uth.rtp_cache import ReturnFigures
from casino.wire.common import LobbyTable, Minor, PastRound, Status, TableLimits


class LobbyPage(TypedDict):
    tables: list[LobbyTable]


class Seconds(TypedDict):
    betting: float
    decide_preflop: float
    decide_flop: float
    decide_river: float
    between_rounds: float
    round_min: float
    card: float
    confirm: float
    resume_within: float


class Paytables(TypedDict):
    """Odds such as `3:2`, or `push` or `lose`, for each hand."""

    blind: dict[Category, str]
    trips: dict[Category, str]


class TableDetails(LobbyTable):
    chips: list[Minor]
    seconds: Seconds
    paytables: Paytables
    returns: ReturnFigures | None
    """Null until computed."""


class PastRounds(TypedDict):
    table_id: str
    rounds: list[PastRound]


class Tables(Protocol):
    """The running tables."""

    @property
    def are_up(self) -> bool:
        """True once every table runs, open or not."""

    def live(self, table_id: str) -> LiveTable: ...

    def past(self, table_id: str) -> list[PastRound]:
        """Returns the results of the last rounds, newest first."""


@dataclass(frozen=True, slots=True)
class EmptyTable:
    status: Status
    players: int = 0
    presenter: str | None = None
    limits: TableLimits | None = None


class EmptyTables:
    """Tables without players: automatic ones are open, a presenter's waits for its presenter."""

    are_up = True

    def __init__(self, configured: Iterable[TableSettings]) -> None:
        self._live = {table.id: EmptyTable("open" if table.dealing == "auto" else "closed") for table in configured}

    def live(self, table_id: str) -> EmptyTable:
        return self._live[table_id]

    def past(self, table_id: str) -> list[PastRound]:  # noqa: ARG002  nothing has happened anywhere
        return []


class Lobby:
    """Tables open to players. Practice tables are reachable only from the staff console."""

    def __init__(self, configured: Iterable[TableSettings], tables: Tables, returns: Returns) -> None:
        self._configured = {table.id: table for table in configured if not table.practice}
        self._tables = tables
        self._returns = returns

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/tables", self.all, PUBLIC)
        add_route(app, "GET", "/api/tables/{table_id}", self.one, PUBLIC)
        add_route(app, "GET", "/api/tables/{table_id}/results", self.results, PUBLIC)

    async def all(self, _request: web.Request) -> LobbyPage:
        return {"tables": [self._short(table) for table in self._configured.values()]}

    async def one(self, request: web.Request) -> TableDetails:
        table = self._asked_for(request)
        paytable = table.paytable.in_force()
        return {
            **self._short(table),
            "chips": list(table.chips.values),
            "seconds": _seconds(table.seconds),
            "paytables": _paytables(paytable),
            "returns": self._returns.of(paytable),
        }

    async def results(self, request: web.Request) -> PastRounds:
        """Returns cards and hands of the last rounds, as seen at the table."""
        table = self._asked_for(request)
        return {"table_id": table.id, "rounds": self._tables.past(table.id)}

    def _asked_for(self, request: web.Request) -> TableSettings:
        table = self._configured.get(request.match_info["table_id"])
        if table is None:
            raise Reason.NO_SUCH_TABLE.refusal()
        return table

    def _short(self, table: TableSettings) -> LobbyTable:
        return lobby_view(table, self._tables.live(table.id))


def _seconds(seconds: TableSeconds) -> Seconds:
    return {
        "betting": seconds.betting,
        "decide_preflop": seconds.decide_preflop,
        "decide_flop": seconds.decide_flop,
        "decide_river": seconds.decide_river,
        "between_rounds": seconds.between_rounds,
        "round_min": seconds.round_min,
        "card": seconds.card,
        "confirm": seconds.confirm,
        "resume_within": seconds.resume_within,
    }


def _paytables(paytable: Paytable) -> Paytables:
    """Lists the paytable from the best hand down, with the names of the configuration."""
    categories = CATEGORIES[::-1]
    return {
        "blind": {category: _odds(paytable.blind_odds(category)) for category in categories},
        "trips": {category: _odds(paytable.trips_odds(category)) for category in categories},
    }


def _odds(odds: Odds | None) -> str:
    if odds is None:
        return "lose"
    return str(odds) if odds.gain else "push"
