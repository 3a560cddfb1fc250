"""Commands in the wrong folder: they create no secret key there, and name the folder they searched."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.databases import sqlite_url
from tests.service import CASINO

pytestmark = pytest.mark.req("SEC")

TYPED = "a quiet river at dawn\n"
ON_EXISTING_BOOKS = {
    "password": (["user", "password", "ann", "--password-stdin"], TYPED),
    "list": (["user", "list"], ""),
    "disable": (["user", "disable", "ann"], ""),
    "enable": (["user", "enable", "ann"], ""),
    "reset-second-factor": (["user", "reset-second-factor", "ann"], ""),
    "add": (["user", "add", "bob", "--role", "player", "--password-stdin"], TYPED),
    "credit": (["credit", "ann", "1.00", "--reason", "test"], ""),
    "serve": (["serve", "--port", "0"], ""),
}


def run(folder: Path, url: str, arguments: list[str], said: str = "") -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [CASINO, *arguments, "--database", url],
        cwd=folder,
        env=environment,
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def installation(tmp_path: Path) -> tuple[Path, str]:
    """The folder of a new installation with one player, and its database."""
    url = sqlite_url(tmp_path)
    add_ann = ["user", "add", "ann", "--role", "player", "--password-stdin"]
    assert run(tmp_path / "home", url, add_ann, TYPED).returncode == 0
    assert (tmp_path / "home" / "data" / "keys" / "secret.key").is_file()
    return tmp_path / "home", url


@pytest.mark.parametrize("command", ON_EXISTING_BOOKS)
def test_no_key_is_created_for_books_of_another_folder(installation: tuple[Path, str], command: str) -> None:
    home, url = installation
    elsewhere = home.parent / "elsewhere"
    arguments, said = ON_EXISTING_BOOKS[command]
    done = run(elsewhere, url, arguments, said)
    if command == "list":  # reading needs no key
        assert (done.returncode, "ann" in done.stdout) == (0, True)
    else:
        assert (done.returncode, done.stdout) == (1, "")
        assert "need their secret key, and there is none at data/keys/secret.key. Run the command in" in done.stderr
    assert [path for path in elsewhere.rglob("*") if path.name == "secret.key"] == []
    if command != "serve":
        assert run(home, url, arguments, said).returncode == 0


@pytest.mark.parametrize("command", ["password", "list", "disable", "enable", "reset-second-factor", "credit"])
def test_only_setting_up_a_new_installation_creates_a_key(tmp_path: Path, command: str) -> None:
    arguments, said = ON_EXISTING_BOOKS[command]
    done = run(tmp_path, sqlite_url(tmp_path), arguments, said)
    assert done.returncode == 1
    assert [path for path in tmp_path.rglob("*") if path.name == "secret.key"] == []


def test_lost_key_is_replaced_on_the_operators_word_alone(installation: tuple[Path, str]) -> None:
    home, url = installation
    key = home / "data" / "keys" / "secret.key"
    key.unlink()
    assert "--accept-lost-key" in run(home, url, ["serve", "--port", "0"]).stderr
    assert not key.exists()
