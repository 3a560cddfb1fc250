"""Tournaments in the lobby of the poker room: rows, and changes to those who follow the lobby."""

from collections.abc import Mapping

from casino.clock import Clock
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind
from casino.poker_room.tournament.tournament_views import row_view
from casino.wire.poker_events import POKER_LOBBY
from casino.wire.poker_hexapro import HexaLine
from casino.wire.poker_tournaments import TournamentList, TournamentRow


class TournamentLobby:
    """The gateway merges changes and sends them twice a second."""

    def __init__(self, running: Mapping[str, RunningTournament], publisher: RoomPublisher, clock: Clock) -> None:
        self._running = running
        self._publisher = publisher
        self._clock = clock
        self._published: dict[str, TournamentRow] = {}

    def changed(self, running: RunningTournament) -> None:
        if running.spec.kind is TournamentKind.HEXAPRO:
            return
        row = row_view(running.spec, running.state, self._clock())
        if self._published.get(running.tournament_id) == row:
            return
        self._published[running.tournament_id] = row
        if row["status"] in {"finished", "cancelled"}:
            del self._published[running.tournament_id]
        self._publisher.to_lobby(running.spec.currency, POKER_LOBBY({"pools": [], "lines": [], "tournaments": [row]}))

    def line_changed(self, line: HexaLine) -> None:
        changes = POKER_LOBBY({"pools": [], "lines": [line], "tournaments": []})
        self._publisher.to_lobby(line["currency"], changes)

    def rows(self, currency: str | None) -> list[TournamentRow]:
        now_ms = self._clock()
        shown = (running for running in self._running.values() if running.spec.kind is not TournamentKind.HEXAPRO)
        here = (running for running in shown if currency in {None, running.spec.currency})
        rows = [row_view(running.spec, running.state, now_ms) for running in here]
        return sorted(rows, key=lambda row: (row["starts_at"] or 0, row["price"]["total"], row["tournament_id"]))

    def view(self, currency: str | None) -> TournamentList:
        return {"tournaments": self.rows(currency)}
