"""The effect of each event on a hand. Nothing is checked here: an event has happened."""

from collections.abc import Iterable
from functools import reduce

from casino.poker import betting
from casino.poker.betting import Action
from casino.poker.commands import Entrant
from casino.poker.events import (
    Acted,
    BoardDealt,
    CardsShown,
    Event,
    HandOpened,
    HandSettled,
    HandsShown,
    HandVoided,
    PotAwarded,
    StreetEnded,
    UncalledReturned,
)
from casino.poker.positions import Positions
from casino.poker.state import Hand, Seat, ShownCards, Status
from casino.poker.terms import SEATS_MAX, Terms


def begin(event: HandOpened) -> Hand:
    """The hand with antes, blinds and posts paid, and the first player to act."""
    seats = tuple(_seated(entrant, event.terms, event.positions) for entrant in clockwise(event.seats, event.positions))
    hand = Hand(
        event.hand_id,
        event.table_id,
        event.number,
        event.at_ms,
        event.terms,
        event.positions,
        event.root,
        seats,
        to=event.terms.big_blind,
        inc=event.terms.big_blind,
    )
    return hand.changed(pending=betting.first_to_act(hand))


def clockwise(entrants: Iterable[Entrant], positions: Positions) -> list[Entrant]:
    """The players clockwise, beginning left of the button: the order in which cards are dealt."""
    return sorted(entrants, key=lambda entrant: (entrant.seat_no - positions.button - 1) % (SEATS_MAX + 1))


def _seated(entrant: Entrant, terms: Terms, positions: Positions) -> Seat:
    """A player with dead money, ante and blind paid, each as far as the stack goes."""
    dead = min(entrant.dead, entrant.stack)
    ante = min(terms.ante, entrant.stack - dead)
    blind = 0
    if entrant.seat_no == positions.big_blind or entrant.seat_no in positions.posters:
        blind = terms.big_blind
    elif entrant.seat_no == positions.small_blind:
        blind = terms.small_blind
    left = entrant.stack - dead - ante
    seat = Seat(entrant.seat_no, entrant.player_id, entrant.stack, left, total=ante, dead=dead)
    return seat.paying(min(blind, left), None)


def evolve(hand: Hand, event: Event) -> Hand:
    """The hand after the event."""
    match event:
        case Acted():
            return _acted(hand, event)
        case StreetEnded():
            seats = tuple(seat.holding(seat.stack, seat.total) for seat in hand.seats)
            return hand.changed(seats=seats, to=0, is_street_over=True)
        case BoardDealt():
            return _next_street(hand, event)
        case UncalledReturned():
            seats = tuple(
                seat.holding(seat.stack + event.amount, seat.total - event.amount)
                if seat.seat_no == event.seat_no
                else seat
                for seat in hand.seats
            )
            return hand.changed(seats=seats, uncalled=(event.seat_no, event.amount))
        case HandsShown():
            return hand.changed(shown=event.hands, is_revealed=True)
        case PotAwarded():
            won = dict(event.award.winners)
            seats = tuple(seat.holding(seat.stack + won.get(seat.seat_no, 0), seat.total) for seat in hand.seats)
            return hand.changed(seats=seats, awards=(*hand.awards, event.award))
        case HandSettled():
            return hand.changed(
                status=Status.SETTLED, rake=event.rake, rake_shares=event.rake_shares, ended_ms=event.at_ms
            )
        case CardsShown():
            others = tuple(shown for shown in hand.shown if shown.seat_no != event.seat_no)
            cards = (*hand.cards_of(event.seat_no), *event.cards)
            return hand.changed(shown=(*others, ShownCards(event.seat_no, cards)))
        case HandVoided():
            seats = tuple(seat.holding(seat.start, 0) for seat in hand.seats)
            return hand.changed(seats=seats, pending=(), to=0, status=Status.VOID, ended_ms=event.at_ms)
    raise ValueError(f"{type(event).__name__} cannot follow in a hand that has begun")


def replay(opened: HandOpened, events: Iterable[Event]) -> Hand:
    return reduce(evolve, events, begin(opened))


def _acted(hand: Hand, event: Acted) -> Hand:
    match event.action:
        case Action.FOLD:
            return betting.after_fold(hand)
        case Action.CHECK:
            return betting.after_check(hand)
        case Action.CALL:
            return betting.after_call(hand, event.paid)
    return betting.after_raise(hand, event.to)


def _next_street(hand: Hand, event: BoardDealt) -> Hand:
    hand = hand.changed(
        street=event.street,
        board=hand.board + event.cards,
        inc=hand.terms.big_blind,
        reopened=0,
        chain=0,
        aggressor=None,
        is_street_over=False,
    )
    return hand.changed(pending=betting.first_to_act(hand))
