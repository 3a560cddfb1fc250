"""Live hand on virtual time with fixed decks: decisions, clocks, lost connections, absences, pre-actions, run-outs."""

from collections.abc import Mapping

import pytest

from casino.cards.card import DECK
from casino.errors import Code, Refusal
from casino.poker.betting import Action
from casino.poker.clock import CASH
from casino.poker.commands import Act, Cause, Entrant, OpenHand, Show
from casino.poker.events import Acted, BoardDealt, CardsShown, HandSettled, HandsShown, HandVoided, dump_event
from casino.poker.positions import Positions
from casino.poker.state import Status
from casino.poker.streets import Street
from casino.poker.terms import Game, RakeTerms, Terms
from casino.poker_room.hand_record import player_rows
from casino.poker_room.live_hand import HandPlayer, LiveHand
from casino.poker_room.pre_actions import Choice
from casino.poker_room.shoe import Shoe
from tests.poker_room.stored_tables import fixed_shoe

T = 1_000_000
TERMS = Terms(Game.NLHE, 5, 10, rake=RakeTerms(35, 100))
NAMES = ("ann", "bob", "cid")
ACES = "2c 7d As 9c 8d Ah Kc Qd Js 4s 4h"
"""Seat 3 is the button and gets aces; seats 1 and 2 get `2c 9c` and `7d 8d`."""


def started(
    stacks: Mapping[str, int] | None = None, shoe: Shoe | None = None, bank_ms: int = 15_000, terms: Terms = TERMS
) -> LiveHand:
    """Ann is the small blind, Bob the big blind, Cid the button and first to act."""
    shoe = shoe or fixed_shoe(ACES)
    entrants = tuple(Entrant(seat, name, (stacks or {}).get(name, 1000)) for seat, name in enumerate(NAMES, 1))
    command = OpenHand("t-1", "t", 1, terms, entrants, Positions(3, 1, 2), shoe.root)
    return LiveHand.start(command, shoe, CASH, [HandPlayer(name, bank_ms) for name in NAMES], T)


def act(live: LiveHand, name: str, action: str, now_ms: int = T, amount: int = 0) -> int:
    return live.act(Act("t-1", live.hand.turn, name, Action(action), amount), now_ms)


def to_act(live: LiveHand) -> str | None:
    return live.hand.seats[live.hand.pending[0]].player_id if live.hand.pending else None


def acted(live: LiveHand) -> list[tuple[str, str, str | None]]:
    names = dict(enumerate(NAMES, 1))
    return [
        (names[event.seat_no], event.action.value, event.automatic.value if event.automatic else None)
        for event in live.events
        if isinstance(event, Acted)
    ]


def refused(live: LiveHand, command: Act, now_ms: int = T) -> Code:
    before = live.hand
    with pytest.raises(Refusal) as refusal:
        live.act(command, now_ms)
    assert live.hand == before
    return refusal.value.code


def test_a_whole_hand_is_dealt_and_settled_to_the_cent() -> None:
    live = started()
    act(live, "cid", "raise_to", amount=100)
    act(live, "ann", "call")
    act(live, "bob", "fold")
    for _ in range(3):
        act(live, "ann", "check")
        act(live, "cid", "check")
    assert live.is_over
    assert live.due_ms is None
    assert live.hand.board == ("Kc", "Qd", "Js", "4s", "4h")
    stacks = {seat.player_id: seat.stack for seat in live.hand.seats}
    assert stacks == {"ann": 900, "bob": 990, "cid": 1103}
    assert sum(stacks.values()) + live.hand.rake == 3000
    assert live.hand.rake == 7
    assert {row.player_id: row.automatic for row in player_rows(live.hand, live.events)} == dict.fromkeys(NAMES, 0)


def test_steps_are_taken_once_in_order() -> None:
    live = started()
    assert [step.event.kind for step in live.take_steps()] == ["hand_opened"]
    act(live, "cid", "call")
    assert [step.event.kind for step in live.take_steps()] == ["acted"]
    assert live.take_steps() == []


def test_the_same_action_again_has_the_same_answer() -> None:
    live = started()
    command = Act("t-1", 1, "cid", Action.RAISE_TO, 100)
    assert live.act(command, T) == 100
    before = live.hand
    assert live.act(command, T + 1) == 100
    assert live.hand is before
    assert refused(live, Act("t-1", 1, "cid", Action.FOLD)) is Code.TOO_LATE


def test_illegal_actions_change_nothing_and_cost_no_bank() -> None:
    live = started()
    assert refused(live, Act("t-1", 1, "ann", Action.CALL), T + 16_000) is Code.NOT_YOUR_TURN
    assert refused(live, Act("t-0", 1, "cid", Action.CALL), T + 16_000) is Code.STALE_ROUND
    assert refused(live, Act("t-1", 1, "cid", Action.CHECK), T + 16_000) is Code.NOT_OFFERED
    assert refused(live, Act("t-1", 1, "cid", Action.RAISE_TO, 19), T + 16_000) is Code.BELOW_MINIMUM
    assert refused(live, Act("t-1", 1, "cid", Action.RAISE_TO, 1001), T + 16_000) is Code.ABOVE_MAXIMUM
    assert refused(live, Act("t-1", 1, "zed", Action.CALL), T + 16_000) is Code.NOT_IN_ROUND
    act(live, "cid", "call", T + 17_000)
    assert live.players["cid"].bank_ms == 13_000


class TestClock:
    def test_v7_1_connected_and_silent(self) -> None:
        live = started(bank_ms=8_000)
        live.tick(T + 22_999)
        assert to_act(live) == "cid"
        live.tick(T + 23_000)
        assert acted(live) == [("cid", "fold", "clock")]
        assert (live.players["cid"].bank_ms, live.players["cid"].is_silent) == (0, True)
        assert live.timer is not None
        assert live.timer.since_ms == T + 23_000

    def test_v7_2_connection_lost_before_the_turn(self) -> None:
        live = started()
        live.connect("ann", T, is_connected=False)
        act(live, "cid", "call")
        live.tick(T + 34_999)
        assert to_act(live) == "ann"
        live.tick(T + 35_000)
        assert acted(live)[-1] == ("ann", "fold", "line")
        assert live.players["ann"].bank_ms == 15_000

    def test_v7_3_protection_is_bounded_for_the_hand(self) -> None:
        live = started()
        live.connect("bob", T, is_connected=False)
        act(live, "cid", "call")
        act(live, "ann", "call")
        live.tick(T + 35_000)
        assert acted(live)[-1] == ("bob", "check", "line")
        now_ms = T + 35_000
        act(live, "ann", "check", now_ms)
        live.tick(now_ms + 24_999)
        assert to_act(live) == "bob"
        live.tick(now_ms + 25_000)
        assert acted(live)[-1] == ("bob", "check", "line")
        now_ms += 25_000
        act(live, "cid", "check", now_ms)
        act(live, "ann", "check", now_ms)
        live.tick(now_ms + 14_999)
        assert to_act(live) == "bob"
        live.tick(now_ms + 15_000)
        assert acted(live)[-1] == ("bob", "check", "line")

    def test_v7_4_back_after_25_seconds_with_a_small_bank(self) -> None:
        live = started(bank_ms=2_000)
        live.connect("cid", T, is_connected=False)
        live.connect("cid", T + 25_000, is_connected=True)
        live.tick(T + 29_999)
        assert to_act(live) == "cid"
        live.tick(T + 30_000)
        assert acted(live) == [("cid", "fold", "clock")]

    def test_an_answer_after_the_deadline_is_too_late(self) -> None:
        live = started()
        with pytest.raises(Refusal) as refusal:
            act(live, "cid", "call", T + 30_000)
        assert refusal.value.code is Code.TOO_LATE
        assert acted(live) == [("cid", "fold", "clock")]

    def test_a_check_is_made_for_a_silent_player_if_it_is_free(self) -> None:
        live = started()
        act(live, "cid", "fold")
        act(live, "ann", "call")
        live.tick(T + 30_000)
        assert acted(live)[-1] == ("bob", "check", "clock")

    def test_only_used_time_is_taken_from_the_bank(self) -> None:
        live = started()
        act(live, "cid", "call", T + 17_345)
        assert live.players["cid"].bank_ms == 15_000 - 2_345
        assert live.players["cid"].is_silent is False

    def test_time_lost_by_the_server_costs_no_player_time(self) -> None:
        live = started()
        live.postpone(5_000)
        live.tick(T + 34_999)
        assert to_act(live) == "cid"
        act(live, "cid", "call", T + 20_000 + 14_999)
        assert live.players["cid"].bank_ms == 1


class TestAbsence:
    def test_a_player_who_leaves_folds_at_the_turn_and_never_checks(self) -> None:
        live = started()
        live.absent("bob", Cause.LEFT, T)
        assert to_act(live) == "cid"
        act(live, "cid", "call")
        act(live, "ann", "call")
        assert acted(live)[-1] == ("bob", "fold", "left")
        assert to_act(live) == "ann"
        assert live.hand.street is Street.FLOP

    def test_a_player_who_leaves_at_the_own_turn_folds_at_once(self) -> None:
        live = started()
        live.absent("cid", Cause.LEFT, T + 16_000)
        assert acted(live) == [("cid", "fold", "left")]
        assert live.players["cid"].bank_ms == 14_000
        assert to_act(live) == "ann"

    def test_an_all_in_hand_is_played_to_the_end(self) -> None:
        live = started({"cid": 200})
        act(live, "cid", "raise_to", amount=200)
        live.absent("cid", Cause.LEFT, T)
        act(live, "ann", "call")
        act(live, "bob", "fold")
        live.tick(T + 10_000)
        assert live.is_over
        assert {seat.player_id: seat.stack for seat in live.hand.seats}["cid"] == 410 - 14

    def test_a_hand_whose_players_all_leave_is_played_to_its_end(self) -> None:
        live = started()
        for name in NAMES:
            live.absent(name, Cause.LEFT, T)
        assert live.is_over
        assert {seat.player_id: seat.stack for seat in live.hand.seats} == {"ann": 995, "bob": 1005, "cid": 1000}


class TestPreActions:
    def test_a_pre_action_answers_at_once(self) -> None:
        live = started()
        live.pre_act("ann", "t-1", Choice.CALL, 10)
        live.pre_act("bob", "t-1", Choice.CHECK_FOLD, None)
        act(live, "cid", "call")
        assert acted(live) == [("cid", "call", None), ("ann", "call", None), ("bob", "check", None)]
        assert live.hand.street is Street.FLOP
        assert live.players["bob"].pre_action is None

    def test_a_changed_price_voids_a_pre_action(self) -> None:
        live = started()
        live.pre_act("ann", "t-1", Choice.CALL, 10)
        act(live, "cid", "raise_to", amount=50)
        assert to_act(live) == "ann"
        assert live.players["ann"].pre_action is None

    def test_a_pre_action_can_be_cleared_and_names_its_hand(self) -> None:
        live = started()
        live.pre_act("ann", "t-1", Choice.FOLD, None)
        live.pre_act("ann", "t-1", Choice.NONE, None)
        act(live, "cid", "call")
        assert to_act(live) == "ann"
        with pytest.raises(Refusal) as refusal:
            live.pre_act("bob", "t-0", Choice.FOLD, None)
        assert refusal.value.code is Code.STALE_ROUND


class TestRunOut:
    def test_all_in_hands_are_shown_before_the_board_is_dealt_with_pauses(self) -> None:
        live = started({"cid": 200, "ann": 200, "bob": 200})
        act(live, "cid", "raise_to", amount=200)
        act(live, "ann", "call")
        act(live, "bob", "call")
        kinds = [event.kind for event in live.events]
        assert kinds[-1] == "hands_shown"
        assert not live.is_over
        times = []
        while live.due_ms is not None:
            times.append(live.due_ms - T)
            live.tick(live.due_ms)
        assert times == [1_000, 2_000, 3_000]
        assert live.hand.status is Status.SETTLED
        streets = [event.street for event in live.events if isinstance(event, BoardDealt)]
        assert streets == [Street.FLOP, Street.TURN, Street.RIVER]
        assert {seat.player_id: seat.stack for seat in live.hand.seats} == {"ann": 0, "bob": 0, "cid": 600 - 21}

    def test_a_late_tick_catches_up_with_the_times_of_each_step(self) -> None:
        live = started({"cid": 200, "ann": 200, "bob": 200})
        act(live, "cid", "raise_to", amount=200)
        act(live, "ann", "call")
        act(live, "bob", "call")
        live.tick(T + 60_000)
        assert [event.at_ms - T for event in live.events if isinstance(event, BoardDealt)] == [1_000, 2_000, 3_000]

    def test_blinds_that_put_all_players_all_in_need_no_action(self) -> None:
        live = started({"ann": 5, "bob": 10, "cid": 10})
        act(live, "cid", "call")
        live.tick(T + 10_000)
        assert live.is_over
        assert sum(seat.stack for seat in live.hand.seats) + live.hand.rake == 25


class TestCards:
    def test_own_cards_go_to_their_player_alone(self) -> None:
        live = started()
        assert [live.hole(name) for name in (*NAMES, "zed")] == [("2c", "9c"), ("7d", "8d"), ("As", "Ah"), ()]

    def test_no_event_holds_an_unshown_card(self) -> None:
        live = started()
        act(live, "cid", "raise_to", amount=100)
        act(live, "ann", "fold")
        act(live, "bob", "fold")
        text = str([dump_event(event) for event in live.events]) + repr(live.hand) + repr(live)
        assert not [card for card in DECK if f"'{card}'" in text]

    def test_the_winner_may_show_own_cards_only_and_in_time(self) -> None:
        live = started()
        act(live, "cid", "raise_to", amount=100)
        act(live, "ann", "fold")
        act(live, "bob", "fold")
        with pytest.raises(Refusal):
            live.show(Show("t-1", "cid", ("2c",)), T + 1)
        live.take_steps()
        live.show(Show("t-1", "cid", ("As",)), T + 1)
        (step,) = live.take_steps()
        assert isinstance(step.event, CardsShown)
        assert step.event.cards == ("As",)
        with pytest.raises(Refusal):
            live.show(Show("t-1", "cid", ("Ah",)), T + 5_001)
        assert not [event for event in live.events if isinstance(event, CardsShown)], "the record is complete before"

    def test_a_folded_hand_is_not_shown_at_the_showdown(self) -> None:
        live = started()
        act(live, "cid", "call")
        act(live, "ann", "fold")
        act(live, "bob", "check")
        while not live.is_over:
            act(live, to_act(live) or "", "check")
        (shown,) = [event for event in live.events if isinstance(event, HandsShown)]
        assert {cards.seat_no for cards in shown.hands} == {2, 3}


def test_a_void_hand_returns_every_chip() -> None:
    live = started()
    act(live, "cid", "raise_to", amount=500)
    live.void("misdeal", "mia", T + 9)
    assert live.is_over
    assert live.due_ms is None
    assert isinstance(live.events[-1], HandVoided)
    assert not [event for event in live.events if isinstance(event, HandSettled)]
    assert {seat.stack for seat in live.hand.seats} == {1000}
