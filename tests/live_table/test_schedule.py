"""Scheduler of a table after a restart."""

from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.live_table.schedule import RoundStart, Schedule
from casino.live_table.seating import Seating
from casino.live_table.shift import Shift
from casino.live_table.table_state import TableState
from casino.storage.database import Database
from casino.uth.commands import OpenBetting, VoidBetting
from tests.live_table.live import table_settings
from tests.uth.tabletop import SHARED


async def test_restarted_table_never_begins_a_round_in_the_second_of_its_last_one(database: Database) -> None:
    """The second is the name of a round; a table that is built without its last round has to know it all the same."""
    second_ms = 1_700_000_000_000
    keeper = await TableUnitOfWork.of(database, "uth-1")
    opened = await keeper.open_round(OpenBetting("r1", "uth-1", SHARED), second_ms + 100)
    await keeper.commit(opened, [Request(VoidBetting("the server stops"), second_ms + 200)])
    again = await TableUnitOfWork.of(database, "uth-1")
    state = TableState(is_machine=True, round=None, shift=Shift(is_open=True), seating=Seating.of(0, None, {}))
    state.seating.join("ann", "Ann", None)
    start = RoundStart(Schedule.of(table_settings()), state, again.last_started_ms)
    start.plan(second_ms + 300)
    assert start.due_ms == second_ms + 1000
    assert (await TableUnitOfWork.of(database, "uth-2")).last_started_ms is None
