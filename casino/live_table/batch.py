"""Decides a batch of commands in order, before any of it is stored.

Each command is accepted or refused on its own: on the state and the funds that earlier commands have left. The outcome
is a list of changes to store; this module stores nothing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.errors import Refusal
from casino.ledger.book import Balance
from casino.responsible_gaming.allowance import may_risk
from casino.responsible_gaming.player_limits import PlayerLimit
from casino.uth.bets import PLAY_MULTIPLE, Bets
from casino.uth.commands import Command, Decide, PlaceBet, WithdrawBet
from casino.uth.events import BetPlaced, DecisionMade, Event
from casino.uth.round import unfold
from casino.uth.state import Round

_FUNDED: Final = (PlaceBet, Decide)
_PLAYER_COMMANDS: Final = (PlaceBet, WithdrawBet, Decide)


class Request(NamedTuple):
    """A command and its time of arrival at the service."""

    command: Command
    at_ms: int


class Answer(NamedTuple):
    """Events or a refusal, and the player's available balance after them."""

    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    available_minor: int | None = None


class Step(NamedTuple):
    """An event, and the round before and after it."""

    event: Event
    before: Round
    after: Round


@dataclass(slots=True)
class Batch:
    """Collects the outcome of commands, one at a time, through `apply`."""

    round: Round
    balances: Mapping[str, Balance]  # by player
    player_limits: Mapping[str, Sequence[PlayerLimit]]  # by player, only players with limits
    answers: list[Answer] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)  # steps of the round as a whole, without bets and decisions
    bets: dict[str, int] = field(default_factory=dict)  # by player, the total held for the round
    at_risk: dict[str, int] = field(default_factory=dict)  # by player, the maximum loss in the round
    bet_changes: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by player, the change of that total
    plays: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by player, new PLAY bets

    def available(self, player_id: str) -> int:
        balance = self.balances.get(player_id)
        if balance is None:
            return 0
        _, total, held = balance
        return total - held - self.bet_changes.get(player_id, 0) - self.plays.get(player_id, 0)

    def balances_after(self) -> dict[str, Balance] | None:
        """Returns the balances after the batch where they are known without a query: without payouts and refunds."""
        if self.steps:
            return None
        return {
            player_id: Balance(
                currency, total - self.plays.get(player_id, 0), held + self.bet_changes.get(player_id, 0)
            )
            for player_id, (currency, total, held) in self.balances.items()
        }

    def apply(self, request: Request) -> None:
        command, player_id = request.command, None
        if isinstance(command, _FUNDED):
            player_id = command.player_id
            command = self._attach_funds(command, request.at_ms)
        try:
            steps = unfold(self.round, command, request.at_ms)
        except Refusal as refusal:
            self.answers.append(Answer(refusal=refusal))
            return
        for event, after in steps:
            self._record(event, after)
            self.round = after
        left = None if player_id is None else self.available(player_id)
        self.answers.append(Answer(tuple([event for event, _ in steps]), available_minor=left))

    def _attach_funds(self, command: PlaceBet | Decide, at_ms: int) -> PlaceBet | Decide:
        """Bets are limited by funds and by player limits, decisions by funds alone."""
        player_id = command.player_id
        available, own = self.available(player_id), self.player_limits.get(player_id)
        if own and isinstance(command, PlaceBet):
            is_playing = player_id in self.round.seats
            allowance = may_risk(own, self.balances[player_id].currency, at_ms, is_playing=is_playing)
            if allowance:
                return command.with_funds(available, allowance.minor, allowance.refusal)
        return command.with_funds(available)

    def _record(self, event: Event, after: Round) -> None:
        self.events.append(event)
        if isinstance(event, BetPlaced):
            seat = self.round.seats.get(event.player_id)
            bets = Bets(event.ante, event.trips)
            self.bets[event.player_id] = total = bets.total
            self.at_risk[event.player_id] = bets.total_max
            self.bet_changes[event.player_id] += total - (seat.bets.total if seat else 0)
        elif isinstance(event, DecisionMade):
            multiple = PLAY_MULTIPLE[event.action]
            if multiple:
                self.plays[event.player_id] += self.round.seats[event.player_id].ante * multiple
        else:
            self.steps.append(Step(event, self.round, after))


def bettors_in(requests: Sequence[Request]) -> list[str]:
    """Returns the players whose limits the batch needs. Taking bets back and decisions are never limited."""
    return [r.command.player_id for r in requests if isinstance(r.command, PlaceBet) and r.command.ante]


def players_in(round_: Round, requests: Sequence[Request]) -> list[str]:
    """Returns the players whose funds the batch needs, or whose accounts it may touch.

    All accounts are locked at once: locking some now and some later could deadlock with another table. Steps that move
    the round itself may touch every seat; they lock all accounts themselves.
    """
    commands = [request.command for request in requests]
    players = {c.player_id for c in commands if isinstance(c, _PLAYER_COMMANDS)}
    if players and not all(isinstance(c, _PLAYER_COMMANDS) for c in commands):
        players.update(round_.seats)
    return sorted(players)
