"""Runs the real service as its own process, for the tests that ask it from outside."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

CASINO = Path(sys.executable).with_name("casino")
START_SECONDS_MAX = 30
STOP_SECONDS_MAX = 10


@dataclass(frozen=True)
class Service:
    """A running service: its address, and the process behind it."""

    address: str
    process: subprocess.Popen[str]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(STOP_SECONDS_MAX)


@contextmanager
def running_service(*arguments: str, stderr: IO[str] | None = None) -> Iterator[Service]:
    with (
        tempfile.TemporaryDirectory(prefix="casino-") as folder,
        subprocess.Popen(
            [
                CASINO,
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--database",
                f"sqlite:///{folder}/casino.db",
                *arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process,
    ):
        watchdog = _kill_after(process, START_SECONDS_MAX)
        try:
            assert process.stdout is not None
            address = next((line.strip() for line in process.stdout if line.startswith("http://")), None)
            watchdog.cancel()
            assert address is not None, f"the service ended with {process.wait()} before it printed its address"
            yield Service(address, process)
        finally:
            watchdog.cancel()
            process.kill()


def _kill_after(process: subprocess.Popen[str], seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    return timer
