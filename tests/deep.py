"""Scope of tests: `make test` runs representative cases, `make test-deep` runs all of them."""

import os
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import pytest

DEEP: Final = bool(os.environ.get("CASINO_TEST_DEEP"))
Case = TypeVar("Case")


def count(variable: str, usual: int, deep: int) -> int:
    """Returns how many cases to run, unless the environment variable says otherwise."""
    return int(os.environ.get(variable) or (deep if DEEP else usual))


def representative(cases: Iterable[Case], is_chosen: Callable[[Case], bool]) -> list[Any]:
    """Returns the cases as test parameters; those that are not chosen are left to `make test-deep`."""
    return [case if is_chosen(case) else pytest.param(case, marks=pytest.mark.deep) for case in cases]
