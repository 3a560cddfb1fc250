"""`casino user` and `casino credit`: the people of the house and their money, from the shell of its machine.

Wrong input ends with exit code 2, what cannot be done with 1, each with a line on the error output.
"""

import json
import secrets
import sys
from typing import Any

from casino.cli.configured import on_database
from casino.cli.operator import operator, refusals_told, say
from casino.clock import wall_clock
from casino.errors import Code, Refusal
from casino.money import format_amount, parse_amount
from casino.people.credit import Credit, give_credit
from casino.people.names import clean_name
from casino.people.passwords import PASSWORD_LENGTH_MAX, Passwords, verify_password
from casino.people.roles import Role
from casino.people.users import User, Users
from casino.storage.database import Database


def add_user(url: str, currency: str, name: str, role: Role, *, password_stdin: bool) -> None:
    async def add(database: Database) -> User:
        password_hash = await _hashed(password)
        async with database.writing() as connection:
            users = Users(connection)
            return await users.add(name, role, currency, password_hash=password_hash, by=operator(), at_ms=wall_clock())

    with refusals_told():
        clean_name(name)  # what is wrong at first sight creates no database
        password = _password(is_on_stdin=password_stdin)
        user = on_database(url, add)
    say(f"Added {user.role} {user.name}, id {user.id}.")


def change_password(url: str, name: str, *, password_stdin: bool) -> None:
    async def change(database: Database) -> User:
        password_hash = await _hashed(password)
        async with database.writing() as connection:
            users = Users(connection)
            user = await users.named(name)
            await users.change_password(user, password_hash, operator(), wall_clock())
            return user

    with refusals_told():
        password = _password(is_on_stdin=password_stdin)
        user = on_database(url, change)
    say(f"Changed the password of {user.name}.")


def set_disabled(url: str, name: str, *, disabled: bool) -> None:
    async def change(database: Database) -> tuple[User, bool]:
        async with database.writing() as connection:
            users = Users(connection)
            user = await users.named(name)
            return user, await users.set_disabled(user, operator(), wall_clock(), disabled=disabled)

    with refusals_told():
        user, has_changed = on_database(url, change)
    state = "disabled" if disabled else "enabled"
    say(f"{user.name} is {state}." if has_changed else f"{user.name} was {state} already.")


def list_users(url: str, *, as_json: bool) -> None:
    async def read(database: Database) -> list[User]:
        async with database.reading() as connection:
            return await Users(connection).all()

    users = on_database(url, read)
    if as_json:
        say(json.dumps({"users": [_plain(user) for user in users]}))
        return
    for user in users:
        say(f"{user.id}  {user.role:9}  {'disabled' if user.is_disabled else 'enabled':8}  {user.name}")


def credit(url: str, name: str, amount: str, reason: str, key: str | None) -> None:
    key = secrets.token_hex(16) if key is None else key

    async def give(database: Database) -> tuple[User, int, bool]:
        async with database.writing() as connection:
            user = await Users(connection).named(name)
            wanted = Credit(parse_amount(amount, user.currency), reason, key)
            has_moved = await give_credit(connection, user, wanted, operator(), wall_clock())
            return user, wanted.amount_minor, has_moved

    with refusals_told():
        try:
            user, amount_minor, has_moved = on_database(url, give)
        except SystemExit:  # a database that fails while it stores may have stored
            print(f"Nothing is paid twice if you try again with --key {key}", file=sys.stderr)
            raise
    if not has_moved:
        print("This credit was given before under the same key: nothing moved again.", file=sys.stderr)
    say(f"Credited {format_amount(amount_minor, user.currency)} {user.currency} to {user.name}.")


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


def _plain(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "name": user.name,
        "role": user.role,
        "currency": user.currency,
        "disabled": user.is_disabled,
        "created_at": user.created_ms,
    }
