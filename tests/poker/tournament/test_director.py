"""Tournament director: start, hands, moves, hand-for-hand, breaks, prizes and the end."""

from dataclasses import replace
from typing import Any

import pytest

from casino.errors import Code
from casino.poker.tournament.cancel import Case
from casino.poker.tournament.commands import (
    Cancel,
    Change,
    Disqualify,
    HandDone,
    Means,
    Register,
    Resume,
    SeatChips,
    Start,
    TimePasses,
    Unregister,
)
from casino.poker.tournament.entries import Price
from casino.poker.tournament.events import (
    Finished,
    HandDealt,
    PauseBegan,
    PauseDue,
    PauseEnded,
    PlayerMoved,
    Started,
    TableClosed,
)
from casino.poker.tournament.money_events import Cancelled, PrizeAwarded, PrizeHeld, RegistrationClosed
from casino.poker.tournament.prizes import PayoutTerms
from casino.poker.tournament.records import PauseReason
from casino.poker.tournament.state import Status
from casino.poker.tournament.terms import RebuyTerms
from tests.poker.tournament.rig import MINUTE, START, Rig, entries, same


def test_a_freezeout_from_the_first_entry_to_the_last_prize() -> None:
    rig = Rig(9).start()
    assert len(rig.of(Started)[0].seats) == 9
    assert [len(table.seats) for table in rig.state.tables.values()] == [5, 4]
    assert len(rig.of(HandDealt)) == 2
    assert rig.of(RegistrationClosed)[0].prizes == tuple(rig.state.prizes)
    assert len(rig.state.prizes) == 3
    while rig.state.status is Status.RUNNING:
        table_no = min(set(rig.state.tables) - rig.state.idle)
        rig.bust(rig.at(table_no)[0], table=table_no)
    assert rig.state.left == 1
    prizes = rig.of(PrizeAwarded)
    assert [prize.place for prize in prizes] == [3, 2, 1]
    assert sum(prize.amount for prize in prizes) == rig.state.pool == 8100
    assert sorted(rig.places().values()) == [2, 3, 4, 5, 6, 7, 8, 9]
    assert isinstance(rig.events[-1], Finished)
    assert rig.refused(TimePasses()) is Code.TOO_LATE
    assert same(rig.rebuilt(), rig.state)


def test_too_few_entries_cancel_the_start() -> None:
    rig = Rig(2, entries_min=3)
    rig.do(Start())
    (cancelled,) = rig.of(Cancelled)
    assert cancelled.case is Case.NOT_STARTED
    assert [refund.fees + refund.share for refund in cancelled.refunds] == [1000, 1000]
    assert rig.state.status is Status.CANCELLED


def test_an_empty_tournament_can_be_cancelled() -> None:
    rig = Rig(added=500)
    rig.do(Cancel("fire", "manager"))
    assert rig.of(Cancelled)[0].to_house == 500


def test_a_tournament_starts_once() -> None:
    assert Rig(6).start().refused(Start()) is Code.NOT_OFFERED


def test_reports_must_be_of_a_hand_and_keep_its_chips() -> None:
    rig = Rig(3).start()
    stacks = tuple(SeatChips(seat, 5000) for seat, _ in rig.state.tables[1].seats)
    assert rig.refused(HandDone(2, stacks)) is Code.NOT_EXPECTED
    assert rig.refused(HandDone(1, stacks[1:])) is Code.BAD_REQUEST
    assert rig.refused(HandDone(1, (*stacks[1:], SeatChips(stacks[0].seat_no, 4999)))) is Code.BAD_REQUEST
    lost = (SeatChips(stacks[0].seat_no, -1), SeatChips(stacks[1].seat_no, 10_001), stacks[2])
    assert rig.refused(HandDone(1, lost)) is Code.BAD_REQUEST
    moved = (SeatChips(stacks[0].seat_no, 4999), SeatChips(stacks[1].seat_no, 5001), stacks[2])
    assert rig.refused(HandDone(1, moved, is_void=True)) is Code.BAD_REQUEST


def test_after_a_void_hand_the_same_big_blind_is_due() -> None:
    rig = Rig(6).start()
    first = rig.of(HandDealt)[-1].positions
    rig.quiet(1)
    second = rig.of(HandDealt)[-1].positions
    assert second != first
    rig.quiet(1, is_void=True)
    assert rig.of(HandDealt)[-1].positions == second


def test_the_big_blind_of_a_running_hand_decides_the_seat_of_a_moved_player() -> None:
    rig = Rig(12).start()
    rig.bust(*rig.at(1)[:2])
    rig.quiet(2)
    moved = rig.of(PlayerMoved)[-1]
    assert moved.to_table == 1
    assert [len(table.seats) for table in rig.state.tables.values()] == [5, 5]


def test_a_table_breaks_when_its_hand_is_over() -> None:
    rig = Rig(9).start()
    rig.bust(*rig.at(1)[:2], table=1)
    assert not rig.of(TableClosed)
    rig.bust(rig.at(2)[0], table=2)
    assert rig.of(TableClosed)
    assert len(rig.state.tables) == 1
    assert sum(len(table.seats) for table in rig.state.tables.values()) == 6


def test_hand_for_hand_ranks_all_tables_together_v9_6() -> None:
    """11 left and 10 paid in the rules; here 8 left and 7 paid, at two tables."""
    rig = Rig(8, seats=5, percents=(40, 20, 10, 10, 10, 5, 5)).start()
    assert rig.state.is_hand_for_hand
    assert [len(table.seats) for table in rig.state.tables.values()] == [4, 4]
    small, large = rig.at(1)[0], rig.at(2)[0]
    first, second = rig.at(1)[1:3]
    seats = {entry: seat for seat, entry in rig.state.tables[1].seats}
    rig.do(
        HandDone(
            1,
            tuple(SeatChips(seats[entry], {small: 4000, first: 6000}.get(entry, 5000)) for entry in rig.at(1)),
        )
    )
    dealt = len(rig.of(HandDealt))
    assert rig.state.idle == {1}, "the first table waits for the second"
    rig.quiet(2)
    assert len(rig.of(HandDealt)) == dealt + 2
    rig.bust(large, table=2)
    assert rig.places() == {}, "a knock-out waits for the other table"
    rig.bust(small, table=1)
    assert rig.places() == {small: 8, large: 7}, "the larger start stack places higher"
    assert [(prize.entry_id, prize.place) for prize in rig.of(PrizeAwarded)] == [(large, 7)]
    assert second
    assert not rig.state.is_hand_for_hand


def test_hand_for_hand_during_late_registration() -> None:
    """Half of the field is paid: with five of eight left, the next knock-out would close registration."""
    rig = Rig(8, seats=2, late_levels=6, sync_breaks=False, payouts=PayoutTerms(share_percent=50)).start()
    assert rig.state.places == 4
    while rig.state.left > 5:
        table_no = min(set(rig.state.tables) - rig.state.idle)
        rig.bust(rig.at(table_no)[0], table=table_no)
    assert rig.state.is_open
    assert rig.state.is_hand_for_hand
    playing = sorted(set(rig.state.tables) - rig.state.idle)
    for table_no in playing[:-1]:
        rig.quiet(table_no)
    assert set(rig.state.tables) - rig.state.idle == {playing[-1]}, "the others wait for the last"
    rig.do(Register("late", "late"))
    assert (rig.state.left, rig.state.places, rig.state.is_hand_for_hand) == (6, 5, True)
    rig.do(Register("later", "later"))
    assert (rig.state.left, rig.state.places, rig.state.is_hand_for_hand) == (7, 5, False)
    assert set(rig.state.tables) - rig.state.idle > {playing[-1]}


@pytest.mark.parametrize(
    ("terms", "places"),
    [({}, 3), ({"percents": (60, 40)}, 2), ({"ticket_value": 4000}, 2), ({"rebuy": RebuyTerms(Price(900), 5000)}, 3)],
)
def test_places_paid_while_registration_is_open(terms: dict[str, Any], places: int) -> None:
    rig = Rig(9, late_levels=6, **terms).start()
    assert rig.state.is_open
    assert rig.state.places == places


def test_no_hand_for_hand_while_rebuys_are_possible() -> None:
    rig = Rig(8, seats=4, percents=(20,) * 3 + (10,) * 4, rebuy=RebuyTerms(Price(900), 5000)).start()
    assert (rig.state.left, rig.state.places, len(rig.state.tables)) == (8, 7, 2)
    assert not rig.state.is_hand_for_hand


def test_a_break_begins_when_the_last_table_has_finished() -> None:
    rig = Rig(12).start()
    rig.now = START + 55 * MINUTE + 5_000
    rig.quiet(1)
    assert [event.stopped_ms for event in rig.of(PauseDue)] == [START + 55 * MINUTE]
    assert rig.state.idle == {1}
    rig.now += 30_000
    rig.quiet(2)
    (began,) = rig.of(PauseBegan)
    assert began.until_ms == rig.now + 5 * MINUTE
    assert rig.state.idle == {1, 2}
    level = rig.state.level(rig.now)
    rig.now = began.until_ms - 1
    assert rig.do(TimePasses()) == []
    rig.now = began.until_ms
    events = rig.do(TimePasses())
    assert isinstance(events[0], PauseEnded)
    assert len(entries(events, HandDealt)) == 2
    assert rig.state.level(rig.now) == level == 6, "the level clock stood still"
    assert rig.state.running_ms(rig.now) == 55 * MINUTE
    assert same(rig.rebuilt(), rig.state)


def test_no_break_in_level_1_and_none_without_the_setting() -> None:
    rig = Rig(3, starts_ms=START + 50 * MINUTE)
    rig.now = START + 50 * MINUTE
    rig.start()
    rig.now = START + 58 * MINUTE
    rig.quiet(1)
    assert not rig.of(PauseDue)
    rig = Rig(3, sync_breaks=False).start()
    rig.now = START + 55 * MINUTE
    rig.quiet(1)
    assert not rig.of(PauseDue)


def test_a_disqualified_players_chips_leave_the_game_and_the_prize_is_held() -> None:
    rig = Rig(3, percents=(50, 30, 20)).start()
    rig.do(Disqualify("e1", "collusion", "manager"))
    assert rig.refused(Disqualify("e1", "again", "manager")) is Code.ALREADY_DECIDED
    assert not rig.places(), "the hand is played to its end"
    rig.quiet(1)
    assert rig.places() == {"e1": 3}
    assert rig.state.chips == 10_000
    assert not rig.of(PrizeAwarded)
    (held,) = rig.of(PrizeHeld)
    assert (held.entry_id, held.place, held.amount, held.means) == ("e1", 3, 540, Means.MONEY)
    assert rig.state.held == 540
    assert same(rig.rebuilt(), rig.state)
    assert rig.refused(Disqualify("e1", "again", "manager")) is Code.NOT_OFFERED
    assert rig.refused(Disqualify("e7", "who", "manager")) is Code.NOT_FOUND


def test_a_tournament_is_delayed_and_changed_before_its_start() -> None:
    rig = Rig(3)
    later = replace(rig.state.terms, starts_ms=START + 60 * MINUTE, guarantee=9000)
    rig.do(Change(later, "power cut", "manager"))
    assert rig.state.terms == later
    rig.now = START + 55 * MINUTE
    rig.do(Unregister("e3"))
    dearer = replace(later, price=Price(1800, 200))
    assert rig.refused(Change(dearer, "", "manager")) is Code.NOT_OFFERED, "players have paid the old price"
    assert rig.refused(Change(replace(later, tournament_id="t2"), "", "m")) is Code.BAD_REQUEST
    rig.do(Register("e4", "p4"))
    assert rig.refused(Change(replace(later, entries_max=2), "", "m")) is Code.BAD_REQUEST
    rig.start()
    assert sum(rig.state.prizes) == 9000
    assert rig.refused(Change(later, "", "manager")) is Code.TOO_LATE
    assert same(rig.rebuilt(), rig.state)
    empty = Rig()
    empty.do(Change(replace(empty.state.terms, price=Price(1800, 200)), "typing error", "manager"))
    assert empty.state.terms.price.total == 2000


@pytest.mark.parametrize(("busted", "case"), [(0, Case.BEFORE_THE_MONEY), (6, Case.FINAL_TABLE)], ids=["53", "54b"])
def test_a_running_tournament_is_cancelled_by_its_case(busted: int, case: Case) -> None:
    rig = Rig(9).start()
    for _ in range(busted):
        table_no = min(set(rig.state.tables) - rig.state.idle)
        rig.bust(rig.at(table_no)[0], table=table_no)
    rig.do(Cancel("power", "manager"))
    (cancelled,) = rig.of(Cancelled)
    assert cancelled.case is case
    assert sum(refund.share for refund in cancelled.refunds) == 8100
    assert all(refund.fees == 100 for refund in cancelled.refunds)
    assert same(rig.rebuilt(), rig.state)


def test_odd_units_of_refunds_go_to_the_earlier_entries() -> None:
    """All stacks are equal. Of a pool of 9911, each half leaves odd units; `e10` has entered after `e2`."""
    rig = Rig(11, price=Price(901, 99)).start()
    rig.do(Cancel("power", "manager"))
    (cancelled,) = rig.of(Cancelled)
    shares = {refund.entry_id: refund.share for refund in cancelled.refunds}
    assert [shares[f"e{number}"] for number in range(1, 12)] == [902] * 5 + [901] + [900] * 5


def test_cancelling_ranks_the_knock_outs_of_an_unfinished_synchronised_hand() -> None:
    rig = Rig(8, seats=5, percents=(40, 20, 10, 10, 10, 5, 5)).start()
    rig.bust(rig.at(1)[0], table=1)
    rig.do(Cancel("power", "manager"))
    (cancelled,) = rig.of(Cancelled)
    assert cancelled.case is Case.IN_THE_MONEY
    assert len(cancelled.refunds) == 7


def test_guarantee_and_added_money() -> None:
    rig = Rig(5, guarantee=10_000, added=500).start()
    (closed,) = rig.of(RegistrationClosed)
    assert closed.overlay == 10_000 - 5 * 900
    assert sum(closed.prizes) == 10_500


def test_a_freeroll_plays_for_added_money() -> None:
    rig = Rig(5, price=Price(0), added=1000).start()
    assert rig.state.terms.is_freeroll
    assert sum(rig.state.prizes) == 1000
    rig.do(Cancel("power", "manager"))
    assert [refund.share for refund in rig.of(Cancelled)[0].refunds] == [200] * 5


def test_a_single_player_waits_for_the_others() -> None:
    """Two tables of two: one busts, and the last player there waits until the other hand is over."""
    rig = Rig(4, seats=3).start()
    rig.bust(rig.at(1)[0], table=1)
    assert 1 in rig.state.idle or 1 not in rig.state.tables
    if 2 in rig.state.tables and 2 not in rig.state.idle:
        rig.quiet(2)
    assert len(rig.state.tables) == 1
    assert len(rig.state.tables[min(rig.state.tables)].seats) == 3


def test_a_standstill_of_the_server_counts_for_no_level() -> None:
    rig = Rig(3).start()
    (due,) = [event for event in rig.do(Resume(START + MINUTE)) if isinstance(event, PauseDue)]
    assert (due.reason, due.stopped_ms) == (PauseReason.RESTART, START + MINUTE)
    assert rig.state.pause is None
    assert Rig(3).do(Resume(START)) == []
