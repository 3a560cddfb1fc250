"""Simulated players of a practice table: they bet and decide like people, a little late and not always wisely.

Their accounts use a currency that no person has, so practice never enters real totals. They send the same messages as
real players.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from sqlalchemy import select

from casino.bots.core import BotCore, Habits, all_stakes, chips_down, chips_up
from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Book
from casino.settings import TableSettings
from casino.settings.service import PRACTICE_CURRENCY
from casino.storage.database import Database
from casino.storage.schema import users
from casino.users.credit import Credit, give_credit, lock_credits
from casino.users.roles import Actor, Role
from casino.users.users import NameTaken, User, Users
from casino.uth.commands import Command, Decide, PlaceBet
from casino.uth.phases import OFFERED, Phase
from casino.wire.outbound import Payload

CROWD: Final = ("Asta", "Bruno", "Clara", "David", "Emma")
TRAINER: Final = Actor("practice", "system")
PURSE_MINOR: Final = 100_000_000
LOW_MINOR: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Timed:
    """A message to the table after a delay."""

    after_ms: int
    command: Command


async def practice_users(database: Database, now_ms: int) -> list[User]:
    """Creates or loads the simulated players, always the same; refills low balances."""
    async with database.writing() as connection:
        people = Users(connection)
        names = select(users.c.name).where(users.c.currency == PRACTICE_CURRENCY).order_by(users.c.created_ms)
        known = [await people.named(name) for name in (await connection.execute(names)).scalars().all()]
        balances = await Book(connection).balances([player_cash_id(user.id) for user in known])
        await lock_credits(connection, PRACTICE_CURRENCY)
        known += [await _enter(people, name, now_ms) for name in CROWD[len(known) :]]
        for user in known:
            purse = balances.get(player_cash_id(user.id))
            if purse is None or purse.balance < LOW_MINOR:
                credit = Credit(PURSE_MINOR, "Practice money", f"practice:{user.id}:{now_ms}")
                await give_credit(connection, user, credit, TRAINER, now_ms)
    return known


async def _enter(people: Users, name: str, now_ms: int) -> User:
    for suffix in ("", *map(str, range(2, 100))):
        try:
            return await people.add(
                f"{name} (practice){suffix}",
                Role.PLAYER,
                PRACTICE_CURRENCY,
                password_hash=None,
                is_play_money=True,
                by=TRAINER,
                at_ms=now_ms,
            )
        except NameTaken:
            continue
    raise RuntimeError("no name is left for a simulated player")


class BotPool:
    """Random next actions of the simulated players; the table decides whether they are allowed."""

    def __init__(self, people: list[User], table: TableSettings, chance: Random) -> None:
        self.people = people
        self._table = table
        self._core = BotCore(_habits(table), chance)

    def reacts_to(self, round_: Payload) -> list[Timed]:
        """Returns the messages for a phase that has just begun."""
        phase, round_id = Phase(round_["phase"]), round_["round_id"]
        if phase is Phase.BETTING:
            return [self._bet(user, round_id) for user in self.people]
        if phase in OFFERED:
            return [self._decide(user, round_id, phase) for user in self.people]
        return []

    def _bet(self, user: User, round_id: str) -> Timed:
        ante, trips = self._core.stakes()
        command = PlaceBet(round_id, user.id, ante, trips, available_minor=0)
        return self._timed(self._table.seconds.betting, command)

    def _decide(self, user: User, round_id: str, phase: Phase) -> Timed:
        action = self._core.decide(phase, OFFERED[phase])
        assert action is not None, "simulated players are never silent"
        seconds = {
            Phase.DECIDING_PREFLOP: self._table.seconds.decide_preflop,
            Phase.DECIDING_FLOP: self._table.seconds.decide_flop,
            Phase.DECIDING_RIVER: self._table.seconds.decide_river,
        }[phase]
        return self._timed(seconds, Decide(round_id, user.id, action, available_minor=0, phase=phase))

    def _timed(self, window_seconds: float, command: Command) -> Timed:
        return Timed(round(1000 * self._core.delay(window_seconds)), command)


def _habits(table: TableSettings) -> Habits:
    chip, limits = min(table.chips.values), table.limits
    least, most = chips_up(limits.ante_min, chip), chips_down(limits.ante_max, chip)
    antes = [min(least + chip * more, most) for more in range(10)]
    trips = chips_up(limits.trips_min, chip)
    stakes = all_stakes(antes, (0, 0, 0, trips, trips))
    return Habits(stakes, dict.fromkeys(OFFERED, 0.4), thinking=(0.1, 0.6))
