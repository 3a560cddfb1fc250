"""Fork server of player processes: it has imported everything already, and forks one process per request.

On standard input a line per process, JSON: program, arguments, the crash point to arm, the file for its words. The
answer is a line with its process id; when it has ended, a line with how.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from casino.observability.crash_points import enable
from tests.chaos import player_process, poker_process

PROGRAMS = {"rounds": player_process.main, "poker": poker_process.main}
"""What a player process plays."""


@dataclass(frozen=True)
class ForkServer:
    process: subprocess.Popen[str]

    def start(self, words: Path, *arguments: object, crash_at: str = "", program: str = "rounds") -> int:
        """The id of a new player process, which writes what it says into the file."""
        assert self.process.stdin is not None
        words.touch()  # it may die before it has said anything
        wish = {"words": str(words), "arguments": [str(a) for a in arguments], "crash_at": crash_at, "program": program}
        self.process.stdin.write(json.dumps(wish) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def wait(self) -> int:
        """How the process ended: its exit code, or minus the signal that killed it."""
        return self._answer()

    def _answer(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())


@contextmanager
def fork_server() -> Iterator[ForkServer]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.chaos.fork_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield ForkServer(process)
        assert process.stdin is not None
        process.stdin.close()


def _grow_up(wish: dict[str, Any]) -> NoReturn:
    """In the child: become a player process and nothing else."""
    status = 1
    try:
        words = os.open(wish["words"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(words, sys.stdout.fileno())
        if wish["crash_at"]:
            enable(wish["crash_at"])
        PROGRAMS[wish["program"]](*wish["arguments"])
        status = 0
    except BaseException:  # noqa: BLE001  the child must never return into the parent's loop
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _grow_up(json.loads(line))
        print(child, flush=True)  # noqa: T201
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
