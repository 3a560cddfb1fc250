"""One tournament bot: registers, plays wherever it is seated, and stays until the tournament is over."""

import secrets
from dataclasses import dataclass
from typing import Final

from casino.client.http_api import HttpApi, Payload, Rejected, Unreachable
from casino.client.poker.hand_answers import HandAnswers

TAKEN: Final = frozenset({"registration_closed", "table_full", "not_found"})
"""The game has started since the bot looked for it."""
ENDED: Final = frozenset({"finished", "cancelled"})


@dataclass(slots=True)
class TournamentBot:
    """`paid` and `won` are what the messages of the room say; the balance must agree with them.

    A bot that has lost its line may have missed some: then `won` is what the room has stored of its entries.
    """

    api: HttpApi
    answers: HandAnswers
    tournament_id: str
    price: int
    table_id: str | None = None
    paid: int = 0
    won: int = 0
    place: int | None = None
    is_over: bool = False
    has_missed: bool = False

    async def play(self) -> bool:
        """Until the tournament is over, or the line is lost for good; False if others have taken all entries."""
        if not await self._enter():
            return False
        self.paid = self.price
        try:
            async for event, payload in self.answers.connection.events():
                await self._handle(event, payload)
                if self.is_over or event == "gone":
                    break
        finally:
            self.answers.stop()
        if self.has_missed and self.is_over:
            await self._recount()
        return True

    async def _enter(self) -> bool:
        try:
            await self.answers.connection.say("register", tournament_id=self.tournament_id, key=secrets.token_hex(8))
        except Rejected as refusal:
            if refusal.code in TAKEN:
                return False
            raise
        return True

    async def _handle(self, event: str, payload: Payload) -> None:
        self.answers.handle(event, payload)
        match event:
            case "moved_table" if payload["tournament_id"] == self.tournament_id:
                await self._come_to(payload["table_id"])
            case "hand_over":
                self.answers.results.over(self.answers.number, payload["hand_id"], 0)
            case "seat" if payload["state"] == "sitting_out":
                await self.answers.say("sit_out", table_id=payload["table_id"], when="now", on=False)
            case "tournament_news" if payload["tournament_id"] == self.tournament_id:
                self._handle_news(payload)
            case "moved" | "gone":
                self.answers.results.fault(f"bot {self.answers.number}: {payload.get('message', 'its seat was taken')}")
            case "lost":
                self.has_missed = True
                self.answers.results.fault(f"bot {self.answers.number} lost its connection")
            case "back":
                await self._catch_up()

    async def _catch_up(self) -> None:
        """The tournament may have ended, or moved the bot to another table, while the line was lost."""
        while True:
            try:
                view = await self.answers.connection.say("follow", tournament_id=self.tournament_id)
            except Rejected as refusal:
                self.is_over = refusal.code == "not_found"  # the room keeps no tournament that is over
                if not self.is_over:
                    self.answers.results.fault(f"bot {self.answers.number}: follow: {refusal.code}: {refusal.message}")
                return
            except Unreachable:
                if self.answers.connection.is_open:
                    continue  # the answer was late
                return  # the line is lost again, and will be back
            break
        own = view["own"]
        self.is_over = view["tournament"]["status"] in ENDED
        table_id = own["table_id"] if own is not None else None
        if table_id is not None and table_id not in self.answers.connection.seq:
            await self._come_to(table_id)

    async def _recount(self) -> None:
        entries = await self.api.tournament_result(self.answers.connection.member, self.tournament_id)
        self.won = sum(entry["won"] for entry in entries)
        self.place = entries[0]["place"] if entries else self.place

    def _handle_news(self, news: Payload) -> None:
        match news["kind"]:
            case "prize" | "bounty":
                self.won += news["amount"]
                self.place = news["place"] or self.place
            case "eliminated" | "ticket":
                self.place = news["place"]
            case "cancelled":
                self.won += news["amount"]
                self.is_over = True
            case "finished":
                self.is_over = True

    async def _come_to(self, table_id: str) -> None:
        if self.table_id is not None:
            self.answers.connection.forget(self.table_id)
        self.table_id = table_id
        try:
            await self.answers.connection.join(table_id)
        except (Rejected, Unreachable) as failure:
            self.answers.results.fault(f"bot {self.answers.number}: {failure}")
