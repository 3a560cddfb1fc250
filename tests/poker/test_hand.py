"""A hand from the blinds to the settlement: wants, showdown, secrecy, voids, voluntary shows, stored events."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from casino.errors import Code, Refusal
from casino.poker.betting import Action
from casino.poker.commands import Act, Cause, Command, DealBoard, Entrant, OpenHand, Reveal, Show, TimeOver, VoidHand
from casino.poker.events import Acted, HandOpened, HandsShown, dump_event, load_event
from casino.poker.hand import decide, evolve, open_hand, replay
from casino.poker.positions import Positions
from casino.poker.results import net_of
from casino.poker.state import Status, WantKind, Wants
from casino.poker.streets import Street
from casino.poker.terms import Game, RakeTerms, Showing, Terms
from tests.poker.table import NOW, Table, opened

BOARD = "2c 3d 4h 8s 9c"
CHECKED_DOWN = ("3 call", "1 call", "2 check", *("1 check", "2 check", "3 check") * 3)


def test_a_hand_wants_actions_then_cards_then_hands() -> None:
    table = opened([200] * 3)
    assert table.hand.wants == Wants(WantKind.ACT, (3,))
    assert not table.hand.is_betting_closed
    for line in ("3 call", "1 call", "2 check"):
        table.do(table.act(line))
    assert table.hand.wants == Wants(WantKind.BOARD, cards=3)
    table.play("1 check", "2 check", "3 check")
    assert (table.hand.street, len(table.hand.board)) == (Street.TURN, 4)
    table.play("1 check", "2 check", "3 check", "1 check", "2 check")
    table.do(table.act("3 check"))
    assert table.hand.wants == Wants(WantKind.REVEAL, (1, 2, 3))
    assert table.serve().hand.wants == Wants(WantKind.NOTHING)


def test_all_hands_are_face_up_before_the_board_runs_out() -> None:
    table = opened([100, 200, 200])
    for line in ("3 fold", "1 raise_to 100"):
        table.do(table.act(line))
    table.do(table.act("2 call"))
    assert table.hand.wants == Wants(WantKind.REVEAL, (1, 2))
    assert table.hand.board == ()
    table.do(Reveal("h1", {1: ("As", "Ah"), 2: ("Kc", "Kd")}))
    assert [shown.seat_no for shown in table.hand.shown] == [1, 2]
    assert table.hand.wants == Wants(WantKind.BOARD, cards=3)
    table.with_cards(BOARD, {1: "As Ah", 2: "Kc Kd"}).serve()
    assert table.stacks == {1: 200, 2: 100, 3: 200}
    assert net_of(table.hand) == {1: 100, 2: -100, 3: 0}


def test_v5_10_preflop_all_ins_are_raked_and_the_cap_is_halved() -> None:
    terms = Terms(Game.NLHE, 50, 100, rake=RakeTerms(60, 300))
    table = opened([5000, 5000], terms=terms).with_cards(BOARD, {1: "As Ah", 2: "Kc Kd"})
    table.play("1 raise_to 5000", "2 call")
    assert table.hand.rake == 150
    assert table.hand.rake_shares == ((2, 75), (1, 75))
    assert table.stacks == {1: 9850, 2: 0}


def test_v5_9_no_rake_without_a_flop() -> None:
    terms = Terms(Game.NLHE, 50, 100, rake=RakeTerms(60, 300))
    table = opened([5000] * 3, terms=terms).play("3 raise_to 900", "1 fold", "2 fold")
    assert table.hand.rake == 0
    assert table.stacks == {1: 4950, 2: 4900, 3: 5150}


def test_the_last_raiser_of_the_river_shows_first() -> None:
    river = ("3 call", "1 call", "2 check", *("1 check", "2 check", "3 check") * 2)
    table = opened([200] * 3).play(*river, "1 check", "2 raise_to 10", "3 call", "1 call")
    assert [shown.seat_no for shown in table.hand.shown] == [2, 3, 1]


def test_without_a_bet_on_the_river_the_first_left_of_the_button_shows_first() -> None:
    table = opened([200] * 3).play(*CHECKED_DOWN)
    assert [shown.seat_no for shown in table.hand.shown] == [1, 2, 3]


def mucking(cards: dict[int, str], *lines: str, stacks: tuple[int, ...] = (200, 200, 200)) -> Table:
    terms = Terms(Game.NLHE, 1, 2, showing=Showing.LOSERS_MAY_MUCK)
    return opened(stacks, terms=terms).with_cards(BOARD, cards).play(*lines)


def test_losers_may_muck() -> None:
    table = mucking({1: "Ks Kh", 2: "Qs Qh", 3: "As Ah"}, *CHECKED_DOWN)
    assert [shown.seat_no for shown in table.hand.shown] == [1, 3]
    assert table.stacks == {1: 198, 2: 198, 3: 204}


def test_the_best_hand_of_a_side_pot_is_shown() -> None:
    cards = {1: "As Ah", 2: "Qs Qh", 3: "Ks Kh"}
    table = mucking(
        cards,
        "3 call", "1 raise_to 10", "2 call", "3 call", "2 raise_to 20", "3 call",
        *("2 check", "3 check") * 2,
        stacks=(10, 200, 200),
    )  # fmt: skip
    assert [shown.seat_no for shown in table.hand.shown] == [1, 2, 3]


def test_with_the_main_pot_all_in_side_pot_losers_muck() -> None:
    cards = {1: "As Ah", 2: "Ks Kh", 3: "Qs Qh"}
    lines = ("3 call", "1 raise_to 10", "2 call", "3 call", "2 raise_to 20", "3 call", *("2 check", "3 check") * 2)
    table = mucking(cards, *lines, stacks=(10, 200, 200))
    assert [shown.seat_no for shown in table.hand.shown] == [1, 2]
    assert table.stacks == {1: 30, 2: 210, 3: 170}


def test_all_hands_are_shown_before_the_board_is_complete() -> None:
    table = mucking({1: "As Ah", 2: "Qs Qh"}, "3 fold", "1 raise_to 200", "2 call")
    assert [shown.seat_no for shown in table.hand.shown] == [1, 2]


def test_a_voided_hand_gives_everything_back() -> None:
    table = opened([200] * 3).play("3 raise_to 50", "1 call")
    table.do(VoidHand("h1", "the server stopped", "recovery"))
    assert table.hand.status is Status.VOID
    assert table.stacks == {1: 200, 2: 200, 3: 200}
    assert net_of(table.hand) == {1: 0, 2: 0, 3: 0}
    assert table.refused(table.act("2 call")) is Code.STALE_ROUND
    assert table.refused(Show("h1", "p1", ("As",))) is Code.NOT_OFFERED
    with pytest.raises(AssertionError):
        net_of(opened([200] * 3).hand)


def test_winner_and_last_folder_may_show_for_five_seconds() -> None:
    table = opened([200] * 4).play("3 fold", "4 raise_to 9", "1 fold", "2 call", "2 check", "4 raise_to 9", "2 fold")
    table.do(Show("h1", "p4", ("As",)))
    table.do(Show("h1", "p4", ("Kd",)), NOW + 5_000)
    assert table.hand.cards_of(4) == ("As", "Kd")
    assert table.do(Show("h1", "p2", ("7c", "2h"))).hand.cards_of(2) == ("7c", "2h")
    assert table.refused(Show("h1", "p4", ("Qd",))) is Code.BAD_REQUEST
    assert table.refused(Show("h1", "p4", ())) is Code.BAD_REQUEST
    assert table.refused(Show("h1", "p3", ("Qd",))) is Code.NOT_OFFERED
    assert table.refused(Show("h1", "p9", ("Qd",))) is Code.NOT_IN_ROUND
    assert table.refused(Show("h1", "p2", ("As",))) is Code.DUPLICATE_CARD
    assert table.refused(Show("h1", "p4", ("Qd",)), NOW + 5_001) is Code.TOO_LATE


def test_showing_is_refused_during_the_hand_and_after_a_showdown() -> None:
    table = opened([200] * 3)
    assert table.refused(Show("h1", "p3", ("As",))) is Code.NOT_OFFERED
    assert table.play(*CHECKED_DOWN).refused(Show("h1", "p3", ("As",))) is Code.NOT_OFFERED


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (DealBoard("h1", ("As", "Kd")), Code.NOT_EXPECTED),
        (DealBoard("h1", ("As", "Kd", "As")), Code.DUPLICATE_CARD),
        (DealBoard("h1", ("As", "Kd", "1s")), Code.BAD_CARD),
        (Reveal("h1", {1: ("As", "Kd")}), Code.NOT_EXPECTED),
        (TimeOver("h1", 1, Cause.CLOCK), Code.TOO_LATE),
        (Act("h1", 4, "p1", Action.CHECK), Code.NOT_YOUR_TURN),
        (DealBoard("h2", ("As", "Kd", "2s")), Code.STALE_ROUND),
    ],
)
def test_cards_out_of_turn_are_refused(command: Command, code: Code) -> None:
    table = opened([200] * 3)
    for line in ("3 call", "1 call", "2 check"):
        table.do(table.act(line))
    assert table.refused(command) is code


def test_hands_are_revealed_only_as_asked() -> None:
    table = opened([1, 2])
    assert table.hand.wants == Wants(WantKind.REVEAL, (2, 1))
    pair = ("As", "Kd")
    assert table.refused(DealBoard("h1", ("2s", "3s", "4s"))) is Code.NOT_EXPECTED
    assert table.refused(Reveal("h1", {1: pair})) is Code.NOT_EXPECTED
    assert table.refused(Reveal("h1", {1: pair, 2: ("As", "Ac")})) is Code.DUPLICATE_CARD
    assert table.refused(Reveal("h1", {1: pair, 2: ("Qc", "Qd", "Qh")})) is Code.BAD_REQUEST


GOOD = OpenHand(
    "h1",
    "t1",
    1,
    Terms(Game.NLHE, 1, 2),
    tuple(Entrant(seat, f"p{seat}", 100) for seat in (1, 2, 3)),
    Positions(3, 1, 2),
)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(GOOD, seats=GOOD.seats[:1]),
        replace(GOOD, seats=(*GOOD.seats, Entrant(11, "p11", 100))),
        replace(GOOD, seats=(*GOOD.seats, Entrant(3, "p4", 100))),
        replace(GOOD, seats=(*GOOD.seats, Entrant(4, "p3", 100))),
        replace(GOOD, seats=(*GOOD.seats, Entrant(4, "p4", 0))),
        replace(GOOD, seats=(*GOOD.seats, Entrant(4, "p4", 10, -1))),
        replace(GOOD, positions=Positions(3, 1, 4)),
        replace(GOOD, positions=Positions(3, 2, 2)),
        replace(GOOD, positions=Positions(3, 1, 2, (2,))),
        replace(GOOD, positions=Positions(3, 1, 2, (4,))),
        replace(GOOD, positions=Positions(2, 1, 2)),
        replace(GOOD, positions=Positions(1, 1, 2)),
        replace(GOOD, positions=Positions(0, 1, 2)),
        replace(GOOD, positions=Positions(11, 1, 2)),
        replace(GOOD, positions=Positions(1, 3, 2)),
        replace(GOOD, positions=Positions(9, 1, 2, (3, 3))),
        replace(GOOD, positions=Positions(9, 1, 2, (1,))),
        replace(GOOD, seats=GOOD.seats[:2], positions=Positions(4, 1, 2)),
        replace(GOOD, seats=GOOD.seats[:2], positions=Positions(1, None, 2)),
    ],
)
def test_impossible_hands_are_refused(wrong: OpenHand) -> None:
    with pytest.raises(Refusal) as refused:
        open_hand(wrong, NOW)
    assert refused.value.code is Code.BAD_REQUEST


def test_the_button_may_be_at_an_empty_seat() -> None:
    table = Table(open_hand(replace(GOOD, positions=Positions(7, 1, 2)), NOW))
    assert [seat.seat_no for seat in table.hand.seats] == [1, 2, 3]


def test_cards_are_dealt_from_left_of_the_button() -> None:
    table = Table(open_hand(replace(GOOD, positions=Positions(2, 3, 1)), NOW))
    assert [seat.seat_no for seat in table.hand.seats] == [3, 1, 2]
    assert table.options.seat_no == 2


def test_antes_are_in_the_pot_but_no_street_bet() -> None:
    table = opened([200, 200, 3, 2, 1], ante=2)
    assert [(seat.bet, seat.total, seat.stack) for seat in table.hand.seats] == [
        (1, 3, 197),
        (2, 4, 196),
        (0, 2, 1),
        (0, 2, 0),
        (0, 1, 0),
    ]
    assert table.hand.middle == 12
    assert table.offered() == (3, False, 1, None)


def test_a_short_post_keeps_the_price() -> None:
    table = opened([200, 200, 200, 1], posters=(4,))
    assert table.hand.to == 2
    assert table.hand.seats[3].bet == 1


def test_dead_money_is_won_with_the_main_pot() -> None:
    table = opened([200] * 3, dead={2: 2}).play("3 fold", "1 fold")
    assert table.stacks == {1: 199, 2: 201, 3: 200}


def side_pot() -> Table:
    table = opened([20, 200, 50, 200]).play("3 raise_to 10", "4 call", "1 raise_to 20", "2 fold", "3 call", "4 call")
    return table.play("3 raise_to 20", "4 fold")


def shown_voluntarily() -> Table:
    return opened([200] * 3).play("3 raise_to 9", "1 fold", "2 fold").do(Show("h1", "p2", ("As",)))


def voided() -> Table:
    return opened([200] * 3).play("3 call").do(VoidHand("h1", "the server stopped", "recovery"))


@pytest.mark.parametrize("play", [side_pot, shown_voluntarily, voided])
def test_stored_events_rebuild_the_hand(play: Callable[[], Table]) -> None:
    table = play()
    assert table.hand.is_over
    stored = json.loads(json.dumps([dump_event(event) for event in (table.opened, *table.events)]))
    first, *more = map(load_event, stored)
    assert first == table.opened
    assert more == table.events
    assert isinstance(first, HandOpened)
    assert replay(first, more) == table.hand
    assert {event["version"] for event in stored} == {1}


def test_no_event_can_follow_that_opens_another_hand() -> None:
    table = opened([200] * 3)
    with pytest.raises(ValueError, match="HandOpened"):
        evolve(table.hand, table.opened)
    with pytest.raises(ValueError, match="kind"):
        load_event({"kind": "unknown"})


def test_events_hold_no_hidden_card() -> None:
    """Every card in an event is on the board or was shown."""
    table = mucking({1: "Ks Kh", 2: "Qs Qh", 3: "As Ah"}, *CHECKED_DOWN)
    public = json.dumps([dump_event(event) for event in table.events]) + repr(table.hand)
    assert not any(card in public for card in ("Qs", "Qh"))
    assert all(card in public for card in ("Ks", "Ah", "9c"))
    assert sum(isinstance(event, HandsShown) for event in table.events) == 1


def test_decide_changes_nothing() -> None:
    table = opened([200] * 3)
    before = repr(table.hand)
    events = decide(table.hand, table.act("3 raise_to 20"), NOW)
    assert events == [Acted(3, Action.RAISE_TO, 20, 20, NOW)]
    assert repr(table.hand) == before


def test_omaha_to_the_end() -> None:
    table = opened([200] * 3, game=Game.PLO).with_cards(
        "Kc 9c 6c 6h Qc", {1: "Ac Kd Td 8h", 2: "2c 3c 4d 4h", 3: "As Ah 2d 2h"}
    )
    table.play(*CHECKED_DOWN)
    assert table.stacks == {1: 198, 2: 204, 3: 198}  # the flush needs two clubs of the hand
