"""Explains a settlement step by step, with the rule rows that were applied, so that a player can check it."""

from collections.abc import Mapping
from typing import Final

from casino.finance.round_file_types import FiledSettlement, FiledShowdown, FiledSpot, SettlementStatus
from casino.uth.events import Event, RoundCancelled, RoundCorrected, RoundSettled
from casino.uth.results import results, showdown
from casino.uth.settlement import Outcome, Result, SeatResult, Showdown, SpotResult
from casino.uth.state import Round
from casino.wire.round_views import shown_hand

_STATUS: Final[Mapping[type, SettlementStatus]] = {
    RoundSettled: "settled",
    RoundCancelled: "cancelled",
    RoundCorrected: "corrected",
}


def settlement_steps(event: Event, before: Round, after: Round) -> list[FiledSettlement]:
    """Returns the settlement of the event; a correction reverses the previous one."""
    status = _STATUS.get(type(event))
    if status is None or not after.seats:
        return []
    taken_back = [_settlement("reversal", event.at_ms, before)] if isinstance(event, RoundCorrected) else []
    return [*taken_back, _settlement(status, event.at_ms, after)]


def _settlement(status: SettlementStatus, at_ms: int, round_: Round) -> FiledSettlement:
    sign = -1 if status == "reversal" else 1
    settlement: FiledSettlement = {"status": status, "at": at_ms, "seats": []}
    if status == "cancelled":
        settlement["rule"] = "The round was cancelled: every bet is refunded in full."
    for player_id, result in sorted(results(round_).items()):
        seat = round_.seats[player_id]
        shown = showdown(round_, seat.seat_no) if status != "cancelled" else None
        settlement["seats"].append(
            {
                "player_id": player_id,
                "result": result.result,
                "showdown": _showdown(shown) if shown else None,
                "rule": _rule(shown, result) if shown else None,
                "spots": {
                    "ante": _spot(sign, result.ante, _why("ante", result.ante, round_, shown)),
                    "blind": _spot(sign, result.blind, _why("blind", result.blind, round_, shown)),
                    "trips": _spot(sign, result.trips, _why("trips", result.trips, round_, shown)),
                    "play": _spot(sign, result.play, _why("play", result.play, round_, shown)),
                },
                "staked": sign * result.staked,
                "returned": sign * result.returned,
            }
        )
    return settlement


def _spot(sign: int, spot: SpotResult, why: str) -> FiledSpot:
    return {"bet": sign * spot.bet, "outcome": spot.outcome, "returned": sign * spot.returned, "why": why}


def _showdown(shown: Showdown) -> FiledShowdown:
    return {
        "player_hand": shown_hand(shown.player),
        "dealer_hand": shown_hand(shown.dealer),
        "dealer_qualifies": shown.dealer_qualifies,
        "result": shown.result,
    }


_WORDS: Final = {
    Outcome.WIN: "wins",
    Outcome.PUSH: "is returned",
    Outcome.LOSE: "loses",
    Outcome.NONE: "was not made",
}
_RESULTS: Final = {Result.WIN: "the player wins", Result.LOSE: "the dealer wins", Result.TIE: "the hands are equal"}


def _rule(shown: Showdown, result: SeatResult) -> str:
    """Says the row of the outcome table with what became of each bet of this seat."""
    bets = (("ANTE", result.ante), ("BLIND", result.blind), ("PLAY", result.play))
    became = ", ".join(f"{name} {_WORDS[spot.outcome]}" for name, spot in bets)
    if result.result == Result.FOLD:
        return f"The player folded: {became}."
    dealer = "qualifies" if shown.dealer_qualifies else "does not qualify"
    return f"The dealer {dealer} and {_RESULTS[shown.result]}: {became}."


def _why(name: str, spot: SpotResult, round_: Round, shown: Showdown | None) -> str:
    if not spot.bet:
        return "no bet"
    if shown is None:
        return "the bet is returned"
    paytable, category = round_.terms.paytable, shown.player.category
    hand = category.replace("_", " ")
    if spot.outcome == "win":
        odds = {"blind": paytable.blind_odds(category), "trips": paytable.trips_odds(category)}.get(name)
        return f"wins {odds} for {hand}, and the bet is returned" if odds else "wins 1:1, and the bet is returned"
    if spot.outcome == "lose":
        return "loses"
    if name == "blind" and shown.result == Result.WIN:
        return f"is returned: the pay table of BLIND pays nothing for {hand}"
    if name == "ante" and not shown.dealer_qualifies:
        return "is returned: the dealer does not qualify"
    return "is returned: the hands are equal"
