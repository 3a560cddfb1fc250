"""Flights and their second phase: survivors, their prizes, and the refunds of a cancelled second phase."""

import pytest

from casino.errors import Code
from casino.poker.tournament.cancel import Case
from casino.poker.tournament.commands import Cancel, CarryOver, Register, Start, TimePasses, Unregister
from casino.poker.tournament.entries import Price, Survivor
from casino.poker.tournament.events import FlightEnded
from casino.poker.tournament.money_events import Cancelled, RegistrationClosed
from casino.poker.tournament.state import Status
from tests.poker.tournament.rig import MINUTE, START, Rig, same


def test_a_flight_ends_with_its_level_and_survivors_go_on() -> None:
    rig = Rig(9, flight_ends_level=2, late_levels=2, sync_breaks=False).start()
    rig.bust(rig.at(1)[0], table=1)
    rig.now = START + 20 * MINUTE
    rig.quiet(1)
    assert rig.state.status is Status.RUNNING, "the other hand is finished first"
    assert not rig.state.is_hand_for_hand
    rig.quiet(2)
    (ended,) = rig.of(FlightEnded)
    assert len(ended.survivors) == 8
    assert sum(survivor.stack for survivor in ended.survivors) == 45_000
    final = Rig(is_phase_two=True)
    assert final.refused(Register("e1", "p1")) is Code.TOO_LATE
    final.do(CarryOver(ended.survivors, field_entries=30, pool=27_000))
    final.do(Start())
    assert (len(final.state.prizes), sum(final.state.prizes)) == (5, 27_000)
    assert same(final.rebuilt(), final.state)


@pytest.mark.parametrize("is_running", [False, True])
def test_a_cancelled_second_phase_divides_the_pool_of_its_flights(*, is_running: bool) -> None:
    """Its own price is nothing, but it is no freeroll: the flights were paid for, fees included."""
    rig = Rig(is_phase_two=True, price=Price(0))
    survivors = tuple(Survivor(f"p{number}", f"e{number}", 1000 * number, 100) for number in range(1, 8))
    rig.do(CarryOver(survivors, field_entries=30, pool=27_000))
    if is_running:
        rig.start()
    rig.do(Cancel("power", "manager"))
    (cancelled,) = rig.of(Cancelled)
    assert (cancelled.case, cancelled.to_house) == (Case.BEFORE_THE_MONEY, 0)
    assert sum(refund.share for refund in cancelled.refunds) == 27_000
    assert [refund.fees for refund in cancelled.refunds] == [100] * 7
    assert rig.state.fees == 700


def test_survivors_bring_the_fees_they_have_paid() -> None:
    rig = Rig(3, flight_ends_level=1, sync_breaks=False).start()
    rig.now = START + 10 * MINUTE
    rig.quiet(1)
    assert [survivor.fees for survivor in rig.of(FlightEnded)[0].survivors] == [100] * 3


def test_a_second_phase_takes_each_survivor_once() -> None:
    twice = (Survivor("a", "a1", 5), Survivor("a", "a2", 5))
    rig = Rig(is_phase_two=True)
    assert rig.refused(CarryOver(twice, 9, 0)) is Code.NOT_OFFERED
    assert rig.refused(CarryOver(twice[:1], 0, 0)) is Code.BAD_REQUEST
    assert Rig().refused(CarryOver(twice[:1], 9, 0)) is Code.NOT_OFFERED


def test_unregistering_from_a_second_phase_is_refused() -> None:
    rig = Rig(is_phase_two=True)
    rig.do(CarryOver((Survivor("a", "a1", 500), Survivor("b", "b1", 500)), 9, 8100))
    rig.now = START - 60 * MINUTE
    assert rig.refused(Unregister("a1")) is Code.NOT_OFFERED


def test_late_registration_of_a_flight_closes_with_its_level() -> None:
    rig = Rig(6, flight_ends_level=4, late_levels=2, reentries_max=1, sync_breaks=False).start()
    rig.now = START + 20 * MINUTE - 1
    rig.do(Register("late", "late"))
    rig.now += 1
    assert rig.refused(Register("later", "later")) is Code.TOO_LATE
    rig.do(TimePasses())
    (closed,) = rig.of(RegistrationClosed)
    assert (closed.prizes, closed.overlay) == ((), 0)
    while len(rig.at(1)) > 1:
        rig.bust(rig.at(1)[0])
    assert rig.state.status is Status.RUNNING, "a flight ends with its level"
    assert same(rig.rebuilt(), rig.state)
