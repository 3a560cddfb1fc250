"""Results of all seats of a round: the settlement if it was played, the refund if it was cancelled."""

from casino.uth.phases import Phase
from casino.uth.settlement import HandVerdicts, SeatResult, Showdown, refund, verdicts
from casino.uth.state import Round


def showdown(round_: Round, seat_no: int | None) -> Showdown | None:
    """The player hand, shared or of this seat, against the dealer's, once both are complete."""
    player, dealer = round_.hand(seat_no), round_.dealer_hand
    return Showdown(player, dealer) if player and dealer else None


def results(round_: Round) -> dict[str, SeatResult]:
    """By player, for a round that is settled or cancelled; what is returned never comes from another player."""
    if round_.phase is Phase.CANCELLED:
        return {player_id: refund(seat.bets) for player_id, seat in round_.seats.items()}
    assert round_.phase is Phase.SETTLED, "payouts follow the end of the round"
    hands = {seat_no: _verdicts(round_, seat_no) for seat_no in round_.seat_numbers or (None,)}
    return {
        player_id: hands[seat.seat_no][seat.is_folded].settle(seat.bets) for player_id, seat in round_.seats.items()
    }


def _verdicts(round_: Round, seat_no: int | None) -> tuple[HandVerdicts, HandVerdicts]:
    """Returns the verdicts for players who played the hand, and for players who folded it."""
    shown = showdown(round_, seat_no)
    assert shown is not None, "a settled round has all its cards"
    paytable = round_.terms.paytable
    return verdicts(shown, paytable, folded=False), verdicts(shown, paytable, folded=True)
