"""Settlement records for finance: computed once, when the money moves, and stored with the postings.

One function defines a settlement record. The unit of work stores it, and the verification recomputes it from the
journal. `postings` decides where the money of a seat goes.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.ranking import Hand
from casino.storage import schema
from casino.storage.bulk import insert_rows
from casino.uth.results import results, showdown
from casino.uth.settlement import SeatResult, qualifies
from casino.uth.state import Round, Seat

SHARED_HAND: Final = 0
"""Hand number of the shared hand."""

Head = tuple[str, str, str, str, str, str, str | None, int | None, str]
"""round, status, table, game number, board, dealer's cards, dealer's hand, whether it qualifies, paytable."""

HandRow = tuple[int, str, str | None, str | None]
"""Seat number, cards, hand, result."""

SeatRow = tuple[str, str, int, int, int, int, int, int, int, int, str | None, int]
"""Player, currency, seat number, three stakes, four returns, last decision, whether a timeout decided it."""

HEAD_COLUMNS: Final = (
    "round_id",
    "status",
    "table_id",
    "game_number",
    "board",
    "dealer_cards",
    "dealer_hand",
    "dealer_qualifies",
    "paytable",
)
HAND_COLUMNS: Final = ("seat_no", "player_cards", "player_hand", "result")
SEAT_COLUMNS: Final = tuple(column.name for column in schema.settled_seats.columns)[1:]


class Settlement(NamedTuple):
    head: Head
    hands: list[HandRow]
    seats: list[SeatRow]


def settlement(
    round_: Round, currencies: Mapping[str, str], status: str, ended: Mapping[str, SeatResult] | None = None
) -> Settlement:
    """`ended` holds the results of all seats, if known already."""
    ended = results(round_) if ended is None else ended
    dealer = round_.dealer_hand
    head = (
        round_.round_id,
        status,
        round_.table_id,
        round_.game_number,
        " ".join(round_.board),
        " ".join(round_.dealer_cards),
        _category(dealer),
        int(qualifies(dealer)) if dealer else None,
        str(round_.terms.paytable),
    )
    sign = -1 if status == "reversal" else 1
    seats = [_seat_row(seat, currencies[player], ended[player], sign) for player, seat in sorted(round_.seats.items())]
    return Settlement(head, _hands(round_, is_played=status != "cancelled"), seats)


def dealers(round_: Round) -> dict[str, int]:
    """How many cards each presenter has dealt, in the order of their first cards."""
    return dict(Counter(by for by in round_.dealt_by if by))


def presenter_of(round_: Round, opened_by: str | None) -> str | None:
    """The presenter a round counts for: who dealt most of its cards, of two with as many the one who dealt the last.

    `opened_by` was on shift when the round began. Without recorded presenters, the round counts for them.
    """
    dealt = dealers(round_)
    if not dealt:
        return opened_by
    latest = {by: place for place, by in enumerate(round_.dealt_by)}
    return max(dealt, key=lambda by: (dealt[by], latest[by]))


async def write(connection: AsyncConnection, operation_id: int, presenter: str | None, settled: Settlement) -> None:
    """Writes the record in the transaction that moves the money, under the number of its operation."""
    head_columns = ("operation_id", "presenter", *HEAD_COLUMNS)
    await insert_rows(connection, schema.settlements, head_columns, [(operation_id, presenter, *settled.head)])
    for table, columns, rows in (
        (schema.settled_hands, HAND_COLUMNS, settled.hands),
        (schema.settled_seats, SEAT_COLUMNS, settled.seats),
    ):
        await insert_rows(connection, table, ("operation_id", *columns), [(operation_id, *row) for row in rows])


def _hands(round_: Round, *, is_played: bool) -> list[HandRow]:
    rows = []
    for seat_no in round_.seat_numbers or (None,):
        shown = showdown(round_, seat_no) if is_played else None
        cards, hand = " ".join(round_.hole_cards(seat_no)), round_.hand(seat_no)
        rows.append((seat_no or SHARED_HAND, cards, _category(hand), f"{shown.result}" if shown else None))
    return rows


def _seat_row(seat: Seat, currency: str, result: SeatResult, sign: int) -> SeatRow:
    _, ante, blind, trips, play, _, _ = result
    last = seat.last
    return (
        seat.player_id,
        currency,
        seat.seat_no or SHARED_HAND,
        sign * seat.ante,
        sign * seat.trips,
        sign * play.bet,
        sign * ante.returned,
        sign * blind.returned,
        sign * trips.returned,
        sign * play.returned,
        f"{last.action}" if last else None,
        int(last.automatic) if last else 0,
    )


def _category(hand: Hand | None) -> str | None:
    return f"{hand.category}" if hand else None
