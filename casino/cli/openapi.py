"""`casino openapi`: the HTTP routes in writing, on the standard output."""

import asyncio
import tempfile
from pathlib import Path

from casino.api.openapi.document import written
from casino.api.pages import Pages
from casino.app import build_app
from casino.house import House
from casino.people.sessions import Lifetime, Sessions
from casino.settings import HouseSettings, Settings, TableSettings
from casino.storage.database import Database


def openapi_document() -> str:
    return asyncio.run(_written())


async def _written() -> str:
    """Of a house that never opens: the routes are the same in every one."""
    settings = Settings(HouseSettings(), (TableSettings(id="uth-1", name="Table"),))
    with tempfile.TemporaryDirectory(prefix="casino-openapi-") as folder:
        database = await Database.open(f"sqlite:///{folder}/casino.db")
        try:
            house = House(settings, database, Sessions(database, Lifetime(1, 1)))
            return written(build_app(settings, database, Pages(Path(folder)), house))
        finally:
            await database.close()
