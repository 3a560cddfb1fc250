"""Renders table events as sentences for a terminal."""

from typing import Final

from casino.client import texts
from casino.client.http_api import Rejected, TableTerms, Wallet
from casino.client.table_connection import TableConnection
from casino.client.texts import Payload
from casino.money import format_amount

HELP: Final = (
    "b 5 bets ANTE 5 (BLIND is the same), b 5 1 also TRIPS 1, b 0 takes all back; "
    "4 3 2 1 PLAY, c CHECK, f FOLD; ? help, q leave"
)


class Renderer:
    def __init__(
        self, terms: TableTerms, wallet: Wallet, connection: TableConnection, *, symbols: bool, colours: bool
    ) -> None:
        self.currency: Final = wallet.currency
        self.balance = wallet.balance
        self._terms = terms
        self._connection = connection
        self._symbols = symbols
        self._colours = colours
        self._last_round: tuple[object, ...] = ()
        self._decision: tuple[object, ...] = ()
        self._had_bet_in: str | None = None

    def amount(self, minor: int) -> str:
        return format_amount(minor, self.currency)

    def welcome(self) -> list[str]:
        return [
            f"{self._terms.name}: {self._limits()}",
            f"You are {self._connection.member.name}, balance {self.amount(self.balance)} {self.currency}",
            HELP,
        ]

    def refusal(self, refusal: Rejected) -> str:
        """The service's sentence; about limits our own, which speaks in major units."""
        is_about_limits = refusal.code in ("below_minimum", "above_maximum")
        return f"This table takes {self._limits()}" if is_about_limits else refusal.message

    def _limits(self) -> str:
        limits = {name: self.amount(minor) for name, minor in self._terms.limits.items()}
        ante = f"ANTE {limits['ante_min']} to {limits['ante_max']}"
        return f"{ante}, TRIPS {limits['trips_min']} to {limits['trips_max']}"

    def render(self, event: str, payload: Payload) -> list[str]:
        match event:
            case "joined":
                return [*self._returned_bet(), *self._round(payload["round"]), *self._seat(payload["seat"])]
            case "round":
                return self._round(payload)
            case "seat":
                return self._seat(payload)
            case "result":
                return texts.result(payload, self.amount)
            case "balance":
                self.balance = payload["balance"]
            case "chat":
                return [f"{payload['from']}: {payload['text']}"]
            case "notice":
                return [payload["text"]]
            case "lost":
                self._had_bet_in = self._connection.round.get("round_id") if self._has_open_bet() else None
                return ["Connection lost. Connecting again …"]
            case "moved":
                return ["You have taken this seat elsewhere; it is no longer played from here"]
            case "gone":
                return [payload["message"]]
        return []

    def _has_open_bet(self) -> bool:
        is_betting = self._connection.round.get("phase") == "betting"
        return is_betting and bool(self._connection.seat.get("bets", {}).get("ante"))

    def _returned_bet(self) -> list[str]:
        before, self._had_bet_in = self._had_bet_in, None
        if before is None or self._connection.seat.get("bets", {}).get("ante"):
            return []
        return ["Bet returned: you were disconnected while betting was open"]

    def _round(self, round_: Payload) -> list[str]:
        state = (round_["round_id"], round_["phase"])
        if state == self._last_round:
            return []
        is_joining, self._last_round = not self._last_round, state
        match round_["phase"]:
            case "idle":
                return ["Waiting for the next round" if is_joining else "No bets; the next round begins soon"]
            case "betting":
                return [f"Round {round_['game_number']}. Betting is open{self._time()}"]
            case "dealing_hole":
                players = round_["players"]
                return [f"Betting closed. {players} player{'' if players == 1 else 's'} in this round"]
            case "showdown":
                return ["No more decisions"]
            case "settled":
                return [*self._board(round_), f"Dealer {self._cards(round_['dealer_cards'])}", texts.dealer(round_)]
        return self._board(round_) if round_["phase"].startswith("deciding_") else []

    def _board(self, round_: Payload) -> list[str]:
        seat = self._connection.seat
        hole = round_["player_cards"] or (seat.get("player_cards") or [])
        shown = round_["player_hand"] or seat.get("hand")
        board = f"  Board {self._cards(round_['board'])}" if round_["board"] else ""
        lines = [f"You {self._cards(hole)}{board}"] if hole else []
        return [*lines, f"You have {texts.hand(shown)}"] if shown and hole else [*lines]

    def _seat(self, seat: Payload) -> list[str]:
        if not seat.get("round_id"):
            return []
        automatic = seat["automatic"]
        state = (seat["round_id"], seat["decision"], automatic, tuple(seat["options"]))
        if state == self._decision:
            return []
        before, self._decision = self._decision, state
        lines = []
        if automatic and before[:3] != state[:3]:
            lines.append(texts.AUTOMATIC[automatic])
        if seat["options"]:
            options = (texts.option(action, seat["bets"]["ante"], self.amount) for action in seat["options"])
            lines.append(f"Decide{self._time()}: {', '.join(options)}")
        return lines

    def _cards(self, names: list[str]) -> str:
        return texts.cards(names, symbols=self._symbols, colours=self._colours)

    def _time(self) -> str:
        left = self._connection.seconds_left()
        return "" if left is None else f" for {left:.0f} s"

    def status(self) -> str:
        """Returns the status line at the bottom of a terminal."""
        left = self._connection.seconds_left()
        phase = str(self._connection.round.get("phase", "")).replace("_", " ")
        bets = self._connection.seat.get("bets") or {}
        parts = [
            "paused" if self._connection.round.get("paused") else phase,
            "" if left is None else f"{left:.0f} s",
            f"balance {self.amount(self.balance)}",
            f"bet {self.amount(sum(bets.values()))}" if any(bets.values()) else "",
        ]
        return " · ".join(part for part in parts if part)
