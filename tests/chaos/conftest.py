"""Fixtures of the crash tests: services on both databases."""

from collections.abc import Iterator

import pytest

from tests.chaos.crashed_service import CrashedService, crashed_service
from tests.chaos.fork_server import ForkServer, fork_server
from tests.databases import PostgresServer


@pytest.fixture(scope="session")
def players() -> Iterator[ForkServer]:
    with fork_server() as started:
        yield started


@pytest.fixture(scope="session")
def crashed_sqlite(players: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> CrashedService:
    return crashed_service(tmp_path_factory.mktemp("crashed"), None, players)


@pytest.fixture(scope="session")
def crashed_postgres(
    players: ForkServer, tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> CrashedService:
    return crashed_service(tmp_path_factory.mktemp("crashed"), postgres, players)


@pytest.fixture(params=["sqlite", "postgresql"])
def crashed(request: pytest.FixtureRequest) -> CrashedService:
    name = {"sqlite": "crashed_sqlite", "postgresql": "crashed_postgres"}[request.param]
    service: CrashedService = request.getfixturevalue(name)
    return service


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    return postgres.fresh_database()
