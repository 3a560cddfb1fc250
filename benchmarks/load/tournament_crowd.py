"""Simulated tournament players on one selector: they register, play where they are seated, and leave when out."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from benchmarks.load.poker_client import PokerClient
from benchmarks.load.poker_crowd import PokerCrowd
from benchmarks.load.service import Guest

_EVENT = b"42/poker,["
_ALL_IN_RATE, _CALL_RATE = 0.35, 0.4


@dataclass
class TournamentMeasures:
    """Moments by the clock of the players.

    `over` is when the last hand of a player was over, `out` when the player heard of the place, `paid` of the prize.
    """

    seated: float | None = None
    first_cards: dict[str, float] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    over: dict[str, float] = field(default_factory=dict)
    out: dict[str, float] = field(default_factory=dict)
    paid: dict[str, float] = field(default_factory=dict)
    ended: float | None = None

    @property
    def prizes(self) -> list[float]:
        """From the end of the last hand to the prize.

        Knock-outs of a synchronised hand wait for all tables by the rules; the last of them without a prize ends it.
        """
        bubble = max((at for player_id, at in self.out.items() if player_id not in self.paid), default=0.0)
        return [at - self.over[player_id] for player_id, at in self.paid.items() if self.over[player_id] > bubble]


class TournamentCrowd(PokerCrowd):
    """`is_wild`: players go all-in often, so that a large field is soon decided."""

    def __init__(self, port: int, guests: Sequence[Guest], *, think_seconds: float) -> None:
        super().__init__(port, guests, think_seconds=think_seconds)
        self.tournament = TournamentMeasures()
        self.is_wild = False
        self.is_registering = False
        self._tournament_id = ""
        self._price = 0

    @property
    def left(self) -> int:
        return len(self.clients) - len(self.tournament.places)

    def register(self, tournament_id: str, price: int, meanwhile: Callable[[], None], at_once: int = 20) -> None:
        """All players enter; returns once each has an acknowledgement. `meanwhile` is called all the time."""
        self._tournament_id, self._price = tournament_id, price
        waiting = list(reversed(self.clients))
        while waiting or self._coming:
            for _ in range(min(len(waiting), at_once - self._coming)):
                client = waiting.pop()
                self._coming += 1
                key = f"{client.id[:20]}-entry"
                client.ask("register", time.monotonic(), tournament_id=tournament_id, key=key)
            self.step(0.01)
            meanwhile()

    def set_pace(self, think_seconds: float, *, is_wild: bool) -> None:
        self._think_seconds, self.is_wild = think_seconds, is_wild

    def _ask_for_seat(self, client: PokerClient, now: float) -> None:  # noqa: ARG002  connected is all
        self._coming -= 1

    def _answered(self, client: PokerClient, text: bytes, now: float) -> None:
        what, _ = client.awaits.get(_number(text), ("", 0.0))
        if what == "register":
            self._coming -= 1
            client.net -= self._price
        elif what == "join" and b'"cards":{' in text:
            self.tournament.first_cards.setdefault(client.id, now)
        super()._answered(client, text, now)

    def _event(self, client: PokerClient, text: bytes, now: float) -> None:
        name = text[len(_EVENT) : len(_EVENT) + 18]
        if name.startswith(b'"hand_over"'):
            self.measures.events += 1
            self.tournament.over[client.id] = now
        elif name.startswith(b'"cards"'):
            self.measures.events += 1
            self.tournament.first_cards.setdefault(client.id, now)
        elif name.startswith(b'"moved_table"'):
            self.measures.events += 1
            if self.tournament.seated is None:
                self.tournament.seated = now
            self._move(client, orjson.loads(text[len(_EVENT) - 1 :])[1]["table_id"], now)
        elif name.startswith(b'"tournament_news"'):
            self.measures.events += 1
            self._hear(client, orjson.loads(text[len(_EVENT) - 1 :])[1], now)
        elif not name.startswith(b'"seat"'):
            super()._event(client, text, now)
        elif b'"sitting_out"' in text and client.table_id:
            client.ask("sit_out", now, table_id=client.table_id, when="now", on=False)

    def _move(self, client: PokerClient, table_id: str, now: float) -> None:
        client.table_id, client.seen = table_id, 0
        client.ask("join", now, table_id=table_id)

    def _hear(self, client: PokerClient, news: dict[str, Any], now: float) -> None:
        if news["tournament_id"] != self._tournament_id:
            return
        if news["kind"] in ("eliminated", "prize"):
            self.tournament.places[client.id] = news["place"]
        if news["kind"] == "prize":
            client.net += news["amount"]
            self.tournament.paid[client.id] = now
        elif news["kind"] == "eliminated":
            self.tournament.out[client.id] = now
            if client.table_id:
                client.is_leaving = True
                client.ask("leave", now, table_id=client.table_id)
                client.table_id = ""
        elif news["kind"] == "finished":
            self.tournament.ended = now

    def _act(self, client: PokerClient, options: dict[str, Any], now: float) -> None:
        if not self.is_wild:
            super()._act(client, options, now)
            return
        if client.turn != (options["hand_id"], options["turn"]) or client.socket.fileno() not in self._of:
            return
        lot, raising = self._chance.random(), options["raise"]
        at = {name: options[name] for name in ("table_id", "hand_id", "turn")}
        self._acting[options["table_id"]] = now
        if raising and lot < _ALL_IN_RATE:
            client.ask("act", now, **at, action="raise_to", amount=raising["max"])
        elif options["check"]:
            client.ask("act", now, **at, action="check")
        else:
            client.ask("act", now, **at, action="call" if lot < _CALL_RATE else "fold")


def _number(acknowledgement: bytes) -> int:
    """Of the request that is acknowledged."""
    return int(acknowledgement[len(b"43/poker,") : acknowledgement.index(b"[")])
