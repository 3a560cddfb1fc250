"""Order of elimination."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from casino.poker.tournament.balance import Pick, shuffled


class Bust(NamedTuple):
    """An entry that has lost all chips. `start` is its stack at the start of the hand."""

    entry_id: str
    start: int


def order_of_elimination(busts: Iterable[Bust], pick: Pick) -> Iterator[str]:
    """Entries that went out in the same hand, or the same synchronised hand, from the lowest place up.

    The larger start stack places higher; equal start stacks are drawn.
    """
    in_order = sorted(busts, key=lambda bust: (bust.start, bust.entry_id))
    for _, tied in groupby(in_order, key=lambda bust: bust.start):
        yield from (bust.entry_id for bust in shuffled(tied, pick))
