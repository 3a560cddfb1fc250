"""Simulation runs in which gateway and tables exchange only bytes."""

import pytest

from casino.bootstrap.all_in_one import ENCODED
from tests.deep import representative
from tests.simulation.run import run_seed


@pytest.mark.parametrize("seed", representative([1, 2, 3], lambda seed: seed == 2))
def test_an_evening_over_bytes_breaks_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODED, "1")
    run_seed(seed)
