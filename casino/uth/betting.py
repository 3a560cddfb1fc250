"""Betting phase: accepted bets, and the end of betting."""

from casino.refusals import Reason
from casino.uth.bets import Bets, Limits
from casino.uth.commands import PlaceBet
from casino.uth.events import BetPlaced, BettingClosed, BettingVoided, Event, Stake
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.terms import Layout


def verify_bet(round_: Round, command: PlaceBet, now_ms: int) -> None:
    """Refuses the bet with the first reason; the order of reasons is part of the protocol."""
    if command.ante < 0 or command.trips < 0:
        raise Reason.BAD_REQUEST.refusal()
    if command.round_id != round_.round_id:
        raise Reason.STALE_ROUND.refusal()
    if round_.paused:
        raise Reason.TABLE_PAUSED.refusal()
    if round_.phase is not Phase.BETTING or _is_due(round_, now_ms):
        raise Reason.BETTING_CLOSED.refusal()
    verify_amounts(command.ante, command.trips, round_.terms.limits)
    if command.ante:
        _verify_seat(round_, command)
        _verify_means(round_, command)


def verify_amounts(ante: int, trips: int, limits: Limits) -> None:
    """A bet of zero is valid: it takes everything back."""
    if not ante:
        if trips:
            raise Reason.TRIPS_WITHOUT_ANTE.refusal()
        return
    chip = limits.smallest_chip
    if ante < limits.ante_min:
        raise Reason.ANTE_BELOW_MINIMUM.refusal(minimum=limits.ante_min)
    if 0 < trips < limits.trips_min:
        raise Reason.TRIPS_BELOW_MINIMUM.refusal(minimum=limits.trips_min)
    if ante > limits.ante_max:
        raise Reason.ANTE_ABOVE_MAXIMUM.refusal(maximum=limits.ante_max)
    if trips > limits.trips_max:
        raise Reason.TRIPS_ABOVE_MAXIMUM.refusal(maximum=limits.trips_max)
    if ante % chip or trips % chip:
        raise Reason.NOT_A_MULTIPLE_OF.refusal(chip=chip)


def _verify_seat(round_: Round, command: PlaceBet) -> None:
    if round_.terms.layout is Layout.SHARED:
        return
    if command.seat_no is None or not 1 <= command.seat_no <= round_.terms.seats:
        raise Reason.TABLE_FULL.refusal()
    for seat in round_.seats.values():
        if seat.seat_no == command.seat_no and seat.player_id != command.player_id:
            raise Reason.SEAT_TAKEN.refusal()


def _verify_means(round_: Round, command: PlaceBet) -> None:
    """The maximum loss of the round must fit the player's own limits, so that no limit stops a hand half-way."""
    bets = Bets(command.ante, command.trips)
    if command.allowance_minor is not None and bets.total_max > command.allowance_minor:
        raise command.limited_by or Reason.LIMIT_REACHED.refusal()
    on_table = round_.seats.get(command.player_id)
    if bets.total - (on_table.bets.total if on_table else 0) > command.available_minor:
        raise Reason.INSUFFICIENT_FUNDS.refusal()


def place_bet(round_: Round, command: PlaceBet, now_ms: int) -> list[Event]:
    verify_bet(round_, command, now_ms)
    seat = round_.seats.get(command.player_id)
    on_table = (seat.ante, seat.trips, seat.seat_no) if seat else (0, 0, None)
    seat_no = command.seat_no if command.ante and round_.terms.layout is Layout.OWN else None
    standing_seed = seat.seed if seat else None
    seed = _seed(round_, command, standing_seed)
    if (*on_table, standing_seed) == (command.ante, command.trips, seat_no, seed):
        return []
    return [BetPlaced(command.player_id, command.ante, command.trips, seat_no, now_ms, seed)]


def _seed(round_: Round, command: PlaceBet, earlier: str | None) -> str | None:
    """Returns the player's current seed. A presenter's deck is shuffled by hand, so no seed counts there."""
    if round_.commitment is None or not command.ante:
        return None
    return earlier if command.seed is None else command.seed


def withdraw_bet(round_: Round, player_id: str, now_ms: int) -> list[Event]:
    if round_.phase is not Phase.BETTING or _is_due(round_, now_ms) or player_id not in round_.seats:
        return []
    return [BetPlaced(player_id, 0, 0, None, now_ms)]


def close_betting(round_: Round, now_ms: int) -> list[Event]:
    """Without a bet no card is dealt."""
    if not round_.seats:
        return [BettingVoided("no bets", now_ms)]
    stakes = [Stake(seat.player_id, seat.ante, seat.trips, seat.seat_no, seat.seed) for seat in round_.seats.values()]
    return [BettingClosed(tuple(sorted(stakes, key=lambda stake: stake.player_id)), now_ms)]


def _is_due(round_: Round, now_ms: int) -> bool:
    return round_.due_ms is not None and now_ms >= round_.due_ms
