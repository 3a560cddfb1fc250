"""Swapped cards as one correction, cards confirmed early, and a presenter who cannot continue."""

import pytest

from casino.cards.card import written
from casino.errors import Code
from casino.uth.commands import (
    Advance,
    ApproveProposal,
    ConfirmCards,
    CorrectCard,
    DealCard,
    ReportProblem,
    Resume,
    SwapCards,
)
from casino.uth.events import (
    CardDealt,
    CardsSwapped,
    IncidentClassified,
    ProposalApproved,
    ProposalMade,
    RoundPaused,
    RoundSettled,
    WindowOpened,
)
from casino.uth.phases import Phase, slot_name
from tests.uth.tabletop import SCANNED, Tabletop, table_in
from tests.uth.test_incidents import refusal_of
from tests.uth.test_proposals import committed_in

STOP = ReportProblem("wrong order", "pia")
ILL = ReportProblem("unwell", "pia", "dealer_ill", ("resume", "cancel"), "", "pia", change_presenter=True)


def swap(slot: str = "flop_3", other: str = "player_2", by: str = "max") -> SwapCards:
    return SwapCards("r1", slot, other, "wrong order", by)


def test_one_manager_swaps_before_the_first_decision() -> None:
    table = table_in(Phase.DECIDING_PREFLOP)
    first, second = table.round.cards[:2]
    table.do(STOP)
    assert table.do(swap("player_1", "player_2")) == [
        CardsSwapped("player_1", second, "player_2", first, "wrong order", "max", table.now_ms)
    ]
    assert table.round.cards[:2] == (second, first)
    assert len(set(table.round.cards)) == len(table.round.cards)


@pytest.mark.parametrize("phase", [Phase.DEALING_RIVER, Phase.DECIDING_RIVER])
def test_two_people_swap_after_a_window_has_closed(phase: Phase) -> None:
    table = table_in(phase)
    dealt = dict(zip(table.round.slots, table.round.cards, strict=False))
    table.do(STOP)
    (made,) = table.do(swap())
    assert isinstance(made, ProposalMade)
    assert (made.proposes, made.slot, made.card, made.other_slot) == (
        "swap_cards",
        "flop_3",
        dealt["player_2"],
        "player_2",
    )
    assert table.do(swap()) == []
    assert refusal_of(table, swap("flop_3", "flop_1")) is Code.NOT_EXPECTED
    assert refusal_of(table, CorrectCard("r1", "flop_3", dealt["player_2"], "no", "max")) is Code.DUPLICATE_CARD
    assert refusal_of(table, ApproveProposal("r1.1", "max")) is Code.FORBIDDEN
    approved = table.do(ApproveProposal("r1.1", "mona"))
    assert [type(event) for event in approved] == [ProposalApproved, CardsSwapped]
    after = dict(zip(table.round.slots, table.round.cards, strict=False))
    assert after == dealt | {"flop_3": dealt["player_2"], "player_2": dealt["flop_3"]}


def test_swap_is_refused_like_a_correction() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    assert refusal_of(table, swap()) is Code.NOT_PAUSED
    table.do(STOP)
    assert refusal_of(table, swap("flop_3", "turn")) is Code.NOT_EXPECTED
    assert refusal_of(table, swap("turn", "flop_3")) is Code.NOT_EXPECTED
    assert refusal_of(table, swap("flop_3", "flop_3")) is Code.BAD_REQUEST
    assert refusal_of(table, SwapCards("r0", "flop_1", "flop_2", "wrong", "max")) is Code.STALE_ROUND
    assert refusal_of(table, SwapCards("r1", "flop_1", "flop_2", "wrong", "max", "11:11:11-1")) is Code.TOO_LATE
    table.do(ReportProblem("two cards", "pia", "extra_card", ("cancel",)))
    assert refusal_of(table, swap()) is Code.NOT_OFFERED
    committed = committed_in(Phase.DECIDING_FLOP)
    committed.do(STOP)
    assert refusal_of(committed, swap()) is Code.FORBIDDEN


def test_cards_are_confirmed_early() -> None:
    table = Tabletop(SCANNED)
    table.bet()
    table.time_out()
    assert refusal_of(table, ConfirmCards("r1", "pia")) is Code.NOT_EXPECTED
    (dealt,) = table.do(DealCard("r1", "As", "pia"))
    assert isinstance(dealt, CardDealt)
    assert dealt.by == "pia"
    assert refusal_of(table, ConfirmCards("r1", "pia")) is Code.NOT_EXPECTED
    table.do(DealCard("r1", "Kd", "pia"))
    assert table.do(Advance()) == []
    assert refusal_of(table, ConfirmCards("r0", "pia")) is Code.STALE_ROUND
    (opened,) = table.do(ConfirmCards("r1", "pia"))
    assert opened == WindowOpened(Phase.DECIDING_PREFLOP, table.now_ms, table.now_ms + 12_000)
    assert refusal_of(table, ConfirmCards("r1", "pia")) is Code.NOT_EXPECTED


def test_confirmed_showdown_is_settled_and_a_paused_street_is_not_confirmed() -> None:
    table = Tabletop(SCANNED)
    table.bet()
    table.time_out()
    for street in ("As Kd", "7h 7c 2s", "Jd 3c", "Qh Qd"):
        table.deal(street)
        if street == "Qh Qd":
            break
        table.time_out()
        table.time_out()
    table.do(STOP)
    assert refusal_of(table, ConfirmCards("r1", "pia")) is Code.TABLE_PAUSED
    table.do(Resume("max"))
    assert [type(event) for event in table.do(ConfirmCards("r1", "pia"))] == [RoundSettled]


def test_round_of_an_unwell_presenter_is_resumed_by_a_colleague_only() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    paused, classified = table.do(ILL)
    assert isinstance(paused, RoundPaused)
    assert isinstance(classified, IncidentClassified)
    assert (paused.presenter, classified.change_presenter) == ("pia", True)
    for on_shift in ("", "pia"):
        assert refusal_of(table, Resume("max", presenter=on_shift)) is Code.NO_PRESENTER
    table.do(Resume("max", presenter="per"))
    assert table.round.paused is None


def test_other_class_withdraws_the_demand_and_without_a_presenter_any_presenter_continues() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    table.do(ILL)
    assert refusal_of(table, Resume("max")) is Code.NO_PRESENTER
    table.do(Resume("max", presenter="pia"))  # no presenter was on shift at the stop
    table.do(ILL)
    table.do(ReportProblem("not that", "pia", "something_else", ("resume", "cancel")))
    table.do(Resume("max", presenter="pia"))


def test_cards_and_positions_as_people_read_them() -> None:
    assert [written(card) for card in ("As", "Th", "2c", "Kd")] == ["A♠", "10♥", "2♣", "K♦"]
    assert [slot_name(slot) for slot in ("flop_1", "seat_3_card_2")] == ["FLOP 1", "SEAT 3 CARD 2"]
