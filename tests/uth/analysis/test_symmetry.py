from collections import Counter
from itertools import combinations

import pytest

from casino.cards.card import DECK
from casino.uth.analysis.starting_hands import COMBINATIONS, STARTING_HANDS, starting_hand_of
from casino.uth.analysis.symmetry import (
    CANONICAL_FLOPS,
    FLOP_HOMES,
    MOVED_PAIRS,
    PAIRS,
    PERMUTATIONS,
    TRIPLES,
    canonical_sets,
    fixed_flops,
    mask_of,
    multiplicity,
)


@pytest.mark.parametrize(
    ("size", "canonical", "all_sets"), [(2, 169, 1326), (3, 1755, 22_100), (5, 134_459, 2_598_960)]
)
def test_canonical_sets_represent_all_sets(size: int, canonical: int, all_sets: int) -> None:
    sets = list(canonical_sets(size))
    assert len(sets) == canonical
    assert len({mask_of(masks) for masks in sets}) == canonical
    assert {mask_of(masks).bit_count() for masks in sets} == {size}
    assert sum(multiplicity(masks) for masks in sets) == all_sets


def test_every_flop_has_its_home() -> None:
    homes = Counter(FLOP_HOMES[:, 0].tolist())
    assert homes == {number: multiplicity(masks) for number, masks in enumerate(CANONICAL_FLOPS)}
    for (home, permutation), triple in zip(FLOP_HOMES.tolist(), TRIPLES, strict=True):
        moved = {PERMUTATIONS[permutation][card // 13] * 13 + card % 13 for card in triple}
        assert sum(1 << card for card in moved) == mask_of(CANONICAL_FLOPS[home])


def test_every_permutation_moves_pairs_to_pairs() -> None:
    assert all(sorted(moved) == list(range(1326)) for moved in MOVED_PAIRS.tolist())
    assert MOVED_PAIRS[0].tolist() == list(range(1326))


def test_permutations_that_keep_a_flop_and_its_multiplicity_make_24() -> None:
    keeping = Counter(flop for permutation in PERMUTATIONS for flop in fixed_flops(permutation).tolist())
    assert all(keeping[number] * multiplicity(masks) == 24 for number, masks in enumerate(CANONICAL_FLOPS))


def test_indices_of_pairs_and_triples_are_as_described() -> None:
    assert all(PAIRS[high * (high - 1) // 2 + low] == (low, high) for low, high in combinations(range(52), 2))
    for low, middle, high in combinations(range(52), 3):
        index = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
        assert TRIPLES[index] == (low, middle, high)


def test_starting_hands_are_named_by_ranks_and_suitedness() -> None:
    assert len(set(STARTING_HANDS)) == 169
    assert set(COMBINATIONS) == set(STARTING_HANDS)
    assert {COMBINATIONS[name] for name in STARTING_HANDS[:13]} == {6}
    assert sum(COMBINATIONS.values()) == 1326
    assert [starting_hand_of(DECK[a], DECK[b]) for a, b in ((0, 12), (12, 0), (0, 25), (0, 13))] == [
        "A2s",
        "A2s",
        "A2o",
        "22",
    ]
