"""The entry point to a hand: `decide` turns a command into events, `evolve` applies an event.

    open_hand(command, now)       -> the first events, beginning with `HandOpened`
    begin(opened)                 -> the hand after `HandOpened`
    decide(hand, command, now)    -> events, or a Refusal with a code and no change
    unfold(hand, command, now)    -> the same, each event with the hand after it
    evolve(hand, event)           -> the next hand

`hand.wants` says what the hand waits for. Time is an argument in milliseconds since 1970.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final

from casino.cards.card import Card, distinct_cards
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.poker.acting import act, act_for
from casino.poker.commands import Act, Command, DealBoard, OpenHand, Reveal, Show, TimeOver
from casino.poker.events import (
    BoardDealt,
    CardsShown,
    Event,
    HandOpened,
    HandsShown,
    HandVoided,
    StreetEnded,
    UncalledReturned,
)
from casino.poker.pots import uncalled_bet
from casino.poker.replay import begin, evolve, replay
from casino.poker.results import settle
from casino.poker.showdown import hands_to_show
from casino.poker.state import Hand, Status, WantKind
from casino.poker.streets import BOARD_CARDS, NEXT
from casino.poker.terms import SEATS_MAX
from casino.refusals import Reason

__all__ = ["begin", "decide", "evolve", "open_hand", "replay", "unfold"]

SHOW_MS: Final = 5_000
"""How long after the hand players may show cards voluntarily."""


def open_hand(command: OpenHand, now_ms: int) -> list[Event]:
    """Begin a hand: `HandOpened`, and what follows at once if the blinds leave no player to act.

    Refuses `bad_request` if seats or positions are impossible.
    """
    _check_seats(command)
    opened = HandOpened(
        command.hand_id,
        command.table_id,
        command.number,
        command.terms,
        command.seats,
        command.positions,
        command.root,
        now_ms,
    )
    return [opened, *(event for event, _ in _follow(begin(opened), now_ms))]


def decide(hand: Hand, command: Command, now_ms: int) -> list[Event]:
    """The events a command causes, with everything that follows from it at once."""
    return [event for event, _ in unfold(hand, command, now_ms)]


def unfold(hand: Hand, command: Command, now_ms: int) -> list[tuple[Event, Hand]]:
    """The same, each event with the hand after it."""
    event = _answer(hand, command, now_ms)
    hand = evolve(hand, event)
    return [(event, hand), *_follow(hand, now_ms)]


def _answer(hand: Hand, command: Command, now_ms: int) -> Event:
    if command.hand_id != hand.hand_id:
        raise Reason.HAND_OVER.refusal()
    if isinstance(command, Show):
        return _show(hand, command, now_ms)
    if hand.is_over:
        raise Reason.HAND_OVER.refusal()
    match command:
        case Act():
            return act(hand, command, now_ms)
        case TimeOver():
            return act_for(hand, command, now_ms)
        case DealBoard():
            return _deal(hand, command, now_ms)
        case Reveal():
            return _reveal(hand, command, now_ms)
    return HandVoided(command.reason, command.by, now_ms)


def _follow(hand: Hand, now_ms: int) -> list[tuple[Event, Hand]]:
    """Events that need no further command: the end of a street, an uncalled bet, the settlement."""
    steps = []
    while events := _due(hand, now_ms):
        for event in events:
            hand = evolve(hand, event)
            steps.append((event, hand))
    return steps


def _due(hand: Hand, now_ms: int) -> list[Event]:
    if hand.pending or hand.status is not Status.PLAYING:
        return []
    if not hand.is_street_over:
        return [StreetEnded(hand.street, now_ms)]
    if not hand.is_betting_closed:
        return []
    if (uncalled := uncalled_bet(hand.seats)) is not None:
        index, amount = uncalled
        return [UncalledReturned(hand.seats[index].seat_no, amount, now_ms)]
    if len(hand.live) == 1 or (hand.is_revealed and len(hand.board) == BOARD_CARDS):
        return settle(hand, now_ms)
    return []


def _deal(hand: Hand, command: DealBoard, now_ms: int) -> Event:
    wants = hand.wants
    if wants.kind is not WantKind.BOARD or len(command.cards) != wants.cards:
        raise Refusal(Code.NOT_EXPECTED, "The hand does not wait for these cards.")
    return BoardDealt(NEXT[hand.street], _new_cards(hand, command.cards), now_ms)


def _reveal(hand: Hand, command: Reveal, now_ms: int) -> Event:
    wants = hand.wants
    if wants.kind is not WantKind.REVEAL or command.hands.keys() != set(wants.seats):
        raise Refusal(Code.NOT_EXPECTED, "The hand does not ask for the cards of these seats.")
    if any(len(cards) != hand.terms.game.hole_cards for cards in command.hands.values()):
        raise Refusal(Code.BAD_REQUEST, f"A hand has {hand.terms.game.hole_cards} hole cards.")
    _new_cards(hand, [card for cards in command.hands.values() for card in cards])
    held = {seat_no: tuple(map(Card, cards)) for seat_no, cards in command.hands.items()}
    return HandsShown(hands_to_show(hand, held), now_ms)


def _show(hand: Hand, command: Show, now_ms: int) -> Event:
    seat = hand.seat_of(command.player_id)
    if seat is None:
        raise Reason.NOT_IN_HAND.refusal()
    if hand.status is not Status.SETTLED or hand.ended_ms is None:
        raise Reason.SHOW_TOO_EARLY.refusal()
    if now_ms > hand.ended_ms + SHOW_MS:
        raise Reason.SHOW_TOO_LATE.refusal()
    won_unseen = seat.is_live and not hand.is_revealed
    if not won_unseen and seat.folded is not hand.street:
        raise Reason.SHOW_NOT_OPEN.refusal()
    cards = _new_cards(hand, command.cards)
    if not cards or len(hand.cards_of(seat.seat_no)) + len(cards) > hand.terms.game.hole_cards:
        raise Reason.NOT_YOUR_CARDS.refusal()
    return CardsShown(seat.seat_no, cards, now_ms)


def _new_cards(hand: Hand, cards: Collection[str]) -> tuple[Card, ...]:
    """The cards, checked: each exists, and none is on the table already."""
    on_table = [*hand.board, *(card for shown in hand.shown for card in shown.cards)]
    return distinct_cards((*on_table, *cards))[len(on_table) :]


def _places_after(seat: int, button: int) -> int:
    """How many places clockwise from the button."""
    return (seat - button) % SEATS_MAX


def _check_seats(command: OpenHand) -> None:
    seat_numbers = [entrant.seat_no for entrant in command.seats]
    positions = command.positions
    dealt_in = set(seat_numbers)
    if not 2 <= len(seat_numbers) <= SEATS_MAX or not all(1 <= seat_no <= SEATS_MAX for seat_no in seat_numbers):
        raise Refusal(Code.BAD_REQUEST, f"A hand has 2 to {SEATS_MAX} players in seats 1 to {SEATS_MAX}.")
    players = Counter(entrant.player_id for entrant in command.seats)
    if len(dealt_in) != len(seat_numbers) or len(players) != len(seat_numbers):
        raise Refusal(Code.BAD_REQUEST, "Each player has one seat, and each seat one player.")
    if not all(0 < entrant.stack <= MINOR_MAX and entrant.dead >= 0 for entrant in command.seats):
        raise Refusal(Code.BAD_REQUEST, f"Every player needs a stack of 1 to {MINOR_MAX}.")
    payers = [positions.big_blind, *positions.posters]
    if positions.small_blind is not None:
        payers.append(positions.small_blind)
    if not set(payers) <= dealt_in or len(set(payers)) != len(payers):
        raise Refusal(Code.BAD_REQUEST, "Blinds and posts are paid by different players who are dealt in.")
    if not 1 <= positions.button <= SEATS_MAX:
        raise Refusal(Code.BAD_REQUEST, f"The button is at a seat from 1 to {SEATS_MAX}.")
    heads_up = len(seat_numbers) == 2
    if positions.button == positions.big_blind or (positions.button == positions.small_blind) is not heads_up:
        raise Refusal(Code.BAD_REQUEST, "The button pays the small blind heads-up, and no blind otherwise.")
    if positions.small_blind is not None and _places_after(positions.small_blind, positions.button) > _places_after(
        positions.big_blind, positions.button
    ):
        raise Refusal(Code.BAD_REQUEST, "The small blind sits between the button and the big blind.")
