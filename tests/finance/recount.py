"""Independent recount of settlements: from the journal's text, with another hand evaluator.

Nothing of `casino.uth` is used, and nothing that stands in the ledger or was stored for the exports.
"""

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from casino.storage.database import Database
from casino.storage.schema import journal
from tests.uth import oracle

MULTIPLES = {"play_4x": 4, "play_3x": 3, "play_2x": 2, "play_1x": 1}

Counted = tuple[str, str, str, int, tuple[int, ...], str | None, str | None, str | None]
"""round, player, status, day, amounts (stakes and returns by spot), action, automatic, result."""


@dataclass
class Seat:
    ante: int
    trips: int
    seat_no: int | None
    action: str | None = None
    automatic: str | None = None

    @property
    def play(self) -> int:
        return self.ante * MULTIPLES.get(self.action or "", 0)


@dataclass
class RoundRecount:
    round_id: str
    cards: list[str] = field(default_factory=list)
    seats: dict[str, Seat] = field(default_factory=dict)
    counted: list[Counted] = field(default_factory=list)

    def follow(self, event: dict[str, Any]) -> None:
        match event["kind"]:
            case "betting_closed":
                self.seats = {player: Seat(ante, trips, number) for player, ante, trips, number, _ in event["stakes"]}
            case "card_dealt":
                self.cards.append(event["card"])
            case "decision_made":
                seat = self.seats[event["player_id"]]
                seat.action, seat.automatic = event["action"], None
            case "window_closed":
                silence = "fold" if event["phase"] == "deciding_river" else "check"
                for player in event["automatic"]:
                    self.seats[player].action, self.seats[player].automatic = silence, f"auto_{silence}ed"
            case "round_settled":
                self._count("settled", event["at_ms"])
            case "round_cancelled":
                self._count("cancelled", event["at_ms"])
            case "round_corrected":
                self._count("reversal", event["at_ms"])
                self.cards = event["cards"]
                self._count("corrected", event["at_ms"])

    def _count(self, status: str, at_ms: int) -> None:
        numbers = sorted(seat.seat_no for seat in self.seats.values() if seat.seat_no)
        for player, seat in self.seats.items():
            bets: tuple[int, ...] = (seat.ante, seat.ante, seat.trips, seat.play)
            result, back = None, bets
            if status != "cancelled":
                start = 2 * numbers.index(seat.seat_no) if seat.seat_no else 0
                result, back = self._result(seat, tuple(self.cards[start : start + 2]))
            sign = -1 if status == "reversal" else 1
            amounts = tuple(sign * amount for amount in (*bets, *back))
            day = at_ms // 86_400_000
            self.counted.append((self.round_id, player, status, day, amounts, seat.action, seat.automatic, result))

    def _result(self, seat: Seat, hole: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
        board, dealer = tuple(self.cards[-7:-2]), tuple(self.cards[-2:])
        back = oracle.returned(hole, board, dealer, (seat.ante, seat.trips, seat.play))
        returned = tuple(back[spot] for spot in ("ante", "blind", "trips", "play"))
        if seat.action == "fold":
            return "fold", returned
        return {0: "lose", 1: "tie", 2: "win"}[back["play"] // seat.play], returned


async def recounted(database: Database) -> AsyncIterator[list[Counted]]:
    """Round by round, so that a long journal needs no more memory than a short one."""
    query = select(journal.c.round_id, journal.c.data).order_by(journal.c.round_id, journal.c.seq)
    current: RoundRecount | None = None
    async with database.reading() as connection:
        async for round_id, data in await connection.stream(query):
            if current is not None and current.round_id != round_id:
                yield current.counted
                current = None
            current = current or RoundRecount(round_id)
            current.follow(json.loads(data))
    if current is not None:
        yield current.counted


async def recount(database: Database) -> list[Counted]:
    return [row async for rows in recounted(database) for row in rows]


def by(rows: list[Any], *names: str) -> dict[tuple[Any, ...], list[Any]]:
    groups: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in names)].append(row)
    return groups
