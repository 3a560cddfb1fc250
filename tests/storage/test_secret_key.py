"""The key that seals the decks: whole or not there at all, one for everybody, and never empty."""

import os
import stat
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from casino.secret import UnusableKeyError, secret_key
from casino.settings import HouseSettings
from tests.databases import sqlite_url
from tests.service import CASINO

pytestmark = pytest.mark.req("SEC")


def kept(folder: Path) -> str:
    return secret_key(HouseSettings(), sqlite_url(folder))


def test_key_is_made_once_for_the_service_alone(tmp_path: Path) -> None:
    key = kept(tmp_path / "data")
    file = tmp_path / "data" / "secret.key"
    assert (len(key), kept(tmp_path / "data")) == (64, key)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("step", ["fsync", "link"])
def test_crash_on_the_way_leaves_no_key_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def crash(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(os, step, crash)
        with pytest.raises(SystemExit):
            kept(tmp_path)
    assert not (tmp_path / "secret.key").exists()
    assert len(kept(tmp_path)) == 64


def test_key_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the name is on the disk before anything is sealed with the key."""
    steps = []

    def noted(step: str, done: Callable[..., None]) -> Callable[..., None]:
        def do(*given: object) -> None:
            steps.append(step)
            done(*given)

        return do

    for step in ("fsync", "link"):
        monkeypatch.setattr(os, step, noted(step, getattr(os, step)))
    kept(tmp_path)
    assert steps == ["fsync", "link", "fsync"]


def test_all_who_come_at_once_have_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as crowd:
        keys = list(crowd.map(kept, [tmp_path] * 200))
    assert len(set(keys)) == 1
    assert list(tmp_path.iterdir()) == [tmp_path / "secret.key"]


@pytest.mark.parametrize("left", ["", "\n", "hush", "fifteen letters", "\0" * 64])
def test_file_without_a_whole_key_is_refused_and_left_as_it_is(tmp_path: Path, left: str) -> None:
    file = tmp_path / "secret.key"
    file.write_text(left)
    with pytest.raises(UnusableKeyError) as refused:
        kept(tmp_path)
    assert str(refused.value).startswith(f"{file} holds no key of at least 16 characters")
    assert "hush" not in str(refused.value)
    assert file.read_text() == left


def test_service_with_an_empty_key_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "secret.key").touch()
    arguments = ("serve", "--port", "0", "--database", sqlite_url(tmp_path))
    ended = subprocess.run([CASINO, *arguments], capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    assert line.startswith(f"The secret key cannot be used: {tmp_path}/secret.key holds no key")
