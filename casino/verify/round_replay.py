"""Expectations from the journal of a round: its state, postings, settlements and incidents.

Everything is recomputed from the events and the rules, without the data stored next to the journal.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from casino.cards.card import distinct_cards
from casino.errors import Refusal
from casino.ledger.posting import Operation
from casino.live_table import postings
from casino.live_table.accounting import STATUS_AFTER
from casino.live_table.journal_replay import UNREADABLE, JournalReplay, read_event
from casino.live_table.reveal import commits_to_seed
from casino.live_table.settlement_records import Settlement, settlement
from casino.uth.bets import PLAY_MULTIPLE, Action, initial_stake
from casino.uth.events import (
    BetPlaced,
    BettingClosed,
    CardCorrected,
    CardDealt,
    CardsSwapped,
    CardUndone,
    DecisionMade,
    DecisionsReopened,
    Event,
    IncidentClassified,
    ProposalApproved,
    ProposalEvent,
    RoundCancelled,
    RoundContinued,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    ShoeRevealed,
    WindowClosed,
    WindowOpened,
)
from casino.uth.incidents import reopenable
from casino.uth.phases import OFFERED, OVER, Phase
from casino.uth.proposals import is_cancelling_for_two
from casino.uth.results import results
from casino.uth.settlement import SeatResult
from casino.uth.state import Round

Audited = (
    RoundPaused
    | IncidentClassified
    | RoundResumed
    | CardCorrected
    | CardsSwapped
    | DecisionsReopened
    | RoundCancelled
    | RoundCorrected
    | ProposalEvent
)
Row = tuple[str, str, int, str, int, int, str]
"""Journal row: round, table, seq, kind, version, at_ms, data."""

CurrencyOf = Callable[[str], str | None]
"""Returns the currency of a player's account; None if there is none."""

_UNREADABLE: Final = (*UNREADABLE, TypeError, AttributeError, Refusal)

_ENDED: Final = (Phase.IDLE, Phase.CANCELLED)
_MOVING_NOTHING: Final = frozenset({CardDealt, CardUndone, WindowOpened, WindowClosed, RoundContinued})


class ReplayError(ValueError):
    """The journal of a round is not a round that can have been played."""


class Play(NamedTuple):
    """A PLAY bet, and the number of its decision in the table's journal."""

    seq: int
    player_id: str
    amount: int


@dataclass(slots=True)
class ReplayedRound:
    round: Round
    currencies: dict[str, str] = field(default_factory=dict)  # by player
    status: str = "open"
    ended_ms: int | None = None
    staked: dict[str, int] | None = None  # by player, when betting closed
    plays: list[Play] = field(default_factory=list)
    returned_plays: list[tuple[str, int]] = field(default_factory=list)  # of windows that were opened again, by player
    operations: list[Operation] = field(default_factory=list)  # without the plays, which are stored as they arrived
    settlements: dict[str, Settlement] = field(default_factory=dict)  # by the key of the operation
    audited: list[Audited] = field(default_factory=list)
    corrections: int = 0
    is_revealed: bool = False

    def plays_as_in(self, numbers: Sequence[int]) -> list[Operation]:
        """Groups the PLAY bets as in the operations with these numbers.

        An operation carries the journal's last number before it. Its bets were decided after that number, and before
        the number of the next operation.
        """
        groups: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
        for play in self.plays:
            place = bisect_left(numbers, play.seq) - 1
            if place >= 0:
                groups[numbers[place]].append((play.player_id, self.currencies[play.player_id], play.amount))
        return [postings.play(self.round, group, number) for number, group in groups.items()]


def replay(rows: Sequence[Row], currency_of: CurrencyOf) -> ReplayedRound:
    """Replays the journal rows of one round in order."""
    if not rows:
        raise ReplayError("its journal is empty")
    row = rows[0]
    try:
        renderer = _Replayer(_event(row), currency_of)
        for row in rows[1:]:
            renderer.follow(row[2], _event(row))
        return renderer.end()
    except _UNREADABLE as error:
        raise ReplayError(f"journal row {row[1]}/{row[2]}: {str(error) or type(error).__name__}") from error


def _event(row: Row) -> Event:
    _, _, _, kind, version, at_ms, data = row
    event = read_event(data)
    if event.at_ms != at_ms or event.kind != kind or event.version != version:
        raise ReplayError("its columns and its data disagree")
    return event


class _Replayer:
    """Follows the events; collects the decisions of a window until another event."""

    def __init__(self, opened: Event, currency_of: CurrencyOf) -> None:
        self._replay = JournalReplay(opened)
        self._replayed = ReplayedRound(self._replay.round)
        self._currency_of = currency_of
        self._decided: set[str] = set()

    def follow(self, seq: int, event: Event) -> None:
        if isinstance(event, DecisionMade):
            self._decide(seq, event)
            return
        replayed, before = self._replayed, self._replay.round
        self._decided.clear()
        if isinstance(event, ShoeRevealed):
            self._verify_reveal(before)
        elif type(event) not in _MOVING_NOTHING or before.phase in OVER:
            _verify_course(before, event)
        self._replay.apply(event)
        replayed.round = self._replay.round
        if isinstance(event, BettingClosed):
            self._capture()
        elif isinstance(event, RoundSettled):
            ended = results(replayed.round)
            self._ends(
                postings.settle(replayed.round, replayed.currencies, ended=ended), replayed.round, "settled", ended
            )
        elif isinstance(event, RoundCancelled) and before.seats:
            self._ends(postings.refund(replayed.round, replayed.currencies), replayed.round, "cancelled")
        elif isinstance(event, RoundCorrected):
            self._resettle(before, event)
        elif isinstance(event, DecisionsReopened):
            self._return_plays(before, event.phase)
        if isinstance(event, Audited):
            replayed.audited.append(event)
        if status := STATUS_AFTER.get(type(event)):
            replayed.status, replayed.ended_ms = status, event.at_ms

    def end(self) -> ReplayedRound:
        self._replayed.round = self._replay.round
        distinct_cards(self._replayed.round.cards)
        return self._replayed

    def _decide(self, seq: int, event: DecisionMade) -> None:
        round_, player_id = self._replay.before_decisions, event.player_id
        seat = round_.seats[player_id]
        last = seat.last
        is_asked = last is None or (last.action is Action.CHECK and last.phase is not event.phase)
        is_offered = event.phase is round_.phase and event.action in OFFERED[event.phase]
        if not is_asked or not is_offered or player_id in self._decided:
            raise ReplayError(f"{event.action} is not offered to {player_id} in {round_.phase}")
        if multiple := PLAY_MULTIPLE[event.action]:
            self._replayed.plays.append(Play(seq, player_id, seat.ante * multiple))
        self._replay.apply(event)
        self._decided.add(player_id)

    def _capture(self) -> None:
        replayed = self._replayed
        replayed.staked = {name: initial_stake(seat.ante, seat.trips) for name, seat in replayed.round.seats.items()}
        for player_id in replayed.staked:
            currency = self._currency_of(player_id)
            if currency is None:
                raise ReplayError(f"player {player_id} has no account")
            replayed.currencies[player_id] = currency
        held = [(player_id, replayed.currencies[player_id], amount) for player_id, amount in replayed.staked.items()]
        replayed.operations.append(postings.capture(replayed.round, held))

    def _return_plays(self, before: Round, phase: Phase) -> None:
        replayed = self._replayed
        operation = postings.play_return(before, phase, replayed.currencies)
        if operation:
            replayed.operations.append(operation)
            voided = [seat for seat in before.seats.values() if seat.last and seat.last.phase is phase]
            replayed.returned_plays += [(seat.player_id, seat.bets.play) for seat in voided]

    def _verify_reveal(self, before: Round) -> None:
        """Accepts one reveal after the end: an earlier one would show future cards."""
        if self._replayed.is_revealed or before.phase not in OVER or not commits_to_seed(before):
            raise ReplayError(f"a server seed is revealed where none is expected, in {before.phase}")
        self._replayed.is_revealed = True

    def _resettle(self, before: Round, event: RoundCorrected) -> None:
        replayed = self._replayed
        replayed.corrections += 1
        number, as_before = replayed.corrections, replace(replayed.round, cards=before.cards)
        wrong = postings.settle(as_before, replayed.currencies, correction=number - 1)
        self._ends(postings.reverse(wrong, number, event.by, event.reason), as_before, "reversal")
        self._ends(postings.settle(replayed.round, replayed.currencies, correction=number), replayed.round, "corrected")

    def _ends(
        self, operation: Operation, round_: Round, status: str, ended: Mapping[str, SeatResult] | None = None
    ) -> None:
        """Records the final operation, and its settlement seat by seat."""
        self._replayed.operations.append(operation)
        self._replayed.settlements[operation.key] = settlement(round_, self._replayed.currencies, status, ended)


def _verify_course(before: Round, event: Event) -> None:
    """Verifies that money-related events come in the right phase."""
    if isinstance(event, BetPlaced):
        raise ReplayError("a single bet is kept as a hold")
    if isinstance(event, RoundCorrected) != (before.phase is Phase.SETTLED) or before.phase in _ENDED:
        raise ReplayError(f"{event.kind} after the round was {before.phase}")
    if isinstance(event, ProposalApproved | RoundCancelled):
        _verify_two_people(before, event)
    if isinstance(event, DecisionsReopened) and event.phase is not reopenable(before):
        raise ReplayError(f"decisions of {event.phase} are opened again in {before.phase}")
    if isinstance(event, BettingClosed) and before.phase is not Phase.BETTING:
        raise ReplayError(f"betting closes in {before.phase}")
    if isinstance(event, RoundSettled) and (before.undone or not before.is_street_complete):
        raise ReplayError("the round is settled before everything is decided and out")


def _verify_two_people(before: Round, event: ProposalApproved | RoundCancelled) -> None:
    """Rounds stored before the phase of a cancellation was recorded could be cancelled by one person."""
    if isinstance(event, ProposalApproved):
        proposal = before.proposal
        if proposal is None or (proposal.proposal_id, proposal.by) != (event.proposal_id, event.proposed_by):
            raise ReplayError("a proposal is approved that does not wait for it")
        if event.by == proposal.by:
            raise ReplayError(f"{event.by} has approved their own proposal")
        return
    if event.proposed_by and (before.proposal is None or before.proposal.by != event.proposed_by):
        raise ReplayError(f"no proposal by {event.proposed_by} was open when the round was cancelled")
    if event.phase and event.by != postings.SYSTEM and is_cancelling_for_two(before):
        last = before.proposals[-1] if before.proposals else None
        if last is None or (last.outcome, last.proposes, last.by) != ("approved", "cancel_round", event.by):
            raise ReplayError(f"{event.by} has cancelled a machine-dealt round alone, with cards out")
