"""Stacks: top-ups between and after hands, and automatic ones."""

import pytest

from casino.errors import Code, Refusal
from casino.poker_room.stacks import SeatStack, after_hand, top_up_offer, verify_top_up
from casino.settings.poker import PUBLISHED, load_poker

STAKES = load_poker(PUBLISHED).stakes
NL10, BANZAI = STAKES["nl10"], STAKES["banzai-nl1"]


def test_a_top_up_between_hands_may_fill_the_stack() -> None:
    verify_top_up(NL10, SeatStack(400, 1000), 600, 5000, in_hand=False)


@pytest.mark.parametrize(
    ("stack", "amount", "available", "code", "limit"),
    [
        (400, 601, 5000, Code.ABOVE_MAXIMUM, {"maximum": 600}),
        (400, 0, 5000, Code.BELOW_MINIMUM, {"minimum": 1}),
        (0, 499, 5000, Code.BELOW_MINIMUM, {"minimum": 500}),
        (1000, 1, 5000, Code.NOT_OFFERED, {}),
        (400, 500, 499, Code.INSUFFICIENT_FUNDS, {}),
    ],
)
def test_refused_top_ups(stack: int, amount: int, available: int, code: Code, limit: dict[str, int]) -> None:
    with pytest.raises(Refusal) as refused:
        verify_top_up(NL10, SeatStack(stack, 1000), amount, available, in_hand=False)
    assert refused.value.code is code
    assert refused.value.params.items() >= limit.items()


def test_a_top_up_asked_during_a_hand_waits_for_its_end_and_is_reduced_to_the_limit() -> None:
    verify_top_up(NL10, SeatStack(1000, 1000), 600, 5000, in_hand=True)
    assert after_hand(NL10, SeatStack(700, 1000, requested=600), 5000) == 300
    assert after_hand(NL10, SeatStack(2000, 1000, requested=600), 5000) == 0
    assert after_hand(NL10, SeatStack(400, 1000, requested=600), 599) == 0


def test_auto_top_up_restores_the_initial_buy_in() -> None:
    seat = SeatStack(300, 800, is_auto=True)
    assert after_hand(NL10, seat, 5000) == 500
    assert after_hand(NL10, seat, 200) == 200
    assert after_hand(NL10, seat, 9) == 0
    assert after_hand(BANZAI, SeatStack(60, 340, is_auto=True), 5000) == 40


def test_banzai_adds_exactly_what_is_missing() -> None:
    assert top_up_offer(BANZAI, 60, 100) == (40, 40)
    assert top_up_offer(BANZAI, 100, 340) is None
