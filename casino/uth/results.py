"""What every seat of a round gets: the settlement of a round that was played, the refund of one that was not."""

from dataclasses import dataclass

from casino.uth.bets import Action, Bets
from casino.uth.phases import Phase
from casino.uth.settlement import HandVerdicts, SeatResult, Showdown, refund, verdicts
from casino.uth.state import Round


def showdown(round_: Round, seat_no: int | None) -> Showdown | None:
    """The player hand, shared or of this seat, against the dealer's, once both are complete."""
    player, dealer = round_.hand(seat_no), round_.dealer_hand
    return Showdown(player, dealer) if player and dealer else None


@dataclass(frozen=True, slots=True)
class _HandPayer:
    """Pays the seats of one hand, and looks up what it has already worked out for the same bets."""

    played: HandVerdicts
    folded: HandVerdicts
    known: dict[tuple[Bets, bool], SeatResult]

    def pay(self, bets: Bets, *, folded: bool) -> SeatResult:
        result = self.known.get((bets, folded))
        if result is None:
            result = self.known[bets, folded] = (self.folded if folded else self.played).settle(bets)
        return result


def results(round_: Round) -> dict[str, SeatResult]:
    """By player, for a round that is settled or cancelled; what is returned never comes from another player."""
    if round_.phase is Phase.CANCELLED:
        return {player_id: refund(seat.bets) for player_id, seat in round_.seats.items()}
    assert round_.phase is Phase.SETTLED, "nobody is paid before the round is over"
    payers = {seat_no: _payer(round_, seat_no) for seat_no in round_.seat_numbers or (None,)}
    return {
        player_id: payers[seat.seat_no].pay(seat.bets, folded=seat.action is Action.FOLD)
        for player_id, seat in round_.seats.items()
    }


def _payer(round_: Round, seat_no: int | None) -> _HandPayer:
    shown = showdown(round_, seat_no)
    assert shown is not None, "a settled round has all its cards"
    paytable = round_.terms.paytable
    return _HandPayer(verdicts(shown, paytable, folded=False), verdicts(shown, paytable, folded=True), {})
