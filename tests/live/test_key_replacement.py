"""Replacement of the secret key: with the earlier key, after an orderly stop, and by a forger."""

import json
import signal
import subprocess

import pytest

from casino.storage.database import Database
from tests.backup.test_backup import add_ann, casino, credit
from tests.service import running_service
from tests.verify.key_forging import pretend_key_change, stored_forgery

FIRST = "the first key of this service"
SECOND = "the second key of this service"
THIRD = "the third key of this service"

pytestmark = pytest.mark.req("AUD")


def refused_start(url: str) -> str:
    done: subprocess.CompletedProcess[str] = casino("serve", "--port", "0", "--database", url)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


def verified(url: str) -> tuple[int, str]:
    done = casino("verify", "--database", url)
    return done.returncode, done.stdout


def test_key_is_replaced_with_evidence_and_not_without(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASINO_SECRET_KEY", FIRST)
    with running_service("--database", database_url) as service:
        add_ann(database_url)
        credit(database_url, "10.00")
        assert service.stop() == 0
    monkeypatch.setenv("CASINO_SECRET_KEY", SECOND)
    with running_service("--database", database_url) as service:  # the anchor of the orderly stop confirms the books
        credit(database_url, "20.00")
        service.stop(signal.SIGKILL)
    code, said = verified(database_url)
    assert (code, "rows not checked (no earlier key" in said) == (0, True)

    monkeypatch.setenv("CASINO_SECRET_KEY", THIRD)
    assert "CASINO_PREVIOUS_SECRET_KEYS" in refused_start(database_url)
    monkeypatch.setenv("CASINO_PREVIOUS_SECRET_KEYS", json.dumps([SECOND, FIRST]))
    with running_service("--database", database_url) as service:
        assert service.stop() == 0
    code, said = verified(database_url)
    assert (code, "not checked" in said) == (0, False)


async def test_forged_key_stops_the_start_and_every_command(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASINO_SECRET_KEY", FIRST)
    with running_service("--database", database_url) as service:
        add_ann(database_url)
        service.stop(signal.SIGKILL)
    database = await Database.open(database_url)
    async with stored_forgery(database) as tamperer:
        await pretend_key_change(tamperer)
    await database.close()
    refused = refused_start(database_url)
    assert "its books are signed with another key" in refused
    assert "restore a backup" in refused
    done = casino("credit", "ann", "1.00", "--reason", "test", "--database", database_url)
    assert (done.returncode, "This is not the secret key of the service" in done.stderr) == (1, True)
    code, said = verified(database_url)
    assert (code, "BROKEN  signatures: the books are signed with the key" in said) == (1, True)
