"""`casino poker positions`: button, blinds and posters of the next hand, one JSON line each."""

from contextlib import suppress
from dataclasses import replace
from secrets import SystemRandom
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from casino.cli.json_lines import read_object
from casino.errors import Code, Refusal
from casino.poker.positions import LastHand, NextHand, Table, next_positions
from casino.poker.terms import SEATS_MAX

SeatNumber = Annotated[int, Field(ge=1, le=SEATS_MAX)]
Seats = list[SeatNumber]


class Last(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    bb: SeatNumber
    dealt_in: Seats


class WrittenTable(BaseModel):
    """A table between two hands. Without a last hand `button` may be given; else it is drawn."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    seats: Annotated[int, Field(ge=2, le=SEATS_MAX)]
    kind: Literal["cash", "tournament"] = "cash"
    present: Seats
    current: Seats = []
    posting: Seats = []
    sit_out_next_bb: Seats = []
    last: Last | None = None
    button: SeatNumber | None = None

    @property
    def _lists(self) -> list[Seats]:
        dealt_in = self.last.dealt_in if self.last else []
        return [self.present, self.current, self.posting, self.sit_out_next_bb, dealt_in]

    def table(self) -> Table:
        named = {*self.present, *self.current, *self.posting, *self.sit_out_next_bb}
        if self.last:
            named |= {self.last.bb, *self.last.dealt_in}
        if self.button is not None:
            named.add(self.button)
        if any(seat > self.seats for seat in named):
            raise Refusal(Code.BAD_REQUEST, f"The table has seats 1 to {self.seats}.")
        if any(len(set(seats)) != len(seats) for seats in self._lists):
            raise Refusal(Code.BAD_REQUEST, "A list names each seat once.")
        is_tournament = self.kind == "tournament"
        present = frozenset(self.present)
        return Table(
            self.seats,
            present,
            present if is_tournament else frozenset(self.current),
            LastHand(self.last.bb, frozenset(self.last.dealt_in)) if self.last else None,
            is_tournament,
            frozenset(self.posting),
            frozenset(self.sit_out_next_bb),
            self.button,
        )


def _next_hand(table: Table) -> NextHand:
    """The next hand; a button that is needed and not given is drawn among those who do not sit out now."""
    if table.drawn is not None or not table.present:
        return next_positions(table)
    for button in SystemRandom().sample(sorted(table.present), len(table.present)):
        with suppress(Refusal):
            return next_positions(replace(table, drawn=button))
    return next_positions(table)


def answer(line: bytes) -> dict[str, Any]:
    hand = _next_hand(read_object(WrittenTable, line).table())
    positions = hand.positions
    return {
        "button": positions.button,
        "sb": positions.small_blind,
        "bb": positions.big_blind,
        "dealt_in": list(hand.dealt_in),
        "posters": list(positions.posters),
        "sat_out": list(hand.sat_out),
        "passed": list(hand.passed),
        "missed_bb": list(hand.missed_big_blind),
        "missed_sb": list(hand.missed_small_blind),
    }
