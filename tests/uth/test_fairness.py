"""Faults of a fairness proof: each inconsistent part is named in a sentence of its own."""

import json
from typing import Any

import pytest

from casino.uth.fairness import MalformedProofError, faults_in
from tests.cards.fairness_oracle import VECTORS

pytestmark = pytest.mark.req("RNG")
PROOFS: list[dict[str, Any]] = [vector["proof"] for vector in json.loads(VECTORS.read_text())]
SEEDED = next(proof for proof in PROOFS if len(proof["seeds"]) > 1)


@pytest.mark.parametrize("proof", PROOFS)
def test_published_examples_are_fair(proof: dict[str, Any]) -> None:
    assert faults_in(proof) == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"server_seed": "A" * 64}, "The server seed is not 64 lower-case hexadecimal digits."),
        ({"server_seed": "short"}, "The server seed is not 64 lower-case hexadecimal digits."),
        (
            {"seeds": [SEEDED["seeds"][0] | {"seed": "\x07"}, *SEEDED["seeds"][1:]]},
            "A contributed seed is not 1 to 64 printable ASCII characters.",
        ),
        (
            {"seeds": SEEDED["seeds"][::-1]},
            "The contributed seeds are not sorted, or a player is listed twice.",
        ),
        (
            {"seeds": [SEEDED["seeds"][0], *SEEDED["seeds"]]},
            "The contributed seeds are not sorted, or a player is listed twice.",
        ),
    ],
    ids=["seed in capitals", "short seed", "control character", "unsorted", "listed twice"],
)
def test_a_changed_seed_is_named(changed: dict[str, Any], fault: str) -> None:
    assert fault in faults_in(SEEDED | changed)


@pytest.mark.parametrize("missing", ["table_id", "round_id", "commitment", "server_seed", "deck", "slots", "seeds"])
def test_a_proof_without_one_of_its_parts_is_malformed(missing: str) -> None:
    with pytest.raises(MalformedProofError, match=f"named {missing}"):
        faults_in({name: part for name, part in SEEDED.items() if name != missing})
