"""Bots of a service: a `casino play` process that fills play-money poker tables, and ends with the service."""

import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from casino.settings.poker import PokerSettings

POOLS: Final = ("nl10", "nl50", "pl10")
"""Stakes that bots play, as far as they are on offer."""
THINK_SECONDS: Final = 0.35
"""Quick enough that a new player is soon dealt in, slow enough to follow."""
POLL_SECONDS: Final = 0.5
STOP_SECONDS_MAX: Final = 5.0
_COMMAND: Final = "from casino.cli import app; app()"


@contextmanager
def running_bots(poker: PokerSettings | None, bots: int | None, host: str, port: int) -> Iterator[None]:
    """Starts the bots once the service answers. `bots` overrides `room.toml`; a service at any free port has none."""
    wanted = 0 if poker is None or not poker.room.enabled else poker.room.bots if bots is None else bots
    if poker is None or not wanted or not port:
        yield
        return
    pools: list[str] = [stake for stake in POOLS if stake in poker.stakes and poker.stakes[stake].enabled]
    bot_process = _BotProcess(f"http://{_reachable(host)}:{port}", wanted, pools or [next(iter(poker.stakes))])
    try:
        bot_process.start()
        yield
    finally:
        bot_process.stop()


class _BotProcess:
    def __init__(self, url: str, bots: int, pools: list[str]) -> None:
        self._url = url
        self._command = [sys.executable, "-c", _COMMAND, "play", "--game", "poker", "--url", url]
        self._command += ["--bots", str(bots), "--pool", ",".join(pools), "--strategy", "random"]
        self._command += ["--think", str(THINK_SECONDS)]
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join(2 * STOP_SECONDS_MAX)

    def _run(self) -> None:
        while not self._answers():
            if self._is_over.wait(POLL_SECONDS):
                return
        process = subprocess.Popen(  # noqa: S603  our own command
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while process.poll() is None and not self._is_over.wait(POLL_SECONDS):
                pass
        finally:
            process.kill()  # the service ends, and with it every seat: there is nothing to finish
            process.wait(STOP_SECONDS_MAX)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._url}/readyz", timeout=1) as answer:  # noqa: S310  our own address
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def _reachable(host: str) -> str:
    """A service that listens everywhere is reached by its own machine."""
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, host)  # noqa: S104
    return f"[{local}]" if ":" in local and not local.startswith("[") else local
