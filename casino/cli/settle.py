"""`casino settle`: the settlement of the live table, one JSON line at a time.

Limits and chips of the table are not applied; its paytables are.
"""

from io import BufferedReader
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field

from casino.cards.card import distinct_cards
from casino.cards.ranking import Category
from casino.cli.json_lines import answer_lines
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.uth.bets import PLAY_MULTIPLE, Action, Bets
from casino.uth.paytable import Paytable
from casino.uth.settlement import HandVerdicts, Result, Showdown, show_down, verdicts
from casino.wire.round_views import hand_view, spots_view

Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Board = Annotated[list[str], Field(min_length=5, max_length=5)]
Amount = Annotated[int, Field(ge=0, le=MINOR_MAX)]


class Deal(BaseModel):
    """One hand to settle."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    player: Pair
    board: Board
    dealer: Pair
    ante: Amount
    trips: Amount = 0
    action: Literal["play_4x", "play_3x", "play_2x", "play_1x", "fold"]


def settle_lines(source: BufferedReader, out: BinaryIO, paytable: Paytable) -> None:
    answer_lines(source, out, Settler(paytable).answer)


class Settler:
    """Answers lines by one paytable, and remembers what each kind of showdown means by it."""

    def __init__(self, paytable: Paytable) -> None:
        self._paytable = paytable
        self._known: dict[tuple[Category, bool, Result], HandVerdicts] = {}

    def answer(self, line: bytes) -> dict[str, Any]:
        return self._settled(Deal.model_validate_json(line))

    def _settled(self, deal: Deal) -> dict[str, Any]:
        cards = distinct_cards((*deal.player, *deal.board, *deal.dealer))
        if not deal.ante:
            code = Code.TRIPS_WITHOUT_ANTE if deal.trips else Code.BELOW_MINIMUM
            raise Refusal(code, "Enter an ANTE above 0.")
        shown = show_down(cards[:2], cards[2:7], cards[7:])
        action = Action(deal.action)
        bets = Bets(deal.ante, deal.trips, deal.ante * PLAY_MULTIPLE[action])
        result = self._verdicts(shown, folded=action is Action.FOLD).settle(bets)
        return {
            "player_hand": hand_view(shown.player),
            "dealer_hand": hand_view(shown.dealer),
            "dealer_qualifies": shown.dealer_qualifies,
            "result": result.result,
            "spots": spots_view(result),
            "staked": result.staked,
            "returned": result.returned,
        }

    def _verdicts(self, shown: Showdown, *, folded: bool) -> HandVerdicts:
        kind = (shown.player.category, shown.dealer_qualifies, Result.FOLD if folded else shown.result)
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = verdicts(shown, self._paytable, folded=folded)
        return known
