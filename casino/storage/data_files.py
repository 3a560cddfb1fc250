"""Paths of the files a service keeps next to its database, derived from the configuration alone.

The paths do not depend on the database a command is given. Each kind has its own folder, so that a copy of the database
never includes the key.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from casino.settings import ServiceSettings
from casino.storage.url import file_of

KEY_FOLDER: Final = "keys"
KEY_NAME: Final = "secret.key"
ANCHOR_FOLDER: Final = "anchors"
ANCHOR_NAME: Final = "anchors.jsonl"


def key_file(settings: ServiceSettings) -> Path:
    configured = settings.secret_key_file
    return Path(configured) if configured else folder_of(settings.database.url) / KEY_FOLDER / KEY_NAME


def anchor_file(settings: ServiceSettings) -> Path:
    configured = settings.anchors.file
    return Path(configured) if configured else folder_of(settings.database.url) / ANCHOR_FOLDER / ANCHOR_NAME


def folder_of(database_url: str) -> Path:
    """Default data folder: that of the SQLite file."""
    try:
        url = make_url(database_url)
    except (ArgumentError, ValueError):  # reported when the database is opened
        return Path("data")
    is_file = url.get_backend_name() == "sqlite" and url.database
    return file_of(url).parent if is_file else Path("data")
