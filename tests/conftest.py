"""Fixtures for all tests: a running service, and each supported database."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from casino.storage.database import Database
from tests.databases import PostgresServer, migrated_sqlite_url, postgres_server, sqlite_url
from tests.deep import DEEP
from tests.forked_commands import use_fork_server
from tests.lock_order import lock_order
from tests.service import Service, running_service

__all__ = ["use_fork_server"]  # a fixture of every test process

FIRST = (
    "live/test_database_link.py",  # waits
    "uth/analysis/test_enumeration.py",  # computes
    "live/test_kills.py",
    "live/test_tournament_crowd.py",
    "simulation/test_simulation.py",
    "live/test_restart.py",
    "load/test_load.py",
    "simulation/test_planted_faults.py",
    "browser/test_console_comes_back.py",
    "uth/analysis/test_variance.py",
    "browser/test_layout.py",
    "browser/test_poker_tournaments.py",
    "chaos/test_kills.py",
    "live/test_signing_out.py",
    "live/test_readiness.py",
    "live/test_bad_input.py",
    "live/test_hidden_cards.py",
    "live/test_disconnection.py",
    "live/test_incidents.py",
    "cli/test_private_files.py",
)
"""Long files, those that wait for time to pass between those that compute. They start first, so that no worker is left
with one of them while the others have nothing to do. `make test` distributes whole files in this order."""
WAITING = frozenset({"client", "live", "load"})
"""Folders whose tests wait for time to pass. Their files stand between those that compute, such as browser tests, so
that the processors neither starve nor are fought over."""


def in_order(paths: Iterable[Path]) -> dict[Path, float]:
    """The place of each file: long ones first, then the files that wait evenly among those that compute."""
    folder = Path(__file__).parent
    first = [folder / name for name in FIRST]
    others = [path for path in dict.fromkeys(paths) if path not in first]
    places = {path: float(number - len(first)) for number, path in enumerate(first)}
    for is_waiting in (True, False):
        group = [path for path in others if (path.relative_to(folder).parts[0] in WAITING) is is_waiting]
        places |= {path: (number + 0.5) / len(group) for number, path in enumerate(group)}
    return places


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sorts the files; leaves exhaustive tests, marked `deep`, to `make test-deep`."""
    if not DEEP:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("deep")])
        items[:] = [item for item in items if not item.get_closest_marker("deep")]
    places = in_order(item.path for item in items)
    items.sort(key=lambda item: places[item.path])


@pytest.fixture(scope="session", autouse=True)
def own_data_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Services and commands of all tests share one key and one anchor file, outside the working folder."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASINO_SECRET_KEY_FILE", f"{folder}/keys/secret.key")
        patch.setenv("CASINO_ANCHORS_FILE", f"{folder}/anchors/anchors.jsonl")
        yield


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """One service, shared by the tests that only read from it."""
    with running_service() as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database that has all tables and no rows; every test that asks for it runs on both."""
    if request.param == "sqlite":
        yield migrated_sqlite_url(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent_migrated_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without tables, for migrations and for a service that starts for the first time."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent_database() as url:
        yield url


WATCHED = {"http", "cashier", "chaos", "chat", "users", "responsible_gaming", "live_table"}
"""Folders of tests that use a database as the service does. Elsewhere a test may put a month into a transaction."""


@pytest.fixture
async def database(database_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    """Every transaction of the service on PostgreSQL takes its locks in the one common order."""
    opened = await Database.open(database_url)
    is_watched = not opened.is_sqlite and WATCHED & set(request.path.parts)
    with lock_order(opened) if is_watched else nullcontext() as order:
        yield opened
    await opened.close()
    assert order is None or order.broken == []
