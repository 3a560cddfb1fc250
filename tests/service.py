"""Runs the real service in its own process, for tests that access it from outside."""

import json
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

from tests.databases import migrated_sqlite_url

NO_KEY = {"CASINO_SECRET_KEY_FILE": "/nowhere/secret.key"}
"""For commands on books that a test has written itself, without a key."""

CASINO = Path(sys.executable).with_name("casino")
START_SECONDS_MAX = 90
"""A guard against hanging, far beyond a start on a busy machine. Speed is measured in `benchmarks/`, not here."""

STOP_SECONDS_MAX = 60


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
                migrated_sqlite_url(Path(folder)),
                *arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process,
    ):
        try:
            yield Service(first_address(process), process)
        finally:
            process.kill()


def first_address(process: "subprocess.Popen[str]") -> str:
    """Returns the address that a starting service prints. A service that hangs is killed, so that its test fails."""
    watchdog = threading.Timer(START_SECONDS_MAX, process.kill)
    watchdog.daemon = True
    watchdog.start()
    try:
        assert process.stdout is not None
        address = next((line.strip() for line in process.stdout if line.startswith("http://")), None)
    finally:
        watchdog.cancel()
    assert address is not None, f"the service ended with {process.wait()} before it printed its address"
    return address


def only_sentence(done: "subprocess.CompletedProcess[str]") -> str:
    """Returns the one sentence of a service that could not start; its log has no error and no traceback."""
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    lines = done.stderr.splitlines()
    for logged in (json.loads(line) for line in lines if line.startswith("{")):
        assert logged["level"] in {"info", "warning"}, done.stderr
        assert "exception" not in logged, done.stderr
    [sentence] = [line for line in lines if not line.startswith("{")]
    return sentence
