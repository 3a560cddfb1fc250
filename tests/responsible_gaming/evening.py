"""Evening of one player: rounds at given moments and tables, through the books, with limits of the player."""

from dataclasses import dataclass

from casino.errors import Code
from casino.responsible_gaming.limit_changes import LimitChanges
from casino.responsible_gaming.player_limits import Kind, Period, PlayerLimit, player_limits_of
from casino.storage.database import Database
from casino.users.roles import Role
from casino.users.users import User
from casino.uth.commands import Command
from tests.live_table.stored_rounds import BookedTable
from tests.uth.tabletop import NOON_MS, hands

ANN = User("ann", "Ann", Role.PLAYER, "EUR", is_disabled=False, created_ms=0)
LOSING = "2c 7d | 3h 8c Ts Jd Kc | Kh Qd"  # a fold, or a lost PLAY
WINNING = "As Kd | Ah Kc 2s 7d 3c | Qh Qd"
MINUTE_MS = 60_000
HOUR_MS = 3_600_000


@dataclass
class Evening:
    database: Database
    rounds: int = 0

    # What she asks for

    async def limit(self, kind: Kind, period: Period, value: int | None, at_ms: int = NOON_MS) -> None:
        async with self.database.writing() as connection:
            await LimitChanges(connection, ANN, at_ms).limit(kind, period, value)

    async def exclude(self, kind: Kind, until_ms: int, at_ms: int = NOON_MS) -> None:
        async with self.database.writing() as connection:
            await LimitChanges(connection, ANN, at_ms).exclude(kind, until_ms)

    async def reality_check(self, minutes: int | None, at_ms: int = NOON_MS) -> None:
        async with self.database.writing() as connection:
            await LimitChanges(connection, ANN, at_ms).reality_check(minutes)

    async def seen(self, at_ms: int) -> None:
        async with self.database.writing() as connection:
            await LimitChanges(connection, ANN, at_ms).seen()

    async def safeguard(self, kind: Kind, period: str, at_ms: int) -> PlayerLimit:
        async with self.database.reading() as connection:
            own = (await player_limits_of(connection, ["ann"], at_ms))["ann"]
        return next(one for one in own if (one.kind, one.period) == (kind, period))

    async def lost(self, period: Period, at_ms: int) -> int:
        return (await self.safeguard(Kind.LOSS, period, at_ms)).used

    # What she plays

    async def table(self, at_ms: int, table: str = "uth-1") -> BookedTable:
        self.rounds += 1
        return await BookedTable.open(self.database, round_id=f"r{self.rounds}", at_ms=at_ms, table=table)

    async def refusal(self, at_ms: int, ante: int, trips: int = 0) -> str | None:
        """Why Ann may not bet so much at this moment; nothing stays on the table."""
        table = await self.table(at_ms)
        refusal = await table.refusal(table.bet("ann", ante, trips))
        await table.do(table.bet("ann", 0))
        await table.time_out()
        assert refusal is None or refusal.code is Code.LIMIT_REACHED, refusal
        return refusal.message if refusal else None

    async def may_bet(self, at_ms: int, ante: int = 200, trips: int = 0) -> bool:
        return await self.refusal(at_ms, ante, trips) is None

    async def fold(self, at_ms: int, ante: int, trips: int = 0) -> BookedTable:
        """It costs two ANTEs and the TRIPS."""
        table = await self.table(at_ms)
        await table.do(table.bet("ann", ante, trips))
        await finish(table, LOSING)
        return table


def here(*players: str, at_ms: int) -> dict[str, int]:
    """Connected since this moment, as far as it matters."""
    return dict.fromkeys(players, at_ms)


async def finish(table: BookedTable, deal: str, *decisions: Command) -> None:
    """From betting to the end; what is decided is decided before the flop."""
    player, board, dealer = hands(deal)
    await table.time_out()
    await table.deal(" ".join(player))
    await table.do(*decisions)
    for street in (board[:3], board[3:]):
        if table.round.is_deciding:
            await table.time_out()
        await table.deal(" ".join(street))
    if table.round.is_deciding:
        await table.time_out()
    await table.deal(" ".join(dealer))
    assert table.round.is_over
