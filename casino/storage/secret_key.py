"""Secret key of the service: configured, or generated once into a file that only the service can read.

The file has its own folder next to the configured database, whichever database a command is given, so that a backup of
the database folder's files does not include the key. Earlier versions kept it next to the database in use; such a key
is used from its place. It is never moved: a command that runs in another folder must not take it from a service.

The file gets its name only once it is completely on disk, so a partial file is never used. An empty or short key
prevents the start, because decks sealed with it could be opened by anyone.
"""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from casino.settings import ServiceSettings
from casino.storage.data_files import KEY_FOLDER, KEY_NAME, folder_of, key_file

SECRET_KEY_MIN: Final = 16
"""In characters. A guessed key reveals decks that are still to be dealt."""

_log = structlog.get_logger()


class UnusableKeyError(ValueError):
    """The key is too weak to seal anything."""


def secret_key(settings: ServiceSettings, database_url: str) -> str:
    """Returns the key for a command that writes; creates and stores one if there is none."""
    configured = _configured(settings)
    if configured is not None:
        if len(configured) < SECRET_KEY_MIN:  # allowed, since it was chosen on purpose, but with a warning
            _log.warning("secret_key_short", wanted_characters=SECRET_KEY_MIN)
        return configured
    return _kept(key_file(settings), _earlier_files(settings, database_url))


def existing_secret_key(settings: ServiceSettings, database_url: str) -> str | None:
    """Returns the key for a command that reads; creates and moves nothing, and may return none."""
    configured = _configured(settings)
    if configured is not None:
        return configured
    files = [key_file(settings), *_earlier_files(settings, database_url)]
    found = next((file for file in files if file.is_file()), None)
    return _read(found) if found else None


def no_key_sentence(settings: ServiceSettings) -> str:
    """Says where the key was looked for, to a person who may be in the wrong folder."""
    return (
        f"its books need their secret key, and there is none at {key_file(settings)}. Run the command in the folder of "
        "the service, or give the key by CASINO_SECRET_KEY or CASINO_SECRET_KEY_FILE"
    )


def _configured(settings: ServiceSettings) -> str | None:
    return settings.secret_key.get_secret_value() if settings.secret_key is not None else None


def _earlier_files(settings: ServiceSettings, database_url: str) -> list[Path]:
    """Places where earlier versions kept the key: next to the database in use."""
    folders = dict.fromkeys((folder_of(database_url), folder_of(settings.database.url)))
    return [folder / KEY_NAME for folder in folders if folder / KEY_NAME != key_file(settings)]


def _kept(file: Path, earlier: list[Path]) -> str:
    old = next((found for found in earlier if found.is_file()), None)
    if old is not None and not file.exists():
        key = _read(old)
        _make_private(old, 0o600)
        return key
    is_own_folder = not file.parent.exists() or file.parent.name == KEY_FOLDER
    file.parent.mkdir(parents=True, exist_ok=True)
    if is_own_folder:
        _make_private(file.parent, 0o700)
    if not file.exists():
        _make(file, secrets.token_hex(32))
    key = _read(file)
    _make_private(file, 0o600)
    return key


def _make_private(path: Path, mode: int) -> None:
    with suppress(PermissionError):  # the file may belong to another user who allows reading
        found = path.stat().st_mode & 0o777
        if found & ~mode:
            path.chmod(found & mode)


def _read(file: Path) -> str:
    try:
        key = file.read_text().strip()
    except OSError as error:
        raise UnusableKeyError(f"{file} cannot be read: {error.strerror}") from error
    if len(key) < SECRET_KEY_MIN or not key.isprintable():
        raise UnusableKeyError(
            f"{file} holds no key of at least {SECRET_KEY_MIN} characters. Put the key back, or remove the file to get "
            "a new one: running rounds whose deck the old one has sealed are cancelled then, and refunded"
        )
    return key


def _make(file: Path, key: str) -> None:
    """Of several concurrent processes, the first one names the file, and all read that one."""
    descriptor, made = tempfile.mkstemp(prefix=f".{KEY_NAME}-", dir=file.parent)  # readable by the owner only
    try:
        with os.fdopen(descriptor, "w") as opened:
            opened.write(key)
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
