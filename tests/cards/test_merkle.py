"""Commitments to single cards: shared vectors, every change of a proof, and no information about other cards."""

import json
import random
from dataclasses import asdict, replace
from secrets import token_hex
from typing import Any

import pytest

from casino.cards.card import DECK, Card
from casino.cards.merkle import CardProof, CommittedDeck, is_proven
from tests.cards.merkle_oracle import VECTORS, vectors

STORED: list[dict[str, Any]] = json.loads(VECTORS.read_text())


def proof_of(plain: dict[str, Any]) -> CardProof:
    return CardProof(plain["index"], Card(plain["card"]), plain["salt"], tuple(plain["path"]))


def test_the_stored_vectors_are_those_of_the_specification() -> None:
    assert vectors() == STORED


@pytest.mark.parametrize("vector", STORED, ids=lambda vector: vector["name"])
def test_roots_and_proofs_of_the_vectors(vector: dict[str, Any]) -> None:
    deck = CommittedDeck([Card(card) for card in vector["deck"]], vector["salts"])
    assert deck.root == vector["root"]
    for plain in vector["proofs"]:
        assert deck.prove(plain["index"]) == proof_of(plain)
        assert is_proven(vector["root"], proof_of(plain))


@pytest.fixture
def deck() -> CommittedDeck:
    return CommittedDeck(random.Random(5).sample(DECK, 52), [token_hex(32) for _ in DECK])


def test_every_card_is_proven_at_its_own_place_only(deck: CommittedDeck) -> None:
    for index in range(52):
        proof = deck.prove(index)
        assert is_proven(deck.root, proof)
        assert not is_proven(deck.root, replace(proof, index=(index + 1) % 52))
        other = next(card for card in DECK if card != proof.card)
        assert not is_proven(deck.root, replace(proof, card=other))


def test_any_other_digit_breaks_a_proof(deck: CommittedDeck) -> None:
    proof = deck.prove(13)
    wrong = {"salt": "0" * 64, "path": ("0" * 64, *proof.path[1:])}
    for field, value in wrong.items():
        assert not is_proven(deck.root, replace(proof, **{field: value}))  # type: ignore[arg-type]
    assert not is_proven("0" * 64, proof)


@pytest.mark.parametrize(
    "change",
    [
        {"index": -1},
        {"index": 52},
        {"card": "1s"},
        {"salt": "ab"},
        {"salt": "G" * 64},
        {"path": ()},
        {"path": ("00" * 32,) * 7},
        {"path": ("x",) * 6},
    ],
    ids=str,
)
def test_malformed_proofs_prove_nothing(deck: CommittedDeck, change: dict[str, Any]) -> None:
    assert not is_proven(deck.root, replace(deck.prove(0), **change))


def test_padding_is_no_card(deck: CommittedDeck) -> None:
    """A proof for a place beyond the deck, built from true hashes, is refused."""
    last = deck.prove(51)
    assert not is_proven(deck.root, replace(last, index=52))


def test_a_proof_says_nothing_of_other_cards(deck: CommittedDeck) -> None:
    """Hashes of neighbours cover a salt of 256 bits: trying all cards without it finds nothing."""
    assert repr(deck) == "CommittedDeck(face down)"
    proof = asdict(deck.prove(7))
    assert set(proof) == {"index", "card", "salt", "path"}
    beside = replace(deck.prove(7), index=6)
    assert not any(is_proven(deck.root, replace(beside, card=card)) for card in DECK)


def test_decks_and_salts_are_checked() -> None:
    salts = [token_hex(32) for _ in DECK]
    with pytest.raises(ValueError, match="52 different cards"):
        CommittedDeck(DECK[:51] + DECK[:1], salts)
    for wrong in (salts[:51], [*salts[:51], salts[0]], [*salts[:51], "x"]):
        with pytest.raises(ValueError, match="salt of its own"):
            CommittedDeck(DECK, wrong)
