"""Betting time: which bets are taken, and what happens when it ends."""

from casino.errors import Code, Refusal
from casino.uth.bets import Bets, Limits
from casino.uth.commands import PlaceBet
from casino.uth.events import BetPlaced, BettingClosed, BettingVoided, Event, Stake
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.terms import Layout


def verify_bet(round_: Round, command: PlaceBet, now_ms: int) -> None:
    """Refuse the bet with the first reason there is; the order of reasons is part of the promise to clients."""
    if command.ante < 0 or command.trips < 0:
        raise Refusal(Code.BAD_REQUEST, "An amount cannot be negative.")
    if command.round_id != round_.round_id:
        raise Refusal(Code.STALE_ROUND, "That round is not the one being played.")
    if round_.paused:
        raise Refusal(Code.TABLE_PAUSED, "The table is paused. Your bets stand as they are.")
    if round_.phase is not Phase.BETTING or _is_due(round_, now_ms):
        raise Refusal(Code.BETTING_CLOSED, "Betting closed.")
    verify_amounts(command.ante, command.trips, round_.terms.limits)
    if command.ante:
        _verify_seat(round_, command)
        _verify_means(round_, command)


def verify_amounts(ante: int, trips: int, limits: Limits) -> None:
    """Nothing at all is a valid bet: it takes everything back."""
    if not ante:
        if trips:
            raise Refusal(Code.TRIPS_WITHOUT_ANTE, "TRIPS can only be bet beside an ANTE.")
        return
    chip = limits.smallest_chip
    if ante < limits.ante_min or 0 < trips < limits.trips_min:
        raise Refusal(Code.BELOW_MINIMUM, f"{_which(ante < limits.ante_min)} is below the minimum of this table.")
    if ante > limits.ante_max or trips > limits.trips_max:
        raise Refusal(Code.ABOVE_MAXIMUM, f"{_which(ante > limits.ante_max)} is above the maximum of this table.")
    if ante % chip or trips % chip:
        raise Refusal(Code.NOT_A_CHIP_MULTIPLE, f"{_which(ante % chip > 0)} must be made of this table's chips.")


def _which(is_ante: bool) -> str:  # noqa: FBT001  it is a question with two answers
    return "ANTE" if is_ante else "TRIPS"


def _verify_seat(round_: Round, command: PlaceBet) -> None:
    if round_.terms.layout is Layout.SHARED:
        return
    if command.seat_no is None or not 1 <= command.seat_no <= round_.terms.seats:
        raise Refusal(Code.TABLE_FULL, "You have no seat at this table.")
    for seat in round_.seats.values():
        if seat.seat_no == command.seat_no and seat.player_id != command.player_id:
            raise Refusal(Code.TABLE_FULL, "That seat is taken.")


def _verify_means(round_: Round, command: PlaceBet) -> None:
    """The whole round must fit the player's own limits, so that nobody is stranded in the middle of a hand."""
    bets = Bets(command.ante, command.trips)
    if command.allowance_minor is not None and bets.total_max > command.allowance_minor:
        why = command.limited_by or "This round could cost more than your own limit leaves you."
        raise Refusal(Code.LIMIT_REACHED, why)
    on_table = round_.seats.get(command.player_id)
    if bets.total - (on_table.bets.total if on_table else 0) > command.available_minor:
        raise Refusal(Code.INSUFFICIENT_FUNDS, "Your balance does not cover this bet.")


def place_bet(round_: Round, command: PlaceBet, now_ms: int) -> list[Event]:
    verify_bet(round_, command, now_ms)
    seat = round_.seats.get(command.player_id)
    on_table = (seat.ante, seat.trips, seat.seat_no) if seat else (0, 0, None)
    seat_no = command.seat_no if command.ante and round_.terms.layout is Layout.OWN else None
    if on_table == (command.ante, command.trips, seat_no):
        return []
    return [BetPlaced(command.player_id, command.ante, command.trips, seat_no, now_ms)]


def withdraw_bet(round_: Round, player_id: str, now_ms: int) -> list[Event]:
    if round_.phase is not Phase.BETTING or _is_due(round_, now_ms) or player_id not in round_.seats:
        return []
    return [BetPlaced(player_id, 0, 0, None, now_ms)]


def close_betting(round_: Round, now_ms: int) -> list[Event]:
    """Without a bet no card is dealt."""
    if not round_.seats:
        return [BettingVoided("no bets", now_ms)]
    stakes = (Stake(seat.player_id, seat.ante, seat.trips, seat.seat_no) for seat in round_.seats.values())
    return [BettingClosed(tuple(sorted(stakes)), now_ms)]


def _is_due(round_: Round, now_ms: int) -> bool:
    return round_.due_ms is not None and now_ms >= round_.due_ms
