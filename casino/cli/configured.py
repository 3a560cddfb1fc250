"""Commands that need the configuration end here, in words, when it is wrong."""

import sys
from pathlib import Path
from typing import NoReturn

from casino.settings import ConfigurationError, Settings, TableSettings, load_settings

EXIT_WRONG_INPUT = 2


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


def stop(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(EXIT_WRONG_INPUT)
