"""Simulated players on one selector: they bet, decide, chat and reconnect with human timing, and everything is timed.

Broadcasts are the same bytes for everybody, so each is read once and then only recognised.
"""

import heapq
import re
import select
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import orjson

from benchmarks.load.client import Client, RoundResult
from benchmarks.load.service import TABLE_ID, Guest
from casino.bots.core import BotCore, Habits
from casino.uth.phases import OFFERED, Phase

_ACK = re.compile(rb"43/table,(\d+)\[(.*)\]", re.DOTALL)
_RESULT = re.compile(rb'"round_id":"([^"]+)".*"staked":(\d+),"returned":(\d+).*"balance":(\d+)', re.DOTALL)
_CODE = re.compile(rb'"code":"([a-z_]+)"')
_PATIENCE_SECONDS = 1.0
_DIALLED_TOGETHER = 50
"""Connecting waits for the server: those who are connected already must be answered in between."""
HABITS = Habits(
    stakes=((100, 100), (200, 200), (500, 0), (1000, 0)),
    play_rates={Phase.DECIDING_PREFLOP: 0.4, Phase.DECIDING_FLOP: 0.3, Phase.DECIDING_RIVER: 0.7},
    silence=0.1,
    thinking=(0.02, 0.85),
)
_AT = f'"table_id":"{TABLE_ID}"'


@dataclass
class RoundEvent:
    """One `round` event, and the number of clients that received it."""

    seq: int
    phase: str
    round_id: str
    deadline_ms: int | None
    server_ms: int
    last: float = 0.0  # by the wall clock, as the server's
    received: int = 0


@dataclass
class Measures:
    acks: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    events: list[RoundEvent] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    settled: dict[str, float] = field(default_factory=dict)  # by round: wall time of the last `result`
    results: Counter[str] = field(default_factory=Counter)  # by round


class Crowd:
    def __init__(self, port: int, guests: list[Guest], *, chat_rate: float, come_back_rate: float) -> None:
        self.measures = Measures()
        self._port = port
        self._chat_rate = chat_rate
        self._come_back_rate = come_back_rate
        self._wall = time.time() - time.monotonic()
        self._chance = Random(7)  # noqa: S311  players, not cards
        self.clients = [Client(guest.id, guest.token, BotCore(HABITS, self._chance)) for guest in guests]
        self._poll = select.epoll()
        self._of: dict[int, Client] = {}
        self._due: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = 0
        self._known: dict[bytes, RoundEvent] = {}
        self._joining = 0
        self._is_playing = True
        self.rounds_over = 0

    # Coming and going

    def come(self, clients: list[Client], at_once: int = 100) -> None:
        """Joins all clients, a limited number at a time; returns once all have joined."""
        waiting = list(reversed(clients))
        while waiting or self._joining:
            for _ in range(min(len(waiting), at_once - self._joining, _DIALLED_TOGETHER)):
                self._connect(waiting.pop())
            self.step(0.0 if waiting and self._joining < at_once else 0.05)

    def storm(self, clients: list[Client]) -> float:
        """All are cut off at once and come back as fast as they can; the seconds until the last one sits again."""
        self._is_playing = False  # no bets while rejoining is measured
        for client in clients:
            self.lose(client)
        began = time.monotonic()
        self.come(clients, at_once=len(clients))
        return time.monotonic() - began

    def rest(self, seconds_max: float = 30.0) -> int:
        """Stops all play and waits for answers and results on their way; returns how many answers never came.

        The service sends `settled` to all players before it sends each one a result. Under load seconds pass between
        them, so a result that has not arrived yet is no result that was not sent.
        """
        self._is_playing = False
        until = time.monotonic() + seconds_max
        while time.monotonic() < until and any(client.awaits or client.bet_in for client in self.clients):
            self.step(0.05)
        return sum(bool(client.awaits) for client in self.clients)

    def lose(self, client: Client) -> None:
        client.away.add(client.asked_in)
        self._poll.unregister(client.socket)
        del self._of[client.socket.fileno()]
        client.socket.close()
        client.begin()

    def leave(self) -> None:
        for client in self._of.values():
            client.socket.close()
        self._of.clear()
        self._poll.close()

    def _connect(self, client: Client) -> None:
        self._joining += 1
        self._dial(client)

    def _dial(self, client: Client) -> None:
        client.connect(self._port)
        self._of[client.socket.fileno()] = client
        self._poll.register(client.socket, select.EPOLLIN)

    # Time

    def step(self, seconds: float) -> None:
        """What is due, then what has arrived."""
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            heapq.heappop(self._due)[2](now)
        if self._due:
            seconds = min(seconds, max(0.0, self._due[0][0] - now))
        for number, _ in self._poll.poll(seconds):
            client = self._of.get(number)
            if client is not None:
                self._read(client)

    def _later(self, seconds: float, do: Callable[[float], None]) -> None:
        self._order += 1
        heapq.heappush(self._due, (time.monotonic() + seconds, self._order, do))

    # Received events

    def _read(self, client: Client) -> None:
        try:
            data = client.socket.recv(262_144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._cut_off(client)
            return
        now = time.monotonic()
        for text in client.frames(data):
            if text.startswith(b'42/table,["round"'):
                self._round(client, text, now)
            elif text.startswith(b"43/table,"):
                self._answered(client, text, now)
            elif text.startswith(b'42/table,["result"'):
                self._result(client, text)
            elif text == b"2":
                client.say(b"3")
            elif text.startswith(b"0"):
                client.say(b'40/table,{"token":"' + client.token.encode() + b'"}')
            elif text.startswith(b"40/table"):
                client.ask("join", f"{{{_AT}}}", now)
            elif text.startswith((b"44", b"41", b"1")):
                self.measures.errors["turned_away"] += 1

    def _cut_off(self, client: Client) -> None:
        self.measures.errors["cut_off"] += 1
        self._joining += client.joined
        self.lose(client)
        self._later(1.0, lambda _now: self._dial(client))  # a page tries again

    def _round(self, client: Client, text: bytes, now: float) -> None:
        sent = self._known.get(text)
        if sent is None:
            sent = self._known[text] = _read_round(orjson.loads(text[len(b"42/table,") :])[1])
            self.measures.events.append(sent)
            if len(self._known) > 50:
                del self._known[next(iter(self._known))]
            if sent.phase in ("settled", "cancelled"):
                self.rounds_over += 1
        sent.received += 1
        sent.last = now + self._wall
        if client.seen and sent.seq != client.seen + 1:
            self.measures.errors["gap"] += 1
        client.seen = sent.seq
        self._act(client, sent)

    def _answered(self, client: Client, text: bytes, now: float) -> None:
        ack = _ACK.match(text)
        assert ack, text
        what, client.awaits = client.awaits, ""
        if b'"ok":true' not in ack[2][:12]:
            code = _CODE.search(ack[2])
            self.measures.errors[f"{what}: {code[1].decode() if code else '?'}"] += 1
            return
        self.measures.acks[what].append(now - client.asked_at)
        if what == "join":
            snapshot = orjson.loads(ack[2])
            client.joined = True
            self._joining -= 1
            client.seen = snapshot["round"]["seq"]
            client.is_playing = bool(snapshot["seat"]["options"])
            client.balance = snapshot["balance"]
            client.asked_in = client.bet_in = _pending_round(snapshot)
            client.away.discard(client.bet_in)
            if not client.bet_in:
                client.core.retry()
            if snapshot["round"]["round_id"]:
                self._act(client, _read_round(snapshot["round"]))
        elif what == "bet":
            client.is_playing = True
            client.bet_in = client.asked_in

    def _result(self, client: Client, text: bytes) -> None:
        result = _RESULT.search(text)
        assert result, text
        round_id = result[1].decode()
        client.results[round_id] = RoundResult(int(result[2]), int(result[3]), int(result[4]))
        client.balance = int(result[4])
        if client.bet_in == round_id:
            client.bet_in = ""
        self.measures.results[round_id] += 1
        self.measures.settled[round_id] = time.time()
        client.is_playing = False

    # What is done

    def _act(self, client: Client, sent: RoundEvent) -> None:
        if sent.deadline_ms is None or not self._is_playing:
            return
        left = sent.deadline_ms / 1000 - time.time()
        chance = self._chance
        may_act = client.core.may_act(sent.round_id, sent.phase)
        if may_act and sent.phase == "betting":
            client.is_playing = False
            self._later(client.core.delay(left), lambda now: self._bet(client, sent, now))
        elif may_act and client.is_playing:
            self._later(client.core.delay(left), lambda now: self._decide(client, sent, now))
        if chance.random() < self._chat_rate:
            self._later(left * chance.uniform(0.1, 0.8), lambda now: self._talk(client, now))
        if sent.phase == "deciding_flop" and chance.random() < self._come_back_rate:
            self._later(left * chance.uniform(0.1, 0.5), lambda _now: self._come_back(client))

    def _bet(self, client: Client, sent: RoundEvent, now: float) -> None:
        if self._may_ask(client, now) and client.core.may_act(sent.round_id, sent.phase):
            client.core.act(sent.round_id, sent.phase)
            self.measures.asked["bet"] += 1
            ante, trips = client.core.stakes()
            client.asked_in = sent.round_id
            client.ask("bet", f'{{{_AT},"round_id":"{sent.round_id}","ante":{ante},"trips":{trips}}}', now)

    def _decide(self, client: Client, sent: RoundEvent, now: float) -> None:
        if not client.is_playing or not self._may_ask(client, now):
            return
        if client.core.may_act(sent.round_id, sent.phase):
            client.core.act(sent.round_id, sent.phase)
            action = client.core.decide(sent.phase, OFFERED[Phase(sent.phase)])
            if action is None:
                return
            client.is_playing = action == "check"
            self.measures.asked["decide"] += 1
            body = f'{{{_AT},"round_id":"{sent.round_id}","action":"{action}","phase":"{sent.phase}"}}'
            client.ask("decide", body, now)

    def _talk(self, client: Client, now: float) -> None:
        if self._may_ask(client, now):
            self.measures.asked["chat"] += 1
            client.ask("chat", f'{{{_AT},"text":"good luck {self._chance.randrange(10**9)}"}}', now)

    def _come_back(self, client: Client) -> None:
        if client.joined:
            self.measures.asked["reconnect"] += 1
            self.lose(client)
            self._connect(client)

    def _may_ask(self, client: Client, now: float) -> bool:
        """One thing at a time. Whoever has just decided and wants to talk lets it be; a long wait is an error."""
        if client.awaits and now > client.asked_at + _PATIENCE_SECONDS:
            self.measures.errors[f"{client.awaits} unanswered"] += 1
        return client.joined and not client.awaits and self._is_playing


def _pending_round(snapshot: dict[str, Any]) -> str:
    """The round the player has a bet in and gets a result of; empty without one."""
    round_ = snapshot["round"]
    is_running = round_["phase"] not in ("settled", "cancelled") and snapshot["seat"]["bets"]["ante"]
    return str(round_["round_id"]) if is_running else ""


def _read_round(view: dict[str, Any]) -> RoundEvent:
    return RoundEvent(view["seq"], view["phase"], view["round_id"], view["deadline"], view["server_time"])
