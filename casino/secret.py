"""The service's secret key: from the configuration, or made once and kept in a file only the service can read.

A file that is half made is never taken for the key: it gets its name only when all of it is on the disk. An empty key,
or a file with a short one, stops the start, because decks sealed with it are open to anybody.
"""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import make_url

from casino.settings import HouseSettings
from casino.storage.address import file_of

SECRET_KEY_MIN: Final = 16
"""Characters. Whoever guesses the key reads the decks that are still to be dealt."""

_log = structlog.get_logger()


class UnusableKeyError(ValueError):
    """The key seals nothing."""


def secret_key(house: HouseSettings, database_url: str) -> str:
    if house.secret_key is not None:
        key = house.secret_key.get_secret_value()
        if len(key) < SECRET_KEY_MIN:  # whoever chose it may have reasons; but they should know
            _log.warning("secret_key_is_short", wanted_characters=SECRET_KEY_MIN)
        return key
    return _kept(_beside(database_url) / "secret.key")


def _beside(database_url: str) -> Path:
    """Where a small installation keeps its data: in the folder of the SQLite file."""
    url = make_url(database_url)
    is_file = url.get_backend_name() == "sqlite" and url.database
    return file_of(url).parent if is_file else Path("data")


def _kept(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        _make(file)
    key = file.read_text().strip()
    if len(key) < SECRET_KEY_MIN or not key.isprintable():
        raise UnusableKeyError(
            f"{file} holds no key of at least {SECRET_KEY_MIN} characters. Put the key back, or remove the file to get "
            "a new one: running rounds whose deck the old one has sealed are cancelled then, and refunded"
        )
    return key


def _make(file: Path) -> None:
    """Of several that make one at the same moment, the first gives it its name, and all read that one."""
    descriptor, made = tempfile.mkstemp(prefix=".secret.key-", dir=file.parent)  # nobody else may read it
    try:
        with os.fdopen(descriptor, "w") as opened:
            opened.write(secrets.token_hex(32))
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):
            os.link(made, file)
    finally:
        Path(made).unlink()
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
