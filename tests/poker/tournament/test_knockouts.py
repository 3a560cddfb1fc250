"""Places and prizes of knock-outs: rebuy offers, and places that are paid after they were taken."""

from casino.errors import Code
from casino.poker.tournament.commands import (
    Decline,
    Disqualify,
    HandDone,
    Means,
    Rebuy,
    Register,
    SeatChips,
    TimePasses,
)
from casino.poker.tournament.entries import Price
from casino.poker.tournament.events import RebuyOffered
from casino.poker.tournament.money_events import PrizeAwarded, PrizeHeld, RegistrationClosed, VipPaid
from casino.poker.tournament.state import Status
from casino.poker.tournament.terms import RebuyTerms
from tests.poker.tournament.rig import MINUTE, START, Rig, same

REBUY = RebuyTerms(Price(900), 5000, levels=2)
THREE_PAID = {"percents": (50, 30, 20), "rebuy": REBUY, "late_levels": 2}


def move_chips(rig: Rig, **chips: int) -> None:
    """A hand at table 1 after which these entries have these stacks."""
    seats = rig.state.tables[1].seats
    rig.do(HandDone(1, tuple(SeatChips(seat, chips.get(entry, rig.entry(entry).chips)) for seat, entry in seats)))


def last_four() -> tuple[Rig, str, str, str, str]:
    """A rebuy tournament that pays three of its four players; the third to bust has the largest stack but the first."""
    rig = Rig(4, **THREE_PAID).start()
    first, second, third, fourth = rig.at(1)
    move_chips(rig, **{first: 7000, second: 3000, third: 6000, fourth: 4000})
    return rig, first, second, third, fourth


def test_in_the_same_hand_the_larger_stack_places_higher_in_any_order_of_declining() -> None:
    rig, first, second, third, fourth = last_four()
    rig.bust(third, second, fourth)
    rig.do(Decline(third))
    assert rig.places() == {}, "the others may still buy chips"
    rig.do(Decline(second))
    rig.now += 15_000
    rig.do(TimePasses())
    assert rig.places() == {second: 4, fourth: 3, third: 2}
    assert [(prize.entry_id, prize.place) for prize in rig.of(PrizeAwarded)] == [(fourth, 3), (third, 2), (first, 1)]
    assert rig.state.status is Status.FINISHED
    assert same(rig.rebuilt(), rig.state)


def test_a_later_hand_places_higher_though_the_earlier_one_has_an_offer() -> None:
    rig = Rig(4, **(THREE_PAID | {"rebuy": RebuyTerms(Price(900), 5000, levels=2, most=1)})).start()
    first, second, third, fourth = rig.at(1)
    rig.quiet(1, rebuys=(third,))  # which is third's only one
    rig.bust(fourth)
    rig.now += 5_000
    rig.bust(third)
    assert [offer.entry_id for offer in rig.of(RebuyOffered)] == [fourth]
    assert (rig.places(), rig.state.left) == ({}, 4)
    rig.now += 10_000
    rig.do(TimePasses())
    assert rig.places() == {fourth: 4, third: 3}
    assert [prize.entry_id for prize in rig.of(PrizeAwarded)] == [third]
    assert rig.refused(Decline(fourth)) is Code.NOT_OFFERED
    assert second in rig.at(1)
    assert first in rig.at(1)


def test_a_rebuy_lets_later_knock_outs_have_their_places() -> None:
    rig = Rig(5, **(THREE_PAID | {"rebuy": RebuyTerms(Price(900), 5000, levels=2, most=1)})).start()
    _, _, _, fourth, fifth = rig.at(1)
    rig.quiet(1, rebuys=(fourth,))
    rig.bust(fifth)
    rig.bust(fourth)
    rig.do(Rebuy(fifth))
    assert rig.places() == {fourth: 5}
    assert rig.entry(fifth).chips == 5000
    assert same(rig.rebuilt(), rig.state)


def test_the_close_of_registration_ends_all_offers_in_the_order_of_the_hands() -> None:
    rig, _, second, third, fourth = last_four()
    rig.now = START + 20 * MINUTE - 8_000
    rig.bust(third)
    rig.now += 4_000
    rig.bust(second, fourth)
    rig.now += 4_000
    rig.do(TimePasses())
    assert rig.places() == {third: 4, second: 3, fourth: 2}


def test_a_busted_player_who_has_declined_buys_nothing_between_hands() -> None:
    rig, _, second, third, fourth = last_four()
    rig.bust(second, fourth)
    rig.do(Decline(second))
    assert third in rig.at(1)
    assert rig.refused(Rebuy(second)) is Code.NOT_OFFERED
    assert rig.refused(Disqualify(second, "collusion", "manager")) is Code.NOT_OFFERED


def test_a_player_is_disqualified_after_earlier_knock_outs_have_their_places() -> None:
    """Otherwise the last player with chips could be out before a busted one, and the tournament would never end."""
    rig = Rig(3, rebuy=REBUY).start()
    first, second, third = rig.at(1)
    rig.bust(third, rebuys=(third,))
    rig.bust(second, third)
    assert not rig.state.tables[1].seating.occupied - {rig.entry(first).seat_no}
    rig.do(Disqualify(first, "collusion", "manager"))
    rig.do(Rebuy(third))
    assert not rig.places()
    rig.do(Decline(second))
    if rig.state.status is Status.RUNNING:
        rig.quiet(1)
    assert rig.places()[second] == 3
    assert rig.places()[first] == 2


def late_entry_at_ten_left(**terms: object) -> tuple[Rig, list[str]]:
    """60 entries pay nine places, and 61 pay twelve: with ten left a late entry makes places 10 to 12 paid ones."""
    rig = Rig(60, **({"late_levels": 30, "sync_breaks": False} | terms)).start()
    out: list[str] = []
    while rig.state.left > 10:
        table_no = min(set(rig.state.tables) - rig.state.idle)
        out.append(rig.at(table_no)[0])
        rig.bust(out[-1], table=table_no)
    assert rig.state.is_open
    rig.do(Register("late", "late"))
    return rig, out


def test_places_that_are_paid_after_they_were_taken_are_paid() -> None:
    rig, out = late_entry_at_ten_left()
    (closed,) = rig.of(RegistrationClosed)
    assert (len(closed.prizes), rig.state.left) == (12, 11)
    (late,) = rig.of(PrizeAwarded)
    assert (late.entry_id, late.place, late.amount) == (out[-1], 12, closed.prizes[11])
    while rig.state.status is Status.RUNNING:
        table_no = min(set(rig.state.tables) - rig.state.idle)
        rig.bust(rig.at(table_no)[0], table=table_no)
    assert sorted(prize.place for prize in rig.of(PrizeAwarded)) == [*range(1, 13)]
    assert rig.state.credited == rig.state.pool == 61 * 900


def test_a_disqualified_player_whose_place_is_paid_later_has_it_held() -> None:
    rig = Rig(60, late_levels=30, sync_breaks=False).start()
    while rig.state.left > 11:
        table_no = min(set(rig.state.tables) - rig.state.idle)
        rig.bust(rig.at(table_no)[0], table=table_no)
    idle = next(entry for entry in rig.state.entries.values() if entry.out_no is None and entry.chips)
    waiting = rig.state.changed(idle=frozenset(rig.state.tables))
    rig.state = waiting
    rig.do(Disqualify(idle.entry_id, "collusion", "manager"))
    rig.do(Register("late", "late"))
    (held,) = rig.of(PrizeHeld)
    assert (held.entry_id, held.place, held.means) == (idle.entry_id, 12, Means.MONEY)


def test_rebuys_can_pay_for_more_tickets_than_there_are_entries() -> None:
    """Each entry has one, and the money that is left goes to the first place."""
    rig = Rig(4, ticket_value=1500, rebuy=RebuyTerms(Price(4500), 5000)).start()
    rig.quiet(1, rebuys=(rig.at(1)[0],))
    assert rig.state.pool == 4 * 900 + 4500
    assert (rig.state.prizes, rig.state.tickets) == ((1500, 1500, 1500, 1500, 2100), 4)
    prizes = rig.of(PrizeAwarded)
    assert [prize.means for prize in prizes] == [Means.TICKET] * 4 + [Means.MONEY]
    assert (prizes[-1].entry_id, prizes[-1].amount) == (prizes[0].entry_id, 2100)
    assert rig.state.credited == rig.state.pool


def test_a_vip_who_loses_chips_without_a_pot_is_nobodys_knock_out() -> None:
    rig = Rig(3, vips=(("p1", 100),)).start()
    seats = rig.state.tables[1].seats
    gains = next(entry for _, entry in seats if entry != "e1")
    chips = {"e1": 0, gains: 10_000}
    rig.do(HandDone(1, tuple(SeatChips(seat, chips.get(entry, 5000)) for seat, entry in seats)))
    assert rig.places() == {"e1": 3}
    assert rig.of(VipPaid) == []
