"""One HexaPro bot: pays for one game of a line, waits for two other players, and plays the game it is seated in."""

import secrets
from dataclasses import dataclass

from casino.client.http_api import Payload, Rejected, Unreachable
from casino.client.poker.tournament_bot import TournamentBot


@dataclass
class HexaBot(TournamentBot):
    """`tournament_id` is empty while the entry waits."""

    product: str = ""
    entry_id: str | None = None

    async def _enter(self) -> bool:
        asked = {"product": self.product, "buy_in": self.price, "games": 1, "key": secrets.token_hex(8)}
        entered = await self.answers.connection.say("hexa_register", **asked)
        [self.entry_id] = entered["entries"]
        return True

    async def _handle(self, event: str, payload: Payload) -> None:
        if event == "moved_table" and not self.tournament_id:
            self.tournament_id = payload["tournament_id"]
        await super()._handle(event, payload)

    async def _catch_up(self) -> None:
        """The game may have begun, or even ended, while the line was lost."""
        if not self.tournament_id:
            try:
                entries = (await self.answers.connection.say("lobby"))["entries"]
            except (Rejected, Unreachable):
                return  # the line is lost again, and will be back
            own = next((entry for entry in entries if entry["entry_id"] == self.entry_id), None)
            if own is not None and own["tournament_id"] is None:
                return  # it still waits
            self.tournament_id = own["tournament_id"] if own is not None else await self._played()
        await super()._catch_up()

    async def _played(self) -> str:
        rows = await self.api.hexapro_results(self.answers.connection.member)
        return next((str(row["tournament_id"]) for row in rows if row["entry_id"] == self.entry_id), "")
