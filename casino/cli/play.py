"""`casino play`: plays at a running service, interactively or with bots."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

import uvloop

from casino.cli.context import stop
from casino.client.bots import BotPool
from casino.client.http_api import HttpApi, Member, Rejected, Unreachable, open_http_api
from casino.client.interactive import play
from casino.client.options import Options
from casino.client.poker.bots import PokerBotPool
from casino.client.poker.interactive import play_poker
from casino.client.poker.options import PokerOptions
from casino.client.poker.tournament_bots import TournamentBots
from casino.client.terminal import Terminal
from casino.uth.rtp_cache import cache_folder

EXIT_CANNOT_BE_DONE: Final = 1
EXIT_INTERRUPTED: Final = 130
LINE_BYTES_MAX: Final = 4096


@dataclass(frozen=True, slots=True)
class Credentials:
    name: str
    password: str


def play_alone(url: str, table_id: str, credentials: Credentials | None) -> int:
    return _run(_alone(url, table_id, credentials))


def play_with_bots(url: str, options: Options) -> int:
    return _run(_bots(url, options))


def play_poker_alone(url: str, pool: str, credentials: Credentials | None) -> int:
    return _run(_poker_alone(url, pool, credentials))


def play_poker_with_bots(url: str, options: PokerOptions) -> int:
    return _run(_poker_bots(url, options))


def signed_in_as(name: str | None, *, is_on_stdin: bool) -> Credentials | None:
    if name is None:
        return None
    if not is_on_stdin:
        stop("Pass --password-stdin and write the password to standard input.")
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
    async with open_http_api(url) as api:
        return await play(api, await _sign_in(api, credentials), table_id, Terminal())


async def _poker_alone(url: str, pool: str, credentials: Credentials | None) -> int:
    async with open_http_api(url) as api:
        return await play_poker(api, await _sign_in(api, credentials), pool, Terminal())


async def _sign_in(api: HttpApi, credentials: Credentials | None) -> Member:
    if credentials is None:
        return await api.guest()
    return await api.sign_in(credentials.name, credentials.password)


async def _bots(url: str, options: Options) -> int:
    async with open_http_api(url) as api:
        bots = BotPool(api, options, cache_folder(), lambda line: print(line, flush=True))
        _finish_at_interrupt(bots.results.stop, "round")
        return await bots.play()


async def _poker_bots(url: str, options: PokerOptions) -> int:
    async with open_http_api(url) as api:
        make = PokerBotPool if options.tournament is None and options.hexa is None else TournamentBots
        bots = make(api, options, lambda line: print(line, flush=True))
        _finish_at_interrupt(bots.results.stop, "hand")
        return await bots.play()


def _finish_at_interrupt(stop_playing: Callable[[], None], what: str) -> None:
    """The first Ctrl-C or SIGTERM lets running rounds or hands finish, the second one does not."""
    this = asyncio.current_task()
    assert this is not None
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        for signal_ in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signal_, this.cancel)
        print(f"The running {what} is played to its end; Ctrl-C again stops at once", file=sys.stderr)
        stop_playing()

    for signal_ in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signal_, interrupted)
