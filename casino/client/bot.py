"""One bot: bets while betting is open, answers when it is asked, and reports every result."""

from dataclasses import dataclass
from typing import Final

from casino.bots.core import BotCore
from casino.client.http_api import Rejected, Unreachable
from casino.client.results import Results
from casino.client.strategy import Choose, Situation
from casino.client.table_connection import TableConnection
from casino.client.texts import Payload
from casino.uth.bets import Bets

LATE: Final = frozenset({"betting_closed", "stale_round", "too_late"})
"""Expected refusals: the window closed while the answer was on its way."""
WAITS: Final = "table_paused"


@dataclass(slots=True)
class Bot:
    number: int
    connection: TableConnection
    results: Results
    core: BotCore
    choose: Choose
    available: int
    is_shared: bool
    is_broke: bool = False
    watches: bool | None = None
    """At an own-hands table without a free seat; unknown before it has joined."""

    async def play(self) -> None:
        """Until the line is closed, or lost for good."""
        async for event, payload in self.connection.events():
            match event:
                case "joined":
                    self._joined(payload)
                case "round":
                    self.results.seen(payload)
                case "result":
                    self.results.result(self.number, payload)
                case "seat" if payload["seat_no"] is not None:
                    self.watches = False
                case "balance":
                    self.available = payload["available"]
                case "lost":
                    self.results.fault(f"bot {self.number} lost its connection")
                case "moved" | "gone":
                    self.results.fault(f"bot {self.number}: {payload.get('message', 'its seat was taken')}")
                    return
            await self._act()

    def _joined(self, snapshot: Payload) -> None:
        """After a lost connection a bet may have been returned; then there is time for another."""
        round_, seat = snapshot["round"], snapshot["seat"]
        self.results.seen(round_)
        self.watches = not self.is_shared and seat["seat_no"] is None
        round_id = round_["round_id"]
        if round_id and self.results.has_bet(self.number, round_id) and not seat["bets"]["ante"]:
            self.results.bet_returned(self.number, round_id)
            self.core.retry()

    async def _act(self) -> None:
        """Acts on the current state, whatever event has changed it."""
        round_ = self.connection.round
        if self.watches is not False:
            return
        round_id, phase = round_["round_id"], round_["phase"]
        if not self.core.may_act(round_id, phase):
            return
        try:
            if phase != "betting":
                await self._decide(round_id, phase)
            elif self.results.admits(round_):
                self.core.act(round_id, phase)
                await self._bet(round_id)
        except Rejected as refusal:
            self._note(refusal)
        except Unreachable as failure:
            self.results.fault(f"bot {self.number}: {failure}")

    async def _bet(self, round_id: str) -> None:
        ante, trips = self.core.stakes()
        self.is_broke = self.available < Bets(ante, trips).total_max
        if self.is_broke:
            return
        self.results.bet(self.number, round_id)
        try:
            self.available = (await self.connection.bet(ante, trips))["available"]
        except Rejected:
            self.results.bet_returned(self.number, round_id)
            raise

    async def _decide(self, round_id: str, phase: str) -> None:
        seat = self.connection.seat
        if seat.get("round_id") != round_id or not seat["options"]:
            return
        self.core.act(round_id, phase)
        cards, board, options = seat["player_cards"], self.connection.round["board"], seat["options"]
        situation = Situation(phase, tuple(cards), tuple(board), tuple(options))
        action = await self.choose(situation)
        if action is not None:
            self.available = (await self.connection.decide(action, phase))["available"]

    def _note(self, refusal: Rejected) -> None:
        if refusal.code in LATE:
            self.results.late[refusal.code] += 1
        elif refusal.code == WAITS:
            self.core.retry()  # when the table goes on
        else:
            self.results.fault(f"bot {self.number}: {refusal.code}: {refusal.message}")
