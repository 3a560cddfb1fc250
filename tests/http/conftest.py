"""Fixtures of the HTTP tests: the service in this process on either database, and a client with real connections."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientResponse, DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application, Request

from casino.bootstrap.service import build_app
from casino.http.static_pages import Pages
from casino.settings import ServiceSettings, Settings, TableSettings
from casino.settings.service import Cashier
from casino.storage.database import Database
from casino.users.passwords import Passwords
from casino.users.roles import Actor, Role
from casino.users.users import User, Users
from tests.databases import migrated_sqlite_url

PASSWORD = "correct horse battery"  # noqa: S105
Client = TestClient[Request, Application]


@dataclass(frozen=True)
class Asker:
    """Asks without cookies, unless it is given one."""

    client: Client
    database: Database

    @property
    def app(self) -> Application:
        app = self.client.app
        assert app is not None
        return app

    async def get(self, path: str, token: str | None = None, **headers: str) -> ClientResponse:
        return await self.client.get(path, headers=_headers(token, headers))

    async def post(self, path: str, body: object = None, token: str | None = None, **headers: str) -> ClientResponse:
        return await self.client.post(path, json=body, headers=_headers(token, headers))

    async def register(self, name: str = "Ann", password: str = PASSWORD) -> str:
        answer = await self.post("/api/register", {"name": name, "password": password})
        assert answer.status == 200, await answer.text()
        return str((await answer.json())["token"])

    async def guest(self) -> str:
        return str((await (await self.post("/api/guest", {})).json())["token"])

    async def me(self, token: str | None) -> tuple[int, dict[str, Any]]:
        answer = await self.get("/api/me", token)
        return answer.status, await answer.json()

    async def add(self, name: str, role: Role) -> User:
        passwords = Passwords()
        password_hash = await passwords.hash(PASSWORD)
        passwords.close()
        async with self.database.writing() as connection:
            by = Actor("admin-1", "admin")
            return await Users(connection).add(name, role, "EUR", password_hash=password_hash, by=by, at_ms=1)

    async def token_of(self, name: str) -> str:
        answer = await self.post("/api/login", {"name": name, "password": PASSWORD})
        assert answer.status == 200, await answer.text()
        return str((await answer.json())["token"])


def _headers(token: str | None, others: dict[str, str]) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in others.items()}
    return named | ({"Authorization": f"Bearer {token}"} if token is not None else {})


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>Table</title>")
    (dist / "icon.svg").write_text("<svg/>")
    (dist / "assets" / "index-abc.js").write_text("1")
    (tmp_path / "secret").write_text("secret")
    return dist


@pytest.fixture
def service_settings() -> ServiceSettings:
    """A test that wants another house overrides this."""
    return ServiceSettings().model_copy(update={"cashier": Cashier(provider="embedded")})


@pytest.fixture
def settings(service_settings: ServiceSettings) -> Settings:
    tables = (
        TableSettings(id="uth-1", name="Table 1"),
        TableSettings(id="live-1", name="Table 2", dealing="presenter"),
        TableSettings(id="own-1", name="Table 3", hands="own", seats=7),
    )
    return Settings(service_settings, tables)


AddRoutes = Callable[[Application], None]


@pytest.fixture
def more_routes() -> AddRoutes:
    """A test that wants routes of its own overrides this."""
    return lambda _app: None


@pytest.fixture
def app_on(settings: Settings, dist: Path, more_routes: AddRoutes) -> Callable[[Database], Application]:
    def build(database: Database) -> Application:
        app = build_app(settings, database, Pages(dist))
        more_routes(app)
        return app

    return build


@pytest.fixture
async def asker(app_on: Callable[[Database], Application], database: Database) -> AsyncIterator[Asker]:
    """On both databases."""
    async with TestClient(TestServer(app_on(database)), cookie_jar=DummyCookieJar()) as client:
        yield Asker(client, database)


@pytest.fixture
async def one_asker(app_on: Callable[[Database], Application], tmp_path: Path) -> AsyncIterator[Asker]:
    """On the smaller database, where the database makes no difference."""
    database = await Database.open(migrated_sqlite_url(tmp_path))
    async with TestClient(TestServer(app_on(database)), cookie_jar=DummyCookieJar()) as client:
        yield Asker(client, database)
    await database.close()
