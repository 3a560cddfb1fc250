import pytest

from casino.cards.card import parse_cards
from casino.cards.ranking import best_hand
from casino.client import texts
from casino.uth.bets import Action

HANDS = {
    "As Kd": "ace high",
    "9s 9d": "a pair of nines",
    "6s 6d": "a pair of sixes",
    "As Kd 7h 7c 2s": "a pair of sevens",
    "As Ad 7h 7c 2s": "two pair, aces and sevens",
    "7s Ad 7h 7c 2s": "three sevens",
    "5s 4d 3h 2c As": "a five-high straight",
    "Ts Jd Qh Kc As": "an ace-high straight",
    "2s 9s 7s Js 3s": "a jack-high flush",
    "Ks Kd Kh 4c 4s": "a full house, kings full of fours",
    "6s 6d 6h 6c 4s": "four sixes",
    "9s 8s 7s 6s 5s": "a nine-high straight flush",
    "Ts Js Qs Ks As": "a royal flush",
}


@pytest.mark.parametrize("cards", HANDS)
def test_every_hand_has_its_words(cards: str) -> None:
    hand = best_hand(parse_cards(cards))
    assert texts.hand({"category": hand.category, "cards": list(hand.cards)}) == HANDS[cards]


def test_cards_are_readable_with_signs_with_colours_and_without() -> None:
    assert texts.cards(["As", "Td"]) == "A♠ 10♦"
    assert texts.cards(["As", "Td"], symbols=False) == "As Td"
    black, red = texts.cards(["As", "Td"], colours=True).split(" ")
    assert "\x1b[31m" in red
    assert "\x1b[31m" not in black
    assert texts.cards([]) == ""


def test_every_action_has_a_key_and_a_sentence() -> None:
    assert set(texts.KEY_OF_ACTION) == set(Action)
    assert [texts.answered(action) for action in ("play_4x", "check", "fold")] == [
        "You played 4x",
        "You checked",
        "You folded",
    ]


def test_options_show_their_cost() -> None:
    def amount(minor: int) -> str:
        return f"{minor / 100:.2f}"

    assert texts.option("play_4x", 500, amount) == "4 = PLAY 4x — 20.00"
    assert texts.option("check", 500, amount) == "c = CHECK"


def spot(bet: int, outcome: str, returned: int) -> texts.Payload:
    return {"bet": bet, "outcome": outcome, "returned": returned}


def test_result_names_every_spot_with_a_bet() -> None:
    payload = {
        "status": "settled",
        "result": "win",
        "spots": {
            "ante": spot(500, "win", 1000),
            "blind": spot(500, "push", 500),
            "trips": spot(100, "lose", 0),
            "play": spot(0, "none", 0),
        },
        "staked": 1100,
        "returned": 1500,
        "balance": 100_400,
    }
    assert texts.result(payload, str) == [
        "You win: TRIPS 100 loses; ANTE 500 wins, 1000 back; BLIND 500 pushes",
        "Staked 1100, returned 1500, balance 100400",
    ]
    cancelled = payload | {"status": "cancelled", "result": None, "returned": 1100, "balance": 100_000}
    assert texts.result(cancelled, str) == ["Round cancelled, 1100 refunded", "Balance 100000"]
