"""Viewers of tournaments: who follows one, what the lobby lists, and the entries of a player.

A large field changes with every hand and registration, so its view is sent twice a second.
"""

from collections.abc import Mapping
from typing import Final

from typing_extensions import TypedDict

from casino.clock import Clock
from casino.poker.tournament.state import Entry, Status
from casino.poker_room.deadlines import Deadlines
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.tournament.hexapro_lines import HexaproLines
from casino.poker_room.tournament.messages import (
    FollowTournament,
    ListEntries,
    ListTournaments,
    UnfollowTournament,
    ViewTournament,
)
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.tournament_lobby import TournamentLobby
from casino.poker_room.tournament.tournament_views import own_entry_view, page_view, tournament_view
from casino.refusals import Reason
from casino.wire.outbound import Payload
from casino.wire.poker_entries import OwnEntry
from casino.wire.poker_hexapro import HexaLine
from casino.wire.poker_tournaments import TOURNAMENT, TournamentRow

SHOW: Final = "show:"
"""Deadline of the next view of a tournament: this, and its id."""
SHOW_MS: Final = 500
SHOWN_AT_ONCE_MAX: Final = 100
"""Entries."""
ViewMessage = FollowTournament | UnfollowTournament | ListTournaments | ListEntries | ViewTournament


class TournamentsInLobby(TypedDict):
    lines: list[HexaLine]
    tournaments: list[TournamentRow]


class TournamentViewers:
    def __init__(
        self,
        running: Mapping[str, RunningTournament],
        lobby: TournamentLobby,
        hexapro: HexaproLines,
        clock: Clock,
        *,
        publisher: RoomPublisher,
        deadlines: Deadlines,
    ) -> None:
        self._running = running
        self._lobby = lobby
        self._hexapro = hexapro
        self._publisher = publisher
        self._deadlines = deadlines
        self._clock = clock

    def answer(self, message: ViewMessage, now_ms: int) -> Payload:
        match message:
            case FollowTournament():
                running, connection = self._found(message.tournament_id), message.sender.connection
                if connection is not None:
                    self._publisher.subscribe(message.tournament_id, connection)
                return tournament_view(running, now_ms, message.sender.player_id)
            case UnfollowTournament():
                if message.sender.connection is not None:
                    self._publisher.unsubscribe(message.tournament_id, message.sender.connection)
                return {}
            case ListTournaments():
                return self._lobby.view(message.currency)
            case ListEntries():
                return {"entries": self.own_entries(message.player_id)}
            case ViewTournament():
                running = self._found(message.tournament_id)
                return page_view(running, message.page, message.player_id, now_ms, message.search)

    def lobby_part(self, currency: str | None) -> TournamentsInLobby:
        """Lines and tournaments of the lobby."""
        return {"lines": self._hexapro.rows(currency), "tournaments": self._lobby.rows(currency)}

    def own_entries(self, player_id: str) -> list[OwnEntry]:
        now_ms = self._clock()
        entries: list[tuple[RunningTournament, Entry]] = []
        for running in self._running.values():
            entry = running.entry_of(player_id)
            if entry is not None:
                entries.append((running, entry))
        playing = [own_entry_view(running, entry, now_ms) for running, entry in entries]
        return [*playing, *self._hexapro.own_entries(player_id)]

    def publish(self, running: RunningTournament) -> None:
        """To those who follow it, and to the lobby."""
        due_ms, is_open = running.shown_ms + SHOW_MS, running.state.status in (Status.REGISTERING, Status.RUNNING)
        if is_open and len(running.state.entries) > SHOWN_AT_ONCE_MAX and self._clock() < due_ms:
            self._deadlines.set(f"{SHOW}{running.tournament_id}", due_ms)
            return
        running.shown_ms = self._clock()
        self._publisher.to_table(running.tournament_id, TOURNAMENT(tournament_view(running, self._clock(), None)))
        self._lobby.changed(running)

    def _found(self, tournament_id: str) -> RunningTournament:
        running = self._running.get(tournament_id)
        if running is None:
            raise Reason.NOT_FOUND.refusal()
        return running
