"""Real service process in which a test ends betting: no window is too short for a busy machine, and none is waited for.

`python -m tests.live.driven_service FOLDER serve …` is `casino serve …` with one thing added: when FOLDER has a file
with the name of a table, betting at this table ends at once, as if its time were over.
"""

import sys
from pathlib import Path
from typing import Final

from casino.cli import app
from casino.live_table.table import Table
from casino.uth import betting
from casino.uth import round as rules
from casino.uth.events import Event
from casino.uth.phases import Phase
from casino.uth.state import Round

LOOK_MS: Final = 50


def drive(ended: Path) -> None:
    due_ms, advance = vars(Table)["_round_due_ms"], vars(rules)["_advance"]

    def due(table: Table) -> int | None:
        round_ = table._state.round
        is_betting = round_ is not None and round_.phase is Phase.BETTING and not round_.paused
        own_ms: int | None = due_ms(table)
        if not is_betting or round_ is None or own_ms is None:
            return own_ms
        return 0 if (ended / round_.table_id).exists() else min(own_ms, table._clock() + LOOK_MS)

    def advanced(round_: Round, now_ms: int) -> list[Event]:
        if round_.phase is Phase.BETTING and (ended / round_.table_id).exists():
            (ended / round_.table_id).unlink()
            return betting.close_betting(round_, now_ms)
        events: list[Event] = advance(round_, now_ms)
        return events

    Table._round_due_ms = due  # type: ignore[assignment, method-assign]
    vars(rules)["_advance"] = advanced


if __name__ == "__main__":
    drive(Path(sys.argv.pop(1)))
    app()
