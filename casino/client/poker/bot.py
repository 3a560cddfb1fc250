"""One poker bot: gets a seat, answers when it is asked, buys in again, and leaves when enough hands are played."""

import asyncio
import secrets
from dataclasses import dataclass
from typing import Final

from casino.client.http_api import Payload, Rejected, Unreachable
from casino.client.poker.connection import PokerConnection
from casino.client.poker.hand_answers import HandAnswers
from casino.client.poker.results import PokerResults

LEAVE_AGAIN_SECONDS: Final = 0.5


@dataclass(slots=True)
class PokerBot:
    """`answers` are those to the hands of its table."""

    answers: HandAnswers
    pool: str
    buy_in: int
    is_broke: bool = False
    table_id: str | None = None
    _has_left: bool = False
    _is_buying: bool = False

    @property
    def number(self) -> int:
        return self.answers.number

    @property
    def connection(self) -> PokerConnection:
        return self.answers.connection

    @property
    def results(self) -> PokerResults:
        return self.answers.results

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
            leaving.cancel()
            self.answers.stop()

    async def _handle(self, event: str, payload: Payload) -> None:
        self.answers.handle(event, payload)
        match event:
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
        joined = await self.answers.say("join_pool", **fields)
        if joined is None:
            self.is_broke = True
        elif joined["status"] == "reserved":
            await self._buy_in(joined["table_id"], joined["min"])
        elif joined["status"] == "seated":
            await self._join_table(joined["table_id"])

    async def _buy_in(self, table_id: str, amount: int) -> None:
        if await self.answers.say("sit", table_id=table_id, amount=amount, key=secrets.token_hex(8)):
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
            await self.answers.say("sit_out", table_id=table_id, when="now", on=False)
        elif seat["stack"]:
            self._is_buying = False
        elif state == "waiting" and seat["min"] and not self._is_buying and not self.results.finished.is_set():
            self._is_buying = True  # until the chips are there: several events report the seat
            await self.answers.say("top_up", table_id=table_id, amount=seat["min"], key=secrets.token_hex(8))

    async def _stood_up(self, *, is_moved: bool) -> None:
        """A player of a closed table gets a seat at another one without asking for it."""
        if self.table_id is not None:
            self.connection.forget(self.table_id)
        self.table_id = None
        if not is_moved:
            await self._find_seat()

    async def _leave_when_finished(self) -> None:
        """Leaves at the end; again after a while if the connection was lost at that moment."""
        await self.results.finished.wait()
        while self.table_id is not None and not self._has_left:
            left = await self.answers.say("leave", table_id=self.table_id)
            if left is not None:
                if not left["after_hand"]:
                    self._end()
                return
            await asyncio.sleep(LEAVE_AGAIN_SECONDS)
        if not self._has_left:
            await self.answers.say("leave_pool", pool=self.pool)
            self._end()

    def _end(self) -> None:
        self._has_left = True
        self.connection.wake()
