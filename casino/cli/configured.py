"""Commands that need the configuration, or the database it names, end here, in words, when that is wrong."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from casino.settings import ConfigurationError, Settings, TableSettings, load_settings

if TYPE_CHECKING:
    from casino.storage.database import Database

EXIT_WRONG_INPUT = 2

T = TypeVar("T")


def settings_or_exit(folder: Path) -> Settings:
    try:
        return load_settings(folder)
    except ConfigurationError as error:
        stop(str(error))


def table_or_exit(folder: Path, table_id: str | None) -> TableSettings:
    """The table asked for; in a house without any, one with all its defaults."""
    settings = settings_or_exit(folder)
    if table_id is None and not settings.tables:
        return TableSettings(id="standard", name="Ultimate Texas Hold'em")
    table = settings.table(table_id)
    if table is None:
        known = ", ".join(table.id for table in settings.tables) or "none"
        stop(f"There is no table {table_id!r}. Configured: {known}.")
    return table


def database_url_or_exit(folder: Path, given: str | None) -> str:
    """The database the command was given; without one, the configured one."""
    return given or settings_or_exit(folder).house.database.url


def on_database(url: str, work: "Callable[[Database], Awaitable[T]]") -> T:
    """Do the work on the database, which is created or brought up to date first and closed afterwards."""
    from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

    from casino.storage.database import Database

    async def run() -> T:
        try:
            database = await Database.open(url)
        except (SQLAlchemyError, OSError, ValueError) as error:
            stop(f"The database cannot be opened: {getattr(error, 'orig', None) or error}")
        try:
            return await work(database)
        except (OperationalError, InterfaceError, ConnectionError) as error:
            stop(f"The database failed: {getattr(error, 'orig', None) or error}")
        finally:
            await database.close()

    return asyncio.run(run())


def stop(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(EXIT_WRONG_INPUT)
