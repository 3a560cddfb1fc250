"""Deciding a batch of commands in their order, before any of it is stored.

Each command is accepted or refused on its own, on the state the ones before it have made and with the funds they
have left. The outcome is a list of what has to be stored; nothing is stored here.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from casino.errors import Refusal
from casino.ledger.book import Balance
from casino.uth.bets import PLAY_MULTIPLE
from casino.uth.commands import Command, Decide, PlaceBet, WithdrawBet
from casino.uth.events import BetPlaced, DecisionMade, Event
from casino.uth.round import decide, evolve
from casino.uth.state import Round


@dataclass(frozen=True, slots=True)
class Request:
    """A command and the moment it arrived at the door."""

    command: Command
    at_ms: int


@dataclass(frozen=True, slots=True)
class Answer:
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
    answers: list[Answer] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)  # of the round as a whole: all but bets and decisions
    bets: dict[str, int] = field(default_factory=dict)  # by player, the total now held for the round
    bet_changes: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by player, to that total
    plays: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by player, PLAY bets just made

    def available(self, player_id: str) -> int:
        balance = self.balances.get(player_id)
        spent = self.bet_changes.get(player_id, 0) + self.plays.get(player_id, 0)
        return balance.available - spent if balance else 0

    def take(self, request: Request) -> None:
        command = request.command
        player_id = command.player_id if isinstance(command, PlaceBet | Decide) else None
        if isinstance(command, PlaceBet | Decide):
            command = replace(command, available_minor=self.available(command.player_id))
        try:
            events = decide(self.round, command, request.at_ms)
        except Refusal as refusal:
            self.answers.append(Answer(refusal=refusal))
            return
        for event in events:
            self._note_money(event)
            before, self.round = self.round, evolve(self.round, event)
            if not isinstance(event, BetPlaced | DecisionMade):
                self.steps.append(Step(event, before, self.round))
        self.events += events
        self.answers.append(Answer(tuple(events), available_minor=self.available(player_id) if player_id else None))

    def _note_money(self, event: Event) -> None:
        if isinstance(event, BetPlaced):
            seat = self.round.seats.get(event.player_id)
            before = seat.bets.total if seat else 0
            self.bets[event.player_id] = 2 * event.ante + event.trips
            self.bet_changes[event.player_id] += self.bets[event.player_id] - before
        elif isinstance(event, DecisionMade) and PLAY_MULTIPLE[event.action]:
            ante = self.round.seats[event.player_id].ante
            self.plays[event.player_id] += ante * PLAY_MULTIPLE[event.action]


def players_in(round_: Round, requests: Sequence[Request]) -> list[str]:
    """Whose funds the batch has to know, and whose accounts it may touch besides.

    They are all locked at once, because whoever locks some now and some later may meet another table doing the same
    the other way round. What moves the round on by itself may touch every seat, but then locks them at once itself.
    """
    commands = [request.command for request in requests]
    players = {c.player_id for c in commands if isinstance(c, PlaceBet | WithdrawBet | Decide)}
    if players and not all(isinstance(c, PlaceBet | WithdrawBet | Decide) for c in commands):
        players.update(round_.seats)
    return sorted(players)
