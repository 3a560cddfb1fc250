"""Backfills settlements of rounds that ended before migration 0005, from their journal.

The migration replays the journal with the same pure rules as `casino verify`, so both must understand every event ever
stored. It compares the result with the postings, player by player. A round whose money moved otherwise, or whose
journal is unreadable, gets no row, and `casino verify` reports it.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa
from alembic import op

from casino.uth.events import BettingOpened, RoundCancelled, RoundCorrected, RoundSettled, load_event
from casino.uth.replay import begin, evolve
from casino.uth.results import results, showdown
from casino.uth.settlement import qualifies

revision = "0007"
down_revision = "0006"

ROUNDS_AT_ONCE = 200
ENDING_OPERATIONS = ("settle", "refund", "reversal")
UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError)

SETTLEMENT_COLUMNS = (
    "operation_id round_id status table_id game_number presenter "
    "board dealer_cards dealer_hand dealer_qualifies paytable"
)
HAND_COLUMNS = "operation_id seat_no player_cards player_hand result"
SEAT_COLUMNS = (
    "operation_id player_id currency seat_no ante trips play ante_returned blind_returned trips_returned play_returned "
    "action automatic"
)


def _table(name: str, columns: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(column) for column in columns.split()))


operations = _table("operations", "id key kind round_id")
postings = _table("postings", "operation_id source destination amount")
rounds = _table("rounds", "id presenter")
journal = _table("journal", "round_id table_id seq data")
round_seats = _table("seats", "round_id player_id currency")
settlements = _table("settlements", SETTLEMENT_COLUMNS)
settled_hands = _table("settled_hands", HAND_COLUMNS)
settled_seats = _table("settled_seats", SEAT_COLUMNS)

Row = dict[str, Any]


class Ending(NamedTuple):
    """One settlement, refund, reversal or new settlement of a round, by the key of the operation that posted it."""

    key: str
    status: str
    round: Any


def upgrade() -> None:
    connection = op.get_bind()
    unknown = [row.round_id for row in connection.execute(_missing())]
    for start in range(0, len(unknown), ROUNDS_AT_ONCE):
        _backfill(connection, unknown[start : start + ROUNDS_AT_ONCE])


def _missing() -> sa.Select[Any]:
    """Selects rounds with a final operation but no settlement."""
    is_stored = sa.exists().where(settlements.c.operation_id == operations.c.id)
    query = sa.select(operations.c.round_id).where(operations.c.kind.in_(ENDING_OPERATIONS), ~is_stored)
    return query.distinct().order_by(operations.c.round_id)


def _backfill(connection: sa.Connection, ids: Sequence[str]) -> None:
    def rows_of(table: sa.TableClause, *order: str) -> dict[str, list[Any]]:
        query = sa.select(table).where(table.c.round_id.in_(ids)).order_by(*(table.c[name] for name in order))
        grouped = defaultdict(list)
        for row in connection.execute(query):
            grouped[row.round_id].append(row)
        return grouped

    events, seats = rows_of(journal, "seq"), rows_of(round_seats)
    found = connection.execute(sa.select(rounds.c.id, rounds.c.presenter).where(rounds.c.id.in_(ids)))
    presenters = {row.id: row.presenter for row in found}
    posted = {row.key: row.id for found in rows_of(operations).values() for row in found}
    present = set(connection.scalars(sa.select(settlements.c.operation_id).where(settlements.c.round_id.in_(ids))))
    moved = _moved(connection, ids)
    inserted: dict[sa.TableClause, list[Row]] = {settlements: [], settled_hands: [], settled_seats: []}
    for round_id in ids:
        currencies = {row.player_id: row.currency for row in seats[round_id]}
        try:
            for ending in _endings(events[round_id]):
                number = posted.get(ending.key)
                if number is None or number in present:
                    continue
                seat_rows, hand_rows = _seat_rows(number, ending, currencies), list(_hand_rows(number, ending))
                _verify_moved(seat_rows, moved[number])
                head = {"operation_id": number, "presenter": presenters[round_id]} | _head(ending)
                inserted[settlements].append(head)
                inserted[settled_hands] += hand_rows
                inserted[settled_seats] += seat_rows
        except UNREADABLE as error:
            logging.getLogger("alembic").warning("round %s: its settlement cannot be told: %s", round_id, error)
    for table, rows in inserted.items():
        if rows:
            connection.execute(sa.insert(table), rows)


def _moved(connection: sa.Connection, ids: Sequence[str]) -> dict[int, dict[str, int]]:
    """Returns the net payment of each operation to each player's account."""
    query = sa.select(postings).join(operations, operations.c.id == postings.c.operation_id)
    found: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in connection.execute(query.where(operations.c.round_id.in_(ids))):
        found[row.operation_id][row.destination] += row.amount
        found[row.operation_id][row.source] -= row.amount
    return found


def _endings(rows: Sequence[Any]) -> Iterator[Ending]:
    opened = load_event(orjson.loads(rows[0].data))
    if not isinstance(opened, BettingOpened):
        raise TypeError("the first event of a round opens its betting")
    round_ = begin(opened)
    corrections = 0
    for row in rows[1:]:
        event, before = load_event(orjson.loads(row.data)), round_
        round_ = evolve(before, event)
        match event:
            case RoundSettled():
                yield Ending(f"{round_.round_id}:settle", "settled", round_)
            case RoundCancelled() if before.seats:
                yield Ending(f"{round_.round_id}:refund", "cancelled", round_)
            case RoundCorrected():
                corrections += 1
                wrong = replace(round_, cards=before.cards)
                yield Ending(f"{round_.round_id}:reversal:{corrections}", "reversal", wrong)
                yield Ending(f"{round_.round_id}:settle:{corrections}", "corrected", round_)


def _head(ending: Ending) -> Row:
    round_, dealer = ending.round, ending.round.dealer_hand
    return {
        "round_id": round_.round_id,
        "status": ending.status,
        "table_id": round_.table_id,
        "game_number": round_.game_number,
        "board": " ".join(round_.board),
        "dealer_cards": " ".join(round_.dealer_cards),
        "dealer_hand": f"{dealer.category}" if dealer else None,
        "dealer_qualifies": int(qualifies(dealer)) if dealer else None,
        "paytable": str(round_.terms.paytable),
    }


def _hand_rows(number: int, ending: Ending) -> Iterator[Row]:
    round_ = ending.round
    for seat_no in round_.seat_numbers or (None,):
        shown = showdown(round_, seat_no) if ending.status != "cancelled" else None
        hand = round_.hand(seat_no)
        yield {
            "operation_id": number,
            "seat_no": seat_no or 0,
            "player_cards": " ".join(round_.hole_cards(seat_no)),
            "player_hand": f"{hand.category}" if hand else None,
            "result": f"{shown.result}" if shown else None,
        }


def _seat_rows(number: int, ending: Ending, currencies: dict[str, str]) -> list[Row]:
    sign = -1 if ending.status == "reversal" else 1
    ended, rows = results(ending.round), []
    for player_id, seat in sorted(ending.round.seats.items()):
        result, last = ended[player_id], seat.last
        rows.append(
            {
                "operation_id": number,
                "player_id": player_id,
                "currency": currencies[player_id],
                "seat_no": seat.seat_no or 0,
                "ante": sign * seat.ante,
                "trips": sign * seat.trips,
                "play": sign * result.play.bet,
                "ante_returned": sign * result.ante.returned,
                "blind_returned": sign * result.blind.returned,
                "trips_returned": sign * result.trips.returned,
                "play_returned": sign * result.play.returned,
                "action": f"{last.action}" if last else None,
                "automatic": int(last.automatic) if last else 0,
            }
        )
    return rows


def _verify_moved(rows: Sequence[Row], moved: dict[str, int]) -> None:
    """Verifies that the rows match the ledger's movements of every player and of the house."""
    demanded: dict[str, int] = defaultdict(int)
    for row in rows:
        returned = row["ante_returned"] + row["blind_returned"] + row["trips_returned"] + row["play_returned"]
        demanded[f"player:{row['player_id']}:cash"] = returned
        demanded[f"house:{row['currency']}"] += 2 * row["ante"] + row["trips"] + row["play"] - returned
    found = {account: amount for account, amount in moved.items() if not account.startswith("round:") and amount}
    if {account: amount for account, amount in demanded.items() if amount} != found:
        raise ValueError("the ledger moved other amounts than the journal leads to")
