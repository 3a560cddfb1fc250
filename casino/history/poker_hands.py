"""Own poker hands of a player: a list with pagination, and single hands with all their steps and proofs.

A player sees the cards seen at the table: their own hole cards, the board, and cards shown to all. Keyset
pagination keeps the cost of a page constant.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.card import Card, parse_cards
from casino.cards.merkle import CardProof
from casino.errors import Code, Refusal
from casino.money import NO_CURRENCY
from casino.poker.commands import Entrant
from casino.poker.events import CardsShown, Event, HandOpened
from casino.poker.replay import begin, clockwise, evolve
from casino.poker.state import Hand
from casino.poker.terms import Game
from casino.poker_room.dealer import Dealer
from casino.poker_room.hand_record import load_events
from casino.poker_room.shoe import Shoe
from casino.refusals import Reason
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_shown_cards, poker_tables
from casino.storage.schema import users
from casino.wire.poker_hands import StepFields
from casino.wire.poker_history import PastPokerHand, PlayedHand
from casino.wire.poker_views import best_view, hand_view, proof_views, steps_of

PAGE_MAX: Final = 200
PAGE_USUAL: Final = 30
_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{1,40})")

ShownCards = dict[str, list[Any]]
"""Cards shown after the end of a hand, by player."""

UnsealDeck = Callable[[str], Shoe | None]
"""Opens the sealed deck of a finished hand; None if the key is another one by now."""


class HandPlace(NamedTuple):
    """Cursor of a page: it begins after this hand."""

    ended_ms: int
    hand_id: str

    @classmethod
    def parse(cls, written: str) -> "HandPlace":
        found = _PLACE.fullmatch(written)
        if found is None:
            raise Refusal(Code.BAD_REQUEST, "before: use a value that an earlier page gave as `next`.")
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.ended_ms}-{self.hand_id}"


class StoredHand(NamedTuple):
    """A finished hand with its public events; cards shown after it was stored are among them."""

    row: Row[Any]
    opened: HandOpened
    events: Sequence[Event]

    @property
    def seats(self) -> list[Entrant]:
        return clockwise(self.opened.seats, self.opened.positions)

    def dealer(self, unseal: UnsealDeck) -> Dealer | None:
        shoe = unseal(self.row.sealed)
        return Dealer(shoe, self.game, [entrant.seat_no for entrant in self.seats]) if shoe else None

    @property
    def game(self) -> Game:
        return self.opened.terms.game


class Outcome(StrEnum):
    WON = "won"
    LOST = "lost"
    SHOWDOWN = "showdown"


class Wanted(NamedTuple):
    """Filter of a player's own hands: at most `limit`, older than a place, of one table, stake, time or outcome."""

    limit: int = PAGE_USUAL
    before: HandPlace | None = None
    table_id: str | None = None
    pool_id: str | None = None
    from_ms: int | None = None
    until_ms: int | None = None
    outcome: Outcome | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        own = poker_hand_players.c
        if self.before is not None:
            yield tuple_(own.ended_ms, own.hand_id) < tuple_(*self.before)
        if self.table_id is not None:
            yield poker_hands.c.table_id == self.table_id
        if self.pool_id is not None:
            yield poker_tables.c.pool_id == self.pool_id
        if self.from_ms is not None:
            yield own.ended_ms >= self.from_ms
        if self.until_ms is not None:
            yield own.ended_ms < self.until_ms
        match self.outcome:
            case Outcome.WON:
                yield own.returned > own.staked
            case Outcome.LOST:
                yield own.returned < own.staked
            case Outcome.SHOWDOWN:
                yield own.showdown == 1


async def hands_page(
    database: Database, player_id: str, wanted: Wanted, unseal: UnsealDeck
) -> tuple[list[PlayedHand], HandPlace | None]:
    """Returns hands, newest first, and the cursor of the next page, if there is one.

    Opening decks takes milliseconds. The connection is free by then: others have few.
    """
    limit = wanted.limit
    if not 1 <= limit <= PAGE_MAX:
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {PAGE_MAX}.")
    query = own_hands(player_id).where(*wanted.conditions())
    async with database.reading() as connection:
        rows = (await connection.execute(query.limit(limit + 1))).all()
    found = await asyncio.to_thread(_listed, rows[:limit], unseal)
    last = rows[limit - 1] if len(rows) > limit else None
    return found, HandPlace(last.ended_ms, last.id) if last else None


async def past_hand(connection: AsyncConnection, player_id: str, hand_id: str, unseal: UnsealDeck) -> PastPokerHand:
    """Returns an own hand with all its steps. Raises `not_found` for a hand the player was not dealt."""
    row = (await connection.execute(own_hands(player_id).where(poker_hands.c.id == hand_id))).first()
    if row is None:
        raise Reason.NO_SUCH_ROUND.refusal()
    shown = await shown_later(connection, [hand_id])
    stored = stored_hand(row, shown.get(hand_id, {}))
    names = await names_of(connection, (entrant.player_id for entrant in stored.opened.seats))
    return _whole(stored, names, unseal)


async def names_of(connection: AsyncConnection, player_ids: Iterable[str]) -> dict[str, str]:
    query = select(users.c.id, users.c.name).where(users.c.id.in_(set(player_ids)))
    return {row.id: row.name for row in await connection.execute(query)}


def own_hands(player_id: str) -> Select[Any]:
    """Hands the player was dealt, newest first."""
    own = poker_hand_players
    return (
        select(
            own.c.player_id,
            own.c.seat_no,
            own.c.staked,
            own.c.returned,
            own.c.rake_share,
            own.c.automatic,
            own.c.ended_ms,
            poker_hands.c.id,
            poker_hands.c.table_id,
            poker_hands.c.no,
            poker_hands.c.status,
            poker_hands.c.currency,
            poker_hands.c.started_ms,
            poker_hands.c.events,
            poker_hands.c.board,
            poker_hands.c.sealed,
            poker_tables.c.pool_id,
            poker_tables.c.tournament_id,
        )
        .join(poker_hands, poker_hands.c.id == own.c.hand_id)
        .join(poker_tables, poker_tables.c.id == poker_hands.c.table_id)
        .where(own.c.player_id == player_id)
        .order_by(own.c.ended_ms.desc(), own.c.hand_id.desc())
    )


async def shown_later(connection: AsyncConnection, hand_ids: Sequence[str]) -> dict[str, ShownCards]:
    """Returns cards shown after their hand was stored, by hand and player."""
    query = select(poker_shown_cards).where(poker_shown_cards.c.hand_id.in_(hand_ids))
    found: dict[str, ShownCards] = {}
    for row in await connection.execute(query.order_by(poker_shown_cards.c.at_ms)):
        found.setdefault(row.hand_id, {}).setdefault(row.player_id, []).append(row)
    return found


def stored_hand(row: Row[Any], shown: ShownCards) -> StoredHand:
    opened, *events = load_events(row.events)
    assert isinstance(opened, HandOpened), "a hand that was dealt begins with its opening"
    seat_of = {entrant.player_id: entrant.seat_no for entrant in opened.seats}
    later = [
        CardsShown(seat_of[player_id], parse_cards(one.cards), one.at_ms)
        for player_id, rows in shown.items()
        for one in rows
    ]
    return StoredHand(row, opened, [*events, *sorted(later, key=lambda event: event.at_ms)])


def _listed(rows: Sequence[Row[Any]], unseal: UnsealDeck) -> list[PlayedHand]:
    return [_played(stored, stored.dealer(unseal)) for stored in (stored_hand(row, {}) for row in rows)]


def _played(stored: StoredHand, dealer: Dealer | None) -> PlayedHand:
    row = stored.row
    return {
        "hand_id": row.id,
        "table_id": row.table_id,
        "number": row.no,
        "pool": row.pool_id,
        "tournament_id": row.tournament_id,
        "currency": row.currency if row.currency != NO_CURRENCY else None,
        "game": stored.game,
        "started_at": row.started_ms,
        "ended_at": row.ended_ms,
        "status": row.status,
        "cards": list(dealer.hole(row.seat_no)) if dealer else [],
        "board": row.board.split(),
        "staked": row.staked,
        "returned": row.returned,
        "net": row.returned - row.staked,
    }


def _whole(stored: StoredHand, names: Mapping[str, str], unseal: UnsealDeck) -> PastPokerHand:
    row, dealer = stored.row, stored.dealer(unseal)
    opened = begin(stored.opened)
    hand, steps = _replayed(opened, stored.events)
    hole: Sequence[Card] = dealer.hole(row.seat_no) if dealer else ()
    proofs: Sequence[CardProof] = dealer.proofs(hand, row.seat_no) if dealer else ()
    return {
        **_played(stored, dealer),
        "seat_no": row.seat_no,
        "best": best_view(stored.game, hole, hand.board) if hole else None,
        "rake_share": row.rake_share,
        "automatic": row.automatic,
        "opened": hand_view(opened, names),
        "steps": steps,
        "ended": hand_view(hand, names),
        "proofs": proof_views(proofs),
    }


def _replayed(opened: Hand, events: Iterable[Event]) -> tuple[Hand, list[StepFields]]:
    hand, steps = opened, list[StepFields]()
    for event in events:
        hand = evolve(hand, event)
        steps += steps_of(event, hand)
    return hand, steps
