"""Buy-in offers: how much one player may bring to one table, from the player's departures and daily counters.

`casino/poker/cash` holds the rule of each format. This module selects the facts the rule needs:

- regular stakes look at the last departure from this very table;
- deep and short stakes look at every stack of the pool that the player has not brought back yet;
- Banzai stakes look at the stacks above the fixed one that the player has not brought back yet.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from casino.poker.cash import banzai
from casino.poker.cash.buy_in import RETURN_MS, buy_in_range, is_counted_return, is_remembered
from casino.poker.terms import Format, Stake
from casino.refusals import Reason

DAY_MS: Final = 24 * 60 * 60 * 1000


class Departure(NamedTuple):
    """A player's leaving of a table. `is_resumed` once the player has sat down again with this stack."""

    table_id: str
    pool_id: str
    left_ms: int
    stack: int
    is_resumed: bool = False


@dataclass(frozen=True, slots=True)
class DayCounters:
    """A player's counted returns and Banzai resets of one UTC day, over all stakes and formats."""

    day: int = 0
    returns: int = 0
    resets: int = 0

    def at(self, now_ms: int) -> "DayCounters":
        """The counters at this time: a new day begins with zero."""
        day = now_ms // DAY_MS
        return self if day == self.day else DayCounters(day)


@dataclass(frozen=True, slots=True)
class BuyInOffer:
    """Amounts a player may bring: any from `smallest` to `largest`, or one of `exactly` at a Banzai stake.

    `resumes` is the departure whose stack decided the offer; sitting down ends its effect.
    """

    smallest: int
    largest: int
    exactly: tuple[int, ...] = ()
    resumes: Departure | None = None
    counts_as_return: bool = False

    def fits(self, amount: int) -> bool:
        return amount in self.exactly if self.exactly else self.smallest <= amount <= self.largest

    def check(self, amount: int) -> None:
        """Refuses `below_minimum` or `above_maximum`, with the limit that was missed."""
        if self.fits(amount):
            return
        allowed = self.exactly or (self.smallest, self.largest)
        above = [limit for limit in allowed if limit > amount]
        if above:
            raise Reason.BUY_IN_BELOW_MINIMUM.refusal(minimum=min(above))
        raise Reason.BUY_IN_ABOVE_MAXIMUM.refusal(maximum=max(allowed))

    def is_reset(self, amount: int) -> bool:
        """Whether a Banzai player takes the fixed stack instead of the carried one."""
        return len(self.exactly) > 1 and amount == self.smallest


def buy_in_offer(
    stake: Stake,
    departures: Iterable[Departure],
    counters: DayCounters,
    now_ms: int,
    *,
    pool_id: str,
    table_id: str | None,
    return_ms: int = RETURN_MS,
) -> BuyInOffer:
    """The player's offer at this table; `table_id` is None for a table that is about to open."""
    recent = [departure for departure in departures if is_remembered(departure.left_ms, now_ms, return_ms)]
    today = counters.at(now_ms)
    same_table = max((left for left in recent if left.table_id == table_id), key=_left_ms, default=None)
    counts = is_counted_return(stake, same_table.stack if same_table else None)
    if stake.format is Format.REGULAR:
        last = same_table
    else:
        last = max(_not_resumed(recent, pool_id), key=_stack, default=None)
    if stake.format is Format.BANZAI:
        carried = last if last is not None and banzai.is_carried(stake, last.stack) else None
        amounts = banzai.buy_ins(stake, (carried.stack,) if carried else (), today.resets)
        return BuyInOffer(min(amounts), max(amounts), amounts, carried, counts)
    smallest, largest = buy_in_range(stake, last.stack if last else None, today.returns)
    return BuyInOffer(smallest, largest, resumes=last, counts_as_return=counts)


def counters_after_sitting(offer: BuyInOffer, amount: int, counters: DayCounters, now_ms: int) -> DayCounters:
    """The counters once the player sits with this amount; the offer was worked out before."""
    today = counters.at(now_ms)
    return replace(today, returns=today.returns + offer.counts_as_return, resets=today.resets + offer.is_reset(amount))


def _not_resumed(recent: Sequence[Departure], pool_id: str) -> list[Departure]:
    return [departure for departure in recent if departure.pool_id == pool_id and not departure.is_resumed]


def _left_ms(departure: Departure) -> int:
    return departure.left_ms


def _stack(departure: Departure) -> int:
    return departure.stack
