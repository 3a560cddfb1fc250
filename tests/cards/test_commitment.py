"""Commitment version 1: a fair deal verifies, and every manipulation is named."""

import hashlib
import secrets
from dataclasses import replace

import pytest

from casino.cards.card import DECK
from casino.cards.commitment import Shoe, broken_promises, commitment_of
from casino.cards.shuffle import shuffled_deck

NOT_THE_PUBLISHED_HASH = "The revealed deck and secret do not give the hash published before betting."
NOT_A_DECK = "The revealed deck is not 52 different cards."
NOT_THE_TOP = "The cards dealt are not the top of the revealed deck."

pytestmark = pytest.mark.req("RNG")


@pytest.fixture
def shoe() -> Shoe:
    return Shoe(shuffled_deck(), secrets.token_hex(32))


def test_hash_is_of_a_text_that_can_be_written_by_hand() -> None:
    written = f"{'ab' * 32}:{' '.join(DECK)}"
    assert commitment_of(Shoe(DECK, "ab" * 32)) == hashlib.sha256(written.encode("ascii")).hexdigest()
    assert written.startswith("abab")
    assert written.endswith(":" + written.partition(":")[2])
    assert written.partition(":")[2].startswith("2c 3c 4c")


@pytest.mark.parametrize("count", [0, 1, 2, 9, 21, 52])
def test_a_fair_deal_breaks_no_promise(shoe: Shoe, count: int) -> None:
    assert broken_promises(commitment_of(shoe), shoe, shoe.deck[:count]) == []


def test_another_deck_is_found(shoe: Shoe) -> None:
    swapped = (*shoe.deck[:50], shoe.deck[51], shoe.deck[50])
    assert broken_promises(commitment_of(shoe), replace(shoe, deck=swapped), shoe.deck[:9]) == [NOT_THE_PUBLISHED_HASH]


def test_another_secret_is_found(shoe: Shoe) -> None:
    other = replace(shoe, secret=secrets.token_hex(32))
    assert broken_promises(commitment_of(shoe), other, shoe.deck[:9]) == [NOT_THE_PUBLISHED_HASH]


def test_another_hash_is_found(shoe: Shoe) -> None:
    assert broken_promises("0" * 64, shoe, shoe.deck[:9]) == [NOT_THE_PUBLISHED_HASH]


def test_cards_not_from_the_top_are_found(shoe: Shoe) -> None:
    for dealt in (shoe.deck[1:10], shoe.deck[8::-1], (*shoe.deck[:8], shoe.deck[9]), (*shoe.deck, shoe.deck[0])):
        assert broken_promises(commitment_of(shoe), shoe, dealt) == [NOT_THE_TOP]


def test_a_deck_with_a_card_twice_is_found_even_if_its_hash_was_published(shoe: Shoe) -> None:
    marked = replace(shoe, deck=(*shoe.deck[:51], shoe.deck[0]))
    assert broken_promises(commitment_of(marked), marked, marked.deck[:9]) == [NOT_A_DECK]


def test_a_short_deck_is_found_even_if_its_hash_was_published(shoe: Shoe) -> None:
    short = replace(shoe, deck=shoe.deck[:51])
    assert broken_promises(commitment_of(short), short, short.deck[:9]) == [NOT_A_DECK]


def test_all_that_is_wrong_is_named_at_once(shoe: Shoe) -> None:
    marked = replace(shoe, deck=(*shoe.deck[:51], shoe.deck[0]))
    assert broken_promises(commitment_of(shoe), marked, shoe.deck[1:10]) == [
        NOT_A_DECK,
        NOT_THE_PUBLISHED_HASH,
        NOT_THE_TOP,
    ]


def test_equal_decks_with_different_secrets_give_different_hashes(shoe: Shoe) -> None:
    assert commitment_of(shoe) != commitment_of(replace(shoe, secret=secrets.token_hex(32)))


@pytest.mark.req("RND-8")
def test_a_shoe_never_shows_a_card_or_its_secret(shoe: Shoe) -> None:
    for text in (repr(shoe), str(shoe), f"{shoe}", f"{shoe!r}", repr([shoe])):
        assert "Shoe(face down)" in text
        assert shoe.secret not in text
        assert not any(card in text for card in DECK)
