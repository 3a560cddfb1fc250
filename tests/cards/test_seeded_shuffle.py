"""Commitment version 2: the seeds alone determine the deck, byte for byte as specified."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.cards import seeded_shuffle
from casino.cards.card import DECK
from casino.cards.seeded_shuffle import (
    START_ORDER,
    Contribution,
    ServerSeed,
    commit_to_seed,
    is_player_seed,
    opaque_player,
    seeded_deck,
)
from tests.cards.fairness_oracle import CASES, VECTORS, oracle_commitment, oracle_deck, oracle_player, vector

pytestmark = pytest.mark.req("RNG")

PLAYER_SEED = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64)
HEX = st.binary(min_size=32, max_size=32).map(bytes.hex)
VECTORS_STORED: list[dict[str, Any]] = json.loads(VECTORS.read_text())


def test_the_stored_vectors_are_those_of_the_specification() -> None:
    assert [vector(case) for case in CASES] == VECTORS_STORED


@pytest.mark.parametrize("case", VECTORS_STORED, ids=lambda case: str(case["name"]))
def test_vector(case: dict[str, Any]) -> None:
    proof = case["proof"]
    server_seed, ids = ServerSeed(proof["server_seed"]), (proof["table_id"], proof["round_id"])
    assert commit_to_seed(server_seed, *ids) == proof["commitment"]
    assert {user: opaque_player(server_seed, *ids, user) for user in case["players"]} == case["players"]
    contributions = [Contribution(**one) for one in proof["seeds"]]
    assert list(seeded_deck(server_seed, *ids, contributions)) == proof["deck"]
    assert list(seeded_deck(server_seed, *ids, contributions[::-1])) == proof["deck"], "their order is the house's"


@given(HEX, st.dictionaries(st.sampled_from(["a", "b", "c"]), PLAYER_SEED))
def test_any_seeds_give_the_deck_of_the_specification(server_seed: str, seeds: dict[str, str]) -> None:
    opened = ServerSeed(server_seed)
    listed = [{"player": oracle_player("t", "r", server_seed, user), "seed": seed} for user, seed in seeds.items()]
    deck = seeded_deck(opened, "t", "r", [Contribution(**one) for one in listed])
    assert list(deck) == oracle_deck("t", "r", server_seed, listed)
    assert sorted(deck) == sorted(DECK)
    assert commit_to_seed(opened, "t", "r") == oracle_commitment("t", "r", server_seed)


def test_the_start_order_goes_by_rank() -> None:
    assert START_ORDER[:5] == ("2c", "2d", "2h", "2s", "3c")
    assert START_ORDER[-1] == "As"
    assert sorted(START_ORDER) == sorted(DECK)


def test_every_input_changes_the_deck_and_the_commitment_binds_table_round_and_seed() -> None:
    seed, other = ServerSeed("ab" * 32), ServerSeed("ab" * 31 + "ac")
    one = [Contribution("p", "x")]
    decks = [
        seeded_deck(seed, "t", "r", one),
        seeded_deck(other, "t", "r", one),
        seeded_deck(seed, "u", "r", one),
        seeded_deck(seed, "t", "s", one),
        seeded_deck(seed, "t", "r", []),
        seeded_deck(seed, "t", "r", [Contribution("q", "x")]),
        seeded_deck(seed, "t", "r", [Contribution("p", "y")]),
        seeded_deck(seed, "t", "r", [*one, Contribution("q", "x")]),
    ]
    assert len(set(decks)) == len(decks)
    commitments = {commit_to_seed(a, b, c) for a in (seed, other) for b in "tu" for c in "rs"}
    assert len(commitments) == 8


def test_words_that_would_favour_low_places_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^32 is no multiple of 52, 51, … 3: the words above the largest multiple are thrown away, one by one."""
    limit = {bound: 2**32 - 2**32 % bound for bound in range(2, 53)}
    words = [word for bound in range(52, 1, -1) for word in (*([limit[bound], 2**32 - 1] * (limit[bound] < 2**32)), 0)]
    monkeypatch.setattr(seeded_shuffle, "_words", lambda *_: iter(words))
    deck = seeded_deck(ServerSeed("00" * 32), "t", "r", [])
    rotated = list(START_ORDER)
    for last in range(51, 0, -1):
        rotated[last], rotated[0] = rotated[0], rotated[last]
    assert list(deck) == rotated


@pytest.mark.parametrize("text", ["", "x" * 65, "é", "a\n", "\x7f", "\x00", 5, None])
def test_no_seed_of_a_player(text: object) -> None:
    assert not is_player_seed(text)


@pytest.mark.parametrize("text", ["", "AB" * 32, "ab" * 31, "ab" * 33, "zz" * 32, "ab" * 32 + "\n"])
def test_no_server_seed(text: str) -> None:
    with pytest.raises(ValueError, match="64 lower-case"):
        ServerSeed(text)


@pytest.mark.req("RND-8")
def test_a_server_seed_never_shows_itself() -> None:
    seed = ServerSeed("ab" * 32)
    for text in (repr(seed), str(seed), f"{seed}", repr([seed])):
        assert "abab" not in text


def test_the_worked_example_of_the_documentation_is_a_vector() -> None:
    text = (VECTORS.parent.parent.parent / "docs" / "fairness.md").read_text()
    proof = VECTORS_STORED[1]["proof"]
    [player] = VECTORS_STORED[1]["players"].values()
    for worked in (proof["commitment"], player, " ".join(proof["deck"]), " ".join(proof["dealt"][2:7])):
        assert f"`{worked}`" in text
