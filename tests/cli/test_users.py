"""`casino user` and `casino credit`, also while a server is running."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from casino.storage.database import Database
from casino.users.authentication import authenticate
from casino.users.passwords import Passwords
from casino.users.roles import Role
from tests.cli.conftest import PASSWORD, Shell
from tests.databases import sqlite_url
from tests.service import CASINO, running_service

STAFF = [role for role in Role if role is not Role.PLAYER]


def test_user_is_added_listed_disabled_and_enabled(shell: Shell) -> None:
    line = shell.add("Ann")
    (ann,) = shell.users()
    assert line == f"Added player Ann, id {ann['id']}."
    assert {key: ann[key] for key in ("name", "role", "currency", "disabled")} == {
        "name": "Ann",
        "role": "player",
        "currency": "EUR",
        "disabled": False,
    }
    assert shell.done("user", "list") == f"{ann['id']}  player     enabled   Ann"
    assert shell.done("user", "disable", "aNN") == "Ann is disabled."
    assert shell.users()[0]["disabled"] is True
    assert shell.done("user", "disable", "Ann") == "Ann was disabled already."
    assert shell.done("user", "enable", "Ann") == "Ann is enabled."
    assert shell.users() == [ann]
    assert [(row.actor.partition(":")[0], row.role, row.action) for row in shell.rows("audit")[1:]] == [
        ("cli", "operator", action) for action in ("user_added", "user_disabled", "user_enabled")
    ]


def test_password_from_standard_input_is_the_users_password(shell: Shell) -> None:
    shell.add("Ann")
    assert shell.done("user", "password", "ann", "--password-stdin", stdin="another secret\r\nrest") == (
        "Changed the password of Ann."
    )

    async def sign_in(database: Database) -> str:
        passwords = Passwords()
        try:
            return (await authenticate(database, passwords, "Ann", "another secret")).user.name
        finally:
            passwords.close()

    assert shell.on_database(sign_in) == "Ann"


@pytest.mark.req("AUD")
def test_credit_goes_through_the_ledger_and_the_audit_log(shell: Shell) -> None:
    shell.add("Ann")
    assert shell.done("credit", "ann", "250.00", "--reason", "Welcome") == "Credited 250.00 EUR to Ann."
    assert shell.done("credit", "Ann", "0.5", "--reason", "Welcome") == "Credited 0.50 EUR to Ann."
    account = f"player:{shell.users()[0]['id']}:cash"
    assert (shell.balance(account), shell.balance("credit:EUR")) == (25_050, -25_050)
    assert [(row.kind, row.reason) for row in shell.rows("operations")] == [("credit", "Welcome")] * 2
    given = [row for row in shell.rows("audit") if row.action == "credit"]
    assert [json.loads(row.after)["amount_minor"] for row in given] == [25_000, 50]
    assert {row.reason for row in given} == {"Welcome"}


@pytest.mark.req("LED-5")
def test_credit_with_a_key_is_given_once(shell: Shell) -> None:
    shell.add("Ann")
    credit = ("credit", "Ann", "250.00", "--reason", "Welcome", "--key", "october-1")
    first = shell.done(*credit)
    for _ in range(3):
        again = shell.run(*credit)
        assert (again.exit_code, again.stdout) == (0, f"{first}\n"), "the same answer"
        assert again.stderr == "This credit was given before under the same key: nothing moved again.\n"
    assert shell.refused("credit", "Ann", "250.01", "--reason", "Welcome", "--key", "october-1") == (
        1,
        "This was already sent with another amount. Start again.",
    )
    assert shell.balance("credit:EUR") == -25_000


@pytest.mark.req("SEC-9")
def test_staff_cannot_be_credited(sqlite_shell: Shell) -> None:
    for role in STAFF:
        sqlite_shell.add(f"a {role}", role)
        assert sqlite_shell.refused("credit", f"a {role}", "5", "--reason", "tip") == (
            1,
            f"a {role} is a {role}. Only players have a wallet.",
        )
    assert sqlite_shell.rows("operations") == sqlite_shell.rows("accounts") == []


def test_impossible_commands_exit_with_one(sqlite_shell: Shell) -> None:
    sqlite_shell.add("Ann")
    add = ("user", "add", "ANN", "--role", "admin", "--password-stdin")
    assert sqlite_shell.refused(*add, stdin=PASSWORD) == (1, "This username is taken. Choose another one.")
    for command in (
        ("credit", "Zed", "5", "--reason", "tip"),
        ("user", "disable", "Zed"),
        ("user", "enable", "Zed"),
        ("user", "password", "Zed", "--password-stdin"),
    ):
        assert sqlite_shell.refused(*command, stdin=PASSWORD) == (1, "There is no user Zed.")


@pytest.mark.parametrize(
    ("stdin", "output"),
    [
        ("", "A password needs at least 8 characters."),
        ("\n", "A password needs at least 8 characters."),
        ("1234567\n", "A password needs at least 8 characters."),
        ("1234567\n89", "A password needs at least 8 characters."),
        ("x" * 257, "A password can have at most 256 characters."),
        ("x" * 10**6, "A password can have at most 256 characters."),
        (b"\xff" * 20 + b"\n", "The password is not UTF-8 text."),
    ],
    ids=range(7),
)
def test_bad_password_is_refused_and_nothing_is_made(sqlite_shell: Shell, stdin: str | bytes, output: str) -> None:
    add = ("user", "add", "Ann", "--role", "player", "--password-stdin")
    assert sqlite_shell.refused(*add, stdin=stdin) == (2, output)
    assert sqlite_shell.refused("user", "password", "Ann", "--password-stdin", stdin=stdin) == (2, output)
    assert not Path(sqlite_shell.url.removeprefix("sqlite:///")).exists()


def test_password_is_never_taken_from_the_command_line(sqlite_shell: Shell) -> None:
    output = (2, "Pass --password-stdin and write the password to standard input.")
    assert sqlite_shell.refused("user", "add", "Ann", "--role", "player", stdin=PASSWORD) == output
    assert sqlite_shell.refused("user", "password", "Ann", stdin=PASSWORD) == output
    assert sqlite_shell.run("user", "add", "Ann", "--role", "player", "--password", PASSWORD).exit_code == 2


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\u202eann", "a\u200bnn", "a\nb", "\udcff"], ids=ascii)
def test_bad_name_is_refused(sqlite_shell: Shell, name: str) -> None:
    code, output = sqlite_shell.refused("user", "add", name, "--role", "player", "--password-stdin", stdin=PASSWORD)
    assert code == 2
    assert output.startswith(("A name ", "Enter a username"))


def test_bad_amount_reason_and_key_are_refused_and_nothing_moves(sqlite_shell: Shell) -> None:
    sqlite_shell.add("Ann")
    for amount in ("0", "0.00", "1.001", "1e3", "NaN", "５", "1,000", "true", "", "10000000000.01", "9" * 30):
        code, output = sqlite_shell.refused("credit", "Ann", amount, "--reason", "tip")
        assert code == 2, amount
        assert "amount" in output
    for reason in ("", " ", "x" * 201, "a\nb", "\u202e", "\udcff"):
        assert sqlite_shell.refused("credit", "Ann", "5", "--reason", reason)[0] == 2, ascii(reason)
    for key in ("", "a b", "ключ", "x" * 81):
        assert sqlite_shell.refused("credit", "Ann", "5", "--reason", "tip", "--key", key)[0] == 2, key
    for arguments in (["Ann", "-5", "--reason", "tip"], ["Ann", "5"], ["Ann"], ["Ann", "5", "6", "--reason", "tip"]):
        assert sqlite_shell.run("credit", *arguments).exit_code == 2
    assert sqlite_shell.rows("operations") == []


def test_unknown_role_is_refused(sqlite_shell: Shell) -> None:
    result = sqlite_shell.run("user", "add", "Ann", "--role", "boss", "--password-stdin", stdin=PASSWORD)
    assert result.exit_code == 2
    assert "boss" in result.stderr


def test_currency_is_the_configured_one_with_its_decimals(sqlite_shell: Shell) -> None:
    (sqlite_shell.config / "casino.toml").write_text('[service]\ncurrency = "JPY"\n')
    sqlite_shell.add("Yuki")
    assert sqlite_shell.done("credit", "Yuki", "2500", "--reason", "Welcome") == "Credited 2500 JPY to Yuki."
    assert sqlite_shell.refused("credit", "Yuki", "25.00", "--reason", "Welcome")[0] == 2
    assert sqlite_shell.balance("credit:JPY") == -2_500


def test_unusable_database_is_reported_in_one_line_with_the_key_for_a_retry(tmp_path: Path) -> None:
    (tmp_path / "casino.db").write_text("Dear diary" * 1000)
    shell = Shell(sqlite_url(tmp_path), tmp_path)
    code, output = shell.refused("user", "list")
    assert (code, output) == (1, f"The database cannot be opened: {tmp_path}/casino.db: file is not a database")
    code, output = shell.refused("credit", "Ann", "5", "--reason", "tip", "--key", "k1")
    assert output.splitlines()[1] == "Nothing is paid twice if you try again with --key k1"


def test_commands_work_while_a_server_runs_on_the_same_database(database_url: str, tmp_path: Path) -> None:
    """The real programs: a server that has the database open, and commands at the same time, two at once."""

    def casino(*arguments: str, stdin: str = "") -> subprocess.Popen[str]:
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen([CASINO, *arguments, "--database", database_url], text=True, **pipes)
        assert process.stdin is not None
        process.stdin.write(stdin)
        process.stdin.close()
        process.stdin = None
        return process

    with running_service("--database", database_url):
        add = casino("user", "add", "Ann", "--role", "player", "--password-stdin", stdin=f"{PASSWORD}\n")
        out, err = add.communicate(timeout=60)
        assert (add.returncode, err) == (0, "")
        assert out.startswith("Added player Ann, id ")
        given = [casino("credit", "Ann", "2.50", "--reason", "Welcome") for _ in range(2)]
        assert [credit.communicate(timeout=60) for credit in given] == [("Credited 2.50 EUR to Ann.\n", "")] * 2
    assert Shell(database_url, tmp_path).balance("credit:EUR") == -500
