"""Record of a finished hand: its rows and its ledger operation, from the hand and its public events.

Money moves by net results: each loser's seat to the pot, the pot to each winner's seat and to the rake. A hand without
any change posts nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import orjson

from casino.ledger import accounts
from casino.ledger.posting import Operation, move
from casino.money import NO_CURRENCY
from casino.poker.events import Acted, Event, dump_all, load_event
from casino.poker.results import net_of
from casino.poker.state import Hand, Status
from casino.poker.streets import Street

OPERATION: Final = "poker_hand"
VOID: Final = Status.VOID.value


class PlayerRow(NamedTuple):
    """A player's part of a hand. `automatic` counts decisions that the house made for the player."""

    player_id: str
    seat_no: int
    start: int
    staked: int
    returned: int
    rake_share: int
    saw_flop: int
    showdown: int
    automatic: int


class Deck(NamedTuple):
    """A deck as it is stored: its published root, and the sealed shoe."""

    root: str
    sealed: str


class HandRecord(NamedTuple):
    """A hand to store. `events` are JSON and hold no card that was not shown.

    `next_deck` and `state` are those of the table after this hand.
    """

    table_id: str
    no: int
    hand_id: str
    status: str
    currency: str
    started_ms: int | None
    ended_ms: int
    events: str
    board: str
    pot: int
    rake: int
    deck: Deck
    next_deck: Deck
    state: str
    players: tuple[PlayerRow, ...] = ()
    operation: Operation | None = None

    @property
    def row(self) -> tuple[object, ...]:
        """The row of `poker_hands`, without digest and signature."""
        return (
            self.table_id,
            self.no,
            self.hand_id,
            self.status,
            self.currency,
            self.started_ms,
            self.ended_ms,
            self.events,
            self.board,
            self.pot,
            self.rake,
            self.deck.root,
            self.deck.sealed,
            self.next_deck.root,
        )


COLUMNS: Final = (
    *("table_id", "no", "id", "status", "currency", "started_ms", "ended_ms"),
    *("events", "board", "pot", "rake", "root", "sealed", "next_root"),
)
PLAYER_COLUMNS: Final = ("hand_id", "player_id", "ended_ms", *PlayerRow._fields[1:])


def hand_id_of(table_id: str, no: int) -> str:
    return f"{table_id}-{no}"


def record_of(
    hand: Hand, events: Sequence[Event], currency: str, *, deck: Deck, next_deck: Deck, state: str
) -> HandRecord:
    """The record of a hand that is settled or void."""
    assert hand.is_over, "a hand is stored at its end"
    assert hand.root == deck.root, "a hand is stored with its own deck"
    assert hand.ended_ms is not None
    return HandRecord(
        hand.table_id,
        hand.number,
        hand.hand_id,
        hand.status.value,
        currency,
        hand.started_ms,
        hand.ended_ms,
        dump_events(events),
        " ".join(hand.board),
        sum(award.amount for award in hand.awards),
        hand.rake,
        deck,
        next_deck,
        state,
        player_rows(hand, events),
        operation_of(hand, currency),
    )


def unused_deck_record(
    table_id: str, no: int, currency: str, at_ms: int, *, deck: Deck, next_deck: Deck, state: str
) -> HandRecord:
    """The record of a prepared deck that must not be used: its cards may have been seen before a crash."""
    hand_id = hand_id_of(table_id, no)
    return HandRecord(table_id, no, hand_id, VOID, currency, None, at_ms, "[]", "", 0, 0, deck, next_deck, state)


def dump_events(events: Iterable[Event]) -> str:
    return orjson.dumps(dump_all([*events]), option=orjson.OPT_SORT_KEYS).decode()


def load_events(text: str) -> list[Event]:
    """Raises `ValueError` if the text is no list of events."""
    return [load_event(plain) for plain in orjson.loads(text)]


def player_rows(hand: Hand, events: Iterable[Event]) -> tuple[PlayerRow, ...]:
    automatic = Counter(event.seat_no for event in events if isinstance(event, Acted) and event.automatic is not None)
    won = Counter[int]()
    for award in hand.awards:
        won.update(dict(award.winners))
    shares = dict(hand.rake_shares)
    is_void = hand.status is Status.VOID
    rows = []
    for seat in hand.seats:
        staked = 0 if is_void else seat.total + seat.dead
        assert seat.stack - seat.start == won[seat.seat_no] - staked, "chips are neither made nor lost"
        saw_flop = bool(hand.board) and seat.folded is not Street.PREFLOP
        rows.append(
            PlayerRow(
                seat.player_id,
                seat.seat_no,
                seat.start,
                staked,
                won[seat.seat_no],
                shares.get(seat.seat_no, 0),
                int(saw_flop),
                int(hand.is_revealed and seat.is_live),
                automatic[seat.seat_no],
            )
        )
    return tuple(rows)


def operation_of(hand: Hand, currency: str) -> Operation | None:
    """The net postings of the hand, losers first; None if no seat has won or lost, and for tournament chips."""
    if currency == NO_CURRENCY:
        return None
    pot = accounts.pot(hand.table_id, currency)
    net = net_of(hand)
    losses, wins = [], []
    for seat in hand.seats:
        account = accounts.seat(hand.table_id, seat.player_id, currency)
        change = net[seat.seat_no]
        if change < 0:
            losses.append(move(-change, account, pot))
        elif change > 0:
            wins.append(move(change, pot, account))
    rake = [move(hand.rake, pot, accounts.rake(currency))] if hand.rake else []
    postings = (*losses, *wins, *rake)
    return Operation(f"{hand.hand_id}:settle", OPERATION, postings, hand.table_id) if postings else None
