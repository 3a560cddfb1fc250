"""Recovery of 300 open rounds at 300 tables of one SQLite database after a crash, and opening their tables."""

import asyncio
import logging
import tempfile
import time
from pathlib import Path
from typing import Final
from unittest.mock import patch

import structlog

from benchmarks.measurement import Row, duration, faster
from casino.bootstrap.all_in_one import AllInOne
from casino.clock import wall_clock
from casino.live_table import recovery
from casino.settings import ServiceSettings, Settings, TableSettings
from casino.storage.database import Database
from casino.users.sessions import Lifetime, Sessions
from casino.uth.phases import Phase
from tests.live_table.stored_rounds import BookedTable, fill_purses

TABLES: Final = 300
SECONDS_MAX: Final = 10.0
PHASES: Final = (Phase.BETTING, Phase.DECIDING_PREFLOP, Phase.DECIDING_FLOP, Phase.DECIDING_RIVER)


def rows() -> list[Row]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory(prefix="casino-restart-") as folder:
        together, one_by_one = asyncio.run(_measured(f"sqlite:///{Path(folder) / 'casino.db'}"))
    return [
        Row(
            "several tables at once", duration(together), goal=f"at most {SECONDS_MAX:g} s", met=together <= SECONDS_MAX
        ),
        faster("one table after the other", one_by_one, together),
    ]


async def _measured(url: str) -> tuple[float, float]:
    """Seconds to open the tables with an open round at each: several at once, and one after the other."""
    database = await Database.open(url)
    names = [f"uth-{number}" for number in range(TABLES)]
    await fill_purses(database, amount=10**9)
    now_ms = wall_clock()
    for number, name in enumerate(names):
        table = await BookedTable.open(database, round_id=f"round-{number}", table=name, at_ms=now_ms)
        await table.play_to(PHASES[number % len(PHASES)])
    together = await _opening(database, names)  # the rounds go on, so the next start finds them open again
    with patch.object(recovery, "TABLES_AT_ONCE", 1):
        one_by_one = await _opening(database, names)
    await database.close()
    return together, one_by_one


async def _opening(database: Database, names: list[str]) -> float:
    settings = Settings(ServiceSettings(), tuple(TableSettings(id=name, name=name) for name in names))
    house = AllInOne(settings, database, Sessions(database, Lifetime(1, 1)))
    started = time.perf_counter()
    await house.open("a secret key that is long enough for the seal")
    seconds = time.perf_counter() - started
    await house.drop_everything()
    return seconds
