"""Simulated players of a practice table: they bet and decide as people do, a little late and not always wisely.

They are accounts of the house in a currency that no person has, so that nothing of practice is in any real total.
They speak to the table by the same messages as everybody.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from sqlalchemy import select

from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Book
from casino.people.credit import Credit, give_credit, lock_cashier
from casino.people.roles import Actor, Role
from casino.people.users import NameTaken, User, Users
from casino.settings import TableSettings
from casino.settings.house import PRACTICE_CURRENCY
from casino.storage.database import Database
from casino.storage.schema import users
from casino.table.messages import Payload
from casino.uth.bets import Action
from casino.uth.commands import Command, Decide, PlaceBet
from casino.uth.phases import OFFERED, Phase

CROWD: Final = ("Asta", "Bruno", "Clara", "David", "Emma")
TRAINER: Final = Actor("practice", "system")
PURSE_MINOR: Final = 100_000_000
LOW_MINOR: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Timed:
    """Something to say to the table, so long from now."""

    after_ms: int
    command: Command


async def gather_crowd(database: Database, now_ms: int) -> list[User]:
    """The same people every time; whoever has little left gets more."""
    async with database.writing() as connection:
        people = Users(connection)
        names = select(users.c.name).where(users.c.currency == PRACTICE_CURRENCY).order_by(users.c.created_ms)
        known = [await people.named(name) for name in (await connection.execute(names)).scalars().all()]
        balances = await Book(connection).balances([player_cash_id(user.id) for user in known])
        await lock_cashier(connection, PRACTICE_CURRENCY)
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
                by=TRAINER,
                at_ms=now_ms,
            )
        except NameTaken:
            continue
    raise RuntimeError("no name is left for a simulated player")


class Crowd:
    """What each of them does next, by chance; the table says whether it may be done."""

    def __init__(self, people: list[User], table: TableSettings, chance: Random) -> None:
        self.people = people
        self._table = table
        self._chance = chance

    def reacts_to(self, round_: Payload) -> list[Timed]:
        """To a phase that has just begun."""
        phase, round_id = Phase(round_["phase"]), round_["round_id"]
        if phase is Phase.BETTING:
            return [self._bet(user, round_id) for user in self.people]
        if phase in OFFERED:
            return [self._decide(user, round_id, phase) for user in self.people]
        return []

    def _bet(self, user: User, round_id: str) -> Timed:
        chip, limits = min(self._table.chips.values), self._table.limits
        least = -(-limits.ante_min // chip) * chip
        ante = min(least + chip * self._chance.randrange(10), limits.ante_max // chip * chip)
        trips = chip * -(-limits.trips_min // chip) if self._chance.random() < 0.4 else 0
        return Timed(
            self._soon(self._table.seconds.betting), PlaceBet(round_id, user.id, ante, trips, available_minor=0)
        )

    def _decide(self, user: User, round_id: str, phase: Phase) -> Timed:
        play, silence = OFFERED[phase][0], OFFERED[phase][-1]
        action: Action = play if self._chance.random() < 0.4 else silence
        seconds = {
            Phase.DECIDING_PREFLOP: self._table.seconds.decide_preflop,
            Phase.DECIDING_FLOP: self._table.seconds.decide_flop,
            Phase.DECIDING_RIVER: self._table.seconds.decide_river,
        }[phase]
        return Timed(self._soon(seconds), Decide(round_id, user.id, action, available_minor=0, phase=phase))

    def _soon(self, window_seconds: float) -> int:
        return round(window_seconds * 1000 * self._chance.uniform(0.1, 0.6))
