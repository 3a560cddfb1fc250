"""Renders poker events as sentences for a terminal."""

from collections.abc import Iterator
from typing import Final

from casino.client import texts
from casino.client.http_api import Payload
from casino.money import format_amount

HELP: Final = (
    "f fold, c check or call, r 2.50 bet or raise to 2.50, a all-in, b 5.00 buy chips for 5.00, "
    "s sit out or come back, l leave after the hand, ? help, q quit"
)
_GONE: Final = {
    "left": "You have left the table",
    "removed": "You sat out for too long and have left the table. Your chips are back in your account",
    "no_chips": "You have left the table, because you had no chips",
    "excluded": "You have left the table. Your chips are back in your account",
    "not_bought_in": "The seat is given to another player",
    "table_closed": "This table closes. You get a seat at another one, with all your chips",
}
_ACTED: Final = {"fold": "folds", "check": "checks", "call": "calls {paid}", "raise_to": "bets {to}"}
_AUTOMATIC: Final = {"clock": "time is over", "line": "connection lost", "sitting_out": "sitting out", "left": "left"}


class PokerRenderer:
    def __init__(self, currency: str, *, symbols: bool, colours: bool) -> None:
        self._currency = currency
        self._symbols = symbols
        self._colours = colours
        self._names: dict[int, str] = {}
        self._own: int | None = None
        self._cards: tuple[str, list[str]] = ("", [])
        self._last_seat: tuple[object, ...] = ()
        self.options: Payload | None = None
        """Renders the player's own turn while it lasts."""

    def amount(self, minor: int) -> str:
        return format_amount(minor, self._currency)

    def cards(self, names: list[str]) -> str:
        return texts.cards(names, symbols=self._symbols, colours=self._colours)

    def render(self, event: str, payload: Payload) -> list[str]:
        return list(self._lines(event, payload))

    def _lines(self, event: str, payload: Payload) -> Iterator[str]:
        match event:
            case "joined":
                yield from self._joined(payload)
            case "hand":
                yield from self._hand(payload)
            case "step":
                yield from self._step(payload)
            case "cards" if (payload["hand_id"], payload["cards"]) != self._cards:
                self._own = payload["seat_no"]
                self._cards = (payload["hand_id"], payload["cards"])
                yield f"Your cards: {self.cards(payload['cards'])}"
            case "options":
                yield from self._options(payload)
            case "hand_over":
                sign = "+" if payload["net"] > 0 else ""
                yield f"Your result: {sign}{self.amount(payload['net'])}; stack {self.amount(payload['stack'])}"
            case "seat":
                yield from self._seat(payload)
            case "notice" | "chat":
                yield payload["text"]
            case "lost":
                yield "Connection lost; trying again"
            case "moved":
                yield "Another device of yours has the seat now"
            case "gone":
                yield payload["message"]

    def _seat(self, seat: Payload) -> Iterator[str]:
        """Says what has changed about the player's seat, and what to do."""
        earlier, self._last_seat = self._last_seat, self._place(seat)
        if earlier == self._last_seat:
            return
        match seat["state"]:
            case "queued":
                yield f"In the queue at place {seat['place']}; {seat['missing']} more open a table"
            case "sitting_out":
                yield "You sit out. Type s to come back; else you leave the table after some minutes"
            case "waiting" if seat["until"] is not None and not seat["stack"] and seat["min"]:
                least, most = self.amount(seat["min"]), self.amount(seat["max"])
                yield f"You have no chips. b {least} to b {most} buys more; else you leave the table in a moment"
            case "waiting" if seat["owes"]:
                yield "You wait for the next hand"
            case "gone":
                yield _GONE.get(seat["reason"], "You have no seat any more")

    def _place(self, seat: Payload) -> tuple[object, ...]:
        is_broke = seat["until"] is not None and not seat["stack"]
        return seat["state"], seat["table_id"], seat["place"], seat["missing"], is_broke, seat["reason"]

    def _joined(self, snapshot: Payload) -> Iterator[str]:
        table, seat = snapshot["table"], snapshot["seat"]
        self._own = seat["seat_no"]
        blinds = f"{self.amount(table['blinds']['sb'])}/{self.amount(table['blinds']['bb'])}"
        stack = self.amount(seat["stack"])
        yield f"Table {table['name']}, blinds {blinds}: you have seat {seat['seat_no']} with {stack}"
        if snapshot["hand"] and snapshot["hand"]["status"] == "playing":
            yield from self._hand(snapshot["hand"])
        if snapshot["cards"]:
            yield from self._lines("cards", snapshot["cards"])
        if snapshot["options"]:
            yield from self._options(snapshot["options"])

    def _hand(self, hand: Payload) -> Iterator[str]:
        self.options = None
        self._names = {seat["seat_no"]: self._named(seat) for seat in hand["seats"]}
        stacks = ", ".join(f"{self._named(seat)} {self.amount(seat['start'])}" for seat in hand["seats"])
        yield ""
        yield f"Hand {hand['number']}, button {self._names.get(hand['positions']['button'], 'empty')}: {stacks}"
        if hand["board"]:
            yield f"Board: {self.cards(hand['board'])}"

    def _named(self, seat: Payload) -> str:
        return f"{seat['name']} (you)" if seat["seat_no"] == self._own else str(seat["name"])

    def _step(self, step: Payload) -> Iterator[str]:
        name = self._names.get(step.get("seat", 0), "")
        match step["kind"]:
            case "acted":
                amounts = {what: self.amount(step[what]) for what in ("paid", "to")}
                text = _ACTED[step["action"]].format(**amounts)
                why = f" ({_AUTOMATIC[step['automatic']]})" if "automatic" in step else ""
                yield f"{name} {text}{' and is all-in' if step['all_in'] else ''}{why}"
            case "board":
                yield f"{step['street'].upper()}: {self.cards(step['cards'])}, pot {self.amount(step['pot'])}"
            case "shown":
                held = f": {texts.hand(step['hand'])}" if step["hand"] else ""
                yield f"{name} shows {self.cards(step['cards'])}{held}"
            case "uncalled":
                yield f"{self.amount(step['amount'])} goes back to {name}"
            case "pot":
                for won in step["award"]["winners"]:
                    yield f"{self._names.get(won['seat'], '')} wins {self.amount(won['amount'])}"
            case "void":
                yield "The hand was rolled back: all stacks are as at its start"

    def _options(self, options: Payload) -> Iterator[str]:
        """Said once for a decision, although its times may change."""
        before, self.options = self.options, options if options["turn"] is not None else None
        if self.options is None or (before is not None and _decision(before) == _decision(options)):
            return
        parts = ["c = check" if options["check"] else f"c = call {self.amount(options['call']['amount'])}"]
        if options["raise"]:
            least, most = self.amount(options["raise"]["min"]), self.amount(options["raise"]["max"])
            parts.append(f"r = {least} to {most}")
        yield f"Your turn: {', '.join(parts)}, f = fold"


def _decision(options: Payload) -> tuple[object, object]:
    return options["hand_id"], options["turn"]
