"""`casino play`: a person at the terminal, or a crowd of bots, against a service that runs somewhere."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final

import uvloop

from casino.cli.configured import stop
from casino.play.bots import Crowd
from casino.play.door import Door, Member, Rejected, Unreachable, open_door
from casino.play.person import play
from casino.play.terminal import Terminal
from casino.play.wish import Wish
from casino.returns import cache_folder

EXIT_CANNOT_BE_DONE: Final = 1
EXIT_INTERRUPTED: Final = 130
LINE_BYTES_MAX: Final = 4096


@dataclass(frozen=True, slots=True)
class Credentials:
    name: str
    password: str


def play_alone(url: str, table_id: str, credentials: Credentials | None) -> int:
    return _run(_alone(url, table_id, credentials))


def play_with_bots(url: str, wish: Wish) -> int:
    return _run(_bots(url, wish))


def signed_in_as(name: str | None, *, is_on_stdin: bool) -> Credentials | None:
    if name is None:
        return None
    if not is_on_stdin:
        stop("The password is read from standard input: say --password-stdin.")
    return Credentials(name, _first_line())


def _first_line() -> str:
    """Byte by byte, so that what follows is still there for the table."""
    line = b""
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n") and len(line) < LINE_BYTES_MAX:
        line += byte
    return line.decode(errors="replace").rstrip("\r")


def _run(work: Coroutine[Any, Any, int]) -> int:
    try:
        return uvloop.run(work)
    except (Unreachable, Rejected) as failure:
        print(failure, file=sys.stderr)
        return EXIT_CANNOT_BE_DONE
    except (KeyboardInterrupt, asyncio.CancelledError):
        return EXIT_INTERRUPTED


async def _alone(url: str, table_id: str, credentials: Credentials | None) -> int:
    async with open_door(url) as door:
        return await play(door, await _come_in(door, credentials), table_id, Terminal())


async def _come_in(door: Door, credentials: Credentials | None) -> Member:
    if credentials is None:
        return await door.guest()
    return await door.sign_in(credentials.name, credentials.password)


async def _bots(url: str, wish: Wish) -> int:
    async with open_door(url) as door:
        crowd = Crowd(door, wish, cache_folder(), lambda line: print(line, flush=True))
        this = asyncio.current_task()
        assert this is not None
        loop = asyncio.get_running_loop()

        def interrupted() -> None:
            """The first Ctrl-C lets the running round finish, the second one does not."""
            loop.add_signal_handler(signal.SIGINT, this.cancel)
            print("The running round is played to its end; Ctrl-C again stops at once", file=sys.stderr)
            crowd.tally.stop()

        loop.add_signal_handler(signal.SIGINT, interrupted)
        return await crowd.play()
