"""Answers of a bot to the hands of its tables: what it sees of each hand, and one decision for each question."""

import asyncio
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
class HandAnswers:
    """`think_seconds` is the mean time before a decision; 0 answers at once."""

    number: int
    connection: PokerConnection
    results: PokerResults
    decide: Decide
    chance: Random
    think_seconds: float = 0.0
    _cards: Payload = field(default_factory=dict)
    _board: list[str] = field(default_factory=list)
    _pot: int = 0
    _starts: dict[str, int] = field(default_factory=dict)
    _answered: tuple[str, int] | None = None
    _thinking: "set[asyncio.Task[None]]" = field(default_factory=set)

    def handle(self, event: str, payload: Payload) -> None:
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

    def stop(self) -> None:
        for task in self._thinking:
            task.cancel()

    async def say(self, event: str, **fields: object) -> Payload | None:
        """The acknowledgement; None if it was refused, which is counted or noted as a fault."""
        try:
            return await self.connection.say(event, **fields)
        except Rejected as refusal:
            if refusal.code in LATE or self._has_left_instead(event, refusal.code):
                self.results.late[refusal.code] += 1
            elif refusal.code not in FULL:
                self.results.fault(f"bot {self.number}: {event}: {refusal.code}: {refusal.message}")
        except Unreachable as failure:
            self.results.fault(f"bot {self.number}: {failure}")
        return None

    def _has_left_instead(self, event: str, code: str) -> bool:
        """At the end a bot may leave while it asks for chips."""
        return event == "top_up" and code == "not_offered" and self.results.finished.is_set()

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
        await self.say("act", **at, action=action, amount=amount)
