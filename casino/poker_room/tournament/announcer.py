"""Announcements of a tournament to its entrants and its tables, after each event."""

from dataclasses import dataclass, replace

from casino.poker.tournament.commands import Means
from casino.poker.tournament.events import (
    Changed,
    Eliminated,
    Event,
    Finished,
    PauseBegan,
    PauseDue,
    PauseEnded,
    RebuyOffered,
    Started,
)
from casino.poker.tournament.money_events import BountyPaid, Cancelled, PrizeAwarded, VipPaid
from casino.poker.tournament.records import PauseReason
from casino.poker.tournament.state import Tournament
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.wire.poker_tournaments import TOURNAMENT_NEWS, NewsKind, TournamentNews

_DUE = {
    PauseReason.BREAK: "The break begins when all tables have finished their hands.",
    PauseReason.ADD_ON: "The add-on pause begins when all tables have finished their hands.",
    PauseReason.RESTART: "The server was restarted. The level clock goes on now.",
}


@dataclass(frozen=True, slots=True)
class Announcement:
    kind: NewsKind
    text: str
    place: int | None = None
    amount: int | None = None
    until_ms: int | None = None


_PAUSES = {
    PauseReason.BREAK: Announcement("break", "The tournament has a break."),
    PauseReason.ADD_ON: Announcement("addon_offer", "You can take the add-on now."),
}


class Announcer:
    def __init__(self, publisher: RoomPublisher) -> None:
        self._publisher = publisher

    def announce(self, running: RunningTournament, event: Event, before: Tournament, after: Tournament) -> None:  # noqa: C901, PLR0912  one case per event
        match event:
            case Started():
                self._send_to_all(running, after, Announcement("started", f"{after.terms.name} has started."))
            case Changed():
                text = f"{after.terms.name} has changed: {event.reason}"
                self._send_to_all(running, after, Announcement("changed", text))
            case PauseDue():
                for table in running.tables.values():
                    table.notice("break_due", _DUE[event.reason])
            case PauseBegan():
                assert after.pause is not None
                announcement = _PAUSES[after.pause.reason]
                self._send_to_all(running, after, replace(announcement, until_ms=event.until_ms))
            case PauseEnded():
                self._send_to_all(running, after, Announcement("break_over", "The tournament goes on."))
            case RebuyOffered():
                text = "You have no chips. You can rebuy."
                self._send(running, after, event.entry_id, Announcement("rebuy_offer", text, until_ms=event.until_ms))
            case Eliminated():
                place = after.place_of(event.out_no)
                announcement = Announcement("eliminated", f"You finished in place {place}.", place=place)
                self._send(running, after, event.entry_id, announcement)
            case PrizeAwarded():
                kind: NewsKind = "ticket" if event.means is Means.TICKET else "prize"
                text = f"You finished in place {event.place}."
                self._send(running, after, event.entry_id, Announcement(kind, text, event.place, event.amount))
            case BountyPaid() if event.amount:
                announcement = Announcement("bounty", "You won a bounty.", amount=event.amount)
                self._send(running, after, event.eliminator, announcement)
            case VipPaid():
                for entry_id, amount in event.parts:
                    announcement = Announcement("bounty", "You won the prize on a VIP's head.", amount=amount)
                    self._send(running, after, entry_id, announcement)
            case Finished():
                for entry in after.entries.values():
                    self._send(running, after, entry.entry_id, Announcement("finished", f"{after.terms.name} is over."))
            case Cancelled():
                for refund in event.refunds:
                    amount = refund.fees + refund.share + refund.bounty
                    text = f"{after.terms.name} is cancelled: {event.reason}"
                    self._send(running, after, refund.entry_id, Announcement("cancelled", text, amount=amount))
        if after.is_hand_for_hand and not before.is_hand_for_hand:
            for table in running.tables.values():
                table.notice("hand_for_hand", "Hand-for-hand: each table plays one hand and waits for the others.")

    def announce_entry(self, running: RunningTournament, entry_id: str) -> None:
        """To the winner of a satellite."""
        text = f"You are registered for {running.state.terms.name} with the seat you have won."
        self._send(running, running.state, entry_id, Announcement("entered", text))

    def _send_to_all(self, running: RunningTournament, state: Tournament, announcement: Announcement) -> None:
        """To all who are still in."""
        for entry in state.entries.values():
            if entry.out_no is None:
                self._send(running, state, entry.entry_id, announcement)

    def _send(self, running: RunningTournament, state: Tournament, entry_id: str, announcement: Announcement) -> None:
        player_id = state.entries[entry_id].player_id
        table = running.table_of(player_id)
        payload: TournamentNews = {
            "tournament_id": running.tournament_id,
            "kind": announcement.kind,
            "entry_id": entry_id,
            "place": announcement.place,
            "amount": announcement.amount,
            "until": announcement.until_ms,
            "table_id": table.terms.table_id if table is not None else None,
            "text": announcement.text,
        }
        self._publisher.to_player(player_id, TOURNAMENT_NEWS(payload))
