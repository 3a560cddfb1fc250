"""SECURITY.md: every defence names its proof, and every test and document it names exists."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.req("SEC")

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text()
DEFENCES = PAGE.partition("## Defences")[2].partition("## Not defended")[0]
ROWS = [line.split(" | ") for line in DEFENCES.splitlines() if line.startswith("| ")][1:]


def named(text: str) -> list[Path]:
    """Files and folders named in a text. A bare name of a test is in the folder named before it."""
    folder, found = ROOT, []
    for name in re.findall(r"`([^`]+)`", text):
        if re.fullmatch(r"(tests|docs|web)/\S+", name):
            place = ROOT / name
            folder = place if place.suffix == "" else place.parent
            found.append(place)
        elif re.fullmatch(r"test_\w+\.py", name):
            found.append(folder / name)
    return found


def test_every_defence_names_a_proof() -> None:
    assert len(ROWS) > 40
    for attack, *_, proof in ROWS:
        assert any("tests" in place.parts or ".test." in place.name for place in named(proof)), attack


def test_every_named_test_and_document_exists() -> None:
    decisions = {path.name[:3] for path in (ROOT / "docs" / "decisions").iterdir()}
    for text in (*DEFENCES.splitlines(), *PAGE.splitlines()):
        for place in named(text):
            if place.parent.name == "decisions":
                assert place.name[:3] in decisions, place
            else:
                assert place.exists(), place
