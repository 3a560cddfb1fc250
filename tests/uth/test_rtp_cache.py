import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from casino.cards.card import parse_cards
from casino.uth import rtp_cache
from casino.uth.analysis import Analysis, StartingHand, cache_key, variance
from casino.uth.analysis.serialization import DECISIONS, OPENINGS
from casino.uth.analysis.starting_hands import STARTING_HANDS
from casino.uth.analysis.variance import Dispersion, RoundVariance
from casino.uth.bets import Action
from casino.uth.paytable import STANDARD, Paytable
from casino.uth.rtp_cache import exact_advice, exact_return, exact_variance, known_variance, load, store
from casino.uth.settlement import OUTCOMES

pytestmark = pytest.mark.xdist_group("enumeration")

KEY = cache_key(STANDARD, OUTCOMES)
MADE_UP = Analysis(
    tuple(StartingHand(name, dict.fromkeys(OPENINGS, Fraction(-1, 3))) for name in STARTING_HANDS),
    dict.fromkeys(DECISIONS, Fraction(1, 5)),
    Fraction(9, 10),
)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Analysis]:
    """A result counted although a damaged one was in its place."""
    folder = tmp_path_factory.mktemp("cache")
    (folder / f"return-{KEY}.json").write_text('{"digest": "')
    reports: list[tuple[int, int]] = []
    analysis = exact_return(STANDARD, folder, lambda done, total: reports.append((done, total)))
    assert reports[-1][0] == reports[-1][1]
    return folder, analysis


def test_a_damaged_file_is_counted_again_and_replaced(counted: tuple[Path, Analysis]) -> None:
    folder, analysis = counted
    assert f"{float(analysis.rtp_initial):.4f}" == "0.9782"
    assert load(folder / f"return-{KEY}.json", KEY) == analysis
    assert [file.name for file in folder.iterdir()] == [f"return-{KEY}.json"]


def test_a_kept_result_needs_no_compiled_code(counted: tuple[Path, Analysis]) -> None:
    folder, analysis = counted
    program = (
        "import sys; from pathlib import Path; from casino.uth.rtp_cache import exact_return; "
        "from casino.uth.paytable import STANDARD; print(exact_return(STANDARD, Path(sys.argv[1])).house_edge); "
        "assert not {'numba', 'numpy'} & set(sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=True)
    assert Fraction(answer.stdout.strip()) == analysis.house_edge


def test_a_remembered_return_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rtp_cache, "cache_folder", lambda: tmp_path)
    file = tmp_path / f"return-{KEY}.json"
    store(file, KEY, MADE_UP)
    return_of = rtp_cache.memoized_exact_return()
    first = return_of(STANDARD)
    file.unlink()
    assert return_of(STANDARD) is first
    assert first == MADE_UP


def test_advice_before_the_flop_comes_from_the_kept_result(counted: tuple[Path, Analysis]) -> None:
    folder, analysis = counted
    advice = exact_advice(parse_cards("Js Td"), cache_dir=folder)
    assert advice.values == analysis.starting_hand("JTo").values
    assert advice.best is Action.PLAY_4X


def test_advice_after_the_flop_needs_no_kept_result(tmp_path: Path) -> None:
    cards = [parse_cards(part) for part in ("As Kd", "7h 7c 2s", "Jd 3c")]
    assert exact_advice(*cards, cache_dir=tmp_path).best is Action.PLAY_1X
    assert not list(tmp_path.iterdir())


def test_a_result_kept_is_a_result_found(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "result.json"
    store(path, KEY, MADE_UP)
    assert load(path, KEY) == MADE_UP
    assert load(path, KEY.replace("a", "b")) is None


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"digest": "0", "analysis": {}}',
        b"[" * 100_000,
    ],
    ids=["empty", "no text", "null", "list", "nothing in it", "wrong digest", "nested without end"],
)
def test_a_foreign_file_is_no_result(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(damage)
    assert load(path, KEY) is None


def test_a_result_changed_by_hand_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    store(path, KEY, MADE_UP)
    path.write_text(path.read_text().replace("-1/3", "1/3", 1))
    assert json.loads(path.read_text())
    assert load(path, KEY) is None


def test_a_folder_in_the_place_of_the_file_is_no_failure(tmp_path: Path) -> None:
    store(tmp_path, KEY, MADE_UP)
    assert load(tmp_path, KEY) is None


def test_a_place_that_takes_no_file_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store(tmp_path / "file" / "result.json", KEY, MADE_UP)
    assert (tmp_path / "file").read_text() == ""


def test_the_spread_is_computed_once_per_paytable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = RoundVariance(
        dict.fromkeys(variance.DECISIONS, Dispersion(Fraction(7, 2), Fraction(1, 3))),
        dict.fromkeys(variance.DECISIONS, Fraction(1, 5)),
        Fraction(9, 4),
    )
    computed: list[int] = []

    def compute(_paytable: Paytable, *, workers: int) -> RoundVariance:
        computed.append(workers)
        return made_up

    monkeypatch.setattr(rtp_cache, "compute_variance", compute)
    assert known_variance(STANDARD, tmp_path) is None
    assert exact_variance(STANDARD, tmp_path, workers=3) == made_up
    assert exact_variance(STANDARD, tmp_path) == made_up
    assert computed == [3]
