"""What the journal of a round tells: how the round stands, what it must have posted, and what went wrong in it.

Everything is worked out anew from the events and the rules. What is stored beside the journal is not looked at.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import orjson

from casino.cards.card import distinct_cards
from casino.errors import Refusal
from casino.ledger.posting import Operation
from casino.table import stakes
from casino.table.bookkeeping import STATUS_AFTER
from casino.uth.bets import PLAY_MULTIPLE
from casino.uth.events import (
    BetPlaced,
    BettingClosed,
    BettingOpened,
    CardCorrected,
    DecisionMade,
    Event,
    RoundCancelled,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    load_event,
)
from casino.uth.phases import OFFERED, Phase
from casino.uth.round import begin, evolve
from casino.uth.state import Round

Audited = RoundPaused | RoundResumed | CardCorrected | RoundCancelled | RoundCorrected
CurrencyOf = Callable[[str], str | None]
"""The currency of a player's account, by player; None if there is none."""

UNREADABLE: Final = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, Refusal)

_ENDED: Final = (Phase.IDLE, Phase.CANCELLED)


class UntoldError(ValueError):
    """The journal of a round does not tell a round that can have been played."""


class Play(NamedTuple):
    """A PLAY bet, and the number its decision has in the journal of the table."""

    seq: int
    player_id: str
    amount: int


@dataclass(slots=True)
class Told:
    round: Round
    currencies: dict[str, str] = field(default_factory=dict)  # by player
    status: str = "open"
    ended_ms: int | None = None
    staked: dict[str, int] | None = None  # by player, when betting closed
    plays: list[Play] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)  # but the plays, which are stored as they arrived
    audited: list[Audited] = field(default_factory=list)
    corrections: int = 0

    def plays_as_in(self, numbers: Sequence[int]) -> list[Operation]:
        """The PLAY bets, grouped as in the operations with these numbers.

        An operation is numbered by the journal's end before it, so what it moved was decided behind that number,
        and before the number of the next one.
        """
        groups: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
        for play in self.plays:
            place = bisect_left(numbers, play.seq) - 1
            if place >= 0:
                groups[numbers[place]].append((play.player_id, self.currencies[play.player_id], play.amount))
        return [stakes.play(self.round, group, number) for number, group in groups.items()]


def tell(rows: Sequence[Any], currency_of: CurrencyOf) -> Told:
    """From the journal's rows of one round, and the currency of each player's account."""
    place = "its journal is empty"
    try:
        events = []
        for row in rows:
            place = f"journal row {row.table_id}/{row.seq}"
            event = load_event(orjson.loads(row.data))
            if (event.kind, event.version, event.at_ms) != (row.kind, row.version, row.at_ms):
                raise UntoldError("its columns and its data disagree")
            events.append(event)
        place = "its first event"
        opened = events[0]
        if not isinstance(opened, BettingOpened):
            raise UntoldError("it does not open betting")
        told = Told(begin(opened))
        for row, event in zip(rows[1:], events[1:], strict=True):
            place = f"journal row {row.table_id}/{row.seq}"
            _follow(told, row.seq, event, currency_of)
        place = "its cards"
        distinct_cards(told.round.cards)
    except UNREADABLE as error:
        raise UntoldError(f"{place}: {str(error) or type(error).__name__}") from error
    return told


def _follow(told: Told, seq: int, event: Event, currency_of: CurrencyOf) -> None:
    before = told.round
    if isinstance(event, DecisionMade):
        _decide(told, seq, event)
        return
    _verify_course(before, event)
    told.round = evolve(before, event)
    if isinstance(event, BettingClosed):
        _capture(told, currency_of)
    elif isinstance(event, RoundSettled):
        told.operations.append(stakes.settle(told.round, told.currencies))
    elif isinstance(event, RoundCancelled) and before.seats:
        told.operations.append(stakes.refund(told.round, told.currencies))
    elif isinstance(event, RoundCorrected):
        _settle_anew(told, before, event)
    if isinstance(event, Audited):
        told.audited.append(event)
    if status := STATUS_AFTER.get(type(event)):
        told.status, told.ended_ms = status, event.at_ms


def _verify_course(before: Round, event: Event) -> None:
    """What decides about money comes where it belongs."""
    if isinstance(event, BetPlaced):
        raise UntoldError("a single bet is kept as a hold")
    if isinstance(event, RoundCorrected) != (before.phase is Phase.SETTLED) or before.phase in _ENDED:
        raise UntoldError(f"{event.kind} after the round was {before.phase}")
    if isinstance(event, BettingClosed) and before.phase is not Phase.BETTING:
        raise UntoldError(f"betting closes in {before.phase}")
    if isinstance(event, RoundSettled) and (before.undone or not before.is_street_complete):
        raise UntoldError("the round is settled before everything is decided and out")


def _decide(told: Told, seq: int, event: DecisionMade) -> None:
    seat = told.round.seats[event.player_id]
    if event.phase is not told.round.phase or event.action not in OFFERED[event.phase] or seat.is_done:
        raise UntoldError(f"{event.action} is not offered to {event.player_id} in {told.round.phase}")
    if multiple := PLAY_MULTIPLE[event.action]:
        told.plays.append(Play(seq, event.player_id, seat.ante * multiple))
    told.round = evolve(told.round, event)


def _capture(told: Told, currency_of: CurrencyOf) -> None:
    told.staked = {player_id: 2 * seat.ante + seat.trips for player_id, seat in told.round.seats.items()}
    for player_id in told.staked:
        currency = currency_of(player_id)
        if currency is None:
            raise UntoldError(f"player {player_id} has no account")
        told.currencies[player_id] = currency
    held = [(player_id, told.currencies[player_id], amount) for player_id, amount in told.staked.items()]
    told.operations.append(stakes.capture(told.round, held))


def _settle_anew(told: Told, before: Round, event: RoundCorrected) -> None:
    told.corrections += 1
    wrong = stakes.settle(replace(told.round, cards=before.cards), told.currencies, correction=told.corrections - 1)
    told.operations.append(stakes.reverse(wrong, told.corrections, event.by, event.reason))
    told.operations.append(stakes.settle(told.round, told.currencies, correction=told.corrections))
