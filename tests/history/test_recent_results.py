"""Recent results of a table: those from the journal equal those published live."""

from casino.history.recent_results import recent_results
from casino.storage.database import Database
from casino.uth.commands import CancelRound
from casino.uth.phases import Phase
from casino.uth.terms import Terms
from casino.wire.common import PastRound
from casino.wire.round_views import outcome_view
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.uth.tabletop import NOON_MS, SHARED

SECOND_MS = 1000


async def play(database: Database, number: int, phase: Phase, terms: Terms = SHARED) -> PastRound:
    at_ms = NOON_MS + number * SECOND_MS
    table = await BookedTable.open(database, terms, round_id=f"r{number}", at_ms=at_ms)
    await table.play_to(phase)
    if phase is not Phase.SETTLED:
        await table.do(CancelRound("deck incomplete", "max"))
    return outcome_view(table.round)


async def outcomes(database: Database, count: int) -> list[PastRound]:
    async with database.reading() as connection:
        return await recent_results(connection, "uth-1", count)


async def test_last_rounds_are_listed_with_their_results(database: Database) -> None:
    await fill_purses(database)
    played = [await play(database, 1, Phase.SETTLED), await play(database, 2, Phase.DECIDING_FLOP)]
    assert await outcomes(database, 30) == played
    assert await outcomes(database, 1) == played[1:]
    assert await outcomes(database, 0) == []


async def test_round_that_is_still_played_is_not_among_them(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_RIVER)
    assert await outcomes(database, 30) == []
