"""One bot: bets while betting is open, answers when it is asked, and reports every result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from casino.play.door import Rejected, Unreachable
from casino.play.line import Line
from casino.play.strategy import Choose, Situation, largest_stake
from casino.play.tally import Tally
from casino.play.words import Payload

LATE: Final = frozenset({"betting_closed", "stale_round", "too_late"})
"""No fault of anybody: the window closed while the answer was on its way."""
WAITS: Final = "table_paused"


@dataclass(slots=True)
class Bot:
    number: int
    line: Line
    tally: Tally
    choose: Choose
    stakes: Callable[[], tuple[int, int]]
    available: int
    is_shared: bool
    is_broke: bool = False
    watches: bool | None = None
    """At an own-hands table without a free seat; unknown before it has joined."""
    _bet_in: str | None = None
    _answered: tuple[str, str] | None = None

    async def play(self) -> None:
        """Until the line is closed, or lost for good."""
        async for event, payload in self.line.news():
            match event:
                case "joined":
                    self._joined(payload)
                case "round":
                    self.tally.seen(payload)
                case "result":
                    self.tally.result(self.number, payload)
                case "seat" if payload["seat_no"] is not None:
                    self.watches = False
                case "balance":
                    self.available = payload["available"]
                case "lost":
                    self.tally.fault(f"bot {self.number} lost its connection")
                case "moved" | "gone":
                    self.tally.fault(f"bot {self.number}: {payload.get('message', 'its seat was taken')}")
                    return
            await self._act()

    def _joined(self, snapshot: Payload) -> None:
        """After a lost connection a bet may have been returned; then there is time for another."""
        round_, seat = snapshot["round"], snapshot["seat"]
        self.tally.seen(round_)
        self.watches = not self.is_shared and seat["seat_no"] is None
        round_id = round_["round_id"]
        if round_id and self.tally.has_bet(self.number, round_id) and not seat["bets"]["ante"]:
            self.tally.bet_returned(self.number, round_id)
            self._bet_in = None

    async def _act(self) -> None:
        """Whatever the news was: how things stand now says what to do."""
        round_ = self.line.round
        if self.watches is not False:
            return
        round_id, phase = round_["round_id"], round_["phase"]
        try:
            if phase == "betting" and self._bet_in != round_id and self.tally.admits(round_):
                self._bet_in = round_id
                await self._bet(round_id)
            elif phase.startswith("deciding_") and self._answered != (round_id, phase):
                await self._decide(round_id, phase)
        except Rejected as refusal:
            self._note(refusal)
        except Unreachable as failure:
            self.tally.fault(f"bot {self.number}: {failure}")

    async def _bet(self, round_id: str) -> None:
        ante, trips = self.stakes()
        self.is_broke = self.available < largest_stake(ante, trips)
        if self.is_broke:
            return
        self.tally.bet(self.number, round_id)
        try:
            self.available = (await self.line.bet(ante, trips))["available"]
        except Rejected:
            self.tally.bet_returned(self.number, round_id)
            raise

    async def _decide(self, round_id: str, phase: str) -> None:
        seat = self.line.seat
        if seat.get("round_id") != round_id or not seat["options"]:
            return
        self._answered = (round_id, phase)
        situation = Situation(tuple(seat["player_cards"]), tuple(self.line.round["board"]), tuple(seat["options"]))
        action = await self.choose(situation)
        if action is not None:
            self.available = (await self.line.decide(action, phase))["available"]

    def _note(self, refusal: Rejected) -> None:
        if refusal.code in LATE:
            self.tally.late[refusal.code] += 1
        elif refusal.code == WAITS:
            self._bet_in = self._answered = None  # asked again when the table goes on
        else:
            self.tally.fault(f"bot {self.number}: {refusal.code}: {refusal.message}")
