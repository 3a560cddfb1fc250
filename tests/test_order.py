"""Test order: long files come first, files that wait stand between those that compute."""

from pathlib import Path

from tests.conftest import FIRST, WAITING, in_order


def test_every_long_file_exists_once() -> None:
    folder = Path(__file__).parent
    assert [name for name in FIRST if not (folder / name).is_file()] == []
    assert len(set(FIRST)) == len(FIRST)


def test_files_that_wait_are_spread_among_the_others() -> None:
    folder = Path(__file__).parent
    files = sorted(folder.glob("**/test_*.py"))
    places = in_order(files)
    order = sorted(files, key=places.__getitem__)
    assert [str(path.relative_to(folder)) for path in order[: len(FIRST)]] == [*FIRST]
    are_waiting = [path.relative_to(folder).parts[0] in WAITING for path in order[len(FIRST) :]]
    half = len(are_waiting) // 2
    assert abs(sum(are_waiting[:half]) - sum(are_waiting[half:])) <= 1
