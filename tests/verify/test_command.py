"""`casino verify` on the command line: a line for each check, the exit code, and a missing database."""

import contextlib
import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from casino.audit.anchors import Anchor
from casino.storage.database import Database
from casino.verify.findings import Findings
from tests.service import CASINO, NO_KEY
from tests.verify import full_books

TIMEOUT = 60
CHECKS = len(Findings().checks)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CASINO, "verify", *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        env={**os.environ, **NO_KEY, **environment},
    )


def test_books_in_order_exit_0_with_a_line_for_each_check(house_url: str) -> None:
    done = run("--database", house_url)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == CHECKS
    lines.remove("hmac: not checked (no key)")
    assert all(line.startswith("ok  ") for line in lines)


@pytest.mark.parametrize("where", ["environment", "file"])
async def test_configured_database_is_verified(tmp_path: Path, where: str) -> None:
    url = f"sqlite:///{tmp_path}/deep/casino.db"
    config = tmp_path / "config"
    config.mkdir()
    await (await Database.open(url)).close()
    if where == "file":
        (config / "casino.toml").write_text(f'[database]\nurl = "{url}"\n')
        done = run("--config", str(config))
    else:
        done = run("--config", str(config), CASINO_DATABASE_URL=url)
    assert done.returncode == 0, done.stderr


async def test_broken_books_exit_1_and_name_the_row(database: Database, database_url: str) -> None:
    await full_books.build(database)
    async with database.writing() as connection:
        await connection.execute(text("UPDATE accounts SET balance = balance + 1 WHERE id = 'house:EUR'"))
        await connection.execute(text("UPDATE rounds SET status = 'void' WHERE id = 'cancelled'"))
    done = run("--database", database_url)
    assert (done.returncode, done.stderr) == (1, "")
    broken = [line for line in done.stdout.splitlines() if line.startswith("BROKEN  ")]
    assert len(broken) == 3
    assert any("account house:EUR: its balance is" in line for line in broken)
    assert any("currency EUR: all accounts together are 1" in line for line in broken)
    assert any("round cancelled: its status is void, and cancelled in the journal" in line for line in broken)
    assert sum(line.startswith("ok  ") for line in done.stdout.splitlines()) == CHECKS - 4


@pytest.mark.parametrize("url", ["nonsense", "mysql://localhost/casino", "postgresql://nobody:secret@127.0.0.1:1/x"])
def test_unusable_database_is_reported_in_a_sentence(url: str) -> None:
    done = run("--database", url)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("The database cannot be opened: ")
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


def _until_closed(terminal: int) -> Iterator[str]:
    with contextlib.suppress(OSError):  # that is how a terminal ends
        while shown := os.read(terminal, 4096):
            yield shown.decode()


def test_terminal_shows_a_progress_bar_that_leaves_the_lines_alone(house_url: str) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [CASINO, "verify", "--database", house_url],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, **NO_KEY},
    ) as process:
        os.close(theirs)
        shown = "".join(_until_closed(ours))
        out, _ = process.communicate(timeout=TIMEOUT)
    os.close(ours)
    assert "Reading the books" in shown
    assert process.returncode == 0
    assert len(out.splitlines()) == CHECKS


def test_file_without_an_anchor_of_the_database_is_a_fault(house_url: str, tmp_path: Path) -> None:
    """Whoever can write to the database can give it another id: then every anchor would be of another database."""
    file = tmp_path / "anchors.jsonl"
    file.write_bytes(Anchor("another", 1, 10**6, {"audit": (999, "f" * 64)}).line())
    done = run("--database", house_url, "--anchor", str(file))
    assert done.returncode == 1
    assert f"BROKEN  anchors: {file} has none of this database" in done.stdout
