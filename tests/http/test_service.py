"""The service as a process: how it starts, what it prints, how it stops."""

import json
import signal
import subprocess
import urllib.request

import pytest

from tests.service import CASINO, STOP_SECONDS_MAX, Service, running_service


def test_the_printed_address_answers(service: Service) -> None:
    with urllib.request.urlopen(f"{service.address}/healthz", timeout=5) as answer:  # noqa: S310
        assert json.load(answer) == {"status": "ok"}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_ends_the_service_with_exit_code_0(how: signal.Signals) -> None:
    with running_service() as service:
        assert service.stop(how) == 0


def test_a_port_in_use_is_one_clear_line_and_exit_code_1(service: Service) -> None:
    port = service.address.rpartition(":")[2]
    second = subprocess.run(
        [CASINO, "serve", "--host", "127.0.0.1", "--port", port],
        capture_output=True,
        text=True,
        timeout=STOP_SECONDS_MAX,
        check=False,
    )
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == f"Cannot listen on 127.0.0.1:{port}: the port is already in use.\n"


def test_a_database_that_cannot_be_opened_is_told_and_ends_with_one() -> None:
    ended = subprocess.run(
        [CASINO, "serve", "--port", "0", "--database", "mysql://localhost/casino"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.strip() == "The database cannot be opened: the database must be SQLite or PostgreSQL, not mysql"
