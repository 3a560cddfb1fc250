"""Fixtures of the analysis tests: full enumerations take seconds, so tests share them."""

from collections.abc import Callable

import pytest

from casino.uth.analysis import Analysis, cache_key
from casino.uth.analysis.enumeration import Sums, add_up, analyse, conclude
from casino.uth.analysis.payoffs import payoffs_of
from casino.uth.paytable import STANDARD, Paytable
from casino.uth.settlement import OUTCOMES, OutcomeTable

Analyse = Callable[[Paytable, OutcomeTable], Analysis]

WORKERS = 2


@pytest.fixture(scope="session")
def reports() -> list[tuple[int, int]]:
    """What the walk of `standard_sums` reported about its progress."""
    return []


@pytest.fixture(scope="session")
def standard_sums(reports: list[tuple[int, int]]) -> Sums:
    def progress(done: int, total: int) -> None:
        reports.append((done, total))

    return add_up(payoffs_of(STANDARD, OUTCOMES), workers=WORKERS, progress=progress)


@pytest.fixture(scope="session")
def standard(standard_sums: Sums) -> Analysis:
    return conclude(standard_sums, payoffs_of(STANDARD, OUTCOMES).parts, STANDARD)


@pytest.fixture(scope="session")
def analysed(standard: Analysis) -> Analyse:
    """The analysis of any game, each made once."""
    known = {cache_key(STANDARD, OUTCOMES): standard}

    def analysed(paytable: Paytable, outcomes: OutcomeTable) -> Analysis:
        key = cache_key(paytable, outcomes)
        if key not in known:
            known[key] = analyse(paytable, outcomes, workers=WORKERS)
        return known[key]

    return analysed
