"""Deciding a batch of commands in their order, before any of it is stored.

Each command is accepted or refused on its own, on the state the ones before it have made and with the funds they
have left. The outcome is a list of what has to be stored; nothing is stored here.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.errors import Refusal
from casino.ledger.book import Balance
from casino.people.protection.allowance import may_risk
from casino.people.protection.safeguards import Safeguard
from casino.uth.bets import PLAY_MULTIPLE, PLAY_MULTIPLE_MAX
from casino.uth.commands import Command, Decide, PlaceBet, WithdrawBet
from casino.uth.events import BetPlaced, DecisionMade, Event
from casino.uth.round import unfold
from casino.uth.state import Round

_FUNDED: Final = (PlaceBet, Decide)
_OF_A_PLAYER: Final = (PlaceBet, WithdrawBet, Decide)


class Request(NamedTuple):
    """A command and the moment it arrived at the door."""

    command: Command
    at_ms: int


class Answer(NamedTuple):
    """Events, or a refusal; and what the player has left to spend."""

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
    """Filled command by command by `take`."""

    round: Round
    balances: Mapping[str, Balance]  # by player
    safeguards: Mapping[str, Sequence[Safeguard]]  # by player, of those who have any
    answers: list[Answer] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)  # of the round as a whole: all but bets and decisions
    bets: dict[str, int] = field(default_factory=dict)  # by player, the total now held for the round
    at_risk: dict[str, int] = field(default_factory=dict)  # by player, the most the round can cost now
    bet_changes: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by player, to that total
    plays: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by player, PLAY bets just made

    def available(self, player_id: str) -> int:
        balance = self.balances.get(player_id)
        if balance is None:
            return 0
        _, total, held = balance
        return total - held - self.bet_changes.get(player_id, 0) - self.plays.get(player_id, 0)

    def left(self) -> dict[str, Balance] | None:
        """What everybody has now, where it is known without asking: nobody has been paid or refunded."""
        if self.steps:
            return None
        return {
            player_id: Balance(
                currency, total - self.plays.get(player_id, 0), held + self.bet_changes.get(player_id, 0)
            )
            for player_id, (currency, total, held) in self.balances.items()
        }

    def take(self, request: Request) -> None:
        command, player_id = request.command, None
        if isinstance(command, _FUNDED):
            player_id = command.player_id
            command = self._with_means(command, request.at_ms)
        try:
            steps = unfold(self.round, command, request.at_ms)
        except Refusal as refusal:
            self.answers.append(Answer(refusal=refusal))
            return
        for event, after in steps:
            self._note(event, after)
            self.round = after
        left = None if player_id is None else self.available(player_id)
        self.answers.append(Answer(tuple([event for event, _ in steps]), available_minor=left))

    def _with_means(self, command: PlaceBet | Decide, at_ms: int) -> PlaceBet | Decide:
        """A bet is limited by funds and by what the player asked to be held to; a decision by funds alone."""
        player_id = command.player_id
        available, own = self.available(player_id), self.safeguards.get(player_id)
        if own and isinstance(command, PlaceBet):
            is_playing = player_id in self.round.seats
            allowance = may_risk(own, self.balances[player_id].currency, at_ms, is_playing=is_playing)
            if allowance:
                return command.with_funds(available, allowance.minor, allowance.reason)
        return command.with_funds(available)

    def _note(self, event: Event, after: Round) -> None:
        self.events.append(event)
        if isinstance(event, BetPlaced):
            seat = self.round.seats.get(event.player_id)
            total = 2 * event.ante + event.trips
            self.bets[event.player_id] = total
            self.at_risk[event.player_id] = total + PLAY_MULTIPLE_MAX * event.ante
            self.bet_changes[event.player_id] += total - (2 * seat.ante + seat.trips if seat else 0)
        elif isinstance(event, DecisionMade):
            multiple = PLAY_MULTIPLE[event.action]
            if multiple:
                self.plays[event.player_id] += self.round.seats[event.player_id].ante * multiple
        else:
            self.steps.append(Step(event, self.round, after))


def bettors_in(requests: Sequence[Request]) -> list[str]:
    """Whose safeguards the batch has to know. Taking bets back is never limited, and neither is a decision."""
    return [r.command.player_id for r in requests if isinstance(r.command, PlaceBet) and r.command.ante]


def players_in(round_: Round, requests: Sequence[Request]) -> list[str]:
    """Whose funds the batch has to know, and whose accounts it may touch besides.

    They are all locked at once, because whoever locks some now and some later may meet another table doing the same
    the other way round. What moves the round on by itself may touch every seat, but then locks them at once itself.
    """
    commands = [request.command for request in requests]
    players = {c.player_id for c in commands if isinstance(c, _OF_A_PLAYER)}
    if players and not all(isinstance(c, _OF_A_PLAYER) for c in commands):
        players.update(round_.seats)
    return sorted(players)
