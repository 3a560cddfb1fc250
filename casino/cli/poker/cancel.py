"""`casino poker cancel`: refunds of a cancelled tournament, one JSON line each."""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from casino.cli.json_lines import read_object
from casino.cli.poker.context import as_sentence
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.poker.tournament.cancel import Interrupted, Kind, Remaining, cancel

LINE_BYTES_MAX: Final = 4 * 1024 * 1024
"""Room for the 10,000 players of the largest tournament."""

Amount = Annotated[int, Field(ge=0, le=MINOR_MAX)]


class WrittenPlayer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=64)]
    chips: Amount = 0
    paid: Amount = 0
    fees: Amount = 0
    bounty: Amount = 0
    ticket: bool = False


class WrittenTournament(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: Annotated[Kind, Field(strict=False)]
    freeroll: bool = False
    started: bool
    places_paid: Annotated[int, Field(ge=0)] = 1
    tables: Annotated[int, Field(ge=0)] = 1
    final_table: bool = False
    player_pool: Amount = 0
    added: Amount = 0
    prizes_left: Annotated[list[Amount], Field(max_length=10_000)] = []
    players: Annotated[list[WrittenPlayer], Field(min_length=1, max_length=10_000)]

    def state(self) -> Interrupted:
        players = tuple(
            Remaining(player.id, player.chips, player.paid, player.fees, player.bounty, player.ticket)
            for player in self.players
        )
        return Interrupted(
            self.kind,
            self.started,
            players,
            self.player_pool,
            self.added,
            self.places_paid,
            self.tables,
            self.final_table,
            self.freeroll,
            tuple(self.prizes_left),
        )


def answer(line: bytes) -> dict[str, Any]:
    written = read_object(WrittenTournament, line)
    try:
        cancelled = cancel(written.state())
    except ValueError as error:
        raise Refusal(Code.BAD_REQUEST, as_sentence(error)) from None
    players = {
        player_id: {
            "fees": refund.fees,
            "share": refund.share,
            "bounty": refund.bounty,
            "ticket": refund.ticket,
            "total": refund.total,
        }
        for player_id, refund in cancelled.refunds.items()
    }
    return {"case": cancelled.case, "players": players, "to_house": cancelled.to_house}
