"""Terminal input and output, line by line; also works with pipes.

On a terminal one line stays at the bottom: the state of the round, and the text being typed.
"""

import asyncio
import os
import sys
import termios
import threading
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

_CLEAR_LINE: Final = "\r\x1b[2K"
_ENDS: Final = frozenset("\x04")  # Ctrl-D
_ERASES: Final = frozenset("\x7f\x08")
LINE_MAX: Final = 200


class Typing:
    """Characters in, whole lines out."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, typed: str) -> Iterator[str | None]:
        """Every line that is complete now; None at the end of the input."""
        for character in typed:
            if character in "\r\n":
                line, self.text = self.text, ""
                yield line
            elif character in _ENDS:
                yield None
            elif character in _ERASES:
                self.text = self.text[:-1]
            elif character.isprintable() and len(self.text) < LINE_MAX:
                self.text += character


class Terminal:
    def __init__(self, screen: TextIO = sys.stdout, keyboard: int = 0) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self.is_terminal: Final = screen.isatty() and os.isatty(keyboard)
        self._typing = Typing()
        self._status = ""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    @property
    def has_symbols(self) -> bool:
        try:
            "♠♥♦♣—…".encode(self._screen.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def say(self, *lines: str) -> None:
        before = _CLEAR_LINE if self.is_terminal else ""
        for line in lines:
            self._write(f"{before}{self._shown(line)}\n")
        self._draw()

    def show_status(self, status: str) -> None:
        self._status = status
        self._draw()

    async def lines(self) -> AsyncIterator[str]:
        """Yields typed lines until the end of the input."""
        while (line := await self._lines.get()) is not None:
            yield line

    @contextmanager
    def listening(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        before = termios.tcgetattr(self._keyboard) if self.is_terminal else None
        if before is not None:
            tty.setcbreak(self._keyboard)
        # A thread of its own, because a file cannot be waited for in the loop; it ends with the process.
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        try:
            yield
        finally:
            if before is not None:
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, before)
                self._write(_CLEAR_LINE)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                typed = os.read(self._keyboard, 1024)
            except OSError:
                typed = b""
            try:
                loop.call_soon_threadsafe(self._typed, typed.decode(errors="replace"))
            except RuntimeError:  # the event loop is closed
                return
            if not typed:
                return

    def _typed(self, typed: str) -> None:
        for line in self._typing.take(typed or "\n\x04"):
            self._lines.put_nowait(line)
        self._draw()

    def _draw(self) -> None:
        if self.is_terminal:
            self._write(f"{_CLEAR_LINE}{self._shown(self._status)} > {self._typing.text}")

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()

    def _shown(self, text: str) -> str:
        return text if self.has_symbols else text.replace("—", "-").replace("…", "...").replace("·", "|")
