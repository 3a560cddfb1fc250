"""Everything a table says, in the order it happened: to everybody, to one player, to the host consoles."""

from collections.abc import Sequence
from typing import Final

from casino.settings import TableSettings
from casino.table import news
from casino.table.bookkeeping import Bookkeeper
from casino.table.messages import Outlet, Payload
from casino.table.presence import Presence
from casino.uth.events import Event, RoundCancelled, RoundPaused, RoundResumed
from casino.uth.state import Round
from casino.uth.views import host_view, idle_view, public_view, seat_view

_NO_BETS: Final = {"ante": 0, "blind": 0, "trips": 0, "play": 0}


class TownCrier:
    """Numbers what everybody hears, so that a listener notices when something was missed."""

    def __init__(self, settings: TableSettings, bookkeeper: Bookkeeper, outlet: Outlet, presence: Presence) -> None:
        self._settings = settings
        self._bookkeeper = bookkeeper
        self._outlet = outlet
        self._presence = presence
        self._seq = 0
        self._told_table: Payload = {}

    def table_view(self, round_: Round | None, *, is_open: bool, presenter: str | None) -> Payload:
        return {
            "table_id": self._settings.id,
            "status": "open" if is_open else "closed",
            "presenter": presenter,
            "players": len(self._presence.here),
            "in_round": len(round_.seats) if round_ else 0,
            "left_to_decide": round_.unanswered if round_ and round_.is_deciding else 0,
            "limits": self._settings.limits.model_dump(),
        }

    def round_payload(self, round_: Round | None, now_ms: int) -> Payload:
        if round_:
            view = public_view(round_, self._presence.names)
        else:
            view = idle_view(self._settings.id) | ({"seats": []} if self._settings.hands == "own" else {})
        return view | {"seq": self._seq, "server_time": now_ms}

    def host_payload(self, round_: Round | None, presenter: str | None, now_ms: int) -> Payload:
        if round_ is None:
            view: Payload = {"table_id": self._settings.id, "expects": None, "totals": _NO_BETS, "seats": []}
        else:
            view = host_view(round_, self._presence.names)
        return view | {"round": self.round_payload(round_, now_ms), "tips": 0, "presenter": presenter}

    async def snapshot(self, round_: Round | None, player_id: str, table: Payload, now_ms: int) -> Payload:
        """All a player needs to go on from here, in any phase."""
        balance = (await self._bookkeeper.balances([player_id])).get(player_id)
        available = balance.available if balance else 0
        seat = seat_view(round_, player_id, available) if round_ else _no_seat(self._settings.id)
        seat["seat_no"] = self._presence.seat_of.get(player_id)
        return {"round": self.round_payload(round_, now_ms), "seat": seat, "table": table}

    def tell_table(self, view: Payload, round_: Round | None, now_ms: int) -> None:
        """Status and counts; the consoles see with them what lies on each spot."""
        if view != self._told_table:
            self._told_table = view
            self._outlet.to_table("table", view)
        self._outlet.to_hosts("host", self.host_payload(round_, view["presenter"], now_ms))

    def tell_round(self, round_: Round, presenter: str | None, now_ms: int) -> None:
        self._seq += 1
        self._outlet.to_table("round", self.round_payload(round_, now_ms))
        self._outlet.to_hosts("host", self.host_payload(round_, presenter, now_ms))

    async def tell(
        self, before: Round, round_: Round, events: Sequence[Event], presenter: str | None, now_ms: int
    ) -> None:
        """What has just been stored."""
        if news.is_for_everybody(events):
            self.tell_round(round_, presenter, now_ms)
        for event in events:
            self._tell_notice(event)
        concerned = news.concerned(before, round_, events)
        if not concerned:
            return
        balances = await self._bookkeeper.balances(concerned)
        available = {player_id: balance.available for player_id, balance in balances.items()}
        for player_id, seat in news.seat_news(round_, concerned, available).items():
            seat["seat_no"] = self._presence.seat_of.get(player_id)
            self._outlet.to_player(player_id, "seat", seat)
        if news.is_ended(events):
            totals = {player_id: balance.balance for player_id, balance in balances.items()}
            for player_id, result in news.result_news(round_, totals).items():
                self._outlet.to_player(player_id, "result", result)
        for player_id, balance in balances.items():
            payload = {"balance": balance.balance, "available": balance.available}
            self._outlet.to_player(player_id, "balance", payload)

    def _tell_notice(self, event: Event) -> None:
        match event:
            case RoundPaused():
                text = f"The round is paused: {event.reason} Your bets are safe. Incident {event.incident_id}."
                self._notice("warning", "table_paused", text, event.at_ms)
            case RoundResumed():
                self._notice("info", "resumed", "The round goes on, with full time to decide.", event.at_ms)
            case RoundCancelled():
                text = f"The round is cancelled and every bet refunded. Incident {event.incident_id}."
                self._notice("warning", "round_cancelled", text, event.at_ms)

    def _notice(self, level: str, code: str, text: str, at_ms: int) -> None:
        """By a pop-up, and in the chat, where it can be read again."""
        table_id = self._settings.id
        notice = {"table_id": table_id, "level": level, "code": code, "text": text}
        chat = {"table_id": table_id, "from": self._settings.name, "role": "table", "text": text, "at": at_ms}
        for event, payload in (("notice", notice), ("chat", chat)):
            self._outlet.to_table(event, payload)
            self._outlet.to_hosts(event, payload)


def _no_seat(table_id: str) -> Payload:
    """A seat at a table where no round has begun."""
    nothing: Payload = dict.fromkeys(("round_id", "decision", "automatic", "covers_4x", "hand"))
    return {"table_id": table_id, "bets": _NO_BETS, "options": [], "player_cards": []} | nothing
