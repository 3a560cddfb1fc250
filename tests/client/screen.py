"""Real `casino play` process with a scripted person at its terminal."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.service import CASINO

READ_SECONDS_MAX = 60


class Screen:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.lines: list[str] = []

    async def until(self, part: str) -> str:
        """The next line that contains this."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(READ_SECONDS_MAX):
                while line := (await self._process.stdout.readline()).decode():
                    self.lines.append(line.rstrip("\n"))
                    if part in line:
                        return self.lines[-1]
        except TimeoutError:
            pass
        raise AssertionError(f"{part!r} was not said, but {self.lines}")

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    def close_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    async def ended(self) -> int:
        async with asyncio.timeout(READ_SECONDS_MAX):
            assert self._process.stdout is not None
            rest = (await self._process.stdout.read()).decode()
            self.lines += rest.splitlines()
            return await self._process.wait()

    async def errors(self) -> str:
        assert self._process.stderr is not None
        return (await self._process.stderr.read()).decode()


@asynccontextmanager
async def playing(*arguments: str) -> AsyncIterator[Screen]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, CASINO, "play", *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    try:
        yield Screen(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
