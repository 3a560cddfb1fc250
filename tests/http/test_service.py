"""Service process: start, output and stop."""

import json
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.databases import sqlite_url
from tests.service import CASINO, START_SECONDS_MAX, Service, only_sentence, running_service


def test_the_printed_address_answers(service: Service) -> None:
    with urllib.request.urlopen(f"{service.address}/healthz", timeout=60) as answer:  # noqa: S310
        assert json.load(answer) == {"status": "ok"}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_ends_the_service_with_exit_code_0(how: signal.Signals) -> None:
    with running_service() as service:
        assert service.stop(how) == 0


def test_port_in_use_is_reported_in_one_line_with_exit_code_1(service: Service, tmp_path: Path) -> None:
    port = service.address.rpartition(":")[2]
    second = subprocess.run(
        [CASINO, "serve", "--host", "127.0.0.1", "--port", port, "--database", sqlite_url(tmp_path)],
        capture_output=True,
        text=True,
        timeout=START_SECONDS_MAX,
        check=False,
    )
    assert only_sentence(second) == f"Cannot listen on 127.0.0.1:{port}: the port is already in use."


def test_unusable_database_is_reported_and_exits_with_one() -> None:
    ended = subprocess.run(
        [CASINO, "serve", "--port", "0", "--database", "mysql://localhost/casino"],
        capture_output=True,
        text=True,
        timeout=START_SECONDS_MAX,
        check=False,
    )
    expected = "The database cannot be opened: the database must be SQLite or PostgreSQL, not mysql"
    assert only_sentence(ended) == expected
