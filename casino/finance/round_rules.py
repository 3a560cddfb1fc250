"""A settlement step by step, with the rows of the rules that were applied, in words a player can check by hand."""

from typing import Any, Final

from casino.uth.events import Event, RoundCancelled, RoundCorrected, RoundSettled
from casino.uth.results import results, showdown
from casino.uth.settlement import FOLDED, OUTCOMES, Showdown, SpotResult
from casino.uth.state import Round
from casino.uth.views import hand_view

View = dict[str, Any]

_STATUS: Final = {RoundSettled: "settled", RoundCancelled: "cancelled", RoundCorrected: "corrected"}


def settlement_steps(event: Event, before: Round, after: Round) -> list[View]:
    """What the event settles; a correction takes back what was settled before it."""
    status = _STATUS.get(type(event))
    if status is None or not after.seats:
        return []
    taken_back = [_settlement("reversal", event.at_ms, before)] if isinstance(event, RoundCorrected) else []
    return [*taken_back, _settlement(status, event.at_ms, after)]


def _settlement(status: str, at_ms: int, round_: Round) -> View:
    sign = -1 if status == "reversal" else 1
    told: View = {"status": status, "at": at_ms, "seats": []}
    if status == "cancelled":
        told["rule"] = "A cancelled round: every bet goes back as it was."
    for player_id, result in sorted(results(round_).items()):
        seat = round_.seats[player_id]
        shown = showdown(round_, seat.seat_no) if status != "cancelled" else None
        spots = {"ante": result.ante, "blind": result.blind, "trips": result.trips, "play": result.play}
        told["seats"].append(
            {
                "player_id": player_id,
                "result": result.result,
                "showdown": _showdown(shown) if shown else None,
                "rule": _rule(shown, is_folded=seat.is_folded) if shown else None,
                "spots": {
                    name: {"bet": sign * spot.bet, "outcome": spot.outcome, "returned": sign * spot.returned}
                    | {"why": _why(name, spot, round_, shown)}
                    for name, spot in spots.items()
                },
                "staked": sign * result.staked,
                "returned": sign * result.returned,
            }
        )
    return told


def _showdown(shown: Showdown) -> View:
    return {
        "player_hand": hand_view(shown.player),
        "dealer_hand": hand_view(shown.dealer),
        "dealer_qualifies": shown.dealer_qualifies,
        "result": shown.result,
    }


def _rule(shown: Showdown, *, is_folded: bool) -> str:
    """The row of the outcome table."""
    row = FOLDED if is_folded else OUTCOMES[shown.dealer_qualifies, shown.result]
    dealer = "qualifies" if shown.dealer_qualifies else "does not qualify"
    when = "player folds" if is_folded else f"dealer {dealer}, player: {shown.result}"
    return f"{when} → ANTE {row.ante}, BLIND {row.blind}, PLAY {row.play}"


def _why(name: str, spot: SpotResult, round_: Round, shown: Showdown | None) -> str:
    if not spot.bet:
        return "no bet"
    if shown is None:
        return "the bet goes back"
    paytable, category = round_.terms.paytable, shown.player.category
    if spot.outcome == "win":
        odds = {"blind": paytable.blind_odds(category), "trips": paytable.trips_odds(category)}.get(name)
        pays = f"{odds} for {category.replace('_', ' ')}" if odds else "1:1"
        return f"win, which pays {pays} and gives the bet back"
    return "push, which gives the bet back" if spot.outcome == "push" else "lose"
