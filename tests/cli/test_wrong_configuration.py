"""Commands under a configuration of another database: no account, no money, and `verify` names the fault."""

from dataclasses import replace
from pathlib import Path

import pytest

from casino.storage.database import Database
from casino.storage.schema import users
from casino.users.roles import Role
from tests.cli.conftest import PASSWORD, Shell

pytestmark = pytest.mark.req("SEC-9")

ADD = ("user", "add", "Bob", "--role", "player", "--password-stdin")
CREDIT = ("credit", "Ann", "5", "--reason", "tip")


def configured(shell: Shell, service: str, guests: str = "FUN") -> Shell:
    """The same database with the configuration of another house."""
    folder = Path(f"{shell.config}-{service}-{guests}")
    folder.mkdir()
    (folder / "casino.toml").write_text(f'[service]\ncurrency = "{service}"\n[guests]\ncurrency = "{guests}"\n')
    return replace(shell, config=folder)


def add_guest(shell: Shell, currency: str = "FUN", *, is_play_money: bool = True, name: str = "guest 2") -> None:
    """Without the audit log, whose key only the shell has."""
    row = {"id": name, "name": name, "name_folded": name, "role": Role.PLAYER, "currency": currency, "created_ms": 1}

    async def add(database: Database) -> None:
        async with database.writing() as connection:
            await connection.execute(users.insert().values(**row, play_money=int(is_play_money)))

    shell.on_database(add)


@pytest.mark.parametrize("command", [ADD, CREDIT], ids=["user add", "credit"])
@pytest.mark.parametrize(
    ("currencies", "output"),
    [
        (("FUN", "TOY"), "service.currency: accounts in this database hold play money in FUN"),
        (("USD", "FUN"), "service.currency: accounts in this database hold real money in EUR, not in USD"),
        (("SEK", "EUR"), "guests.currency: accounts in this database hold real money in EUR"),
    ],
)
def test_contradicting_configuration_makes_neither_account_nor_money(
    shell: Shell,
    command: tuple[str, ...],
    currencies: tuple[str, str],
    output: str,
) -> None:
    shell.add("Ann")
    add_guest(shell)
    before = [shell.rows(table) for table in ("users", "accounts", "operations", "audit")]
    code, said = configured(shell, *currencies).refused(*command, stdin=PASSWORD)
    assert code == 1
    assert said.startswith("The configuration does not fit the database: ")
    assert output in said
    assert [shell.rows(table) for table in ("users", "accounts", "operations", "audit")] == before
    shell.done(*command, stdin=PASSWORD)


@pytest.mark.parametrize(
    ("currency", "is_play_money", "output"),
    [
        ("FUN", False, "currency FUN: some accounts hold real money in it, others play money"),
        ("USD", False, "setting service.currency: accounts in this database hold real money in EUR and USD"),
        ("EUR", True, "setting service.currency: accounts in this database hold play money in EUR"),
    ],
)
def test_verify_names_the_contradiction(
    sqlite_shell: Shell,
    currency: str,
    is_play_money: bool,  # noqa: FBT001
    output: str,
) -> None:
    sqlite_shell.add("Ann")
    add_guest(sqlite_shell)
    found = sqlite_shell.run("verify")
    assert (found.exit_code, "ok      2 players' currencies" in found.stdout) == (0, True), found.stdout
    add_guest(sqlite_shell, currency, is_play_money=is_play_money, name="mistake")
    found = sqlite_shell.run("verify")
    assert found.exit_code == 1
    assert f"BROKEN  players' currencies: {output}" in found.stdout


def test_verify_names_a_configuration_with_which_the_service_would_not_start(
    sqlite_shell: Shell,
) -> None:
    sqlite_shell.add("Ann")
    found = configured(sqlite_shell, "USD").run("verify")
    assert found.exit_code == 1
    assert "BROKEN  players' currencies: setting service.currency: accounts" in found.stdout
