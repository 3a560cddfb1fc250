"""What the journal of a round tells: how the round stands, what it must have posted, and what went wrong in it.

Everything is worked out anew from the events and the rules. What is stored beside the journal is not looked at.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import orjson

from casino.cards.card import distinct_cards
from casino.errors import Refusal
from casino.ledger.posting import Operation
from casino.table import stakes
from casino.table.bookkeeping import STATUS_AFTER
from casino.table.settling import Settlement, settlement
from casino.uth.bets import PLAY_MULTIPLE, Action
from casino.uth.events import (
    BetPlaced,
    BettingClosed,
    BettingOpened,
    CardCorrected,
    CardDealt,
    CardUndone,
    DecisionMade,
    Event,
    IncidentClassified,
    RoundCancelled,
    RoundContinued,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    WindowClosed,
    WindowOpened,
    load_event,
)
from casino.uth.phases import OFFERED, OVER, Phase
from casino.uth.replay import begin, evolve, with_decisions
from casino.uth.results import results
from casino.uth.settlement import SeatResult
from casino.uth.state import Round

Audited = RoundPaused | IncidentClassified | RoundResumed | CardCorrected | RoundCancelled | RoundCorrected
Row = tuple[str, str, int, str, int, int, str]
"""Of the journal: round, table, seq, kind, version, at_ms, data."""

CurrencyOf = Callable[[str], str | None]
"""The currency of a player's account, by player; None if there is none."""

UNREADABLE: Final = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, Refusal)

_ENDED: Final = (Phase.IDLE, Phase.CANCELLED)
_MOVING_NOTHING: Final = frozenset({CardDealt, CardUndone, WindowOpened, WindowClosed, RoundContinued})


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
    settlements: dict[str, Settlement] = field(default_factory=dict)  # by the key of the operation
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


def tell(rows: Sequence[Row], currency_of: CurrencyOf) -> Told:
    """From the journal's rows of one round, in their order, and the currency of each player's account."""
    if not rows:
        raise UntoldError("its journal is empty")
    row = rows[0]
    try:
        teller = _Teller(_event(row), currency_of)
        for row in rows[1:]:
            teller.follow(row[2], _event(row))
        return teller.end()
    except UNREADABLE as error:
        raise UntoldError(f"journal row {row[1]}/{row[2]}: {str(error) or type(error).__name__}") from error


def _event(row: Row) -> Event:
    _, _, _, kind, version, at_ms, data = row
    event = load_event(orjson.loads(data))
    if event.at_ms != at_ms or event.kind != kind or event.version != version:
        raise UntoldError("its columns and its data disagree")
    return event


class _Teller:
    """Follows the events; the decisions of a window are gathered until something else happens."""

    def __init__(self, opened: Event, currency_of: CurrencyOf) -> None:
        if not isinstance(opened, BettingOpened):
            raise UntoldError("the first event of a round opens its betting")
        self._told = Told(begin(opened))
        self._currency_of = currency_of
        self._decisions: list[DecisionMade] = []
        self._decided: set[str] = set()

    def follow(self, seq: int, event: Event) -> None:
        if isinstance(event, DecisionMade):
            self._decide(seq, event)
            return
        self._gather()
        told, before = self._told, self._told.round
        if type(event) in _MOVING_NOTHING and before.phase not in OVER:
            told.round = evolve(before, event)
            return
        _verify_course(before, event)
        told.round = evolve(before, event)
        if isinstance(event, BettingClosed):
            self._capture()
        elif isinstance(event, RoundSettled):
            ended = results(told.round)
            self._ends(stakes.settle(told.round, told.currencies, ended=ended), told.round, "settled", ended)
        elif isinstance(event, RoundCancelled) and before.seats:
            self._ends(stakes.refund(told.round, told.currencies), told.round, "cancelled")
        elif isinstance(event, RoundCorrected):
            self._settle_anew(before, event)
        if isinstance(event, Audited):
            told.audited.append(event)
        if status := STATUS_AFTER.get(type(event)):
            told.status, told.ended_ms = status, event.at_ms

    def end(self) -> Told:
        self._gather()
        distinct_cards(self._told.round.cards)
        return self._told

    def _gather(self) -> None:
        if self._decisions:
            self._told.round = with_decisions(self._told.round, self._decisions)
            self._decisions.clear()
            self._decided.clear()

    def _decide(self, seq: int, event: DecisionMade) -> None:
        round_, player_id = self._told.round, event.player_id
        seat = round_.seats[player_id]
        last = seat.last
        is_asked = last is None or (last.action is Action.CHECK and last.phase is not event.phase)
        is_offered = event.phase is round_.phase and event.action in OFFERED[event.phase]
        if not is_asked or not is_offered or player_id in self._decided:
            raise UntoldError(f"{event.action} is not offered to {player_id} in {round_.phase}")
        if multiple := PLAY_MULTIPLE[event.action]:
            self._told.plays.append(Play(seq, player_id, seat.ante * multiple))
        self._decisions.append(event)
        self._decided.add(player_id)

    def _capture(self) -> None:
        told = self._told
        told.staked = {player_id: 2 * seat.ante + seat.trips for player_id, seat in told.round.seats.items()}
        for player_id in told.staked:
            currency = self._currency_of(player_id)
            if currency is None:
                raise UntoldError(f"player {player_id} has no account")
            told.currencies[player_id] = currency
        held = [(player_id, told.currencies[player_id], amount) for player_id, amount in told.staked.items()]
        told.operations.append(stakes.capture(told.round, held))

    def _settle_anew(self, before: Round, event: RoundCorrected) -> None:
        told = self._told
        told.corrections += 1
        number, as_before = told.corrections, replace(told.round, cards=before.cards)
        wrong = stakes.settle(as_before, told.currencies, correction=number - 1)
        self._ends(stakes.reverse(wrong, number, event.by, event.reason), as_before, "reversal")
        self._ends(stakes.settle(told.round, told.currencies, correction=number), told.round, "corrected")

    def _ends(
        self, operation: Operation, round_: Round, status: str, ended: Mapping[str, SeatResult] | None = None
    ) -> None:
        """The operation, and what is told of it seat by seat."""
        self._told.operations.append(operation)
        self._told.settlements[operation.key] = settlement(round_, self._told.currencies, status, ended)


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
