"""Bounties: the head money of an entry, its division among eliminators, and progressive bounties."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from casino.poker.pots import share_out
from casino.poker.state import Award


class BountyKind(StrEnum):
    REGULAR = "regular"
    PROGRESSIVE = "progressive"


@dataclass(frozen=True, slots=True)
class BountyTerms:
    """`to_head_percent` of a progressive bounty goes onto the eliminator's own head, the rest is paid at once."""

    kind: BountyKind = BountyKind.REGULAR
    share_percent: int = 50
    to_head_percent: int = 50

    def __post_init__(self) -> None:
        if not 0 < self.share_percent <= 100 or not 0 <= self.to_head_percent <= 100:
            raise ValueError("a bounty is a share of the buy-in between 1 and 100 percent")


class BountyPart(NamedTuple):
    """An eliminator's part of a head: money at once, and money onto the eliminator's head."""

    seat_no: int
    cash: int
    to_head: int


def head_money(total: int, fee: int, share_percent: int) -> tuple[int, int]:
    """Bounty and pool part of a buy-in; what cannot be divided goes to the pool."""
    bounty = (total - fee) * share_percent // 100
    return bounty, total - fee - bounty


def eliminators(awards: Sequence[Award], seat_no: int) -> tuple[int, ...]:
    """The winners of the highest-numbered pot in which this seat had chips, clockwise from the button."""
    contested = [award for award in awards if seat_no in award.contenders]
    if not contested:
        return ()
    last = max(contested, key=lambda award: award.number)
    return tuple(winner for winner, _ in last.winners)


def divide_head(head: int, winners: Sequence[int], terms: BountyTerms) -> list[BountyPart]:
    """Each eliminator's part; odd units go one each, in the order of the winners."""
    parts = []
    for seat_no, part in share_out(head, winners):
        to_head = part * terms.to_head_percent // 100 if terms.kind is BountyKind.PROGRESSIVE else 0
        parts.append(BountyPart(seat_no, part - to_head, to_head))
    return parts
