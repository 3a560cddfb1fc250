"""One poker bot: gets a seat, answers when it is asked, buys in again, and leaves when enough hands are played."""

import asyncio
import secrets
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from casino.client.http_api import Payload, Rejected, Unreachable
from casino.client.poker.connection import PokerConnection
from casino.client.poker.results import PokerResults
from casino.client.poker.strategy import Decide, Spot

LATE: Final = frozenset({"stale_round", "too_late", "not_your_turn", "not_in_round"})
"""Expected refusals: the hand continued while the answer was on its way."""
FULL: Final = frozenset({"insufficient_funds", "limit_reached", "too_many_tables"})


@dataclass(slots=True)
class PokerBot:
    """`think_seconds` is the mean time before a decision; 0 answers at once."""

    number: int
    connection: PokerConnection
    results: PokerResults
    decide: Decide
    pool: str
    buy_in: int
    chance: Random
    think_seconds: float = 0.0
    is_broke: bool = False
    table_id: str | None = None
    _cards: Payload = field(default_factory=dict)
    _board: list[str] = field(default_factory=list)
    _pot: int = 0
    _starts: dict[str, int] = field(default_factory=dict)
    _answered: tuple[str, int] | None = None
    _has_left: bool = False
    _is_buying: bool = False
    _thinking: "set[asyncio.Task[None]]" = field(default_factory=set)

    async def play(self) -> None:
        """Plays until enough hands are played and the seat is free, the bot is broke, or the connection is lost."""
        leaving = asyncio.create_task(self._leave_when_finished())
        try:
            await self._find_seat()
            async for event, payload in self.connection.events():
                await self._handle(event, payload)
                if self._has_left or self.is_broke or event == "gone":
                    return
        finally:
            for task in (leaving, *self._thinking):
                task.cancel()

    async def _handle(self, event: str, payload: Payload) -> None:
        match event:
            case "joined":
                self._see_table(payload)
            case "hand":
                self._see_hand(payload)
            case "step":
                self._step(payload)
            case "cards":
                self._cards = payload
            case "options":
                self._consider(payload)
            case "hand_over":
                self.results.over(self.number, payload["hand_id"], payload["net"])
            case "seat":
                await self._seat(payload)
            case "moved" | "gone":
                self.results.fault(f"bot {self.number}: {payload.get('message', 'its seat was taken')}")
            case "lost":
                self.results.fault(f"bot {self.number} lost its connection")

    # Seat

    async def _find_seat(self) -> None:
        """Any seat of the pool, or a place in its queue; the seat comes as an event then."""
        if self.results.finished.is_set():
            self._has_left = True
            return
        fields = {"pool": self.pool, "buy_in": self.buy_in, "wait_for_bb": False, "key": secrets.token_hex(8)}
        joined = await self._try("join_pool", **fields)
        if joined is None:
            self.is_broke = True
        elif joined["status"] == "reserved":
            await self._buy_in(joined["table_id"], joined["min"])
        elif joined["status"] == "seated":
            await self._join_table(joined["table_id"])

    async def _buy_in(self, table_id: str, amount: int) -> None:
        if await self._try("sit", table_id=table_id, amount=amount, key=secrets.token_hex(8)):
            await self._join_table(table_id)

    async def _join_table(self, table_id: str) -> None:
        if self.table_id == table_id:
            return
        self.table_id = table_id
        try:
            await self.connection.join(table_id)
        except (Rejected, Unreachable) as failure:
            self.results.fault(f"bot {self.number}: {failure}")

    async def _seat(self, seat: Payload) -> None:
        state, table_id = seat["state"], seat["table_id"]
        if state == "gone" and table_id in (None, self.table_id):
            await self._stood_up(is_moved=seat["reason"] == "table_closed")
        elif state == "reserved" and table_id != self.table_id:
            await self._buy_in(table_id, seat["min"])
        elif table_id is not None and table_id != self.table_id and state != "gone":
            await self._join_table(table_id)
        elif state == "sitting_out":
            await self._try("sit_out", table_id=table_id, when="now", on=False)
        elif seat["stack"]:
            self._is_buying = False
        elif state == "waiting" and seat["min"] and not self._is_buying and not self.results.finished.is_set():
            self._is_buying = True  # until the chips are there: several events report the seat
            await self._try("top_up", table_id=table_id, amount=seat["min"], key=secrets.token_hex(8))

    async def _stood_up(self, *, is_moved: bool) -> None:
        """A player of a closed table gets a seat at another one without asking for it."""
        if self.table_id is not None:
            self.connection.forget(self.table_id)
        self.table_id = None
        if not is_moved:
            await self._find_seat()

    async def _leave_when_finished(self) -> None:
        await self.results.finished.wait()
        if self.table_id is None:
            await self._try("leave_pool", pool=self.pool)
            self._end()
        elif (left := await self._try("leave", table_id=self.table_id)) is not None and not left["after_hand"]:
            self._end()

    def _end(self) -> None:
        self._has_left = True
        self.connection.wake()

    # Hand

    def _see_table(self, snapshot: Payload) -> None:
        if snapshot["hand"]:
            self._see_hand(snapshot["hand"])
        if snapshot["cards"]:
            self._cards = snapshot["cards"]
        if snapshot["options"]:
            self._consider(snapshot["options"])

    def _see_hand(self, hand: Payload) -> None:
        self._board, self._pot = list(hand["board"]), hand["pot"]
        self._starts[hand["hand_id"]] = sum(seat["start"] for seat in hand["seats"])

    def _step(self, step: Payload) -> None:
        self._pot = step["pot"]
        match step["kind"]:
            case "board":
                self._board += step["cards"]
            case "settled":
                stacks = sum(seat["amount"] for seat in step["stacks"])
                starts = self._starts.pop(step["hand_id"], None)
                if starts is not None:
                    self.results.settled(step["hand_id"], starts, stacks, step["rake"])
            case "void":
                self._starts.pop(step["hand_id"], None)
                self.results.void += 1

    def _consider(self, options: Payload) -> None:
        """Answers each decision once, in a task of its own, because the table continues."""
        turn = options["turn"]
        if turn is None or self._answered == (options["hand_id"], turn):
            return
        self._answered = (options["hand_id"], turn)
        own = self._cards if self._cards.get("hand_id") == options["hand_id"] else {}
        best = own.get("hand")
        spot = Spot(options, own.get("cards", []), best["category"] if best else None, tuple(self._board), self._pot)
        answer = self.decide(spot)
        if answer is not None:
            task = asyncio.create_task(self._act(options, *answer))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)

    async def _act(self, options: Payload, action: str, amount: int | None) -> None:
        if self.think_seconds:
            await asyncio.sleep(self.chance.expovariate(1 / self.think_seconds) + self.think_seconds / 4)
        at: dict[str, Any] = {name: options[name] for name in ("table_id", "hand_id", "turn")}
        await self._try("act", **at, action=action, amount=amount)

    async def _try(self, event: str, **fields: object) -> Payload | None:
        try:
            return await self.connection.say(event, **fields)
        except Rejected as refusal:
            if refusal.code in LATE:
                self.results.late[refusal.code] += 1
            elif refusal.code not in FULL:
                self.results.fault(f"bot {self.number}: {event}: {refusal.code}: {refusal.message}")
        except Unreachable as failure:
            self.results.fault(f"bot {self.number}: {failure}")
        return None
