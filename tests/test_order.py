"""Test order: the list of long files names existing files, and puts them first."""

from pathlib import Path

from tests.conftest import FIRST


def test_every_long_file_exists_once() -> None:
    folder = Path(__file__).parent
    assert [name for name in FIRST if not (folder / name).is_file()] == []
    assert len(set(FIRST)) == len(FIRST)
