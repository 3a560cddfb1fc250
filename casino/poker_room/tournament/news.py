"""News of a tournament: what its entrants, its tables and the followers of its lobby are told after each event."""

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
class News:
    kind: NewsKind
    text: str
    place: int | None = None
    amount: int | None = None
    until_ms: int | None = None


_PAUSES = {
    PauseReason.BREAK: News("break", "The tournament has a break."),
    PauseReason.ADD_ON: News("addon_offer", "You can take the add-on now."),
}


class Announcer:
    def __init__(self, publisher: RoomPublisher) -> None:
        self._publisher = publisher

    def tell(self, running: RunningTournament, event: Event, before: Tournament, after: Tournament) -> None:  # noqa: C901, PLR0912  one case per event
        match event:
            case Started():
                self._tell_all(running, after, News("started", f"{after.terms.name} has started."))
            case Changed():
                text = f"{after.terms.name} has changed: {event.reason}"
                self._tell_all(running, after, News("changed", text))
            case PauseDue():
                for table in running.tables.values():
                    table.notice("break_due", _DUE[event.reason])
            case PauseBegan():
                assert after.pause is not None
                news = _PAUSES[after.pause.reason]
                self._tell_all(running, after, replace(news, until_ms=event.until_ms))
            case PauseEnded():
                self._tell_all(running, after, News("break_over", "The tournament goes on."))
            case RebuyOffered():
                text = "You have no chips. You can rebuy."
                self._tell(running, after, event.entry_id, News("rebuy_offer", text, until_ms=event.until_ms))
            case Eliminated():
                place = after.place_of(event.out_no)
                news = News("eliminated", f"You finished in place {place}.", place=place)
                self._tell(running, after, event.entry_id, news)
            case PrizeAwarded():
                kind: NewsKind = "ticket" if event.means is Means.TICKET else "prize"
                text = f"You finished in place {event.place}."
                self._tell(running, after, event.entry_id, News(kind, text, event.place, event.amount))
            case BountyPaid() if event.amount:
                news = News("bounty", "You won a bounty.", amount=event.amount)
                self._tell(running, after, event.eliminator, news)
            case VipPaid():
                for entry_id, amount in event.parts:
                    news = News("bounty", "You won the prize on a VIP's head.", amount=amount)
                    self._tell(running, after, entry_id, news)
            case Finished():
                for entry in after.entries.values():
                    self._tell(running, after, entry.entry_id, News("finished", f"{after.terms.name} is over."))
            case Cancelled():
                for refund in event.refunds:
                    amount = refund.fees + refund.share + refund.bounty
                    text = f"{after.terms.name} is cancelled: {event.reason}"
                    self._tell(running, after, refund.entry_id, News("cancelled", text, amount=amount))
        if after.is_hand_for_hand and not before.is_hand_for_hand:
            for table in running.tables.values():
                table.notice("hand_for_hand", "Hand-for-hand: each table plays one hand and waits for the others.")

    def _tell_all(self, running: RunningTournament, state: Tournament, news: News) -> None:
        """To all who are still in."""
        for entry in state.entries.values():
            if entry.out_no is None:
                self._tell(running, state, entry.entry_id, news)

    def _tell(self, running: RunningTournament, state: Tournament, entry_id: str, news: News) -> None:
        player_id = state.entries[entry_id].player_id
        table = running.table_of(player_id)
        told: TournamentNews = {
            "tournament_id": running.tournament_id,
            "kind": news.kind,
            "entry_id": entry_id,
            "place": news.place,
            "amount": news.amount,
            "until": news.until_ms,
            "table_id": table.terms.table_id if table is not None else None,
            "text": news.text,
        }
        self._publisher.to_player(player_id, TOURNAMENT_NEWS(told))
