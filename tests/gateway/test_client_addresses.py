"""From where sockets are counted: behind a trusted proxy by whom it speaks for, or all of them would be one address."""

from pathlib import Path

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer

from casino.api.pages import Pages
from casino.app import build_app
from casino.house import House
from casino.people.sessions import Lifetime, Sessions
from casino.settings import HouseSettings, Settings
from casino.settings.house import Rates, Service
from casino.storage.database import Database
from tests.databases import sqlite_url

PATH = "/socket.io/?EIO=4&transport=polling"


@pytest.mark.req("SEC-5")
@pytest.mark.parametrize(("trusted", "second"), [(["127.0.0.1/32"], 200), ([], 429)], ids=["trusted", "not trusted"])
async def test_sockets_through_a_proxy_are_counted_by_whom_it_speaks_for(
    trusted: list[str], second: int, tmp_path: Path
) -> None:
    changed = {"service": Service(trusted_proxies=trusted), "rates": Rates(sockets_per_address=1)}
    settings = Settings(HouseSettings().model_copy(update=changed), ())
    database = await Database.open(sqlite_url(tmp_path))
    house = House(settings, database, Sessions(database, Lifetime(1_000_000, 1_000_000)))
    app = build_app(settings, database, Pages(tmp_path), house)
    async with TestClient(TestServer(app), cookie_jar=DummyCookieJar()) as client:

        async def opened(forwarded_for: str) -> int:
            async with client.get(PATH, headers={"X-Forwarded-For": forwarded_for}) as answer:
                return answer.status

        assert await opened("192.0.2.1") == 200
        assert await opened("192.0.2.1") == 429
        assert await opened("192.0.2.2") == second
    await database.close()
