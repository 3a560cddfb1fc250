"""Wrong configuration at the real command: its error texts, exit code 2 and no traceback."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.service import CASINO
from tests.settings.conftest import TABLE, Folder

COMMANDS = [["serve", "--port", "0"], ["settle"], ["rtp"], ["advise", "As Kd"]]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CASINO, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_stops_with_file_key_and_reason(folder: Folder, command: list[str]) -> None:
    config = folder.service_file("[service]\nport = 'eighty'")
    table = folder.table(TABLE + "[limits]\nante_min = -100\n[chips]\nvalues = [25]")
    stopped = run(*command, "--config", str(folder.path))
    assert stopped.returncode == 2
    assert stopped.stdout == ""
    assert stopped.stderr.splitlines() == [
        f"{config}: service.port: input should be a valid integer",
        f"{table}: limits.ante_min: input should be greater than 0",
    ]


@pytest.mark.parametrize("content", [b"\xff", b"[service\n", b"[service]\nport = 1e999"])
def test_a_broken_file_stops_the_service_without_a_traceback(folder: Folder, content: bytes) -> None:
    file = folder.service_file(content)
    stopped = run("serve", "--config", str(folder.path), "--port", "0")
    assert stopped.returncode == 2
    assert stopped.stderr.startswith(f"{file}: ")
    assert len(stopped.stderr.splitlines()) == 1


def test_the_folder_may_come_from_the_environment(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    stopped = run("serve", "--port", "0", CASINO_CONFIG=str(nowhere))
    assert (stopped.returncode, stopped.stderr) == (2, f"{nowhere}: there is no such folder\n")


def test_a_wrong_environment_variable_stops_the_service_and_no_secret_is_shown(folder: Folder) -> None:
    stopped = run(
        "serve",
        "--config",
        str(folder.path),
        CASINO_SERVICE_PORT="hush",
        CASINO_SECRET_KEY="hush-hush-hush-hush",  # noqa: S106
    )
    assert stopped.returncode == 2
    assert stopped.stderr.startswith("environment variable CASINO_SERVICE_PORT: service.port: input should be ")
    assert "hush" not in stopped.stderr


def test_help_says_that_the_address_of_redis_has_no_effect() -> None:
    output = " ".join(run("serve", "--help").stdout.split())
    assert "CASINO_REDIS_URL is accepted and has no effect yet." in output
