"""Replays a poker hand by its rules: every stored event must be what the rules answer to the players and the cards.

Actions, cards and voids are taken from the events as commands. What follows from them, such as an uncalled bet, the
pots, their winners and the rake, is worked out again and compared.
"""

from collections import deque
from collections.abc import Sequence
from itertools import accumulate

from casino.errors import Refusal
from casino.poker.betting import Action
from casino.poker.commands import Act, Command, DealBoard, OpenHand, Reveal, Show, TimeOver, VoidHand
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
)
from casino.poker.hand import begin, evolve, open_hand, unfold
from casino.poker.results import settle
from casino.poker.state import Hand
from casino.poker.streets import BOARD_CARDS
from casino.poker.terms import Showing

Step = tuple[Event, Hand]
"""An event, and the hand after it."""


class ReplayError(ValueError):
    """The events are not a hand by the rules; the text names the first wrong event."""


def replay_by_rules(events: Sequence[Event]) -> Hand:
    """Raises ReplayError, or whatever forged values cause in the rules."""
    opened, *others = events
    if not isinstance(opened, HandOpened):
        raise ReplayError("it does not begin with its opening")
    hand, due = begin(opened), deque(_opening(opened))
    for number, event in enumerate(others, 2):
        if isinstance(event, HandVoided) and all(isinstance(one, PotAwarded | HandSettled) for one, _ in due):
            due.clear()  # the hand was over, but its result could not be stored
        if not due:
            try:
                due.extend(_consequences(hand, event))
            except Refusal as refusal:
                raise ReplayError(f"event {number} is refused by the rules ({refusal.code})") from refusal
        expected, hand = due.popleft()
        if expected != event:
            raise ReplayError(f"event {number} is not what the rules lead to")
    if due or not hand.is_over:
        raise ReplayError("its end is missing")
    return hand


def _opening(opened: HandOpened) -> list[Step]:
    """Returns the events that follow from the opening at once; refused for impossible seats and positions."""
    of_hand = (opened.hand_id, opened.table_id, opened.number, opened.terms, opened.seats, opened.positions)
    try:
        _, *following = open_hand(OpenHand(*of_hand, opened.root), opened.at_ms)
    except Refusal as refusal:
        raise ReplayError(f"its opening is refused by the rules ({refusal.code})") from refusal
    return _steps(begin(opened), following)


def _consequences(hand: Hand, event: Event) -> list[Step]:
    """The event as the rules answer it, and all events that follow from it without a further command."""
    if isinstance(event, HandsShown) and {shown.seat_no for shown in event.hands} < set(hand.wants.seats):
        if hand.terms.showing is not Showing.LOSERS_MAY_MUCK or len(hand.board) < BOARD_CARDS:
            raise ReplayError("not all hands of the showdown are shown")
        # The cards of mucked hands are in no event.
        return _steps(hand, [event, *settle(evolve(hand, event), event.at_ms)])
    return unfold(hand, _command(hand, event), event.at_ms)


def _steps(hand: Hand, events: Sequence[Event]) -> list[Step]:
    return list(zip(events, list(accumulate(events, evolve, initial=hand))[1:], strict=True))


def _command(hand: Hand, event: Event) -> Command:
    match event:
        case Acted(automatic=None):
            amount = event.to if event.action is Action.RAISE_TO else 0
            return Act(hand.hand_id, hand.turn, _player(hand, event.seat_no), event.action, amount)
        case Acted():
            assert event.automatic is not None
            return TimeOver(hand.hand_id, hand.turn, event.automatic)
        case BoardDealt():
            return DealBoard(hand.hand_id, event.cards)
        case HandsShown():
            return Reveal(hand.hand_id, {shown.seat_no: shown.cards for shown in event.hands})
        case CardsShown():
            return Show(hand.hand_id, _player(hand, event.seat_no), event.cards)
        case HandVoided():
            return VoidHand(hand.hand_id, event.reason, event.by)
    raise ReplayError(f"{event.kind} does not follow from anything")


def _player(hand: Hand, seat_no: int) -> str:
    return next((seat.player_id for seat in hand.seats if seat.seat_no == seat_no), "")
