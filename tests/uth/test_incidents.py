"""Incidents: pause, correction, resumption, cancellation, and a server that was down."""

import pytest

from casino.errors import Code, Refusal
from casino.uth.bets import Action
from casino.uth.commands import (
    Advance,
    CancelRound,
    Command,
    Continue,
    CorrectCard,
    CorrectRound,
    DealCard,
    ReportProblem,
    Resume,
    VoidBetting,
)
from casino.uth.events import BettingClosed, BettingVoided, RoundCancelled, RoundContinued
from casino.uth.phases import OFFERED, Phase
from casino.uth.results import results
from casino.uth.state import Incident, Pause
from tests.uth.tabletop import SCANNED, Tabletop, table_in

RUNNING = [phase for phase in Phase if phase not in (Phase.IDLE, Phase.SETTLED, Phase.CANCELLED)]
STOP = ReportProblem("card dropped", "pia")
CANCEL = CancelRound("deck incomplete", "max")


def refusal_of(table: Tabletop, command: Command) -> Code:
    before = table.round
    with pytest.raises(Refusal) as refused:
        table.do(command)
    assert table.round == before
    return refused.value.code


@pytest.mark.parametrize("phase", RUNNING)
def test_pause_stops_every_timer(phase: Phase) -> None:
    table = table_in(phase)
    table.do(STOP)
    incident_id = "12:00:00-1"
    assert table.round.paused == Pause("card dropped", table.now_ms, incident_id, by=STOP.by)
    table.now_ms += 10_000_000
    assert table.do(Advance()) == []
    assert table.phase is phase
    assert table.round.incidents == (Incident(incident_id, "card dropped", table.now_ms - 10_000_000),)


def test_reporting_again_while_paused_changes_nothing() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    assert table.do(STOP) == []


@pytest.mark.parametrize("phase", [Phase.SETTLED, Phase.CANCELLED])
def test_round_that_is_over_cannot_be_interrupted(phase: Phase) -> None:
    table = table_in(Phase.DECIDING_FLOP if phase is Phase.CANCELLED else phase)
    if phase is Phase.CANCELLED:
        table.do(CANCEL)
    assert refusal_of(table, STOP) is Code.TOO_LATE
    assert refusal_of(table, CANCEL) is Code.TOO_LATE
    assert refusal_of(table, Resume("max")) is Code.NOT_PAUSED


@pytest.mark.parametrize(
    ("phase", "full_ms"),
    [
        (Phase.BETTING, 15_000),
        (Phase.DECIDING_PREFLOP, 12_000),
        (Phase.DECIDING_FLOP, 10_000),
        (Phase.DECIDING_RIVER, 9_000),
    ],
)
def test_resumed_window_has_its_full_time(phase: Phase, full_ms: int) -> None:
    table = table_in(phase)
    table.now_ms += 5_000
    table.do(STOP)
    table.now_ms += 60_000
    table.do(Resume("max", "found the card"))
    assert table.round.paused is None
    assert table.round.due_ms == table.now_ms + full_ms
    assert table.round.incidents[-1].outcome == "resumed"
    assert table.round.incidents[-1].resolution == "found the card"


def test_resumed_dealing_waits_for_the_card_it_waited_for() -> None:
    table = table_in(Phase.DEALING_FLOP)
    table.do(STOP)
    table.do(Resume("max"))
    assert table.round.due_ms is None
    assert table.round.expects == "flop_1"


def test_resumed_street_can_be_confirmed_again() -> None:
    table = table_in(Phase.DEALING_FLOP, SCANNED)
    table.deal("7h 7c 2s")
    table.do(STOP)
    table.do(Resume("max"))
    assert table.round.due_ms == table.now_ms + 2_000


def test_only_a_paused_round_can_be_resumed_or_corrected() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    assert refusal_of(table, Resume("max")) is Code.NOT_PAUSED
    assert refusal_of(table, CorrectCard("r1", "flop_2", "9c", "misread", "max")) is Code.NOT_PAUSED


def test_corrected_card_takes_the_place_of_the_wrong_one() -> None:
    table = table_in(Phase.DECIDING_PREFLOP)
    table.do(STOP)
    table.do(CorrectCard("r1", "player_2", "9c", "misread", "max"))
    table.do(CorrectCard("r1", "player_1", "Kd", "misread", "max"))
    assert table.round.hole_cards(None) == ("Kd", "9c")


@pytest.mark.parametrize(
    ("slot", "card", "code"),
    [
        ("turn", "9c", Code.NOT_EXPECTED),
        ("seat_1_card_1", "9c", Code.NOT_EXPECTED),
        ("flop_2", "As", Code.DUPLICATE_CARD),
        ("flop_2", "7c", Code.DUPLICATE_CARD),
        ("flop_2", "xx", Code.BAD_CARD),
    ],
)
def test_impossible_correction_is_refused(slot: str, card: str, code: Code) -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    assert refusal_of(table, CorrectCard("r1", slot, card, "misread", "max")) is code
    assert refusal_of(table, CorrectCard("r0", "flop_2", "9c", "misread", "max")) is Code.STALE_ROUND


@pytest.mark.req("LED-4")
@pytest.mark.parametrize("phase", RUNNING)
@pytest.mark.parametrize("is_paused", [True, False])
def test_cancelled_round_refunds_every_bet(phase: Phase, is_paused: bool) -> None:  # noqa: FBT001
    table = table_in(phase)
    if phase is Phase.BETTING:
        table.bet("ann", 500)
        table.bet("bob", 1000, 300)
    if phase is Phase.DECIDING_PREFLOP:
        table.decide(Action.PLAY_4X, "bob")
    if is_paused:
        table.do(STOP)
    table.do(CANCEL)
    assert table.phase is Phase.CANCELLED
    assert table.round.incidents[-1].outcome == "cancelled"
    refunds = results(table.round)
    assert {player: refund.returned for player, refund in refunds.items()} == {
        player: seat.bets.total for player, seat in table.round.seats.items()
    }
    assert refunds["bob"].trips.returned == 300
    assert refunds["bob"].play.returned == (4000 if phase is Phase.DECIDING_PREFLOP else 0)


def test_cancelling_open_betting_closes_the_bets_first() -> None:
    """So that the bets and their refund stand in the journal and in the players' history."""
    table = Tabletop()
    table.bet("ann")
    assert [type(event) for event in table.do(CANCEL)] == [BettingClosed, RoundCancelled]


def test_cancelling_open_betting_without_bets_refunds_nothing() -> None:
    table = Tabletop()
    assert [type(event) for event in table.do(CANCEL)] == [RoundCancelled]
    assert results(table.round) == {}


def test_incidents_are_counted_within_the_round() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    table.do(Resume("max"))
    table.do(CANCEL)
    assert [incident.incident_id for incident in table.round.incidents] == ["12:00:00-1", "12:00:00-2"]
    assert [incident.outcome for incident in table.round.incidents] == ["resumed", "cancelled"]


@pytest.mark.req("RND-3")
def test_stopping_server_voids_open_betting_only() -> None:
    table = Tabletop()
    table.bet("ann")
    assert table.do(VoidBetting("the server stops")) == [BettingVoided("the server stops", table.now_ms)]
    assert not table.round.seats
    assert table_in(Phase.DEALING_HOLE).do(VoidBetting("the server stops")) == []


@pytest.mark.req("RND-3")
def test_restart_while_betting_was_open_leaves_no_round() -> None:
    table = Tabletop()
    table.bet("ann")
    table.do(Continue())
    assert table.phase is Phase.IDLE
    assert not table.round.seats


def test_open_bets_of_connected_players_stay_with_full_time() -> None:
    table = table_in(Phase.BETTING)
    seats = table.round.seats
    table.now_ms += 10_000_000
    assert table.do(Continue(are_here=True)) == [RoundContinued(table.now_ms, table.now_ms + 15_000)]
    assert (table.phase, table.round.seats) == (Phase.BETTING, seats)


@pytest.mark.req("RND-5")
@pytest.mark.parametrize("phase", OFFERED)
def test_restart_gives_the_open_decision_its_full_time(phase: Phase) -> None:
    table = table_in(phase)
    cards = table.round.cards
    table.now_ms += 10_000_000
    table.do(Continue())
    assert table.phase is phase
    assert table.round.cards == cards
    assert table.round.due_ms is not None
    assert table.round.due_ms - table.now_ms in (12_000, 10_000, 9_000)


def test_restart_continues_dealing_from_the_same_card() -> None:
    table = table_in(Phase.DEALING_FLOP)
    table.deal("7h")
    assert table.do(Continue()) == [RoundContinued(table.now_ms, None)]
    assert refusal_of(table, DealCard("r1", "7h")) is Code.DUPLICATE_CARD
    assert table.round.expects == "flop_2"


def test_restart_settles_what_was_out_and_confirmed() -> None:
    table = table_in(Phase.SHOWDOWN, SCANNED)
    table.deal("Qh Qd")
    table.now_ms += 10_000_000
    table.do(Continue())
    table.time_out()
    assert table.phase is Phase.SETTLED


def test_restart_leaves_paused_and_finished_rounds_alone() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    assert table.do(Continue()) == []
    assert table_in(Phase.SETTLED).do(Continue()) == []


RIGHT_CARD = CorrectRound((("dealer_2", "2d"),), "misread", "max")


def test_settled_round_can_be_corrected_and_pays_by_the_right_cards() -> None:
    table = table_in(Phase.SETTLED)
    table.do(RIGHT_CARD)
    assert table.phase is Phase.SETTLED
    assert table.round.dealer_cards == ("Qh", "2d")
    table.do(CorrectRound((("dealer_2", "Qd"), ("player_1", "Ac")), "misread again", "max"))
    assert table.round.hole_cards(None) == ("Ac", "Kd")


def test_correction_may_exchange_two_cards() -> None:
    table = table_in(Phase.SETTLED)
    table.do(CorrectRound((("dealer_1", "As"), ("player_1", "Qh")), "mixed up", "max"))
    assert (table.round.hole_cards(None), table.round.dealer_cards) == (("Qh", "Kd"), ("As", "Qd"))


@pytest.mark.parametrize(
    ("slot", "card", "code"),
    [
        ("seat_1_card_1", "2d", Code.NOT_EXPECTED),
        ("dealer_2", "xx", Code.BAD_CARD),
        ("dealer_2", "As", Code.DUPLICATE_CARD),
        ("dealer_2", "Qd", Code.BAD_REQUEST),
    ],
)
def test_impossible_correction_of_a_settled_round_is_refused(slot: str, card: str, code: Code) -> None:
    assert refusal_of(table_in(Phase.SETTLED), CorrectRound(((slot, card),), "misread", "max")) is code


def test_only_a_settled_round_can_be_corrected_after_the_fact() -> None:
    assert refusal_of(table_in(Phase.SHOWDOWN), RIGHT_CARD) is Code.NOT_EXPECTED


def test_pause_does_not_reopen_what_the_clock_has_closed() -> None:
    """The problem is reported after the deadline, but before the table's timer has come to it."""
    table = Tabletop()
    table.bet("ann")
    table.now_ms = table.opened.due_ms
    table.do(STOP)
    assert table.phase is Phase.DEALING_HOLE
    table.do(Resume("max"))
    assert table.round.due_ms is None


def test_voided_betting_closes_its_incident() -> None:
    table = Tabletop()
    table.do(STOP)
    table.do(Continue())
    assert [incident.outcome for incident in table.round.incidents] == ["void"]


CLASSIFIED = ReportProblem("a card fell", "pia", "card_dropped", ("resume", "cancel"))


def test_report_with_a_class_pauses_and_allows_only_what_the_class_allows() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(CLASSIFIED)
    allowed = ("resume", "cancel")
    assert table.round.paused == Pause("a card fell", table.now_ms, "12:00:00-1", "card_dropped", allowed, by="pia")
    assert table.round.incidents[-1].incident_class == "card_dropped"
    correction = CorrectCard(table.round.round_id, "flop_1", "2c", "misread", "max")
    assert refusal_of(table, correction) is Code.NOT_OFFERED
    table.do(Resume("max", "picked up"))
    assert table.round.paused is None


def test_class_may_follow_while_the_round_is_paused_already() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(STOP)
    paused_ms = table.now_ms
    table.now_ms += 5_000
    only_cancel = ReportProblem("two cards too many", "pia", "extra_card", ("cancel",))
    table.do(only_cancel)
    allowed = ("cancel",)
    assert table.round.paused == Pause("two cards too many", paused_ms, "12:00:00-1", "extra_card", allowed, by=STOP.by)
    assert table.do(only_cancel) == []
    assert refusal_of(table, Resume("max")) is Code.NOT_OFFERED
    table.do(CANCEL)
    assert table.phase is Phase.CANCELLED
    assert table.round.incidents[-1].outcome == "cancelled"


def test_table_itself_resumes_whatever_the_class_allows_people() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(ReportProblem("two cards too many", "max", "extra_card", ("cancel",)))
    table.do(Resume("system", "not ended in time", automatic=True))
    assert table.round.paused is None
    assert table.round.incidents[-1].ended_by == "system"
    assert refusal_of(table, Resume("system", automatic=True)) is Code.NOT_PAUSED


@pytest.mark.parametrize(
    ("first", "outcome"), [(Resume("max", incident_id="12:00:00-1"), "resumed"), (CANCEL, "cancelled")]
)
def test_second_person_to_end_an_incident_learns_the_first_and_changes_nothing(
    first: Resume | CancelRound, outcome: str
) -> None:
    table = table_in(Phase.DEALING_FLOP)
    table.do(STOP)
    table.do(first)
    late: list[Command] = [
        Resume("mona", incident_id="12:00:00-1"),
        CancelRound("deck incomplete", "mona", "12:00:00-1"),
        CorrectCard(table.round.round_id, "player_1", "2c", "misread", "mona", "12:00:00-1"),
        ReportProblem("card dropped", "pia", "card_dropped", ("cancel",), "12:00:00-1"),
    ]
    for command in late:
        with pytest.raises(Refusal, match=rf"max has ended it already \({outcome}\)") as refused:
            table.do(command)
        assert refused.value.code is Code.TOO_LATE


def test_ending_a_past_incident_never_meets_the_next_one() -> None:
    table = table_in(Phase.DEALING_FLOP)
    table.do(STOP)
    table.do(Resume("max", incident_id="12:00:00-1"))
    table.do(STOP)
    assert refusal_of(table, CancelRound("deck incomplete", "mona", "12:00:00-1")) is Code.TOO_LATE
    assert refusal_of(table, CancelRound("deck incomplete", "mona", "11:59:00-1")) is Code.TOO_LATE
    assert table.round.paused
    table.do(CancelRound("deck incomplete", "mona", "12:00:00-2"))
    assert table.phase is Phase.CANCELLED


def test_incident_ended_by_a_server_stop_names_no_person() -> None:
    table = table_in(Phase.BETTING)
    table.do(STOP)
    table.do(VoidBetting("the server stops"))
    with pytest.raises(Refusal, match="it has ended already"):
        table.do(Resume("max", incident_id="12:00:00-1"))
