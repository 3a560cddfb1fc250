"""`casino user` and `casino credit`: the people of the house and their money, from the shell of its machine.

Wrong input ends with exit code 2, what cannot be done with 1, each with a line on the error output.
"""

import json
import os
import pwd
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from casino.cli.configured import EXIT_WRONG_INPUT, on_database
from casino.clock import wall_clock
from casino.errors import Code, Refusal
from casino.money import format_amount, parse_amount
from casino.people.credit import Credit, give_credit
from casino.people.names import clean_name
from casino.people.passwords import PASSWORD_LENGTH_MAX, Passwords, verify_password
from casino.people.roles import Actor, Role
from casino.people.users import NameTaken, User, Users
from casino.storage.database import Database

EXIT_CANNOT_BE_DONE: Final = 1
OPERATOR: Final = "operator"
"""The role, in the audit log, of whoever has a shell on the machine."""


def add_user(url: str, currency: str, name: str, role: Role, *, password_stdin: bool) -> None:
    async def add(database: Database) -> User:
        password_hash = await _hashed(password)
        async with database.writing() as connection:
            users = Users(connection)
            return await users.add(
                name, role, currency, password_hash=password_hash, by=_operator(), at_ms=wall_clock()
            )

    with _refusals_told():
        clean_name(name)  # what is wrong at first sight creates no database
        password = _password(is_on_stdin=password_stdin)
        user = on_database(url, add)
    _say(f"Added {user.role} {user.name}, id {user.id}.")


def change_password(url: str, name: str, *, password_stdin: bool) -> None:
    async def change(database: Database) -> User:
        password_hash = await _hashed(password)
        async with database.writing() as connection:
            users = Users(connection)
            user = await users.named(name)
            await users.change_password(user, password_hash, _operator(), wall_clock())
            return user

    with _refusals_told():
        password = _password(is_on_stdin=password_stdin)
        user = on_database(url, change)
    _say(f"Changed the password of {user.name}.")


def set_disabled(url: str, name: str, *, disabled: bool) -> None:
    async def change(database: Database) -> tuple[User, bool]:
        async with database.writing() as connection:
            users = Users(connection)
            user = await users.named(name)
            return user, await users.set_disabled(user, _operator(), wall_clock(), disabled=disabled)

    with _refusals_told():
        user, has_changed = on_database(url, change)
    state = "disabled" if disabled else "enabled"
    _say(f"{user.name} is {state}." if has_changed else f"{user.name} was {state} already.")


def list_users(url: str, *, as_json: bool) -> None:
    async def read(database: Database) -> list[User]:
        async with database.reading() as connection:
            return await Users(connection).all()

    users = on_database(url, read)
    if as_json:
        _say(json.dumps({"users": [_plain(user) for user in users]}))
        return
    for user in users:
        _say(f"{user.id}  {user.role:9}  {'disabled' if user.is_disabled else 'enabled':8}  {user.name}")


def credit(url: str, name: str, amount: str, reason: str, key: str | None) -> None:
    key = secrets.token_hex(16) if key is None else key

    async def give(database: Database) -> tuple[User, int, bool]:
        async with database.writing() as connection:
            user = await Users(connection).named(name)
            wanted = Credit(parse_amount(amount, user.currency), reason, key)
            has_moved = await give_credit(connection, user, wanted, _operator(), wall_clock())
            return user, wanted.amount_minor, has_moved

    with _refusals_told():
        try:
            user, amount_minor, has_moved = on_database(url, give)
        except SystemExit:  # a database that fails while it stores may have stored
            print(f"Nothing is paid twice if you try again with --key {key}", file=sys.stderr)
            raise
    if not has_moved:
        print("This credit was given before under the same key: nothing moved again.", file=sys.stderr)
    _say(f"Credited {format_amount(amount_minor, user.currency)} {user.currency} to {user.name}.")


@contextmanager
def _refusals_told() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        is_wrong_input = refusal.code is Code.BAD_REQUEST and not isinstance(refusal, NameTaken)
        print(refusal.message, file=sys.stderr)
        sys.exit(EXIT_WRONG_INPUT if is_wrong_input else EXIT_CANNOT_BE_DONE)


def _password(*, is_on_stdin: bool) -> str:
    if not is_on_stdin:
        raise Refusal(Code.BAD_REQUEST, "The password is read from standard input: say --password-stdin.")
    line = sys.stdin.buffer.readline(4 * PASSWORD_LENGTH_MAX + 2)  # no character is longer than four bytes
    try:
        password = line.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError:
        raise Refusal(Code.BAD_REQUEST, "The password is not UTF-8 text.") from None
    verify_password(password)
    return password


async def _hashed(password: str) -> str:
    passwords = Passwords()
    try:
        return await passwords.hashed(password)
    finally:
        passwords.close()


def _operator() -> Actor:
    try:
        login = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run under a number nobody has named
        login = str(os.getuid())
    return Actor(f"cli:{login}"[:80], OPERATOR)


def _plain(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "name": user.name,
        "role": user.role,
        "currency": user.currency,
        "disabled": user.is_disabled,
        "created_at": user.created_ms,
    }


def _say(line: str) -> None:
    """What has been done is told on every terminal, whatever letters it knows."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))
