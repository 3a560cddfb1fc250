"""Loads the configuration and opens the database for commands, and reports errors in plain sentences."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from casino.settings import ConfigurationError, ServiceSettings, Settings, TableSettings, load_settings
from casino.settings.shipped import CONFIG

if TYPE_CHECKING:
    from casino.storage.database import Database

CONFIG_HERE = Path("config")
EXIT_CANNOT_BE_DONE = 1
EXIT_WRONG_INPUT = 2

T = TypeVar("T")


def chosen_folder(given: Path | None) -> Path:
    """Returns the configuration folder to read: the one given, else `config`, else the one shipped with the service."""
    if given is not None:
        return given
    return CONFIG_HERE if os.path.lexists(CONFIG_HERE) else CONFIG


def settings_or_exit(folder: Path | None) -> Settings:
    try:
        return load_settings(chosen_folder(folder))
    except ConfigurationError as error:
        stop(str(error))


def table_or_exit(folder: Path | None, table_id: str | None) -> TableSettings:
    """Returns the chosen table; without configured tables, one with all defaults."""
    settings = settings_or_exit(folder)
    if table_id is None and not settings.tables:
        return TableSettings(id="standard", name="Ultimate Texas Hold'em")
    table = settings.table(table_id)
    if table is None:
        known = ", ".join(table.id for table in settings.tables) or "none"
        stop(f"There is no table {table_id!r}. Configured: {known}.")
    return table


class Books(NamedTuple):
    """A database, and the settings that name the key that signs it."""

    url: str
    settings: ServiceSettings


def books_or_exit(folder: Path | None, given: str | None) -> Books:
    """The database the command was given; without one, the configured one. The key is the configured one in any case:
    without a configuration folder that of the environment, or of the default place."""
    settings = ServiceSettings() if given and not chosen_folder(folder).exists() else settings_or_exit(folder).casino
    return Books(given or settings.database.url, settings)


def on_database(books: Books, work: "Callable[[Database], Awaitable[T]]", *, may_set_up: bool = False) -> T:
    """Do the work on the database, which is created or brought up to date first and closed afterwards.

    `may_set_up` lets the command generate the secret key of a new installation. Any other command generates none: a
    command in the wrong folder would leave a stray key there.
    """
    from casino.audit.signing_keys import Evidence, OtherKeyInForceError, UnconfirmedBooksError, begin_signing, is_new
    from casino.clock import wall_clock
    from casino.storage.data_files import anchor_file
    from casino.storage.database import Database
    from casino.storage.secret_key import existing_secret_key, no_key_sentence, secret_key

    async def signed(database: Database) -> T:
        if existing_secret_key(books.settings, books.url) is None:
            if not await is_new(database):
                stop(f"The database cannot be used: {no_key_sentence(books.settings)}.", EXIT_CANNOT_BE_DONE)
            if not may_set_up:
                return await work(database)  # books without a row: there is nothing to change or to sign
        try:
            key, evidence = secret_key(books.settings, books.url), Evidence(anchor_file=anchor_file(books.settings))
            await begin_signing(database, key, wall_clock(), may_replace=False, evidence=evidence)
        except OtherKeyInForceError as error:
            stop(f"This is not the secret key of the service: {error}.", EXIT_CANNOT_BE_DONE)
        except UnconfirmedBooksError as error:
            stop(f"The database cannot be used: {error}.", EXIT_CANNOT_BE_DONE)
        return await work(database)

    return _on(lambda: Database.open(books.url), signed, EXIT_WRONG_INPUT)


def on_existing_database(books: Books, work: "Callable[[Database, bool], Awaitable[T]]") -> T:
    """Do the work on a database of this version, and create nothing: no database, no tables, no folder, no key.

    A missing, empty or older database ends the command with exit code 1 and a sentence. The work receives whether it
    may add to the audit log: books that are signed can only be added to with their key.
    """
    from casino.audit.signing_keys import continue_signing
    from casino.storage.database import Database
    from casino.storage.secret_key import existing_secret_key

    async def signed(database: Database) -> T:
        return await work(database, await continue_signing(database, existing_secret_key(books.settings, books.url)))

    return _on(lambda: Database.open_existing(books.url), signed, EXIT_CANNOT_BE_DONE)


def _on(
    opened: "Callable[[], Awaitable[Database]]", work: "Callable[[Database], Awaitable[T]]", exit_unusable: int
) -> T:
    from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

    from casino.storage.hash_chain import ForgedHeadError

    async def run() -> T:
        try:
            database = await opened()
        except (SQLAlchemyError, OSError, ValueError) as error:
            stop(f"The database cannot be opened: {getattr(error, 'orig', None) or error}", exit_unusable)
        try:
            return await work(database)
        except ForgedHeadError as error:
            stop(f"The database cannot be used: {error}.", EXIT_CANNOT_BE_DONE)
        except (OperationalError, InterfaceError, ConnectionError) as error:
            stop(f"The database failed: {getattr(error, 'orig', None) or error}")
        finally:
            await database.close()

    return asyncio.run(run())


def stop(message: str, code: int = EXIT_WRONG_INPUT) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(code)
