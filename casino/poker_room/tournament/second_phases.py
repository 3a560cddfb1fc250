"""Second phases: seated with the survivors of their flights as soon as all of these are over."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.poker.tournament.commands import Cancel, CarryOver, Start
from casino.poker.tournament.state import Status
from casino.poker_room.deadlines import Deadlines
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.tournament.flights import flights_of
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.storage.database import Database
from casino.storage.schema import users

LOOK_MS: Final = 10_000
"""How often a second phase that is due looks at flights that still run."""
NOT_OVER: Final = "Its flights are not over. Cancel them first, or wait for their end."


class SecondPhases:
    def __init__(self, database: Database, money: SeatMoney, clock: Clock) -> None:
        self._database = database
        self._money = money
        self._clock = clock
        self._starting: set[str] = set()

    async def start(self, running: RunningTournament, deadlines: Deadlines) -> None:
        """Starts the tournament, or looks again in a while. Without survivors it is cancelled."""
        if running.state.status is not Status.REGISTERING or running.tournament_id in self._starting:
            return
        self._starting.add(running.tournament_id)
        try:
            await self._start(running, deadlines)
        finally:
            self._starting.discard(running.tournament_id)

    async def _start(self, running: RunningTournament, deadlines: Deadlines) -> None:
        if not running.state.entries:
            flights = await flights_of(self._database, running.spec, running.state.terms)
            if flights.unfinished:
                deadlines.set(running.tournament_id, self._clock() + LOOK_MS)
                return
            carried = flights.carry_over()
            if carried is None:
                await running.director.post(Cancel("No player has survived a flight.", "house"))
                return
            await self._carry_over(running, carried)
        await running.director.post(Start())

    async def bring_survivors(self, running: RunningTournament) -> None:
        """Before a cancellation: the money of the flights is that of their second phase. Refuses while they run."""
        is_waiting = running.state.terms.is_phase_two and running.state.status is Status.REGISTERING
        if not is_waiting or running.state.entries:
            return
        flights = await flights_of(self._database, running.spec, running.state.terms)
        if flights.unfinished:
            raise Refusal(Code.NOT_OFFERED, NOT_OVER)
        carried = flights.carry_over()
        if carried is not None:
            await self._carry_over(running, carried)

    async def _carry_over(self, running: RunningTournament, carried: CarryOver) -> None:
        player_ids = [survivor.player_id for survivor in carried.survivors]
        running.names.update(await self.names(player_ids))
        for player_id, cash in (await self._money.cash(player_ids)).items():
            running.available[player_id] = cash.available
        await running.director.post(carried)

    async def names(self, player_ids: Sequence[str]) -> dict[str, str]:
        """Names of players by id; empty for those the house does not know."""
        query = select(users.c.id, users.c.name).where(users.c.id.in_(player_ids))
        async with self._database.reading(for_table=True) as connection:
            known = {row.id: row.name for row in await connection.execute(query)}
        return {player_id: known.get(player_id, "") for player_id in player_ids}
