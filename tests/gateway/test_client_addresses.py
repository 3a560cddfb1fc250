"""Client addresses of sockets: behind a trusted proxy, the address that its header names."""

from pathlib import Path

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer

from casino.bootstrap.all_in_one import AllInOne
from casino.bootstrap.service import build_app
from casino.http.static_pages import Pages
from casino.security import unauthenticated_pool
from casino.settings import ServiceSettings, Settings
from casino.settings.service import Rates, Service
from casino.storage.database import Database
from casino.users.sessions import Lifetime, Sessions
from tests.databases import migrated_sqlite_url

PATH = "/socket.io/?EIO=4&transport=polling"


@pytest.mark.req("SEC-5")
@pytest.mark.parametrize(("trusted", "second"), [(["127.0.0.1/32"], 200), ([], 429)], ids=["trusted", "not trusted"])
async def test_sockets_through_a_proxy_are_counted_by_whom_it_speaks_for(
    trusted: list[str], second: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unauthenticated_pool, "IDLE_SECONDS_MIN", 3600.0)  # no session makes room for the next
    changed = {"service": Service(trusted_proxies=trusted), "rates": Rates(unauthenticated_per_address=1)}
    settings = Settings(ServiceSettings().model_copy(update=changed), ())
    database = await Database.open(migrated_sqlite_url(tmp_path))
    house = AllInOne(settings, database, Sessions(database, Lifetime(1_000_000, 1_000_000)))
    app = build_app(settings, database, Pages(tmp_path), house)
    async with TestClient(TestServer(app), cookie_jar=DummyCookieJar()) as client:

        async def opened(forwarded_for: str) -> int:
            async with client.get(PATH, headers={"X-Forwarded-For": forwarded_for}) as answer:
                return answer.status

        for _ in range(1 if trusted else 4):  # the machine itself has four times as many places
            assert await opened("192.0.2.1") == 200
        assert await opened("192.0.2.1") == 429
        assert await opened("192.0.2.2") == second
    await database.close()
