"""Interactive loop of a terminal client: follows events and executes typed commands, until one of them ends."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from casino.client.http_api import Rejected, Unreachable
from casino.client.terminal import Terminal
from casino.errors import Refusal

STATUS_SECONDS: Final = 0.5
Execute = Callable[[list[str]], Awaitable[None]]
"""Executes one command, given as words."""


async def run_interactive(
    terminal: Terminal,
    follow: Coroutine[Any, Any, None],
    execute: Execute,
    *,
    explain: Callable[[Rejected], str] = lambda rejected: rejected.message,
    status: Callable[[], str] | None = None,
) -> bool:
    """Returns whether the player left, by `q`, Ctrl-C or the end of the input; otherwise `follow` has ended."""
    start = asyncio.get_running_loop().create_task
    with terminal.listening():
        following, typing = start(follow), start(_execute_lines(terminal, execute, explain))
        tasks = [following, typing]
        if status is not None:
            tasks.append(start(_show_status(terminal, status)))
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, typing.cancel)
        done, _ = await asyncio.wait({following, typing}, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
    return following not in done


async def _execute_lines(terminal: Terminal, execute: Execute, explain: Callable[[Rejected], str]) -> None:
    async for typed in terminal.lines():
        words = typed.split()
        if words == ["q"]:
            return
        if not words:
            continue
        try:
            await execute(words)
        except Refusal as refusal:
            terminal.say(refusal.message)
        except Rejected as rejected:
            terminal.say(explain(rejected))
        except Unreachable as failure:
            terminal.say(str(failure))


async def _show_status(terminal: Terminal, status: Callable[[], str]) -> None:
    while True:
        terminal.show_status(status())
        await asyncio.sleep(STATUS_SECONDS)
