"""Tournament table: plays one hand whenever its director says so, and reports it once it is stored.

It is synchronous and stores nothing by itself, as a cash table. It never begins a hand on its own. Players with chips
are always dealt in; players who sit out fold at their turn. Spectators see no hole cards.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from casino.poker.commands import Cause, Entrant
from casino.poker.positions import NextHand, Positions
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.effects import ReportHand
from casino.poker_room.live_hand import HandPlayer, LiveHand
from casino.poker_room.occupants import Occupant
from casino.poker_room.running_table import RunningTable
from casino.poker_room.senders import Sender
from casino.poker_room.table_seats import Dealt
from casino.poker_room.tournament.table_seats import KeptClock, TournamentSeats
from casino.poker_room.tournament.table_terms import TournamentTableTerms
from casino.poker_room.tournament.table_views import own_seat_view, table_view
from casino.wire.poker_events import PokerSeat
from casino.wire.poker_events import PokerTable as TableView


class Deal(NamedTuple):
    """The director's order to play a hand. `is_protected`: the tournament is in its final stages."""

    level: int
    positions: Positions
    dealt_in: tuple[int, ...]
    is_protected: bool


class TournamentTable(RunningTable[TournamentTableTerms, TournamentSeats]):
    """`deck` is the one of the next hand, stored already. `hand_no` is the number of the last stored hand."""

    def __init__(
        self,
        terms: TournamentTableTerms,
        seats: TournamentSeats,
        *,
        deck: PreparedDeck,
        decks: Decks,
        broadcaster: TableBroadcaster,
        hand_no: int = 0,
        first_hand_ms: int = 0,
    ) -> None:
        super().__init__(
            terms,
            seats,
            deck=deck,
            decks=decks,
            broadcaster=broadcaster,
            hand_no=hand_no,
            first_hand_ms=first_hand_ms,
        )
        self.heads: dict[str, int] = {}
        """Bounties on the heads of players."""
        self.next_level_ms: int | None = None
        self._deal: Deal | None = None

    def _view(self) -> TableView:
        return table_view(self)

    def _own_seat_view(self, player_id: str) -> PokerSeat:
        return own_seat_view(self, player_id)

    # Orders of the director

    def deal(self, deal: Deal) -> None:
        """Play one hand with this level and these positions, as soon as the pause between hands is over."""
        assert self._deal is None, "the director waits for the hand before"
        self._deal = deal
        self.seats = replace(self.seats, deals=self.seats.deals + 1)
        self._is_changed = True

    def sit_down(self, occupant: Occupant, seat_no: int, chips: int, kept: KeptClock) -> None:
        """The player is dealt in from the next hand on."""
        self.seats = self.seats.seated(occupant.player_id, seat_no, chips, kept)
        self.occupants[occupant.player_id] = occupant
        self._note(occupant.player_id)

    def stand_up(self, player_id: str, reason: str) -> tuple[Occupant, KeptClock]:
        """The player has no seat here any more, and keeps watching unless moved to another table."""
        assert not self.is_dealt_in(player_id), "a player is never moved in a hand"
        kept = self.seats.clock_of(player_id)
        view = own_seat_view(self, player_id)
        occupant = self.occupants.pop(player_id)
        self.seats = self.seats.stood_up(player_id)
        self._broadcaster.seat(occupant, {**view, "state": "gone", "stack": 0, "reason": reason})
        self._is_changed = True
        return occupant, kept

    def unsubscribe(self, occupant: Occupant) -> None:
        self._broadcaster.left(occupant.connections)

    def agree(self, chips: Mapping[int, int]) -> None:
        """Stacks by seat after a hand, as the director has them. They differ if it was reported after a restart."""
        for player_id, seat in self.seats.seats.items():
            if chips.get(seat.seat_no, seat.stack) != seat.stack:
                self.set_chips(player_id, chips[seat.seat_no])

    def set_chips(self, player_id: str, chips: int) -> None:
        self.seats = self.seats.changed(player_id, stack=chips)
        self._note(player_id)

    def notice(self, code: str, text: str) -> None:
        self._broadcaster.notice("info", code, text)

    def look_changed(self) -> None:
        """The level, or the heads of players, have changed."""
        self._is_changed = True

    # Messages of players

    def _viewer(self, sender: Sender) -> Occupant | None:
        return self.occupants.get(sender.player_id)

    def sit_out(self, player_id: str, now_ms: int, *, is_on: bool) -> None:
        """The player folds at every turn from now on, or is back, also for the running hand."""
        self.seats = self.seats.changed(player_id, sits_out=is_on)
        live = self._runner.running
        player = live.players.get(player_id) if live is not None else None
        if live is not None and player is not None and is_on:
            live.absent(player_id, Cause.SITTING_OUT, now_ms)
            self._moved(now_ms)
        elif player is not None and not is_on:
            player.is_silent = False
            player.absence = None
        self._note(player_id)

    # Hands

    @property
    def _can_start(self) -> bool:
        return self._deal is not None and super()._can_start

    def _begin(self, now_ms: int) -> None:
        deal, self._deal = self._deal, None
        assert deal is not None
        self.terms.level = deal.level
        by_no = {seat.seat_no: seat for seat in self.seats.seats.values()}
        entrants = tuple(Entrant(seat_no, by_no[seat_no].player_id, by_no[seat_no].stack) for seat_no in deal.dealt_in)
        players = [self._hand_player(entrant.player_id, deal) for entrant in entrants]
        dealt = Dealt(self.seats, NextHand(deal.positions, deal.dealt_in), entrants)
        self._runner.begin(self.seats, dealt, players, now_ms)
        self._changed.update(self.occupants)
        self._is_changed = True
        self._moved(now_ms)

    def _hand_player(self, player_id: str, deal: Deal) -> HandPlayer:
        seat, occupant = self.seats.seats[player_id], self.occupants[player_id]
        absence = Cause.SITTING_OUT if seat.sits_out else None
        player = HandPlayer(player_id, seat.bank_ms, occupant.is_connected, absence)
        if not (deal.is_protected or self.terms.is_always_protected):
            player.protection_ms = None
        return player

    def _moved(self, now_ms: int) -> None:
        self.seats = replace(self.seats, at_ms=now_ms)
        super()._moved(now_ms)

    def _after_hand(self, live: LiveHand, now_ms: int) -> None:  # noqa: ARG002  the director decides when it goes on
        self._effects.append(ReportHand(live.hand))
