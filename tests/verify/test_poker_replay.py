"""Poker replay by the rules: accepts honest hands, and no event that the rules do not lead to."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from casino.cards.card import Card
from casino.poker.betting import Action
from casino.poker.commands import Cause, Entrant, OpenHand
from casino.poker.events import (
    Acted,
    BoardDealt,
    Event,
    HandOpened,
    HandSettled,
    HandsShown,
    PotAwarded,
    SeatAmount,
    UncalledReturned,
)
from casino.poker.hand import begin, open_hand, replay
from casino.poker.positions import Positions
from casino.poker.state import Status
from casino.poker.terms import Game, RakeTerms, Showing, Terms
from casino.verify.poker_replay import ReplayError, replay_by_rules
from tests.poker_room.stored_tables import fixed_shoe, play

TERMS = Terms(Game.NLHE, 5, 10, rake=RakeTerms(35, 100))
ACES = "As Kd 2c Ad Kc 7h"
"""Dealt one at a time, left of the button first: seat 2 has aces, seat 3 kings."""


def hand_of(actions: Sequence[str], terms: Terms = TERMS, *, void: bool = False) -> list[Event]:
    entrants = tuple(Entrant(seat, f"player-{seat}", stack) for seat, stack in enumerate((1000, 900, 1000), 1))
    command = OpenHand("t-1", "t", 1, terms, entrants, Positions(1, 2, 3), "root")
    opened, *_ = open_hand(command, 5)
    assert isinstance(opened, HandOpened)
    _, events = play(begin(opened), fixed_shoe(ACES), actions, 5, void=void)
    return [opened, *events]


@pytest.mark.parametrize(
    "actions",
    [
        ("raise_to 100", "call", "fold"),
        ("raise_to 30", "fold", "fold"),
        ("raise_to 1000", "call", "call"),
        ("call", "raise_to 40", "call", "call", "raise_to 60", "call", "raise_to 300", "fold", "fold"),
    ],
)
@pytest.mark.parametrize("showing", Showing)
def test_honest_hands_are_accepted(actions: Sequence[str], showing: Showing) -> None:
    events = hand_of(actions, replace(TERMS, showing=showing))
    assert replay_by_rules(events) == replay(events[0], events[1:])  # type: ignore[arg-type]


def test_a_void_hand_is_accepted() -> None:
    assert replay_by_rules(hand_of(("raise_to 100",), void=True)).status is Status.VOID


def changed(kind: type[Event], change: Callable[..., Event]) -> Callable[[list[Event]], list[Event]]:
    """Changes the first event of this kind."""

    def forge(events: list[Event]) -> list[Event]:
        place = next(place for place, event in enumerate(events) if isinstance(event, kind))
        return [*events[:place], change(events[place]), *events[place + 1 :]]

    return forge


def without(kind: type[Event]) -> Callable[[list[Event]], list[Event]]:
    return lambda events: [event for event in events if not isinstance(event, kind)]


FORGERIES: dict[str, Callable[[list[Event]], list[Event]]] = {
    "another winner": changed(
        PotAwarded, lambda event: replace(event, award=event.award._replace(winners=((3, event.award.winners[0][1]),)))
    ),
    "less rake from a pot": changed(
        PotAwarded, lambda event: replace(event, award=event.award._replace(rake=event.award.rake - 1))
    ),
    "less rake": changed(HandSettled, lambda event: replace(event, rake=event.rake - 1)),
    "other shares of the rake": changed(HandSettled, lambda event: replace(event, rake_shares=event.rake_shares[::-1])),
    "other stacks": changed(HandSettled, lambda event: replace(event, stacks=(SeatAmount(1, 1), *event.stacks[1:]))),
    "another uncalled bet": changed(UncalledReturned, lambda event: replace(event, amount=event.amount + 1)),
    "no uncalled bet": without(UncalledReturned),
    "a raise that is too small": changed(Acted, lambda event: replace(event, to=12, paid=12)),
    "a raise that pays less": changed(Acted, lambda event: replace(event, paid=event.paid - 1)),
    "out of turn": changed(Acted, lambda event: replace(event, seat_no=3)),
    "in no seat": changed(Acted, lambda event: replace(event, seat_no=9)),
    "a check that is not free": changed(Acted, lambda event: replace(event, action=Action.CHECK, paid=0, to=10)),
    "a call for an absent player": changed(Acted, lambda event: replace(event, automatic=Cause.CLOCK)),
    "four cards on the flop": changed(BoardDealt, lambda event: replace(event, cards=(*event.cards, Card("9h")))),
    "a card twice": changed(BoardDealt, lambda event: replace(event, cards=(Card("As"), *event.cards[1:]))),
    "no flop": without(BoardDealt),
    "hands nobody holds": changed(HandsShown, lambda event: replace(event, hands=event.hands[:1])),
    "no showdown": without(HandsShown),
    "no end": lambda events: events[:-1],
    "two openings": lambda events: [events[0], *events],
    "no opening": lambda events: events[1:],
    "an impossible button": changed(
        HandOpened, lambda event: replace(event, positions=replace(event.positions, button=3))
    ),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_every_event_that_the_rules_do_not_lead_to_is_found(
    forge: Callable[[list[Event]], list[Event]],
) -> None:
    """Seat 1 bets more than seat 2 can call, seat 3 folds, and the board is dealt out."""
    honest = hand_of(("raise_to 1000", "call", "fold"), TERMS)
    replay_by_rules(honest)
    with pytest.raises((ReplayError, ValueError)):
        replay_by_rules(forge(honest))
