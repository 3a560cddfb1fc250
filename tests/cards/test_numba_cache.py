"""Cache of compiled kernels on disk: changed rules never use an old kernel."""

import shutil
from pathlib import Path

import numba
import pytest

from casino.cards import numba_cache
from casino.cards.numba_cache import over_arrays, sources_digest

PACKAGE = Path(numba_cache.__file__).parent.parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for folder in ("cards", "uth"):
        shutil.copytree(PACKAGE / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_kernels_are_kept_in_a_folder_named_by_their_sources() -> None:
    assert numba_cache.CACHE_DIR.name == sources_digest(PACKAGE)
    assert str(numba_cache.CACHE_DIR) == numba.config.CACHE_DIR  # type: ignore[attr-defined]


def test_equal_sources_share_a_folder(package: Path) -> None:
    assert sources_digest(package) == sources_digest(PACKAGE)


@pytest.mark.parametrize(
    "file", ["cards/ranking.py", "cards/batch_ranking.py", "cards/__init__.py", "uth/settlement.py"]
)
def test_a_change_in_any_source_gives_another_folder(package: Path, file: str) -> None:
    before = sources_digest(package)
    with (package / file).open("a") as source:
        source.write("# changed\n")
    assert sources_digest(package) != before


@pytest.mark.parametrize("folder", ["cards", "uth", "uth/analysis"])
def test_a_new_source_gives_another_folder(package: Path, folder: str) -> None:
    before = sources_digest(package)
    (package / folder).mkdir(exist_ok=True)
    (package / folder / "another.py").write_text("KERNEL = 1\n")
    assert sources_digest(package) != before


TABLE = (3, 5, 7)


def look_up(index: int) -> int:
    return TABLE[index]


def test_a_twin_over_arrays_answers_the_same_and_leaves_the_original_alone() -> None:
    twin = over_arrays(look_up)
    assert [twin(index) for index in range(3)] == [look_up(index) for index in range(3)] == [3, 5, 7]
    assert isinstance(TABLE, tuple)
    assert look_up.__globals__["TABLE"] is TABLE
    assert twin.__globals__["TABLE"].tolist() == [3, 5, 7]
