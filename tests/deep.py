"""Scope of tests: `make test` runs representative cases, `make test-deep` runs all of them."""

import os
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import pytest

DEEP: Final = bool(os.environ.get("CASINO_TEST_DEEP"))
Case = TypeVar("Case")
Row = TypeVar("Row", bound=tuple[Any, ...])


def count(variable: str, usual: int, deep: int) -> int:
    """Returns how many cases to run, unless the environment variable says otherwise."""
    return int(os.environ.get(variable) or (deep if DEEP else usual))


def representative(cases: Iterable[Case], is_chosen: Callable[[Case], bool]) -> list[Any]:
    """Returns values of one test parameter; those that are not chosen are left to `make test-deep`."""
    return [pytest.param(case, marks=_marks(is_chosen(case))) for case in cases]


def representative_rows(rows: Iterable[Row], is_chosen: Callable[[Row], bool]) -> list[Any]:
    """Returns rows of several test parameters; those that are not chosen are left to `make test-deep`."""
    return [pytest.param(*row, marks=_marks(is_chosen(row))) for row in rows]


def _marks(is_chosen: bool) -> list[pytest.MarkDecorator]:  # noqa: FBT001 - it has no other argument
    return [] if is_chosen else [pytest.mark.deep]
