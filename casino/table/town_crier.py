"""Everything a table says, in the order it happened: to everybody, to one player, to the host consoles."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from casino.ledger.book import Balance
from casino.settings import TableSettings
from casino.table import news
from casino.table.bookkeeping import Bookkeeper, Handled
from casino.table.console import Console
from casino.table.messages import News, Outlet, Payload
from casino.table.presence import Presence
from casino.table.shift import Shift
from casino.uth.events import Event, RoundCancelled, RoundContinued, RoundPaused, RoundResumed
from casino.uth.results import results
from casino.uth.settlement import SeatResult
from casino.uth.state import Round
from casino.uth.views import host_view, idle_view, public_view, seat_view

_NO_BETS: Final = {"ante": 0, "blind": 0, "trips": 0, "play": 0}
_TOLD_AT_ONCE: Final = 250
"""Other tables have their turn before the next so many are told."""
_COUNTS: Final = ("players", "in_round", "left_to_decide")
_COUNTED_MS_PER_PLAYER: Final = 0.5
"""Counts are written to everybody: the fuller a table is, the more rarely, so that they cost it no more than before."""

_RESEATED: Final = {
    "seat_lost": "You have not bet for some rounds and others were waiting, so your seat was given to them. "
    "You get the next one that is free.",
    "seat_found": "A seat is free, and it is yours.",
}


class TownCrier:
    """Numbers what everybody hears, so that a listener notices when something was missed."""

    def __init__(
        self, settings: TableSettings, bookkeeper: Bookkeeper, outlet: Outlet, presence: Presence, console: Console
    ) -> None:
        self._settings = settings
        self._console = console
        self._bookkeeper = bookkeeper
        self._outlet = outlet
        self._presence = presence
        self._seq = 0
        self._told_table: Payload = {}
        self._told_table_ms = 0
        # Stored, but not told to all concerned; the set grows as they hear it.
        self._untold: list[tuple[Round, Handled, Sequence[Event], set[str]]] = []

    @property
    def is_behind(self) -> bool:
        """Something that is stored has not been told to all it concerns: the database failed in between."""
        return bool(self._untold)

    def table_view(self, round_: Round | None, *, is_open: bool, presenter: str | None) -> Payload:
        return {
            "table_id": self._settings.id,
            "status": "open" if is_open else "closed",
            "presenter": presenter,
            "players": len(self._presence.here),
            "in_round": len(round_.seats) if round_ else 0,
            "left_to_decide": round_.unanswered if round_ and round_.is_deciding else 0,
            "limits": self._console.settings.limits.model_dump(),
        }

    def round_payload(self, round_: Round | None, now_ms: int) -> Payload:
        if round_:
            view = public_view(round_, self._presence.names)
        else:
            view = idle_view(self._settings.id) | ({"seats": []} if self._settings.hands == "own" else {})
        return view | {"seq": self._seq, "server_time": now_ms}

    def host_payload(self, round_: Round | None, shift: Shift, now_ms: int) -> Payload:
        if round_ is None:
            nothing: Payload = {"expects": None, "totals": _NO_BETS, "seats": [], "showdown": []}
            view = {"table_id": self._settings.id} | nothing
        else:
            view = host_view(round_, self._presence.names)
        on_shift = {
            "status": "open" if shift.is_open else "closed",
            "presenter": shift.presenter,
            "tips": shift.tips,
            "play_tips": shift.play_tips,
            "is_opening": shift.wants_round,
            "left_to_decide": round_.unanswered if round_ and round_.is_deciding else 0,
            "confirm_until": round_.due_ms if round_ and round_.is_street_complete else None,
        }
        return view | {"round": self.round_payload(round_, now_ms)} | on_shift | self._console.view(round_)

    def snapshot(
        self, round_: Round | None, player_id: str, balance: Balance | None, table: Payload, now_ms: int
    ) -> Payload:
        """All a player needs to go on from here, in any phase."""
        available = balance.available if balance else 0
        seat = seat_view(round_, player_id, available) if round_ else _no_seat(self._settings.id)
        seat["seat_no"] = self._presence.seat_of.get(player_id)
        money = {"balance": balance.balance if balance else 0, "available": available}
        return {"round": self.round_payload(round_, now_ms), "seat": seat, "table": table, **money}

    def tell_table(self, view: Payload, round_: Round | None, shift: Shift, now_ms: int) -> bool:
        """Status and counts, and whether everybody knows them now; the consoles see what lies on each spot."""
        self.tell_hosts(round_, shift, now_ms)
        are_counts_due = now_ms >= self._told_table_ms + _COUNTED_MS_PER_PLAYER * len(self._presence.here)
        if not are_counts_due and _but_counts(view) == _but_counts(self._told_table):
            return view == self._told_table
        if view != self._told_table:
            self._told_table, self._told_table_ms = view, now_ms
            self._outlet.to_table("table", view)
        return True

    def tell_round(self, round_: Round, shift: Shift, now_ms: int) -> None:
        self._seq += 1
        self._outlet.to_table("round", self.round_payload(round_, now_ms))
        self.tell_hosts(round_, shift, now_ms)

    def tell_hosts(self, round_: Round | None, shift: Shift, now_ms: int) -> None:
        if self._outlet.are_hosts_watching:
            self._outlet.to_hosts("host", self.host_payload(round_, shift, now_ms))

    def tell(self, before: Round, handled: Handled, events: Sequence[Event], shift: Shift, now_ms: int) -> None:
        """What has just been stored, to everybody; `tell_each` owes it to those it concerns from now on."""
        self._untold.append((before, handled, events, set()))
        if news.is_for_everybody(events):
            self.tell_round(handled.round, shift, now_ms)
        for event in events:
            self._tell_notice(event)

    async def tell_each(self) -> None:
        """The same, in its order, to those whose own seat or money it has changed, once."""
        while self._untold:
            await self._tell_concerned(*self._untold[0])
            del self._untold[0]

    async def _tell_concerned(self, before: Round, handled: Handled, events: Sequence[Event], told: set[str]) -> None:
        round_ = handled.round
        concerned = [one for one in news.concerned(before, round_, events) if one not in told]
        if not concerned:
            return
        moved, ended = news.moves_money(events), news.results_of(round_, events)
        for start in range(0, len(concerned), _TOLD_AT_ONCE):
            players = concerned[start : start + _TOLD_AT_ONCE]
            await self._tell_seats(round_, players, handled, ended, moved=moved)
            told.update(players)

    async def _tell_seats(
        self, round_: Round, players: Sequence[str], handled: Handled, ended: Mapping[str, SeatResult], *, moved: bool
    ) -> None:
        """Balances are read as late as can be: where thousands are told, a deposit may be made in between."""
        known = handled.balances
        balances = await self._bookkeeper.balances(players) if known is None else {one: known[one] for one in players}
        seats = self._seats(round_, balances)
        for player_id, balance in balances.items():
            told: list[News] = [("seat", seats[player_id])]
            if player_id in ended:
                told.append(("result", news.result_news(round_, ended[player_id], balance.balance)))
            if moved:
                told.append(_balance(balance))
            self._outlet.to_player(player_id, *told)

    async def tell_corrected(
        self, before: Round, round_: Round, shift: Shift, now_ms: int, *, is_last: bool
    ) -> Payload:
        """A round that was settled long ago is no news for the table, but for those who played it."""
        if is_last:
            self.tell_round(round_, shift, now_ms)
        balances = await self._bookkeeper.balances(sorted(before.seats))
        text = f"Round {round_.game_number} has been corrected by the house. Your balance is up to date."
        notice = {"table_id": round_.table_id, "level": "info", "code": "round_corrected", "text": text}
        for player_id, result in results(round_).items():
            balance = balances[player_id]
            told = news.result_news(round_, result, balance.balance)
            self._outlet.to_player(player_id, ("result", told), ("notice", notice), _balance(balance))
        return {
            player_id: {"balance": balance.balance, "available": balance.available}
            for player_id, balance in balances.items()
        }

    async def tell_spent(self, round_: Round | None, player_id: str) -> None:
        """A player has spent something beside the game: that may also change what can be bet."""
        balances = await self._bookkeeper.balances([player_id])
        seats = self._seats(round_, balances) if round_ and player_id in round_.seats else {}
        for concerned, balance in balances.items():
            told: list[News] = [("seat", seats[concerned])] if seats else []
            self._outlet.to_player(concerned, *told, _balance(balance))

    def tell_reseated(self, round_: Round | None, players: Iterable[str]) -> None:
        """Those who had to make room, and those who have a seat now: none of them is in the round."""
        for player_id in players:
            seat_no = self._presence.seat_of.get(player_id)
            code = "seat_lost" if seat_no is None else "seat_found"
            notice = {"table_id": self._settings.id, "level": "info", "code": code, "text": _RESEATED[code]}
            seat = seat_view(round_, player_id, 0) if round_ else _no_seat(self._settings.id)
            seat["seat_no"] = seat_no
            self._outlet.to_player(player_id, ("seat", seat), ("notice", notice))

    def _seats(self, round_: Round, balances: Mapping[str, Balance]) -> dict[str, Payload]:
        available = {player_id: balance.available for player_id, balance in balances.items()}
        seats = news.seat_news(round_, balances, available)
        for player_id, seat in seats.items():
            seat["seat_no"] = self._presence.seat_of.get(player_id)
        return seats

    def tell_interrupted(self, now_ms: int) -> None:
        text = "The house can store nothing at the moment. Your bets are safe, and nobody's time runs out."
        self._notice("warning", "interrupted", text, now_ms)

    def _tell_notice(self, event: Event) -> None:
        match event:
            case RoundPaused():
                text = f"The round is paused: {event.reason} Your bets are safe. Incident {event.incident_id}."
                self._notice("warning", "table_paused", text, event.at_ms)
            case RoundResumed() | RoundContinued():
                self._notice("info", "resumed", "The round goes on, with full time to decide.", event.at_ms)
            case RoundCancelled():
                text = f"The round is cancelled and every bet refunded. Incident {event.incident_id}."
                self._notice("warning", "round_cancelled", text, event.at_ms)

    def _notice(self, level: str, code: str, text: str, at_ms: int) -> None:
        """By a pop-up, and in the chat, where it can be read again."""
        table_id = self._settings.id
        notice = {"table_id": table_id, "level": level, "code": code, "text": text}
        self._outlet.to_table("notice", notice)
        self._outlet.to_hosts("notice", notice)
        self._outlet.to_chat(code, text, at_ms)


def _balance(balance: Balance) -> News:
    return "balance", {"balance": balance.balance, "available": balance.available}


def _but_counts(table: Payload) -> Payload:
    return {name: told for name, told in table.items() if name not in _COUNTS}


def _no_seat(table_id: str) -> Payload:
    """A seat at a table where no round has begun."""
    nothing: Payload = dict.fromkeys(("round_id", "decision", "automatic", "covers_4x", "hand"))
    return {"table_id": table_id, "bets": _NO_BETS, "options": [], "player_cards": []} | nothing
