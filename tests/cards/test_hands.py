"""Best five of seven, hand by hand: category, cards used, and the winner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.cards.card import DECK, RANKS, SUITS, Card, parse_cards
from casino.cards.ranking import CATEGORIES, Category, best_hand, strength_of
from casino.errors import Code, Refusal

SEVEN_CARDS = [
    # what is held | the category | the five that count, strongest group first
    ("As Ks | Qs Js Ts 2d 2c", "royal_flush", "As Ks Qs Js Ts"),
    ("9s 8s | As Ks Qs Js Ts", "royal_flush", "As Ks Qs Js Ts"),
    ("9h 8h | 7h 6h 5h Ah Kh", "straight_flush", "9h 8h 7h 6h 5h"),
    ("Ad 2d | 3d 4d 5d Kh Kc", "straight_flush", "5d 4d 3d 2d Ad"),  # the steel wheel
    ("Ad 2d | 3d 4d 5d 6d Kd", "straight_flush", "6d 5d 4d 3d 2d"),  # six suited: the ace is not needed
    ("8c 7c | 6c 5c 4c 3c 2c", "straight_flush", "8c 7c 6c 5c 4c"),
    ("Kc Qc | Jc Tc 9c Ad Ah", "straight_flush", "Kc Qc Jc Tc 9c"),  # no ace of clubs: not royal
    ("7h 7c | 7d 7s Ah Kd 2c", "four_of_a_kind", "7h 7c 7d 7s Ah"),
    ("7h 7c | 7d 7s Ah Ad Ac", "four_of_a_kind", "7h 7c 7d 7s Ah"),  # the kicker from a triplet
    ("7h 7c | 7d 7s 2h 2d 3c", "four_of_a_kind", "7h 7c 7d 7s 3c"),  # a pair is no better a kicker
    ("7h 7c | 7d 7s Kh Kd 3c", "four_of_a_kind", "7h 7c 7d 7s Kh"),
    ("Qh Qd | Qs 2c 2h 9d 4s", "full_house", "Qh Qd Qs 2c 2h"),
    ("Qh Qd | Qs 2c 2h 9d 9s", "full_house", "Qh Qd Qs 9d 9s"),  # the better of two pairs
    ("Qh Qd | Qs 9c 9h 9d 4s", "full_house", "Qh Qd Qs 9c 9h"),  # two triplets
    ("2h 2d | 2s 9c 9h 9d As", "full_house", "9c 9h 9d 2h 2d"),
    ("2h 2d | 2s 9c 9h 4d 4s", "full_house", "2h 2d 2s 9c 9h"),  # the triplet decides, however low
    ("Ah 9h | Kh 4h 2h Kd Ks", "flush", "Ah Kh 9h 4h 2h"),  # better than the three of a kind
    ("Ah 9h | Kh 4h 2h 7h Ks", "flush", "Ah Kh 9h 7h 4h"),  # six suited
    ("Ah 9h | Kh 4h 2h 7h Jh", "flush", "Ah Kh Jh 9h 7h"),  # seven suited
    ("9h 8h | 7d 6h 5h 2h Ac", "flush", "9h 8h 6h 5h 2h"),  # better than the straight
    ("As Kd | Qh Jc Ts 2d 2c", "straight", "As Kd Qh Jc Ts"),
    ("As 2d | 3h 4c 5s Kd Kc", "straight", "5s 4c 3h 2d As"),  # the wheel: the ace counts as one
    ("As 2d | 3h 4c 5s 6d Kc", "straight", "6d 5s 4c 3h 2d"),
    ("9s 8d | 7h 6c 5s 4d Ac", "straight", "9s 8d 7h 6c 5s"),  # six in a row
    ("9s 8d | 7h 6c 5s 4d 3c", "straight", "9s 8d 7h 6c 5s"),  # seven in a row
    ("9s 8d | 7h 6c 5s 9d 9c", "straight", "9? 8d 7h 6c 5s"),  # better than the triplet inside it
    ("9s 8d | 7h 6c 5s 9d 8c", "straight", "9? 8? 7h 6c 5s"),  # better than the two pairs inside it
    ("7h 7c | 7d As Kd 9c 2h", "three_of_a_kind", "7h 7c 7d As Kd"),
    ("2h 2c | 2d As Kd 9c 7h", "three_of_a_kind", "2h 2c 2d As Kd"),
    ("As Ad | Kh Kc 7s 4d 2c", "two_pair", "As Ad Kh Kc 7s"),
    ("As Ad | Kh Kc 7s 7d 2c", "two_pair", "As Ad Kh Kc 7s"),  # three pairs: the third gives the kicker
    ("4s 4d | 3h 3c 2s 2d Ac", "two_pair", "4s 4d 3h 3c Ac"),  # or does not
    ("As Ad | Kh Qc 9s 4d 2c", "pair", "As Ad Kh Qc 9s"),
    ("2s 2d | Kh Qc 9s 4d 7c", "pair", "2s 2d Kh Qc 9s"),
    ("As Kd | Jh 9c 7s 4d 2c", "high_card", "As Kd Jh 9c 7s"),
    ("Ks Ad | 2h 3c 4s 9d Jc", "high_card", "Ad Ks Jc 9d 4s"),  # no straight round the corner: K-A-2-3-4
    ("Qs Kd | Ah 2c 3s 7d 8c", "high_card", "Ah Kd Qs 8c 7d"),
]


@pytest.mark.req("RND-10")
@pytest.mark.parametrize(("held", "category", "used"), SEVEN_CARDS)
def test_seven_cards_make_this_hand_of_these_five(held: str, category: str, used: str) -> None:
    hand = best_hand(parse_cards(held.replace("|", "")))
    assert hand.category == category
    assert len(set(hand.cards)) == 5
    assert set(hand.cards) <= set(held.split())
    for card, wanted in zip(hand.cards, used.split(), strict=True):
        assert wanted in (card, f"{card[0]}?")  # of equal ranks it may be any


def test_every_category_is_among_the_examples() -> None:
    assert {category for _, category, _ in SEVEN_CARDS} == set(Category)


def test_categories_are_in_the_order_of_the_rules() -> None:
    lowest_first = [
        "2c 3d 4h 5s 7c",
        "2c 2d 3h 4s 5c",
        "3c 3d 2h 2s 4c",
        "2c 2d 2h 3s 4c",
        "5c 4d 3h 2s Ac",
        "7c 5c 4c 3c 2c",
        "2c 2d 2h 3s 3c",
        "2c 2d 2h 2s 3c",
        "5c 4c 3c 2c Ac",
        "Ac Kc Qc Jc Tc",
    ]
    hands = [best_hand(parse_cards(cards)) for cards in lowest_first]
    assert [hand.category for hand in hands] == list(CATEGORIES)
    assert hands == sorted(hands)


@pytest.mark.parametrize(
    ("lesser", "best_of_category"),
    [
        ("2c 2d 3h 4s 5c", "Ac Kd Qh Js 9c"),
        ("3c 3d 2h 2s 4c", "Ac Ad Kh Qs Jc"),
        ("2c 2d 2h 3s 4c", "Ac Ad Kh Ks Qc"),
        ("5c 4d 3h 2s Ac", "Ac Ad Ah Ks Qc"),
        ("7c 5c 4c 3c 2c", "Ac Kd Qh Js Tc"),
        ("2c 2d 2h 3s 3c", "Ac Kc Qc Jc 9c"),
        ("2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc"),
        ("5c 4c 3c 2c Ac", "Ac Ad Ah As Kc"),
        ("Ac Kc Qc Jc Tc", "Kc Qc Jc Tc 9c"),
    ],
)
def test_the_least_of_a_category_beats_the_best_of_the_one_below(lesser: str, best_of_category: str) -> None:
    assert best_hand(parse_cards(lesser)) > best_hand(parse_cards(best_of_category))


BETTER_FIRST = [
    # what breaks the tie | better | worse
    ("top of a straight flush", "9h 8h 7h 6h 5h 2c 2d", "8h 7h 6h 5h 4h Ac Ad"),
    ("the steel wheel is the lowest straight flush", "6h 5h 4h 3h 2h Kc Qd", "5h 4h 3h 2h Ah Kc Qd"),
    ("rank of the four", "8h 8c 8d 8s 2c 3d 4h", "7h 7c 7d 7s Ac Kd Qh"),
    ("kicker of the four", "7h 7c 7d 7s Kc 2d 3h", "7h 7c 7d 7s Qc Qd Jh"),
    ("triplet of a full house", "8h 8c 8d 2s 2c 3d 4h", "7h 7c 7d As Ac Kd Qh"),
    ("pair of a full house", "7h 7c 7d 9s 9c 3d 4h", "7h 7c 7d 8s 8c Ad Kh"),
    ("first card of a flush", "Ah 6h 4h 3h 2h Kc Qd", "Kh Qh Jh Th 8h Ac Ad"),
    ("second card of a flush", "Ah Jh 4h 3h 2h Kc Qd", "Ah Th 9h 8h 6h Kc Qd"),
    ("third card of a flush", "Ah Jh 9h 3h 2h Kc Qd", "Ah Jh 8h 7h 6h Kc Qd"),
    ("fourth card of a flush", "Ah Jh 9h 7h 2h Kc Qd", "Ah Jh 9h 6h 5h Kc Qd"),
    ("fifth card of a flush", "Ah Jh 9h 7h 3h Kc Qd", "Ah Jh 9h 7h 2h Ac Ad"),
    ("top of a straight", "Th 9c 8d 7s 6c 2d 2h", "9h 8c 7d 6s 5c Ad Ah"),
    ("the ace-high straight is the highest", "Ah Kc Qd Js Tc 2d 3h", "Kc Qd Js Tc 9h 2d 3h"),
    ("the wheel is the lowest straight", "6h 5c 4d 3s 2c 9d 9h", "Ah 5c 4d 3s 2c Kd Kh"),
    ("rank of a triplet", "8h 8c 8d 2s 3c 4d 6h", "7h 7c 7d As Kc Qd Jh"),
    ("first kicker of a triplet", "7h 7c 7d As 3c 4d 2h", "7h 7c 7d Ks Qc Jd 9h"),
    ("second kicker of a triplet", "7h 7c 7d As Qc 4d 2h", "7h 7c 7d As Jc Td 9h"),
    ("high pair", "Qh Qc 2d 2s 3c 4d 6h", "Jh Jc Td Ts Ac Kd 9h"),
    ("low pair", "Qh Qc 9d 9s 3c 4d 2h", "Qh Qc 8d 8s Ac Kd Jh"),
    ("kicker of two pairs", "Qh Qc 9d 9s Ac 4d 2h", "Qh Qc 9d 9s Kc 8d 8h"),
    ("rank of a pair", "8h 8c 2d 3s 4c 6d 9h", "7h 7c Ad Ks Qc Jd 9h"),
    ("first kicker of a pair", "7h 7c Ad 2s 3c 4d 9h", "7h 7c Kd Qs Jc Td 2h"),
    ("second kicker of a pair", "7h 7c Ad Qs 3c 4d 2h", "7h 7c Ad Js Tc 9d 6h"),
    ("third kicker of a pair", "7h 7c Ad Qs 9c 4d 2h", "7h 7c Ad Qs 8c 6d 5h"),
    ("first card", "Ah 8c 6d 5s 3c 2d Th", "Kh Qc Jd 9s 8c 7d 3h"),
    ("second card", "Ah Kc 6d 5s 3c 2d 8h", "Ah Qc Jd 9s 8c 7d 3h"),
    ("third card", "Ah Kc Jd 5s 3c 2d 7h", "Ah Kc Td 9s 8c 4d 3h"),
    ("fourth card", "Ah Kc Jd 9s 3c 2d 5h", "Ah Kc Jd 8s 7c 4d 3h"),
    ("fifth card", "Ah Kc Jd 9s 8c 2d 3h", "Ah Kc Jd 9s 7c 4d 3h"),
]


@pytest.mark.req("RND-10")
@pytest.mark.parametrize(("better", "worse"), [row[1:] for row in BETTER_FIRST], ids=[row[0] for row in BETTER_FIRST])
def test_a_tie_is_broken_by(better: str, worse: str) -> None:
    stronger, weaker = best_hand(parse_cards(better)), best_hand(parse_cards(worse))
    assert stronger.category is weaker.category
    assert stronger > weaker
    assert stronger != weaker


TIES = [
    # why | player | board | dealer
    ("the board plays: a straight", "2c 2d | Ts 9h 8d 7c 6s | 3c 3d"),
    ("the board plays: a flush", "2c 3d | Ah Kh 9h 7h 5h | Ac Ad"),
    ("the board plays: a royal flush", "2c 2d | Ah Kh Qh Jh Th | Ac Ad"),
    ("the board plays: a full house", "Ac Kd | 9h 9c 9d 5s 5h | Qc Jd"),
    ("the board plays: four and its kicker", "Kc Kd | 9h 9c 9d 9s Ah | Qc Qd"),
    ("suits do not break a tie: flush against flush", "Kc Qd | Ah Jh 9h 7h 5h | Ks Qs"),
    ("suits do not break a tie: the same two ranks", "As Ks | 7h 7c 2s Jd 3c | Ad Kd"),
    ("suits do not break a tie: the same straight", "8s 7s | 6h 5c 4d Kd Qc | 8h 7h"),
    ("a counterfeit pair: two higher pairs on the board", "4s 4d | Kh Kc Qd Qs Ac | 2s 2d"),
    ("a counterfeit kicker: the sixth card does not count", "As 2d | Ah Kc Qd Jh 8c | Ad 3d"),
    ("the low end of two triplets does not count", "9s 2d | 9h 9c 5d 5h 5c | 9d 3d"),
    ("the pair beside four of a kind does not count", "Ks Qd | 7h 7c 7d 7s Ac | 2s 2d"),
]


@pytest.mark.req("RND-10")
@pytest.mark.parametrize("deal", [row[1] for row in TIES], ids=[row[0] for row in TIES])
def test_hands_of_equal_ranks_tie(deal: str) -> None:
    player, board, dealer = deal.split("|")
    assert best_hand(parse_cards(player + board)) == best_hand(parse_cards(dealer + board))


FEWER_CARDS = [
    ("As Kd", "high_card", "As Kd"),
    ("2s Ad", "high_card", "Ad 2s"),
    ("7h 7c", "pair", "7h 7c"),
    ("7h 7c As", "pair", "7h 7c As"),
    ("7h 7c 7d", "three_of_a_kind", "7h 7c 7d"),
    ("Ah 2h 3h", "high_card", "Ah 3h 2h"),
    ("7h 7c 7d 7s", "four_of_a_kind", "7h 7c 7d 7s"),
    ("7h 7c 2d 2s", "two_pair", "7h 7c 2d 2s"),
    ("Ah 2h 3h 4h", "high_card", "Ah 4h 3h 2h"),  # four suited in a row are nothing yet
    ("Ah Kh Qh Jh", "high_card", "Ah Kh Qh Jh"),
    ("Ah Kh Qh Jh Th", "royal_flush", "Ah Kh Qh Jh Th"),
    ("As 2d 3h 4c 5s", "straight", "5s 4c 3h 2d As"),
    ("7h 7c 7d 2s 2c", "full_house", "7h 7c 7d 2s 2c"),
    ("As Kd Jh 9c 7s", "high_card", "As Kd Jh 9c 7s"),
    ("7h 7c 7d 2s 2c 2d", "full_house", "7h 7c 7d 2s 2c"),
    ("7h 7c 5d 5s 2c 2d", "two_pair", "7h 7c 5d 5s 2c"),
    ("Ah Kh 9h 7h 4h 2h", "flush", "Ah Kh 9h 7h 4h"),
]


@pytest.mark.parametrize(("held", "category", "used"), FEWER_CARDS)
def test_a_hand_is_named_from_its_second_card_on(held: str, category: str, used: str) -> None:
    hand = best_hand(parse_cards(held))
    assert (hand.category, " ".join(hand.cards)) == (category, used)


@pytest.mark.req("RND-9")
@pytest.mark.parametrize("held", ["", "As", "As Kd 7h 7c 2s Jd 3c Qh", " ".join(DECK)])
def test_a_hand_has_two_to_seven_cards(held: str) -> None:
    with pytest.raises(Refusal) as refused:
        best_hand([Card(name) for name in held.split()])
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.req("RND-9")
@pytest.mark.parametrize(
    "held", ["As As", "2c 2c", "2c 2c 3c", "2c 2c 2c 2c", "As Kd 7h 7c 2s Jd Jd", "As As As As As As As", "Ks Ks As"]
)
def test_a_hand_with_a_card_twice_is_refused(held: str) -> None:
    with pytest.raises(Refusal) as refused:
        strength_of([Card(name) for name in held.split()])
    assert refused.value.code is Code.BAD_REQUEST


held_cards = st.lists(st.sampled_from(DECK), min_size=2, max_size=7, unique=True)


@given(held_cards, st.permutations(SUITS))
def test_neither_suits_nor_the_order_of_cards_matter(cards: list[Card], suits: list[str]) -> None:
    renamed = [Card(card[0] + suits[SUITS.index(card[1])]) for card in cards]
    assert strength_of(renamed) == strength_of(cards) == strength_of(cards[::-1])


@given(held_cards)
def test_the_cards_used_are_as_strong_as_all_the_cards(cards: list[Card]) -> None:
    hand = best_hand(cards)
    assert len(hand.cards) == min(len(cards), 5)
    assert set(hand.cards) <= set(cards)
    assert strength_of(hand.cards) == hand.strength


@given(st.lists(st.sampled_from(DECK), min_size=3, max_size=7, unique=True))
def test_another_card_never_makes_a_hand_worse(cards: list[Card]) -> None:
    assert strength_of(cards) >= strength_of(cards[:-1])


@given(st.sampled_from(RANKS[:-1]), st.lists(st.sampled_from(SUITS), min_size=2, max_size=2, unique=True))
def test_a_higher_pair_beats_a_lower_one(rank: str, suits: list[str]) -> None:
    above = RANKS[RANKS.index(rank) + 1]
    assert best_hand([Card(above + s) for s in suits]) > best_hand([Card(rank + s) for s in suits])
