"""Secret key: complete or absent, the same for all processes, and never empty."""

import os
import stat
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from casino.settings import ServiceSettings
from casino.settings.service import Database as DatabaseSettings
from casino.storage.secret_key import UnusableKeyError, existing_secret_key, secret_key
from tests.databases import sqlite_url
from tests.service import CASINO

pytestmark = pytest.mark.req("SEC")


@pytest.fixture(autouse=True)
def default_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CASINO_SECRET_KEY_FILE")


def settings_in(folder: Path) -> ServiceSettings:
    return ServiceSettings().model_copy(update={"database": DatabaseSettings(url=sqlite_url(folder))})


def kept(folder: Path) -> str:
    return secret_key(settings_in(folder), sqlite_url(folder))


def test_key_is_made_once_for_the_service_alone(tmp_path: Path) -> None:
    key = kept(tmp_path / "data")
    file = tmp_path / "data" / "keys" / "secret.key"
    assert (len(key), kept(tmp_path / "data")) == (64, key)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("step", ["fsync", "link"])
def test_crash_on_the_way_leaves_no_key_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def crash(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(os, step, crash)
        with pytest.raises(SystemExit):
            kept(tmp_path)
    assert not (tmp_path / "keys" / "secret.key").exists()
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


def test_concurrent_starts_share_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as crowd:
        keys = list(crowd.map(kept, [tmp_path] * 200))
    assert len(set(keys)) == 1
    assert list((tmp_path / "keys").iterdir()) == [tmp_path / "keys" / "secret.key"]


@pytest.mark.parametrize("left", ["", "\n", "hush", "fifteen letters", "\0" * 64])
def test_file_without_a_whole_key_is_refused_and_left_as_it_is(tmp_path: Path, left: str) -> None:
    file = tmp_path / "keys" / "secret.key"
    file.parent.mkdir()
    file.write_text(left)
    with pytest.raises(UnusableKeyError) as refused:
        kept(tmp_path)
    assert str(refused.value).startswith(f"{file} holds no key of at least 16 characters")
    assert "hush" not in str(refused.value)
    assert file.read_text() == left


def test_service_with_an_empty_key_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "secret.key").touch()
    arguments = ("serve", "--port", "0")
    environment = {**os.environ, "CASINO_DATABASE_URL": sqlite_url(tmp_path)}
    ended = subprocess.run(
        [CASINO, *arguments], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    *_, line = ended.stderr.splitlines()  # after what the log says of the start
    assert line.startswith(f"The secret key cannot be used: {tmp_path}/secret.key holds no key")


def test_key_next_to_the_database_is_used_from_its_place(tmp_path: Path) -> None:
    """A service may have named this place itself; no command takes the key away from it."""
    old, new = tmp_path / "secret.key", tmp_path / "keys" / "secret.key"
    old.write_text("k" * 64)
    old.chmod(0o644)
    assert existing_secret_key(settings_in(tmp_path), sqlite_url(tmp_path)) == "k" * 64
    assert kept(tmp_path) == "k" * 64
    elsewhere = settings_in(tmp_path / "other folder")
    assert secret_key(elsewhere, sqlite_url(tmp_path)) == "k" * 64
    assert (old.read_text(), stat.S_IMODE(old.stat().st_mode)) == ("k" * 64, 0o600)
    assert sorted(tmp_path.iterdir()) == [old]
    new.parent.mkdir()
    new.write_text("n" * 64)
    assert kept(tmp_path) == "n" * 64, "the key's own folder comes first"


def test_place_does_not_depend_on_the_database_a_command_is_given(tmp_path: Path) -> None:
    configured = settings_in(tmp_path / "data")
    key = secret_key(configured, sqlite_url(tmp_path / "elsewhere"))
    assert secret_key(configured, sqlite_url(tmp_path / "data")) == key
    assert not (tmp_path / "elsewhere").exists()


def test_reading_makes_no_key(tmp_path: Path) -> None:
    assert existing_secret_key(settings_in(tmp_path / "data"), sqlite_url(tmp_path)) is None
    assert list(tmp_path.iterdir()) == []


def test_key_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    kept(tmp_path)
    folder = tmp_path / "keys"
    folder.chmod(0o755)
    (folder / "secret.key").chmod(0o644)
    kept(tmp_path)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "secret.key").stat().st_mode) == 0o600
