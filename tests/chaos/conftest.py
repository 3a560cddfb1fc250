"""Houses to strike down, on both databases."""

from collections.abc import Iterator

import pytest

from tests.chaos.houses import StruckHouse, struck_house
from tests.chaos.nursery import Nursery, nursery
from tests.databases import PostgresServer


@pytest.fixture(scope="session")
def players() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


@pytest.fixture(scope="session")
def struck_sqlite(players: Nursery, tmp_path_factory: pytest.TempPathFactory) -> StruckHouse:
    return struck_house(tmp_path_factory.mktemp("struck"), None, players)


@pytest.fixture(scope="session")
def struck_postgres(
    players: Nursery, tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> StruckHouse:
    return struck_house(tmp_path_factory.mktemp("struck"), postgres, players)


@pytest.fixture(params=["sqlite", "postgresql"])
def struck(request: pytest.FixtureRequest) -> StruckHouse:
    name = {"sqlite": "struck_sqlite", "postgresql": "struck_postgres"}[request.param]
    house: StruckHouse = request.getfixturevalue(name)
    return house


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    return postgres.fresh_database()
