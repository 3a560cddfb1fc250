"""Simulated poker players on one selector: they get seats, act with human timing or at once, and everything is timed.

Events of a table are the same bytes for all that receive them, so each is read once and then only recognised.
"""

import heapq
import re
import select
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import orjson

from benchmarks.load.poker_client import PokerClient
from benchmarks.load.poker_service import BUY_IN, POOL
from benchmarks.load.service import Guest

_ACK = re.compile(rb"43/poker,(\d+)\[(.*)\]", re.DOTALL)
_SEQ = re.compile(rb'"seq":(\d+)')
_TABLE = re.compile(rb'"table_id":"([^"]+)"')
_OVER = re.compile(rb'"net":(-?\d+)')
_CODE = re.compile(rb'"code":"([a-z_]+)"')
_EVENT = b"42/poker,["
_KNOWN_MAX = 20_000
_DIALLED_TOGETHER = 50
LATE = frozenset({"stale_round", "too_late", "not_your_turn", "not_in_round"})
"""Expected refusals: the hand continued while the answer was on its way."""
_RAISE_RATE, _FOLD_RATE = 0.08, 0.25


@dataclass(slots=True)
class HandEvent:
    """One `hand` or `step`, when its action was sent, and when the last listener received it."""

    seq: int
    table_id: str
    is_hand: bool
    is_settled: bool
    acted: float | None
    last: float = 0.0


@dataclass
class Measures:
    acks: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sent: list[HandEvent] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    late: Counter[str] = field(default_factory=Counter)
    settled: int = 0
    events: int = 0

    @property
    def received(self) -> list[float]:
        """From sending an action to the last listener."""
        return [event.last - event.acted for event in self.sent if event.acted is not None]


class PokerCrowd:
    """`think_seconds` is the mean time before a decision; 0 answers at once."""

    def __init__(self, port: int, guests: Sequence[Guest], *, think_seconds: float, seed: int = 7) -> None:
        self.measures = Measures()
        self._port = port
        self._think_seconds = think_seconds
        self._chance = Random(seed)  # noqa: S311  players, not cards
        self.clients = [PokerClient(guest.id, guest.token) for guest in guests]
        self._poll = select.epoll()
        self._of: dict[int, PokerClient] = {}
        self._due: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = 0
        self._known: dict[bytes, HandEvent] = {}
        self._acting: dict[str, float] = {}  # by table: when the last action was sent
        self._coming = 0
        self._is_playing = True

    # Coming and going

    def come(self, at_once: int = 100) -> None:
        """All players request a seat; returns once each has one or waits in the queue."""
        waiting = list(reversed(self.clients))
        while waiting or self._coming:
            for _ in range(min(len(waiting), at_once - self._coming, _DIALLED_TOGETHER)):
                self._dial(waiting.pop())
            self.step(0.0 if waiting and self._coming < at_once else 0.05)

    def rest(self, seconds_max: float = 60.0) -> None:
        """Everybody leaves: those in a hand fold, and go when it is over."""
        self._is_playing = False
        for client in self.clients:
            client.is_leaving = True
            if client.table_id:
                client.ask("leave", time.monotonic(), table_id=client.table_id)
            else:
                client.ask("leave_pool", time.monotonic(), pool=POOL)
        until = time.monotonic() + seconds_max
        while time.monotonic() < until and any(client.table_id or client.awaits for client in self.clients):
            self.step(0.05)
        self.measures.errors["unanswered"] += sum(bool(client.awaits) for client in self.clients)
        self.measures.errors["still at a table"] += sum(bool(client.table_id) for client in self.clients)
        self.measures.errors += Counter()  # drops what is zero

    def close(self) -> None:
        for client in self._of.values():
            client.socket.close()
        self._of.clear()
        self._poll.close()

    def _dial(self, client: PokerClient) -> None:
        self._coming += 1
        client.connect(self._port)
        self._of[client.socket.fileno()] = client
        self._poll.register(client.socket, select.EPOLLIN)

    # Time

    def play(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.step(min(left, 0.05))

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

    # Received events

    def _read(self, client: PokerClient) -> None:
        try:
            data = client.socket.recv(262_144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.measures.errors["cut off"] += 1
            self._poll.unregister(client.socket)
            del self._of[client.socket.fileno()]
            client.socket.close()
            client.table_id, client.awaits = "", {}
            return
        now = time.monotonic()
        for text in client.frames(data):
            if text.startswith(_EVENT):
                self._event(client, text, now)
            elif text.startswith(b"43/poker,"):
                self._answered(client, text, now)
            elif text == b"2":
                client.say(b"3")
            elif text.startswith(b"0"):
                client.say(b'40/poker,{"token":"' + client.token.encode() + b'"}')
            elif text.startswith(b"40/poker"):
                self._ask_for_seat(client, now)
            elif text.startswith((b"44", b"41", b"1")):
                self.measures.errors["turned away"] += 1

    def _event(self, client: PokerClient, text: bytes, now: float) -> None:
        self.measures.events += 1
        name = text[len(_EVENT) + 1 : len(_EVENT) + 5]
        if name in (b"step", b"hand") and not text.startswith(b'"hand_over"', len(_EVENT)):
            self._record(client, text, now, is_hand=name == b"hand")
        elif text.startswith(b'"options"', len(_EVENT)):
            self._asked(client, orjson.loads(text[len(_EVENT) - 1 :])[1], now)
        elif text.startswith(b'"hand_over"', len(_EVENT)):
            over = _OVER.search(text)
            assert over, text
            client.net += int(over[1])
            client.hands += 1
        elif text.startswith(b'"seat"', len(_EVENT)):
            self._seat(client, orjson.loads(text[len(_EVENT) - 1 :])[1], now)

    def _record(self, client: PokerClient, text: bytes, now: float, *, is_hand: bool) -> None:
        event = self._known.get(text)
        if event is None:
            event = self._known[text] = self._first(text, is_hand=is_hand)
            if len(self._known) > _KNOWN_MAX:
                del self._known[next(iter(self._known))]
        event.last = now
        if event.table_id != client.table_id:
            return
        if client.seen and event.seq != client.seen + 1:
            self.measures.errors["gap"] += 1
        client.seen = event.seq

    def _first(self, text: bytes, *, is_hand: bool) -> HandEvent:
        seq, table = _SEQ.search(text), _TABLE.search(text)
        assert seq, text
        assert table, text
        table_id = table[1].decode()
        is_acted = b'"kind":"acted"' in text and b'"automatic"' not in text
        is_settled = b'"kind":"settled"' in text
        acted = self._acting.pop(table_id, None) if is_acted else None
        event = HandEvent(int(seq[1]), table_id, is_hand, is_settled, acted)
        self.measures.settled += is_settled
        if acted is not None:
            self.measures.sent.append(event)
        return event

    def _answered(self, client: PokerClient, text: bytes, now: float) -> None:
        ack = _ACK.match(text)
        assert ack, text
        what, asked_at = client.awaits.pop(int(ack[1]))
        if b'"ok":true' not in ack[2][:12]:
            self._refused(client, what, ack[2])
            return
        self.measures.acks[what].append(now - asked_at)
        if what == "join_pool":
            joined = orjson.loads(ack[2])
            if joined["status"] == "seated":
                self._come_to(client, joined["table_id"], now)
            elif joined["status"] == "reserved":
                self._sit(client, joined["table_id"], joined["min"], now)
            else:
                self._coming -= 1
        elif what == "join":
            snapshot = orjson.loads(ack[2])
            client.seen = snapshot["hand"]["seq"] if snapshot["hand"] else 0
            if snapshot["options"]:
                self._asked(client, snapshot["options"], now)

    def _refused(self, client: PokerClient, what: str, answer: bytes) -> None:
        code = _CODE.search(answer)
        name = code[1].decode() if code else "?"
        if what == "join_pool":
            self._coming -= 1
        if name in LATE:
            self.measures.late[name] += 1
        elif not (client.is_leaving and name in ("not_found", "not_in_round", "no_such_table")):
            self.measures.errors[f"{what}: {name}"] += 1

    def _seat(self, client: PokerClient, seat: dict[str, Any], now: float) -> None:
        state, table_id = seat["state"], seat["table_id"]
        if state == "gone" and table_id in (None, client.table_id):
            client.table_id = ""
            if not client.is_leaving and seat["reason"] != "table_closed":
                self._coming += 1
                self._ask_for_seat(client, now)
        elif state == "reserved" and not client.is_leaving:
            self._sit(client, table_id, seat["min"], now)
        elif table_id and table_id != client.table_id and state != "gone":
            self._come_to(client, table_id, now, is_waiting=False)
        elif state == "sitting_out" and not client.is_leaving:
            client.ask("sit_out", now, table_id=table_id, when="now", on=False)
        elif state == "waiting" and not seat["stack"] and seat["min"] and self._may_buy(client):
            client.ask("top_up", now, table_id=table_id, amount=BUY_IN, key=f"{client.id[:20]}-{client.number}")

    # What is done

    def _ask_for_seat(self, client: PokerClient, now: float) -> None:
        key = f"{client.id[:20]}-{client.number}"
        client.ask("join_pool", now, pool=POOL, buy_in=BUY_IN, key=key, wait_for_bb=False)

    def _may_buy(self, client: PokerClient) -> bool:
        return not client.is_leaving and all(what != "top_up" for what, _ in client.awaits.values())

    def _sit(self, client: PokerClient, table_id: str, amount: int, now: float) -> None:
        client.ask("sit", now, table_id=table_id, amount=amount, key=f"{client.id[:20]}-{client.number}")

    def _come_to(self, client: PokerClient, table_id: str, now: float, *, is_waiting: bool = True) -> None:
        self._coming -= is_waiting
        if client.table_id == table_id:
            return
        client.table_id, client.seen = table_id, 0
        client.ask("join", now, table_id=table_id)

    def _asked(self, client: PokerClient, options: dict[str, Any], now: float) -> None:
        turn = options["turn"]
        if turn is None or client.turn == (options["hand_id"], turn) or client.is_leaving:
            return
        client.turn = (options["hand_id"], turn)
        if not self._think_seconds:
            self._act(client, options, now)
            return
        self._order += 1
        thinking = min(self._chance.expovariate(1 / self._think_seconds), 10.0)
        heapq.heappush(self._due, (now + thinking, self._order, lambda at: self._act(client, options, at)))

    def _act(self, client: PokerClient, options: dict[str, Any], now: float) -> None:
        if client.turn != (options["hand_id"], options["turn"]) or client.socket.fileno() not in self._of:
            return
        lot, raising = self._chance.random(), options["raise"]
        at = {name: options[name] for name in ("table_id", "hand_id", "turn")}
        self._acting[options["table_id"]] = now
        if raising and lot < _RAISE_RATE:
            client.ask("act", now, **at, action="raise_to", amount=raising["min"])
        elif options["check"]:
            client.ask("act", now, **at, action="check")
        else:
            client.ask("act", now, **at, action="fold" if lot > 1 - _FOLD_RATE else "call")
