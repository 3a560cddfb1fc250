"""Dealing: order, refusals, undo, and the two layouts."""

import pytest

from casino.cards.card import Card, parse_cards
from casino.errors import Code, Refusal
from casino.uth.bets import Action
from casino.uth.commands import Command, DealCard, ReportProblem, UndoCard
from casino.uth.events import CardUndone
from casino.uth.phases import Phase
from casino.uth.results import results
from tests.uth.tabletop import OWN, SCANNED, Tabletop, table_in


def refusal_of(table: Tabletop, command: Command) -> Code:
    before = table.round
    with pytest.raises(Refusal) as refused:
        table.do(command)
    assert table.round == before
    return refused.value.code


def test_cards_come_in_the_order_of_the_table() -> None:
    table = Tabletop()
    table.bet("ann")
    expected = []
    while not table.round.is_over:
        if table.round.expects:
            expected.append(table.round.expects)
            table.deal(parse_cards("As Kd 7h 7c 2s Jd 3c Qh Qd")[len(table.round.cards)])
        else:
            assert table.round.expects is None
            table.time_out()
    assert expected == "player_1 player_2 flop_1 flop_2 flop_3 turn river dealer_1 dealer_2".split()
    assert table.round.hole_cards(None) == ("As", "Kd")
    assert table.round.board == ("7h", "7c", "2s", "Jd", "3c")
    assert table.round.dealer_cards == ("Qh", "Qd")


@pytest.mark.req("RND-9")
@pytest.mark.parametrize(
    ("card", "code"),
    [
        ("As", Code.DUPLICATE_CARD),
        ("1s", Code.BAD_CARD),
        ("as", Code.BAD_CARD),
        ("10h", Code.BAD_CARD),
        ("", Code.BAD_CARD),
    ],
)
def test_impossible_card_is_refused(card: str, code: Code) -> None:
    assert refusal_of(table_in(Phase.DEALING_FLOP), DealCard("r1", card)) is code


@pytest.mark.req("RND-9")
@pytest.mark.parametrize(
    "phase", [Phase.BETTING, Phase.DECIDING_PREFLOP, Phase.DECIDING_FLOP, Phase.DECIDING_RIVER, Phase.SETTLED]
)
def test_card_out_of_turn_is_refused(phase: Phase) -> None:
    assert refusal_of(table_in(phase), DealCard("r1", "9c")) is Code.NOT_EXPECTED


def test_card_for_another_round_or_a_paused_one_is_refused() -> None:
    table = table_in(Phase.DEALING_FLOP)
    assert refusal_of(table, DealCard("r0", "9c")) is Code.STALE_ROUND
    table.do(ReportProblem("card dropped", "pia"))
    assert refusal_of(table, DealCard("r1", "9c")) is Code.TABLE_PAUSED
    assert refusal_of(table, UndoCard("r1")) is Code.TABLE_PAUSED


def test_scanned_street_waits_to_be_confirmed() -> None:
    table = table_in(Phase.DEALING_FLOP, SCANNED)
    table.deal("7h 7c 2s")
    assert table.round.is_street_complete
    assert table.round.expects is None
    assert table.round.due_ms == table.now_ms + 2000
    table.time_out()
    assert table.phase is Phase.DECIDING_FLOP


def test_scan_can_be_taken_back_within_its_street() -> None:
    table = table_in(Phase.DEALING_FLOP, SCANNED)
    table.deal("7h 7c 2s")
    assert table.do(UndoCard("r1")) == [CardUndone("flop_3", Card("2s"), table.now_ms)]
    assert table.round.due_ms is None
    table.do(UndoCard("r1"))
    table.do(UndoCard("r1"))
    assert table.round.expects == "flop_1"
    assert refusal_of(table, UndoCard("r1")) is Code.NOT_EXPECTED, "the player's cards have been decided on"
    table.deal("2s 7c 7h")
    table.time_out()
    assert table.round.board == ("2s", "7c", "7h")


def test_hole_cards_can_be_taken_back_too() -> None:
    table = table_in(Phase.DEALING_HOLE, SCANNED)
    assert refusal_of(table, UndoCard("r1")) is Code.NOT_EXPECTED
    table.deal("As")
    table.do(UndoCard("r1"))
    assert table.round.cards == ()


def test_confirmed_street_cannot_be_taken_back() -> None:
    table = table_in(Phase.DEALING_FLOP, SCANNED)
    table.deal("7h 7c 2s")
    assert table.round.due_ms is not None
    table.now_ms = table.round.due_ms
    assert refusal_of(table, UndoCard("r1")) is Code.NOT_EXPECTED
    table.time_out()
    assert refusal_of(table, UndoCard("r1")) is Code.NOT_EXPECTED
    assert refusal_of(table, UndoCard("r0")) is Code.STALE_ROUND


def test_dealer_cards_can_be_taken_back_until_confirmed() -> None:
    table = table_in(Phase.SHOWDOWN, SCANNED)
    table.deal("Qh Qd")
    table.do(UndoCard("r1"))
    table.deal("Qs")
    table.time_out()
    assert table.phase is Phase.SETTLED
    assert table.round.dealer_cards == ("Qh", "Qs")


def test_machine_confirms_nothing() -> None:
    table = table_in(Phase.DEALING_FLOP)
    table.deal("7h 7c 2s")
    assert table.phase is Phase.DECIDING_FLOP


def test_own_hands_are_dealt_seat_by_seat_to_those_who_bet() -> None:
    table = Tabletop(OWN)
    table.bet("cid", seat_no=6)
    table.bet("ann", seat_no=2)
    table.time_out()
    expected = []
    for card in parse_cards("As Kd 2c 2d"):
        expected.append(table.round.expects)
        table.deal(card)
    assert expected == ["seat_2_card_1", "seat_2_card_2", "seat_6_card_1", "seat_6_card_2"]
    assert table.phase is Phase.DECIDING_PREFLOP
    assert table.round.hole_cards(2) == ("As", "Kd")
    assert table.round.hole_cards(6) == ("2c", "2d")


def test_own_hands_are_each_compared_with_the_dealer() -> None:
    table = Tabletop(OWN)
    table.bet("ann", 500, seat_no=2)
    table.bet("bob", 500, 100, seat_no=4)
    table.bet("cid", 500, seat_no=7)
    table.time_out()
    table.deal("As Kd 2c 2d 9s 8s")
    table.decide(Action.PLAY_4X, "ann")
    table.decide(Action.PLAY_4X, "bob")
    table.time_out()
    table.deal("2h 7c 5s")
    table.time_out()
    table.deal("Jd 3c")
    table.time_out()
    table.deal("Qh Qd")
    assert table.phase is Phase.SETTLED
    settled = results(table.round)
    assert {player: str(result.result) for player, result in settled.items()} == {
        "ann": "lose",
        "bob": "win",
        "cid": "fold",
    }
    assert settled["bob"].trips.returned == 400


def test_seven_own_hands_use_twenty_one_cards() -> None:
    table = Tabletop(OWN)
    for seat in range(1, 8):
        table.bet(f"p{seat}", seat_no=seat)
    table.time_out()
    assert len(table.round.slots) == 21


def test_seat_without_a_bet_has_no_cards() -> None:
    table = Tabletop(OWN)
    table.bet("ann", seat_no=2)
    table.time_out()
    table.deal("As Kd")
    assert table.round.hole_cards(3) == ()
    assert table.round.hole_cards(None) == ()
    assert table.round.hand(3) is None
