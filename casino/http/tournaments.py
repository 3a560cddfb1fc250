"""Routes of tournaments for players: the schedule, one tournament, registration, own entries, tickets and results."""

import re
from typing import Annotated, Final, Literal, cast

from aiohttp import web
from pydantic import Field

from casino.errors import Code, Refusal
from casino.history.finished_tournament import finished_tournament
from casino.history.finished_tournaments import PAGE_MAX as FINISHED_MAX
from casino.history.finished_tournaments import FinishedPlaceInList, finished_page
from casino.history.tickets import tickets_of
from casino.history.tournament_results import PAGE_MAX, PAGE_USUAL, OpenText, ResultPlace, results_page
from casino.http.authorization import PUBLIC, SESSION, add_route, only
from casino.http.poker import AskRoom, currency_in
from casino.http.request_body import Body, body_of
from casino.money import MINOR_MAX
from casino.poker_room.senders import Sender
from casino.poker_room.tournament.messages import (
    ListEntries,
    ListTournaments,
    RegisterEntry,
    UnregisterEntry,
    ViewTournament,
)
from casino.refusals import Reason
from casino.storage.database import Database
from casino.users.roles import Role
from casino.wire.finished_tournaments import FinishedTournament, FinishedTournaments
from casino.wire.outbound import Payload
from casino.wire.poker_client_events import Key
from casino.wire.poker_entries import (
    OwnEntries,
    RegisteredAck,
    Tickets,
    TournamentKindName,
    TournamentResults,
    UnregisteredAck,
)
from casino.wire.poker_tournaments import (
    TournamentList,
    TournamentPlayers,
    TournamentPrizes,
    TournamentRow,
    TournamentStructure,
    TournamentTables,
    TournamentView,
)

SEARCH_MAX: Final = 40
_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")
_NUMBER: Final = re.compile("[0-9]{1,15}")
_LIMIT: Final = re.compile("[0-9]{1,3}")
_KINDS: Final[tuple[TournamentKindName, ...]] = ("mtt", "sng", "hexapro")
Id = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]


class ToRegister(Body):
    """As the message `register`. A repeated `key` is the same entry."""

    pay: Literal["money", "ticket"] = "money"
    ticket_id: Id | None = None
    amount: Annotated[int, Field(ge=0, le=MINOR_MAX)] = 0
    key: Key


class ToUnregister(Body):
    entry_id: Id
    key: Key


class TournamentRoutes:
    def __init__(self, database: Database, ask: AskRoom, open_text: OpenText) -> None:
        self._database = database
        self._ask = ask
        self._open_text = open_text

    def add_to(self, app: web.Application) -> None:
        player, one = only(Role.PLAYER), "/api/poker/tournaments/{tournament_id}"
        add_route(app, "GET", "/api/poker/tournaments", self.tournaments, PUBLIC)
        add_route(app, "GET", one, self.tournament, PUBLIC)
        add_route(app, "GET", f"{one}/players", self.tournament_players, PUBLIC)
        add_route(app, "GET", f"{one}/prizes", self.tournament_prizes, PUBLIC)
        add_route(app, "GET", f"{one}/tables", self.tournament_tables, PUBLIC)
        add_route(app, "GET", f"{one}/structure", self.structure, PUBLIC)
        add_route(app, "GET", "/api/poker/finished-tournaments", self.finished, PUBLIC)
        add_route(app, "GET", "/api/poker/finished-tournaments/{tournament_id}", self.finished_tournament, PUBLIC)
        add_route(app, "POST", f"{one}/register", self.register, player)
        add_route(app, "POST", f"{one}/unregister", self.unregister, player)
        add_route(app, "GET", "/api/poker/entries", self.entries, player)
        add_route(app, "GET", "/api/poker/tickets", self.tickets, player)
        add_route(app, "GET", "/api/poker/results", self.results, player)

    async def tournaments(self, request: web.Request) -> TournamentList:
        listed = cast(TournamentList, await self._ask(ListTournaments(currency_in(request))))
        rows = [row for row in listed["tournaments"] if _is_wanted(row, request)]
        return {"tournaments": rows}

    async def tournament(self, request: web.Request) -> TournamentView:
        return cast(TournamentView, await self._page(request, "overview"))

    async def tournament_players(self, request: web.Request) -> TournamentPlayers:
        return cast(TournamentPlayers, await self._page(request, "players"))

    async def tournament_prizes(self, request: web.Request) -> TournamentPrizes:
        return cast(TournamentPrizes, await self._page(request, "prizes"))

    async def tournament_tables(self, request: web.Request) -> TournamentTables:
        return cast(TournamentTables, await self._page(request, "tables"))

    async def structure(self, request: web.Request) -> TournamentStructure:
        return cast(TournamentStructure, await self._page(request, "structure"))

    async def _page(self, request: web.Request, page: str) -> Payload:
        search = request.query.get("search", "")[:SEARCH_MAX]
        return await self._ask(ViewTournament(_tournament_in(request), page, search=search))

    async def finished(self, request: web.Request) -> FinishedTournaments:
        before = request.query.get("before")
        async with self._database.reading() as connection:
            rows, following = await finished_page(
                connection,
                currency_in(request),
                limit=_limit_in(request, FINISHED_MAX),
                before=FinishedPlaceInList.parse(before) if before else None,
            )
        return {"tournaments": rows, "next": str(following) if following else None}

    async def finished_tournament(self, request: web.Request) -> FinishedTournament:
        tournament_id, search = _tournament_in(request), request.query.get("search", "")[:SEARCH_MAX]
        async with self._database.reading() as connection:
            return await finished_tournament(connection, tournament_id, self._open_text, search=search)

    async def register(self, request: web.Request) -> RegisteredAck:
        """Enters the tournament, late or again too."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToRegister)
        if (body.pay == "ticket") != (body.ticket_id is not None):
            raise Reason.BAD_REQUEST.refusal()
        message = RegisterEntry(_sender(request), tournament_id, body.key, body.ticket_id, body.amount)
        return cast(RegisteredAck, await self._ask(message))

    async def unregister(self, request: web.Request) -> UnregisteredAck:
        """Takes the entry back, in the means it was paid with."""
        _tournament_in(request)
        body = await body_of(request, ToUnregister)
        return cast(UnregisteredAck, await self._ask(UnregisterEntry(_sender(request), body.entry_id, body.key)))

    async def entries(self, request: web.Request) -> OwnEntries:
        return cast(OwnEntries, await self._ask(ListEntries(request[SESSION].user.id)))

    async def tickets(self, request: web.Request) -> Tickets:
        async with self._database.reading() as connection:
            return {"tickets": await tickets_of(connection, request[SESSION].user.id)}

    async def results(self, request: web.Request) -> TournamentResults:
        before, tournament_id = request.query.get("before"), request.query.get("tournament") or None
        if tournament_id is not None and not _ID.fullmatch(tournament_id):
            raise Refusal(Code.BAD_REQUEST, "tournament: use the id of a tournament.")
        async with self._database.reading() as connection:
            results, following = await results_page(
                connection,
                request[SESSION].user.id,
                self._open_text,
                limit=_limit_in(request),
                kind=_kind_in(request),
                tournament_id=tournament_id,
                before=ResultPlace.parse(before) if before else None,
            )
        return {"results": results, "next": str(following) if following else None}


def _tournament_in(request: web.Request) -> str:
    tournament_id = request.match_info["tournament_id"]
    if not _ID.fullmatch(tournament_id):
        raise Reason.NOT_FOUND.refusal()
    return tournament_id


def _sender(request: web.Request) -> Sender:
    user = request[SESSION].user
    return Sender(user.id, user.name, user.currency)


def _kind_in(request: web.Request) -> TournamentKindName | None:
    written = request.query.get("kind") or None
    kind = next((kind for kind in _KINDS if kind == written), None)
    if written is not None and kind is None:
        raise Refusal(Code.BAD_REQUEST, "kind: use mtt, sng or hexapro.")
    return kind


def _limit_in(request: web.Request, most: int = PAGE_MAX) -> int:
    written = request.query.get("limit")
    if not written:
        return PAGE_USUAL
    if not _LIMIT.fullmatch(written) or not 1 <= int(written) <= most:
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {most}.")
    return int(written)


def _is_wanted(row: TournamentRow, request: web.Request) -> bool:
    """Whether the row passes the filters of the query; those left out let everything pass."""
    query = request.query
    filters = (
        ("type", row["kind"]),
        ("game", row["game"]),
        ("status", row["status"]),
        ("speed", row["structure"]),
    )
    if any(query.get(name) not in (None, "", value) for name, value in filters):
        return False
    total = row["price"]["total"]
    least, most = _amount_in(request, "buy_in_min"), _amount_in(request, "buy_in_max")
    starts_from = _amount_in(request, "from")
    return (
        (least is None or total >= least)
        and (most is None or total <= most)
        and (starts_from is None or (row["starts_at"] or starts_from) >= starts_from)
        and (query.get("guaranteed") != "true" or row["guarantee"] > 0)
    )


def _amount_in(request: web.Request, name: str) -> int | None:
    written = request.query.get(name)
    if not written:
        return None
    if not _NUMBER.fullmatch(written):
        raise Refusal(Code.BAD_REQUEST, f"{name}: use a whole number.")
    return int(written)
