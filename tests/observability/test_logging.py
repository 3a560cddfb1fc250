"""Logging: expected events, and no secrets."""

import io
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from casino.observability.log_limits import LINES_PER_MINUTE, CauseLimit
from casino.observability.logging import REDACTED, configure_logging, redact
from casino.users.passwords import _nobodys_hash

TOKEN = "M8H5EMHVLah2MimQIG2auvYX7Mg7gmsNCLJ5ijjDlEw"  # noqa: S105
SECRETS = [TOKEN, "hunter2-hunter2", "argon2id"]

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Iterator[Lines]:
    stream = io.StringIO()
    handlers, level = logging.root.handlers[:], logging.root.level
    configure_logging(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.parametrize(
    "event",
    [
        {"password": "hunter2-hunter2"},
        {"PasswordHash": "hunter2-hunter2"},
        {"token": TOKEN},
        {"Authorization": "Basic hunter2-hunter2"},
        {"headers": {"Cookie": "hunter2-hunter2", "Set-Cookie": "hunter2-hunter2"}},
        {"header": f"Bearer {TOKEN}"},
        {"header": "Authorization: Bearer hunter2-hunter2"},
        {"cookie_header": f"casino_session={TOKEN}; Path=/"},
        {"line": f"casino_session={TOKEN}; Path=/"},
        {"event": f"found {TOKEN}!"},
        {"error": f"parameters: ('{_nobodys_hash()}', 5)"},
        {"url": "postgresql://casino:hunter2-hunter2@db/casino"},
        {"deep": [{"er": ({"secret_key": "hunter2-hunter2"},)}]},
        {"object": RuntimeError(f"no {TOKEN}")},
        {"very": {"very": {"very": {"very": {"very": {"very": {"very": {"very": {"deep": "hunter2-hunter2"}}}}}}}}},
    ],
)
def test_secrets_are_taken_out_by_name_and_by_shape(event: dict[str, Any]) -> None:
    text = json.dumps(redact(None, "info", event))
    assert REDACTED in text
    assert not any(secret in text for secret in SECRETS)


def test_harmless_values_stay_in_the_log() -> None:
    event = {"event": "password_changed", "table_id": "uth-1", "round_id": "r" * 24, "count": 5, "is": True, "no": None}
    assert redact(None, "info", dict(event)) == event


def test_lines_are_json_with_the_request_they_belong_to(lines: Lines) -> None:
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.get_logger("casino.http").info("signed_in", address="127.0.0.1")
    logging.getLogger("aiohttp.server").warning("odd %s", "request")
    logging.getLogger("aiohttp.server").info("noise")
    ours, theirs = lines()
    assert (ours["event"], ours["request_id"], ours["address"], ours["level"]) == (
        "signed_in",
        "r1",
        "127.0.0.1",
        "info",
    )
    assert ours["timestamp"].endswith("Z")
    assert (theirs["event"], theirs["level"], theirs["logger"]) == ("odd request", "warning", "aiohttp.server")


@pytest.mark.parametrize("log", [structlog.get_logger("casino.test"), logging.getLogger("asyncio")])
def test_traceback_says_where_and_not_what_variables_held(lines: Lines, log: Any) -> None:  # noqa: ANN401 - any logger
    def fail() -> None:
        held = TOKEN
        raise RuntimeError(f"token {held}")

    try:
        fail()
    except RuntimeError:
        log.exception("failed")
    [line] = lines()
    text = json.dumps(line)
    assert line["exception"][0]["exc_type"] == "RuntimeError"
    assert line["exception"][0]["frames"][-1]["name"] == "fail"
    assert "locals" not in text
    assert TOKEN not in text


@pytest.mark.req("OPS")
def test_lines_of_one_cause_are_limited_and_counted_and_others_are_not(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0
    (limit,) = logging.root.handlers[0].filters
    monkeypatch.setattr(limit, "_clock", lambda: now)
    log, library = structlog.get_logger("casino"), logging.getLogger("library")
    for number in range(100):
        log.error("request_failed", path=f"/{number}", exc_info=ZeroDivisionError())
        library.warning("connection %s lost", number)
        log.warning("table_failed", table_id="uth-1")
        log.info("round_recovered", round_id=number)
    log.error("request_failed", exc_info=KeyError())
    log.warning("table_failed", table_id="uth-2")
    logged = Counter(line["event"].split()[0] for line in lines())
    kept = LINES_PER_MINUTE
    assert logged == {"request_failed": kept + 1, "connection": kept, "table_failed": kept + 1, "round_recovered": 100}
    assert not any("suppressed" in line for line in lines())
    now = 60_000
    library.warning("connection %s lost", "again")
    log.warning("table_failed", table_id="uth-1")
    assert [line["suppressed"] for line in lines()[-2:]] == [80, 80]
    assert lines()[-2]["event"] == "connection again lost"
    log.warning("table_failed", table_id="uth-1")
    assert "suppressed" not in lines()[-1]


def test_causes_that_are_remembered_are_bounded(lines: Lines) -> None:
    log = structlog.get_logger("casino")
    for number in range(1_200):
        log.warning("table_failed", table_id=number)
    (limit,) = logging.root.handlers[0].filters
    assert isinstance(limit, CauseLimit)
    assert len(limit._counts) == 1_000
    assert len(lines()) == 1_200
