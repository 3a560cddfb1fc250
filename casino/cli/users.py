"""`casino user` and `casino credit`: manages users and their money from the shell.

Exit code 2 means wrong input, 1 a refusal or failure. Both print one line to standard error.
"""

import json
import secrets
import sys
from typing import Any

from casino.cli.context import Books, on_database, on_existing_database
from casino.cli.operator import operator, refusals_printed, say
from casino.clock import wall_clock
from casino.errors import Code, Refusal
from casino.money import format_amount, parse_amount
from casino.storage.database import Database
from casino.users.credit import Credit, give_credit
from casino.users.money_kinds import verify_currencies
from casino.users.names import clean_name
from casino.users.password_policy import verify_new_password
from casino.users.passwords import PASSWORD_LENGTH_MAX, Passwords, verify_password
from casino.users.roles import Role
from casino.users.second_factor import reset
from casino.users.users import User, Users


def add_user(books: Books, currency: str, name: str, role: Role, *, password_stdin: bool) -> None:
    async def add(database: Database) -> User:
        password_hash = await _hashed(password)
        async with database.writing() as connection:
            await verify_currencies(connection, books.settings)
            users = Users(connection)
            return await users.add(name, role, currency, password_hash=password_hash, by=operator(), at_ms=wall_clock())

    with refusals_printed():
        clean_name(name)  # what is wrong at first sight creates no database
        password = _password(is_on_stdin=password_stdin)
        verify_new_password(password, name=name, role=role)
        user = on_database(books, add, may_set_up=True)
    say(f"Added {user.role} {user.name}, id {user.id}.")


def change_password(books: Books, name: str, *, password_stdin: bool) -> None:
    async def change(database: Database) -> User:
        async with database.reading() as connection:
            user = await Users(connection).named(name)
        verify_new_password(password, name=user.name, role=user.role)
        password_hash = await _hashed(password)
        async with database.writing() as connection:
            await Users(connection).change_password(user, password_hash, operator(), wall_clock())
        return user

    with refusals_printed():
        password = _password(is_on_stdin=password_stdin)
        user = on_database(books, change)
    say(f"Changed the password of {user.name}.")


def reset_second_factor(books: Books, name: str) -> None:
    async def change(database: Database) -> tuple[User, bool]:
        async with database.writing() as connection:
            user = await Users(connection).named(name)
            return user, await reset(connection, user, operator(), wall_clock())

    with refusals_printed():
        user, has_changed = on_database(books, change)
    done = "is removed; signed out everywhere" if has_changed else "was not set up; nothing changed"
    say(f"The second factor of {user.name} {done}.")


def set_disabled(books: Books, name: str, *, disabled: bool) -> None:
    async def change(database: Database) -> tuple[User, bool]:
        async with database.writing() as connection:
            users = Users(connection)
            user = await users.named(name)
            return user, await users.set_disabled(user, operator(), wall_clock(), disabled=disabled)

    with refusals_printed():
        user, has_changed = on_database(books, change)
    state = "disabled" if disabled else "enabled"
    say(f"{user.name} is {state}." if has_changed else f"{user.name} was {state} already.")


def list_users(books: Books, *, as_json: bool) -> None:
    async def read(database: Database, _may_write: bool) -> list[User]:  # noqa: FBT001
        async with database.reading() as connection:
            return await Users(connection).all()

    with refusals_printed():
        users = on_existing_database(books, read)
    if as_json:
        say(json.dumps({"users": [_plain(user) for user in users]}))
        return
    for user in users:
        say(f"{user.id}  {user.role:9}  {'disabled' if user.is_disabled else 'enabled':8}  {user.name}")


def credit(books: Books, name: str, amount: str, reason: str, key: str | None, by: str | None = None) -> None:
    key = secrets.token_hex(16) if key is None else key

    async def give(database: Database) -> tuple[User, int, bool]:
        async with database.writing() as connection:
            await verify_currencies(connection, books.settings)
            user = await Users(connection).named(name)
            wanted = Credit(parse_amount(amount, user.currency), reason, key)
            _verify_alone(books.settings.cashier.credit_alone_max, wanted.amount_minor, user.currency)
            has_moved = await give_credit(connection, user, wanted, operator(by), wall_clock())
            return user, wanted.amount_minor, has_moved

    with refusals_printed():
        try:
            user, amount_minor, has_moved = on_database(books, give)
        except SystemExit:  # a database that fails while it stores may have stored
            print(f"Nothing is paid twice if you try again with --key {key}", file=sys.stderr)
            raise
    if not has_moved:
        print("This credit was given before under the same key: nothing moved again.", file=sys.stderr)
    say(f"Credited {format_amount(amount_minor, user.currency)} {user.currency} to {user.name}.")


def _verify_alone(alone_max: int | None, amount_minor: int, currency: str) -> None:
    if alone_max is not None and amount_minor > alone_max:
        limit = format_amount(alone_max, currency)
        text = f"A credit above {limit} {currency} needs two people. Request it in the back office, at /finance."
        raise Refusal(Code.FORBIDDEN, text)


def _password(*, is_on_stdin: bool) -> str:
    if not is_on_stdin:
        raise Refusal(Code.BAD_REQUEST, "Pass --password-stdin and write the password to standard input.")
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
        return await passwords.hash(password)
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
