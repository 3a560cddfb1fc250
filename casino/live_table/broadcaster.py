"""Broadcasts table events to all players, to single players and to host consoles, in order."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Unpack

from casino.cards.card import written
from casino.hosting.interfaces import Connection, Publisher
from casino.ledger.book import Balance
from casino.live_table import audience, hand_over, proposals
from casino.live_table.accounting import CommitResult, TableUnitOfWork
from casino.live_table.console import Console
from casino.live_table.lobby_entry import limits_view
from casino.live_table.seating import Seating
from casino.live_table.shift import Shift
from casino.settings import TableSettings
from casino.uth.events import (
    CardCorrected,
    CardsSwapped,
    DecisionsReopened,
    Event,
    RoundCancelled,
    RoundContinued,
    RoundPaused,
    RoundResumed,
)
from casino.uth.phases import slot_name
from casino.uth.results import results
from casino.uth.settlement import SeatResult
from casino.uth.state import Round
from casino.wire import host_events, player_events
from casino.wire.host_events import HOST
from casino.wire.notices import HouseValues, Level, Notice
from casino.wire.outbound import OutboundEvent
from casino.wire.player_events import BALANCE, NOTICE, RESULT, ROUND, SEAT, TABLE
from casino.wire.round_views import (
    host_view,
    idle_host_view,
    idle_seat_view,
    idle_view,
    public_view,
    result_view,
    seat_view,
)

_PLAYERS_PER_FLUSH: Final = 250
"""Number of players after which other tables get their turn."""
_COUNTED_MS_PER_PLAYER: Final = 0.5
"""Counts go to all players. The interval grows with the number of players, so that the cost stays constant."""

_RESEATED: Final = {
    "seat_lost": "You haven't bet for some rounds and others were waiting, so your seat went to another player. "
    "You'll get the next free one.",
    "seat_found": "A seat is free, and it is yours.",
}


class Broadcaster:
    """Numbers broadcast events, so that a listener detects a missed one."""

    def __init__(
        self,
        settings: TableSettings,
        unit_of_work: TableUnitOfWork,
        publisher: Publisher,
        presence: Seating,
        console: Console,
    ) -> None:
        self._settings = settings
        self._console = console
        self._unit_of_work = unit_of_work
        self._publisher = publisher
        self._seating = presence
        self.watchers: dict[Connection, str] = {}  # host consoles, and the people at them
        self._seq = 0
        self._published_table: player_events.Table | None = None
        self._published_table_ms = 0
        # Stored, but not sent to all players concerned, because the database failed; the set grows with each reached.
        self.pending: list[tuple[Round, CommitResult, Sequence[Event], set[str]]] = []

    def table_view(self, round_: Round | None, *, is_open: bool, presenter: str | None) -> player_events.Table:
        view: player_events.Table = {
            "table_id": self._settings.id,
            "status": "open" if is_open else "closed",
            "presenter": presenter,
            "players": len(self._seating.here),
            "in_round": len(round_.seats) if round_ else 0,
            "left_to_decide": round_.unanswered if round_ and round_.is_deciding else 0,
            "limits": limits_view(self._console.settings.limits),
        }
        if self._settings.hands == "own":
            view["taken"] = [{"seat_no": seat_no, "name": name} for seat_no, name in self._seating.taken]
        return view

    def round_payload(self, round_: Round | None, now_ms: int) -> player_events.Round:
        if round_:
            view = public_view(round_, self._seating.names)
        else:
            view = idle_view(self._settings.id)
            if self._settings.hands == "own":
                view["seats"] = []
        return {**view, "seq": self._seq, "server_time": now_ms}

    def host_payload(self, round_: Round | None, shift: Shift, now_ms: int) -> host_events.Host:
        public = self.round_payload(round_, now_ms)
        currencies = self._unit_of_work.currencies
        view = host_view(round_, self._seating.names, public, currencies) if round_ else idle_host_view(public)
        return {
            **view,
            "status": "open" if shift.is_open else "closed",
            "presenter": shift.presenter,
            "tips": shift.tips,
            "play_tips": shift.play_tips,
            "is_opening": shift.wants_round,
            "hand_over": hand_over.view(shift),
            "proposal": proposals.view(round_, self._console.settings),
            "left_to_decide": round_.unanswered if round_ and round_.is_deciding else 0,
            "confirm_until": round_.due_ms if round_ and round_.is_street_complete else None,
            **self._console.view(round_),
        }

    async def learn_currencies(self, round_: Round | None) -> None:
        """After a restart no player has bet yet in this run; the bets on the table are from an earlier one."""
        known = self._unit_of_work.currencies
        unknown = [player_id for player_id in round_.seats if player_id not in known] if round_ else []
        if unknown:
            await self._unit_of_work.balances(unknown)

    def snapshot(
        self, round_: Round | None, player_id: str, balance: Balance | None, table: player_events.Table, now_ms: int
    ) -> player_events.Snapshot:
        """Returns the complete state a player needs to continue, in any phase."""
        available = balance.available if balance else 0
        return {
            "round": self.round_payload(round_, now_ms),
            "seat": self._seat(round_, player_id, available),
            "table": table,
            "balance": balance.balance if balance else 0,
            "available": available,
        }

    def publish_table(self, view: player_events.Table, round_: Round | None, shift: Shift, now_ms: int) -> bool:
        """Broadcasts status and counts to all, and spot totals to consoles; returns whether all are up to date."""
        self.publish_to_hosts(round_, shift, now_ms)
        are_counts_due = now_ms >= self._published_table_ms + _COUNTED_MS_PER_PLAYER * len(self._seating.here)
        published = self._published_table
        if not are_counts_due and published and _differs_in_counts_only(view, published):
            return view == published
        if view != published:
            self._published_table, self._published_table_ms = view, now_ms
            self._publisher.to_table(TABLE(view))
        return True

    def publish_round(self, round_: Round, shift: Shift, now_ms: int) -> None:
        self._seq += 1
        self._publisher.to_table(ROUND(self.round_payload(round_, now_ms)))
        self.publish_to_hosts(round_, shift, now_ms)

    def publish_to_hosts(self, round_: Round | None, shift: Shift, now_ms: int) -> None:
        if self.watchers:  # building the host view of thousands of seats is expensive
            self._publisher.to_hosts(HOST(self.host_payload(round_, shift, now_ms)))

    def enqueue(self, before: Round, handled: CommitResult, events: Sequence[Event], shift: Shift, now_ms: int) -> None:
        """Broadcasts a stored change to all players, and leaves the private parts to `flush`."""
        self.pending.append((before, handled, events, set()))
        if audience.is_public(events):
            self.publish_round(handled.round, shift, now_ms)
        elif audience.is_for_hosts(events):
            self.publish_to_hosts(handled.round, shift, now_ms)
        for event in events:
            self._publish_notice(event)

    async def flush(self) -> None:
        """Sends pending changes, in order and once, to the players whose own seat or money they changed."""
        while self.pending:
            await self._send_to_affected(*self.pending[0])
            del self.pending[0]

    async def _send_to_affected(
        self, before: Round, handled: CommitResult, events: Sequence[Event], informed: set[str]
    ) -> None:
        round_ = handled.round
        concerned = [one for one in audience.affected_players(before, round_, events) if one not in informed]
        if not concerned:
            return
        moved, ended = audience.moves_money(events), audience.results_of(round_, events)
        for start in range(0, len(concerned), _PLAYERS_PER_FLUSH):
            players = concerned[start : start + _PLAYERS_PER_FLUSH]
            await self._send_seats(round_, players, handled, ended, moved=moved)
            informed.update(players)

    async def _send_seats(
        self,
        round_: Round,
        players: Sequence[str],
        handled: CommitResult,
        ended: Mapping[str, SeatResult],
        *,
        moved: bool,
    ) -> None:
        """Reads balances as late as possible, since a deposit can happen while thousands are informed."""
        known = handled.balances
        balances = await self._unit_of_work.balances(players) if known is None else {one: known[one] for one in players}
        seats = self._seats(round_, balances)
        for player_id, balance in balances.items():
            informed = [SEAT(seats[player_id])]
            if player_id in ended:
                informed.append(RESULT(result_view(round_, ended[player_id], balance.balance)))
            if moved:
                informed.append(BALANCE(_balance(balance)))
            self._publisher.to_player(player_id, *informed)

    async def publish_correction(
        self, before: Round, round_: Round, shift: Shift, now_ms: int, *, is_last: bool
    ) -> dict[str, player_events.Balance]:
        """Announces a correction only to the round's players, unless it concerns the last round.

        Returns the balances of these players.
        """
        if is_last:
            self.publish_round(round_, shift, now_ms)
        balances = await self._unit_of_work.balances(sorted(before.seats))
        game_number = round_.game_number
        text = f"We have corrected round {game_number}. Your balance is up to date."
        notice = NOTICE(self._notice_payload("info", "round_corrected", text, game_number=game_number))
        for player_id, result in results(round_).items():
            balance = balances[player_id]
            informed = RESULT(result_view(round_, result, balance.balance))
            self._publisher.to_player(player_id, informed, notice, BALANCE(_balance(balance)))
        return {player_id: _balance(balance) for player_id, balance in balances.items()}

    async def send_balance(self, round_: Round | None, player_id: str) -> None:
        """Sends the balance to a player who spent money outside the game, which can also change the allowed bets."""
        balances = await self._unit_of_work.balances([player_id])
        seats = self._seats(round_, balances) if round_ and player_id in round_.seats else {}
        for concerned, balance in balances.items():
            informed: list[OutboundEvent] = [SEAT(seats[concerned])] if seats else []
            self._publisher.to_player(concerned, *informed, BALANCE(_balance(balance)))

    def send_seat_changes(self, round_: Round | None, players: Iterable[str]) -> None:
        """Informs players who lost or gained a seat; none of them is in the round."""
        for player_id in players:
            seat_no = self._seating.seat_of.get(player_id)
            code = "seat_lost" if seat_no is None else "seat_found"
            notice = self._notice_payload("info", code, _RESEATED[code])
            self._publisher.to_player(player_id, SEAT(self._seat(round_, player_id, 0)), NOTICE(notice))

    def _seat(self, round_: Round | None, player_id: str, available: int) -> player_events.Seat:
        seat_no = self._seating.seat_of.get(player_id)
        if round_ is None:
            return idle_seat_view(self._settings.id, seat_no)
        seat = seat_view(round_, player_id, available)
        seat["seat_no"] = seat_no
        return seat

    def _seats(self, round_: Round, balances: Mapping[str, Balance]) -> dict[str, player_events.Seat]:
        return {player_id: self._seat(round_, player_id, balance.available) for player_id, balance in balances.items()}

    def publish_interruption(self, now_ms: int) -> None:
        text = "We can't save changes right now. Your bets are safe, and you lose no time to decide."
        self._notice("warning", "interrupted", text, now_ms)

    def _publish_notice(self, event: Event) -> None:
        match event:
            case RoundPaused():
                text = f"The round is paused: {event.reason} Your bets are safe. Incident {event.incident_id}."
                self._notice("warning", "table_paused", text, event.at_ms, incident_id=event.incident_id)
            case RoundResumed() | RoundContinued():
                self._notice("info", "resumed", "The round continues. Your timer has been reset.", event.at_ms)
            case CardCorrected() | CardsSwapped():
                changed = _changed(event)
                text = f"A card was corrected. {changed}."
                self._notice("warning", "card_corrected", text, event.at_ms, changed=changed)
            case DecisionsReopened():
                text = "A card was corrected, so you can decide again. Your last decision and its PLAY bet are void."
                self._notice("warning", "decisions_reopened", text, event.at_ms)
            case RoundCancelled():
                text = f"The round is cancelled and every bet is refunded. Incident {event.incident_id}."
                self._notice("warning", "round_cancelled", text, event.at_ms, incident_id=event.incident_id)

    def _notice(self, level: Level, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        """Sends a notice as a pop-up, and to the chat, where it remains readable. `values` are those in the text."""
        notice = self._notice_payload(level, code, text, **values)
        self._publisher.to_table(NOTICE(notice))
        self._publisher.to_hosts(NOTICE(notice))
        self._publisher.to_chat(code, text, at_ms, **values)

    def _notice_payload(self, level: Level, code: str, text: str, **values: Unpack[HouseValues]) -> Notice:
        return {"table_id": self._settings.id, "level": level, "code": code, "text": text, **values}


def _changed(event: CardCorrected | CardsSwapped) -> str:
    """`FLOP 1: 8♠ → 8♣`."""
    changes = [(event.slot, event.was if isinstance(event, CardCorrected) else event.other_card, event.card)]
    if isinstance(event, CardsSwapped):
        changes.append((event.other_slot, event.card, event.other_card))
    return ", ".join(f"{slot_name(slot)}: {written(was)} → {written(card)}" for slot, was, card in changes)


def _balance(balance: Balance) -> player_events.Balance:
    return {"balance": balance.balance, "available": balance.available}


def _differs_in_counts_only(view: player_events.Table, published: player_events.Table) -> bool:
    same: player_events.Table = {
        **view,
        "players": published["players"],
        "in_round": published["in_round"],
        "left_to_decide": published["left_to_decide"],
    }
    if "taken" in published:
        same["taken"] = published["taken"]
    return same == published
