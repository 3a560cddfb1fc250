"""What every test may ask for: one running service, shared by the tests that only read from it."""

from collections.abc import Iterator

import pytest

from tests.service import Service, running_service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with running_service() as running:
        yield running
