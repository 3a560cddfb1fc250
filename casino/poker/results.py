"""Settlement of a hand: rake, winners of each pot, final stacks and net results."""

from collections.abc import Mapping

from casino.poker.events import Event, HandSettled, PotAwarded, SeatAmount
from casino.poker.pots import Pot, divide, share_out
from casino.poker.rake import contributed, rake_of, spread_over_pots
from casino.poker.showdown import strengths
from casino.poker.state import Award, Hand, Status


def rake_by_pot(hand: Hand, pots: list[Pot]) -> list[int]:
    """The rake of each pot, once betting is closed and an uncalled bet has been returned."""
    amounts = [pot.amount for pot in pots]
    rake = rake_of(hand.terms.rake, sum(amounts), len(hand.seats), flop_dealt=bool(hand.board))
    return spread_over_pots(rake, amounts)


def settle(hand: Hand, at_ms: int) -> list[Event]:
    """The events that end a hand: each pot to its winners, then the final stacks."""
    pots = divide(hand.seats)
    rakes = rake_by_pot(hand, pots)
    strength = strengths(hand.terms.game, {shown.seat_no: shown.cards for shown in hand.shown}, hand.board)
    stacks = {seat.seat_no: seat.stack for seat in hand.seats}
    events: list[Event] = []
    for number, (pot, rake) in enumerate(zip(pots, rakes, strict=True), start=1):
        winners = share_out(pot.amount - rake, winners_of(pot, strength))
        for seat_no, amount in winners:
            stacks[seat_no] += amount
        events.append(PotAwarded(Award(number, pot.amount, rake, pot.contenders, winners), at_ms))
    rake = sum(rakes)
    assert sum(stacks.values()) + rake == sum(seat.start for seat in hand.seats), "chips are neither made nor lost"
    shares = contributed(rake, [seat.total + seat.dead for seat in hand.seats])
    seat_numbers = [seat.seat_no for seat in hand.seats]
    events.append(
        HandSettled(
            tuple(SeatAmount(seat_no, stacks[seat_no]) for seat_no in seat_numbers),
            rake,
            tuple(SeatAmount(seat_no, share) for seat_no, share in zip(seat_numbers, shares, strict=True)),
            at_ms,
        )
    )
    return events


def winners_of(pot: Pot, strength: Mapping[int, int]) -> list[int]:
    """The best hands among the contenders. A hidden hand loses, but a contender alone needs to show none."""
    hands = {seat_no: strength.get(seat_no, -1) for seat_no in pot.contenders}
    best = max(hands.values())
    return [seat_no for seat_no, own in hands.items() if own == best]


def net_of(hand: Hand) -> dict[int, int]:
    """Returns the net result of each seat in a finished hand; empty for a void one."""
    assert hand.status is not Status.PLAYING, "an open hand has no result"
    return {seat.seat_no: seat.stack - seat.start for seat in hand.seats}
