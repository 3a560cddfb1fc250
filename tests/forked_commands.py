"""Fork server for `casino` processes: each starts without the second that importing takes.

`use_fork_server` makes `subprocess` start the `casino` command from a server that has imported it already, and the
modules of tests that run it with known cards or betting times. A process
started in this way has its own process id, environment, folder and standard streams, runs the same code, and is
signalled, killed and waited for as usual. Only the interpreter's start and the imports are shared.
"""

import contextlib
import gc
import importlib
import inspect
import json
import os
import resource
import runpy
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from casino.observability.crash_points import enable
from tests.service import CASINO

IMPORTED: Final = (
    "casino.bootstrap.service",
    "casino.cli.backup",
    "casino.cli.context",
    "casino.cli.fair",
    "casino.cli.finance",
    "casino.cli.main",
    "casino.cli.operator",
    "casino.cli.play",
    "casino.cli.users",
    "casino.cli.verify",
    "tests.live.service",
)
"""Imported by the server. None of them starts a thread, which no fork would survive."""

MODULES: Final = ("tests.live.driven_service", "tests.live.poker_service")
"""Run by `python -m` and one of these names, a service is forked, too."""

REQUEST_BYTES_MAX: Final = 1 << 20


class ForkServer:
    """The server process; requests and answers are one packet each."""

    def __init__(self) -> None:
        self._mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._process = _Popen(
            [sys.executable, "-m", "tests.forked_commands", str(theirs.fileno())], pass_fds=[theirs.fileno()]
        )
        theirs.close()

    def start(self, request: dict[str, Any], streams: list[int]) -> int:
        """Returns the id of a new process with these standard streams."""
        return self._ask({"start": request}, streams)

    def status(self, pid: int) -> int:
        """Returns the wait status of a process that has ended."""
        return self._ask({"reap": pid}, [])

    def _ask(self, request: dict[str, Any], streams: list[int]) -> int:
        with self._lock:
            socket.send_fds(self._mine, [json.dumps(request).encode()], streams)
            return int(self._mine.recv(64))

    def close(self) -> None:
        self._mine.close()
        self._process.wait()


_Popen = subprocess.Popen


_OPTIONS: Final = tuple(inspect.signature(_Popen._execute_child).parameters)[1:]  # type: ignore[attr-defined]
_PIPES: Final = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_UNUSUAL: Final = ("executable", "preexec_fn", "pass_fds", "shell", "gid", "gids", "uid", "start_new_session")
"""A command with one of these options starts as every other process."""


class ForkedProcess(_Popen):  # type: ignore[type-arg]
    """A `Popen` whose process the fork server starts if it is a `casino` command with ordinary options."""

    server: ClassVar[ForkServer | None] = None
    _pidfd = -1

    def _execute_child(self, *arguments: Any) -> None:  # noqa: ANN401 - as `Popen` calls it
        options = dict(zip(_OPTIONS, arguments, strict=True))
        command = options["args"]
        program = _program(command)
        if self.server is None or program is None or any(options[name] for name in _UNUSUAL):
            super()._execute_child(*arguments)  # type: ignore[misc]
            return
        request = {
            "program": program,
            "folder": os.fspath(options["cwd"] or Path.cwd()),
            "environment": dict(os.environ if options["env"] is None else options["env"]),
            "umask": options["umask"],
            "open_files": resource.getrlimit(resource.RLIMIT_NOFILE),
        }
        pipes = [options[name] for name in _PIPES]
        streams = [own if own != -1 else number for number, own in enumerate((pipes[0], pipes[3], pipes[5]))]
        self.pid = self.server.start(request, streams)
        self._pidfd = os.pidfd_open(self.pid)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]

    def _internal_poll(self, *arguments: Any, **options: Any) -> int | None:  # noqa: ANN401
        if self._pidfd == -1:
            return super()._internal_poll(*arguments, **options)  # type: ignore[misc,no-any-return]
        if self.returncode is None and self._waitpid_lock.acquire(blocking=False):  # type: ignore[attr-defined]
            try:
                pid, status = self._try_wait(os.WNOHANG)
                if pid:
                    self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._pidfd == -1:
            return super()._try_wait(wait_flags)  # type: ignore[misc,no-any-return]
        ended, _, _ = select.select([self._pidfd], [], [], 0 if wait_flags & os.WNOHANG else None)
        if not ended or self.returncode is not None:
            return 0, 0
        os.close(self._pidfd)
        assert self.server is not None
        return self.pid, self.server.status(self.pid)


def _program(command: object) -> list[str] | None:
    """Returns what a forked process runs, `casino` or a module, and its arguments; None if it starts from scratch."""
    match [os.fspath(one) for one in command] if isinstance(command, list) else []:
        case [first, *arguments] if first == str(CASINO):
            return [first, *arguments]
        case [sys.executable, "-m", module, *arguments] if module in MODULES:
            return [module, *arguments]
    return None


@pytest.fixture(scope="session", autouse=True)
def use_fork_server() -> Iterator[None]:
    """Every test process has one server, started with the first command."""
    server = ForkServer()
    ForkedProcess.server = server
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", ForkedProcess)
        yield
    server.close()


def _serve(connection: socket.socket) -> dict[str, Any] | None:
    """Serves requests; returns in a new process with its command, or at the end of the requests."""
    while True:
        packet, streams, _, _ = socket.recv_fds(connection, REQUEST_BYTES_MAX, 3)
        if not packet:
            return None
        request = json.loads(packet)
        if "reap" in request:
            connection.send(str(os.waitpid(request["reap"], 0)[1]).encode())
            continue
        child = os.fork()
        if not child:
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            connection.close()
        for stream in streams:
            os.close(stream)
        if not child:
            wanted: dict[str, Any] = request["start"]
            return wanted
        connection.send(str(child).encode())


def _become(request: dict[str, Any]) -> None:
    """Takes over the environment of the request and runs the command as the script `casino` does."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    if request["umask"] != -1:
        os.umask(request["umask"])
    resource.setrlimit(resource.RLIMIT_NOFILE, tuple(request["open_files"]))
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdout.reconfigure(write_through=unbuffered)  # type: ignore[union-attr]
    if crash_at := os.environ.get("CASINO_CRASH_AT"):  # otherwise read at the import
        enable(crash_at)
    sys.argv = list(request["program"])
    if sys.argv[0] in MODULES:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    from casino.cli import app  # noqa: PLC0415

    sys.exit(app())


def main() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    assert threading.active_count() == 1
    gc.collect()
    gc.freeze()  # what all processes share is neither searched nor copied by their garbage collections
    with contextlib.closing(socket.socket(fileno=int(sys.argv[1]))) as connection:
        request = _serve(connection)
    if request is not None:
        _become(request)


if __name__ == "__main__":
    main()
