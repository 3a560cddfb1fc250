"""Service that counts the processor time of tournament directors, started by the load test of tournaments.

`python -m benchmarks.load.tournament_server FILE serve …` is `casino serve …`. FILE gets the seconds and the decisions
so far, several times a second.
"""

import sys
import threading
import time
from collections.abc import Coroutine, Generator
from pathlib import Path
from typing import Any

from casino.cli import app
from casino.poker_room.tournament.director import Director

WRITE_SECONDS = 0.2


class _Counted(Coroutine[Any, Any, None]):
    """A coroutine whose processor time on this thread is counted."""

    seconds = 0.0
    turns = 0

    def __init__(self, counted: Coroutine[Any, Any, None]) -> None:
        self._counted = counted

    def send(self, value: Any) -> Any:  # noqa: ANN401  whatever the event loop sends
        began = time.thread_time()
        try:
            return self._counted.send(value)
        finally:
            _Counted.seconds += time.thread_time() - began
            _Counted.turns += 1

    def throw(self, *raised: Any) -> Any:  # noqa: ANN401
        return self._counted.throw(*raised)

    def close(self) -> None:
        self._counted.close()

    def __await__(self) -> Generator[Any, None, None]:
        return self._counted.__await__()


def _write(file: Path) -> None:
    while True:
        new = file.with_suffix(".new")
        new.write_text(f"{_Counted.seconds} {_Counted.turns}")
        new.replace(file)
        time.sleep(WRITE_SECONDS)


def main() -> None:
    file = Path(sys.argv.pop(1))
    run = Director._run  # noqa: SLF001
    Director._run = lambda director: _Counted(run(director))  # type: ignore[assignment,method-assign]  # noqa: SLF001
    threading.Thread(target=_write, args=(file,), daemon=True).start()
    app()


if __name__ == "__main__":
    main()
