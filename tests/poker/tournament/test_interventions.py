"""Interventions of staff: a stop of the clock, and a refund outside the published cases by two people."""

from casino.errors import Code
from casino.poker.tournament.commands import ApproveRefund, Continue, ProposeRefund, RejectRefund, Stop
from casino.poker.tournament.money_events import Cancelled
from casino.poker.tournament.state import Status
from tests.poker.tournament.rig import Rig, same


def test_a_stopped_clock_stands_until_staff_continue() -> None:
    rig = Rig(3)
    assert rig.refused(Stop("fire alarm", "max")) is Code.NOT_OFFERED, "before the start the start is changed"
    rig.start()
    assert rig.refused(Continue("over", "max")) is Code.NOT_PAUSED
    rig.do(Stop("fire alarm", "max"))
    assert rig.refused(Stop("again", "mona")) is Code.ALREADY_DECIDED
    stood = rig.state.running_ms(rig.now)
    rig.now += 600_000
    assert rig.state.running_ms(rig.now) == stood
    rig.do(Continue("false alarm", "mona"))
    rig.now += 1000
    assert rig.state.running_ms(rig.now) == stood + 1000
    assert same(rig.rebuilt(), rig.state)


def test_a_refund_in_full_needs_a_second_person() -> None:
    rig = Rig(3)
    assert rig.refused(ProposeRefund("complaint", "max")) is Code.NOT_OFFERED, "before the start every entry comes back"
    rig.start()
    assert rig.refused(ApproveRefund("mona")) is Code.NOT_OFFERED
    assert rig.refused(RejectRefund("nothing to reject", "mona")) is Code.NOT_OFFERED
    rig.do(ProposeRefund("complaint", "max"))
    assert rig.refused(ProposeRefund("again", "mona")) is Code.ALREADY_DECIDED
    rig.do(RejectRefund("not needed", "mona"))
    assert rig.state.proposal is None
    rig.do(ProposeRefund("cards shown by mistake", "max"))
    assert same(rig.rebuilt(), rig.state)
    assert rig.refused(ApproveRefund("max")) is Code.FORBIDDEN
    rig.do(ApproveRefund("mona"))
    assert rig.state.status is Status.CANCELLED
    (cancelled,) = rig.of(Cancelled)
    paid = rig.state.terms.price.total
    assert [refund.fees + refund.share + refund.bounty for refund in cancelled.refunds] == [paid] * 3
    assert cancelled.to_house == 0
    assert same(rig.rebuilt(), rig.state)
