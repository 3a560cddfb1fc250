"""Scripted rounds, step by step, with everything a round can write to the books; each step is one transaction."""

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from casino.live_table.accounting import TableUnitOfWork
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import (
    Advance,
    ApproveProposal,
    CancelRound,
    Command,
    CorrectCard,
    CorrectRound,
    DealCard,
    OpenBetting,
    ReportProblem,
    Resume,
    VoidBetting,
    WithdrawBet,
)
from casino.uth.round import begin, open_round
from casino.uth.state import Round
from tests.live_table.stored_rounds import BookedTable
from tests.uth.tabletop import NOON_MS, SHARED

Step = Callable[[], Coroutine[Any, Any, None]]
TABLE_ID = "uth-1"


class Script:
    """`steps` yields what to do next; each may be tried as often as it fails."""

    def __init__(self, database: Database, keeper: TableUnitOfWork) -> None:
        nothing_yet = begin(open_round(OpenBetting("r0", TABLE_ID, SHARED), NOON_MS))
        self.table = BookedTable(database, keeper, nothing_yet)

    async def steps(self) -> AsyncIterator[Step]:
        async for commands in self._commands():
            if isinstance(commands, OpenBetting):
                yield self._opening(commands)
            else:
                yield self._doing(*commands)

    def _opening(self, command: OpenBetting) -> Step:
        async def step() -> None:
            self.table.round = await self.table.unit_of_work.open_round(command, self.table.now_ms)

        return step

    def _doing(self, *commands: Command) -> Step:
        async def step() -> None:
            await self.table.do(*commands)

        return step

    @property
    def _round(self) -> Round:
        return self.table.round

    def _cards(self, text: str) -> tuple[Command, ...]:
        return tuple(DealCard(self._round.round_id, card) for card in text.split())

    def _time_out(self) -> tuple[Command, ...]:
        assert self._round.due_ms is not None
        self.table.now_ms = self._round.due_ms
        return (Advance(),)

    async def _commands(self) -> AsyncIterator[OpenBetting | tuple[Command, ...]]:
        for round_id, commands in (("r1", self._played), ("r2", self._cancelled), ("r3", self._voided)):
            self.table.now_ms += 5_000
            yield OpenBetting(round_id, TABLE_ID, SHARED)
            async for together in commands():
                yield together

    async def _played(self) -> AsyncIterator[tuple[Command, ...]]:
        bet, answer = self.table.bet, self.table.answer
        yield bet("ann", 500), bet("bob", 1000, 300), bet("gus", 200, 200)
        yield bet("ann", 700, 100), WithdrawBet("bob")
        yield (bet("bob", 300),)
        yield (ReportProblem("a card fell down", "eve"),)
        yield (Resume("max", "picked up"),)
        yield self._time_out()
        yield self._cards("As Ad")
        yield answer("ann", Action.PLAY_4X), answer("bob", Action.CHECK)
        yield (answer("gus", Action.PLAY_3X),)
        yield self._cards("7h 7c 2s")
        yield ReportProblem("misread", "eve"), CorrectCard("r1", "flop_3", "3s", "misread", "max")
        yield ApproveProposal("r1.1", "mia"), Resume("max")
        yield self._time_out()
        yield self._cards("Jd 4c")
        yield (answer("bob", Action.PLAY_1X),)
        yield self._cards("Qh Qd")
        yield (CorrectRound((("river", "Qs"),), "seen on the recording", "max"),)

    async def _cancelled(self) -> AsyncIterator[tuple[Command, ...]]:
        yield self.table.bet("ann", 500), self.table.bet("gus", 400)
        yield (*self._time_out(), *self._cards("As Ad"))
        yield self.table.answer("gus", Action.PLAY_4X), CancelRound("it cannot go on", "max")

    async def _voided(self) -> AsyncIterator[tuple[Command, ...]]:
        yield self.table.bet("ann", 500), self.table.bet("gus", 400)
        yield (VoidBetting("the server stops"),)


async def opened(database: Database) -> Script:
    return Script(database, await TableUnitOfWork.of(database, TABLE_ID))
