"""`casino openapi`: prints the OpenAPI document of the HTTP routes."""

import asyncio
import tempfile
from pathlib import Path

from casino.bootstrap.all_in_one import AllInOne
from casino.bootstrap.service import build_app
from casino.http.openapi.document import written
from casino.http.static_pages import Pages
from casino.settings import ServiceSettings, Settings, TableSettings
from casino.storage.database import Database
from casino.users.sessions import Lifetime, Sessions


def openapi_document() -> str:
    return asyncio.run(_written())


async def _written() -> str:
    """Builds the document from a service that never starts: its routes are those of every service."""
    settings = Settings(ServiceSettings(), (TableSettings(id="uth-1", name="Table"),))
    with tempfile.TemporaryDirectory(prefix="casino-openapi-") as folder:
        database = await Database.open(f"sqlite:///{folder}/casino.db")
        try:
            all_in_one = AllInOne(settings, database, Sessions(database, Lifetime(1, 1)))
            return written(build_app(settings, database, Pages(Path(folder)), all_in_one))
        finally:
            await database.close()
