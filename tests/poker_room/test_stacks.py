"""Top-ups between hands and after them, automatic ones, and the 30 seconds of a seat without chips."""

import pytest

from casino.errors import Code, Refusal
from casino.poker_room.stacks import SeatStack, TopUp, after_hand, ask_top_up, top_up_offer
from casino.settings.poker import PUBLISHED, load_poker

STAKES = load_poker(PUBLISHED).stakes
NL10, BANZAI = STAKES["nl10"], STAKES["banzai-nl1"]
NOW = 1_000_000


def test_a_top_up_between_hands_is_added_at_once() -> None:
    seat = SeatStack(400, 1000)
    assert ask_top_up(NL10, seat, 600, 5000, in_hand=False) == TopUp(SeatStack(1000, 1000), 600)


@pytest.mark.parametrize(
    ("stack", "amount", "available", "code"),
    [
        (400, 601, 5000, Code.ABOVE_MAXIMUM),
        (400, 0, 5000, Code.BELOW_MINIMUM),
        (0, 499, 5000, Code.BELOW_MINIMUM),
        (1000, 1, 5000, Code.NOT_OFFERED),
        (400, 500, 499, Code.INSUFFICIENT_FUNDS),
    ],
)
def test_refused_top_ups(stack: int, amount: int, available: int, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        ask_top_up(NL10, SeatStack(stack, 1000), amount, available, in_hand=False)
    assert refused.value.code is code


def test_a_top_up_asked_during_a_hand_waits_for_its_end_and_is_reduced_to_the_limit() -> None:
    waiting = ask_top_up(NL10, SeatStack(400, 1000), 600, 5000, in_hand=True)
    assert waiting == TopUp(SeatStack(400, 1000, asked=600), 0)
    assert after_hand(NL10, waiting.seat, 700, 5000, NOW) == TopUp(SeatStack(1000, 1000), 300)
    assert after_hand(NL10, waiting.seat, 2000, 5000, NOW) == TopUp(SeatStack(2000, 1000), 0)
    assert after_hand(NL10, waiting.seat, 400, 599, NOW) == TopUp(SeatStack(400, 1000), 0)


def test_auto_top_up_restores_the_initial_buy_in_unless_a_limit_forbids_it() -> None:
    seat = SeatStack(800, 800, is_auto=True)
    assert after_hand(NL10, seat, 300, 5000, NOW).amount == 500
    assert after_hand(NL10, seat, 300, 200, NOW).amount == 200
    assert after_hand(NL10, seat, 300, 9, NOW).amount == 0
    assert after_hand(NL10, seat, 300, 5000, NOW, may_add=False).amount == 0
    assert after_hand(BANZAI, SeatStack(100, 340, is_auto=True), 60, 5000, NOW).amount == 40


def test_a_seat_without_chips_is_kept_for_thirty_seconds() -> None:
    empty = after_hand(NL10, SeatStack(400, 1000), 0, 5000, NOW).seat
    assert not empty.has_expired(NOW + 30_000)
    assert empty.has_expired(NOW + 30_001)
    rebought = ask_top_up(NL10, empty, 500, 5000, in_hand=False).seat
    assert rebought == SeatStack(500, 1000)
    assert not rebought.has_expired(NOW + 30_001)


def test_banzai_adds_exactly_what_is_missing() -> None:
    assert top_up_offer(BANZAI, 60, 100) == (40, 40)
    assert top_up_offer(BANZAI, 100, 340) is None
