"""Scope of the suites: `make test-deep` runs every test, and every case that `make test` leaves out."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests import conftest, deep

PROJECT = Path(__file__).parents[1]
KNOWN = {"-q", "-n", "--dist", "--no-loadscope-reorder"}
"""Options that leave out no test. Another one, such as `-m` or `-k`, has to be understood here first."""

WITH_VALUE = {"-n", "--dist"}


def deep_commands() -> list[list[str]]:
    """Returns the arguments of each pytest run of `make test-deep`."""
    target = (PROJECT / "Makefile").read_text().partition("\ntest-deep:")[2].partition("\n\n")[0]
    lines = [shlex.split(line) for line in target.splitlines() if "pytest" in line]
    assert all(line[:2] == ["CASINO_TEST_DEEP=1", ".venv/bin/pytest"] for line in lines)
    return [line[2:] for line in lines]


def selection(arguments: list[str]) -> tuple[set[Path], set[Path]]:
    """Returns the folders a run collects and those it ignores."""
    collected, ignored = set[Path](), set[Path]()
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("--ignore="):
            ignored.add(PROJECT / argument.removeprefix("--ignore="))
        elif argument.startswith("-"):
            assert argument in KNOWN, argument
            if argument in WITH_VALUE:
                next(rest)
        else:
            collected.add(PROJECT / argument)
    return collected, ignored


def is_run(file: Path, arguments: list[str]) -> bool:
    collected, ignored = selection(arguments)
    places = {file, *file.parents}
    return bool(places & collected) and not places & ignored


def test_every_test_file_is_run() -> None:
    commands = deep_commands()
    files = sorted((PROJECT / "tests").rglob("test_*.py"))
    assert len(files) > 300
    assert [file for file in files if sum(is_run(file, command) for command in commands) != 1] == []


@dataclass
class Item:
    """A collected test."""

    name: str
    marks: tuple[str, ...] = ()
    path: Path = Path(__file__)

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None


@pytest.mark.parametrize("is_deep", [False, True])
def test_only_what_is_marked_is_left_out_and_nothing_of_it_in_deep_tests(
    monkeypatch: pytest.MonkeyPatch, *, is_deep: bool
) -> None:
    cases = deep.representative("abc", lambda case: case == "b")
    marks = {case.values[0]: tuple(mark.name for mark in case.marks) for case in cases}
    items = [
        *(Item(name, found) for name, found in marks.items()),
        Item("exhaustive", ("deep",)),
        Item("usual", ("req",)),
    ]
    config, every = Mock(), list(items)
    monkeypatch.setattr(conftest, "DEEP", is_deep)
    conftest.pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]
    assert [item.name for item in items if item.marks in ((), ("req",))] == ["b", "usual"]
    assert len(items) == (5 if is_deep else 2)
    left_out = [item for call in config.hook.pytest_deselected.call_args_list for item in call.kwargs["items"]]
    assert left_out == [item for item in every if item not in items], "pytest is told what is left out"


def test_a_number_of_cases_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert deep.count("CASINO_TEST_NOTHING", usual=3, deep=9) == (9 if deep.DEEP else 3)
    monkeypatch.setattr(deep, "DEEP", True)
    assert deep.count("CASINO_TEST_NOTHING", usual=3, deep=9) == 9
    monkeypatch.setenv("CASINO_TEST_NOTHING", "5")
    assert deep.count("CASINO_TEST_NOTHING", usual=3, deep=9) == 5


def test_one_place_reads_whether_tests_are_deep() -> None:
    """A file that asks the environment itself could disagree with the selection."""
    files = (PROJECT / "tests").rglob("*.py")
    asking = {file.name for file in files if "CASINO_TEST_DEEP" in file.read_text()}
    assert asking == {"deep.py", "test_deep.py"}
