"""Reads single TOML files of the configuration folder."""

import tomllib
from pathlib import Path
from typing import Any, Final

from casino.settings.errors import Fault

UNREADABLE: Final = (OSError, ValueError, RecursionError)


def read_toml(file: Path) -> dict[str, Any]:
    with file.open("rb") as opened:
        return tomllib.load(opened)


def unreadable(file: Path, error: Exception) -> Fault:
    reason = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else f"not a TOML file: {error}"
    return Fault(str(file), "", reason)
