"""`casino settle`: the settlement of the live table, one JSON line at a time.

Limits and chips of the table are not applied; its paytables are.
"""

from io import BufferedReader
from typing import Annotated, Any, BinaryIO, Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from casino.cards.card import distinct_cards
from casino.cards.ranking import Category
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.uth.bets import PLAY_MULTIPLE, Action, Bets
from casino.uth.paytable import Paytable
from casino.uth.settlement import HandVerdicts, Result, Showdown, show_down, verdicts
from casino.uth.views import hand_view, spots_view

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


READ_BYTES: Final = 64 * 1024
LINE_BYTES_MAX: Final = 16 * 1024
KEY_SHOWN_MAX: Final = 60


def settle_lines(source: BufferedReader, out: BinaryIO, paytable: Paytable) -> None:
    """What has arrived is answered before more is read, so another program can hold a conversation with this one."""
    settler = Settler(paytable)
    rest = b""
    while arrived := source.read1(READ_BYTES):
        *lines, rest = (rest + arrived).split(b"\n")
        rest = rest[: LINE_BYTES_MAX + 1]  # a line that is too long already needs no more of itself to be refused
        out.writelines(map(settler.answer, lines))
        out.flush()
    if rest:
        out.write(settler.answer(rest))
        out.flush()


class Settler:
    """Answers lines by one paytable, and remembers what each kind of showdown means by it."""

    def __init__(self, paytable: Paytable) -> None:
        self._paytable = paytable
        self._known: dict[tuple[Category, bool, Result], HandVerdicts] = {}

    def answer(self, line: bytes) -> bytes:
        try:
            plain = self._settled(_deal(line))
        except Refusal as refusal:
            plain = {"error": {"code": refusal.code, "message": refusal.message}}
        except ValidationError as error:
            plain = {"error": {"code": Code.BAD_REQUEST, "message": _first_reason(error)}}
        return orjson.dumps(plain, option=orjson.OPT_APPEND_NEWLINE)

    def _settled(self, deal: Deal) -> dict[str, Any]:
        cards = distinct_cards((*deal.player, *deal.board, *deal.dealer))
        if not deal.ante:
            code = Code.TRIPS_WITHOUT_ANTE if deal.trips else Code.BELOW_MINIMUM
            raise Refusal(code, "There is no hand without an ANTE.")
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


def _deal(line: bytes) -> Deal:
    if len(line) > LINE_BYTES_MAX:
        raise Refusal(Code.BAD_REQUEST, f"A line is at most {LINE_BYTES_MAX} bytes long.")
    return Deal.model_validate_json(line)


def _first_reason(error: ValidationError) -> str:
    """What is wrong and where, without repeating the input."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:KEY_SHOWN_MAX]
    return f"{where}: {first['msg']}" if where else first["msg"]
