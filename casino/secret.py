"""The service's secret key: from the configuration, or made once and kept in a file only the service can read."""

import os
import secrets
from pathlib import Path

from sqlalchemy import make_url

from casino.settings import HouseSettings


def secret_key(house: HouseSettings, database_url: str) -> str:
    if house.secret_key is not None:
        return house.secret_key.get_secret_value()
    return _kept(_beside(database_url) / "secret.key")


def _beside(database_url: str) -> Path:
    """Where a small installation keeps its data: in the folder of the SQLite file."""
    url = make_url(database_url)
    is_file = url.get_backend_name() == "sqlite" and url.database
    return Path(url.database).parent if is_file and url.database else Path("data")


def _kept(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    with os.fdopen(descriptor, "w") as opened:
        opened.write(secrets.token_hex(32))
    return file.read_text().strip()
