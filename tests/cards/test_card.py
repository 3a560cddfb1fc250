"""Cards: a card is its two-character name, and no other text is a card."""

import pytest

from casino.cards.card import DECK, INDEX, distinct_cards, parse_card, parse_cards
from casino.errors import Code, Refusal

NOT_CARDS = [
    "",
    "1s",
    "AS ",
    "AS",
    "as",
    "aS",
    "sA",
    "10h",
    "A",
    "s",
    "As ",
    " As",
    "As\n",
    "As\0",
    "\0",
    "A\0",
    "0c",
    "Xc",
    "Ax",
    "A♠",
    "Аs",  # a Cyrillic A
    "５h",
    "\ud800",
    "\u202eAs",
    "A\u200bs",
    "As" * 1000,
    "A" * 10_000_000,
    "../As",
    "<img onerror>",
    "=HYPERLINK()",
]


def test_the_deck_is_52_different_cards_and_an_index_is_a_place_in_it() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert [INDEX[card] for card in DECK] == list(range(52))
    assert (DECK[0], DECK[12], DECK[13], DECK[51]) == ("2c", "Ac", "2d", "As")


@pytest.mark.parametrize("card", DECK)
def test_each_card_of_the_deck_is_its_own_name(card: str) -> None:
    assert parse_card(card) == card


@pytest.mark.req("RND-9")
@pytest.mark.parametrize("text", NOT_CARDS, ids=lambda text: ascii(text)[:20])
def test_invalid_cards_are_refused_briefly(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_card(text)
    assert refused.value.code is Code.BAD_CARD
    assert refused.value.message.endswith("is not a card: write a rank of 23456789TJQKA and a suit of cdhs.")
    assert len(refused.value.message) < 200
    refused.value.message.encode()  # it can be sent, whatever was received


@pytest.mark.parametrize("text", ["As Kd 7h", "AsKd7h", " As  Kd\t7h\n"])
def test_cards_may_be_written_with_blanks_or_without(text: str) -> None:
    assert parse_cards(text) == ("As", "Kd", "7h")


def test_no_text_is_no_cards() -> None:
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["As K", "As 10h", "AsKd7", "A s K D"])
def test_a_text_with_anything_but_cards_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_cards(text)
    assert refused.value.code is Code.BAD_CARD


@pytest.mark.req("RND-9")
@pytest.mark.parametrize("text", ["As As", "As Kd 7h As", "2c 3c 4c 4c 2c"])
def test_a_card_that_appears_twice_is_refused_by_name(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        distinct_cards(text.split())
    assert refused.value.code is Code.DUPLICATE_CARD
    named = refused.value.message.removesuffix(" appears twice.")
    assert text.split().count(named) == 2


def test_distinct_cards_keep_their_order() -> None:
    assert distinct_cards(["Kd", "As", "2c"]) == ("Kd", "As", "2c")
