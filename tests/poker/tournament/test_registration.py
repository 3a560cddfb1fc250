"""Entering and leaving: late registration, re-entry, rebuys, add-ons, bounties and satellites."""

from dataclasses import replace

import pytest

from casino.errors import Code
from casino.poker.tournament.bounty import BountyKind, BountyTerms
from casino.poker.tournament.commands import (
    AddOn,
    Cancel,
    Decline,
    HandDone,
    Means,
    Rebuy,
    Register,
    SeatChips,
    TimePasses,
    Unregister,
)
from casino.poker.tournament.entries import MultiBuyIn, Price
from casino.poker.tournament.events import (
    HandDealt,
    PauseBegan,
    PauseDue,
    RebuyOffered,
    TableOpened,
    Unregistered,
)
from casino.poker.tournament.hexapro import Draw
from casino.poker.tournament.money_events import (
    BountyPaid,
    Cancelled,
    ChipsBought,
    PrizeAwarded,
    RegistrationClosed,
    VipPaid,
)
from casino.poker.tournament.state import Status
from casino.poker.tournament.terms import AddOnTerms, RebuyTerms
from tests.poker.tournament.rig import MINUTE, START, TERMS, Rig, same

REBUY = RebuyTerms(Price(900), 5000, levels=2)
BOUNTY = {"price": Price(450, 100, 450), "bounty": BountyTerms()}
PROGRESSIVE = BOUNTY | {"bounty": BountyTerms(BountyKind.PROGRESSIVE)}


def test_entries_come_back_in_their_means_until_the_deadline() -> None:
    rig = Rig(2)
    rig.do(Register("e3", "p3", Means.TICKET))
    rig.now = START - 5 * MINUTE
    rig.do(Unregister("e3"))
    assert rig.of(Unregistered)[0].means is Means.TICKET
    assert (rig.state.pool, rig.state.fees) == (1800, 200)
    rig.now += 1
    assert rig.refused(Unregister("e2")) is Code.TOO_LATE
    assert rig.refused(Unregister("e3")) is Code.NOT_FOUND
    assert Rig(2, unregister_ms=None).refused(Unregister("e1")) is Code.TOO_LATE
    sit_and_go = Rig(2, is_sit_and_go=True)
    sit_and_go.do(Unregister("e1"))
    assert Rig(2, is_sit_and_go=True).start().refused(Unregister("e2")) is Code.TOO_LATE


def test_entries_that_are_refused() -> None:
    rig = Rig(3, entries_max=3)
    assert rig.refused(Register("e1", "p9")) is Code.KEY_REUSED
    assert rig.refused(Register("e9", "p9")) is Code.TABLE_FULL
    rig = Rig(3)
    assert rig.refused(Register("e9", "p3")) is Code.ALREADY_DECIDED
    assert rig.refused(Register("e9", "p9", amount=999)) is Code.BAD_REQUEST
    rig.start()
    assert rig.refused(Register("e9", "p9")) is Code.TOO_LATE, "late_levels is 0"


def test_a_multi_buy_in_buys_chips_in_proportion() -> None:
    rig = Rig(1, multi_buy_in=MultiBuyIn(1000, 5000, 1000))
    rig.do(Register("e9", "p9", amount=3000))
    assert (rig.entry("e9").chips, rig.entry("e9").price) == (15_000, Price(2700, 300))


def test_a_late_entry_sits_at_a_smallest_table() -> None:
    rig = Rig(9, late_levels=6).start()
    rig.do(Register("late", "late"))
    assert rig.entry("late").table_no == 2
    assert [len(table.seats) for table in rig.state.tables.values()] == [5, 5]


def test_a_new_table_opens_when_all_are_full_and_waits_for_three() -> None:
    rig = Rig(6, late_levels=6).start()
    rig.do(Register("l1", "l1"))
    assert rig.of(TableOpened)[0].table_no == 2
    assert len(rig.of(HandDealt)) == 1
    rig.quiet(1)
    rig.quiet(1)
    sizes = sorted(len(table.seats) for table in rig.state.tables.values())
    assert sizes == [3, 4], "balanced one by one after the hands of the full table"
    assert rig.state.tables[2].dealt_in


def test_registration_closes_with_its_last_level() -> None:
    rig = Rig(20, late_levels=6, sync_breaks=False).start()
    rig.now = START + 60 * MINUTE - 1
    rig.do(Register("late", "late"))
    rig.now += 1
    assert rig.refused(Register("later", "later")) is Code.TOO_LATE
    rig.do(TimePasses())
    assert len(rig.of(RegistrationClosed)) == 1


def test_registration_closes_at_once_when_all_left_are_in_the_money() -> None:
    rig = Rig(5, late_levels=6).start()
    rig.bust(rig.at(1)[0])
    rig.bust(rig.at(1)[0])
    assert not rig.of(RegistrationClosed)
    rig.bust(rig.at(1)[0])
    assert len(rig.of(RegistrationClosed)) == 1
    assert not rig.of(PrizeAwarded), "third of two paid places"


def test_re_entry_is_a_new_entry_until_none_is_left() -> None:
    rig = Rig(6, late_levels=6, reentries_max=1).start()
    out = rig.at(1)[0]
    player = rig.entry(out).player_id
    assert rig.refused(Register("again", player)) is Code.ALREADY_DECIDED
    rig.bust(out)
    rig.do(Register("again", player))
    assert (rig.state.left, rig.state.field_entries, rig.entry("again").chips) == (6, 7, 5000)
    rig.quiet(1)
    rig.bust("again")
    assert rig.refused(Register("third", player)) is Code.NOT_OFFERED


def test_a_busted_player_has_15_seconds_for_a_rebuy() -> None:
    rig = Rig(6, rebuy=REBUY).start()
    first, second, third = rig.at(1)[:3]
    seat = rig.entry(first).seat_no
    rig.bust(first, second, third)
    assert {offer.entry_id for offer in rig.of(RebuyOffered)} == {first, second, third}
    assert rig.state.left == 6
    rig.do(Rebuy(first))
    assert (rig.entry(first).chips, rig.entry(first).seat_no, rig.entry(first).rebuys) == (5000, seat, 1)
    assert (rig.state.pool, rig.state.chips) == (7 * 900, 35_000)
    rig.do(Decline(second))
    assert rig.refused(Rebuy(second)) is Code.NOT_OFFERED
    rig.now += 15_000
    rig.do(TimePasses())
    assert sorted(rig.places()) == sorted((second, third))
    assert sorted(rig.places().values()) == [5, 6]
    assert rig.refused(Rebuy(third)) is Code.NOT_OFFERED
    assert rig.refused(Decline(first)) is Code.NOT_OFFERED
    assert same(rig.rebuilt(), rig.state)


def test_an_offer_that_is_over_cannot_be_taken() -> None:
    rig = Rig(6, rebuy=REBUY).start()
    out = rig.at(1)[0]
    rig.bust(out)
    rig.now += 15_000
    assert rig.refused(Rebuy(out)) is Code.NOT_OFFERED, "though the end of the offer is not journaled yet"


def test_a_rebuyer_whose_seat_is_taken_gets_another() -> None:
    rig = Rig(6, rebuy=replace(REBUY, levels=6), late_levels=6).start()
    out = rig.at(1)[0]
    rig.bust(out)
    rig.do(Register("late", "late"))
    assert rig.entry("late").seat_no == rig.entry(out).seat_no
    rig.do(Rebuy(out))
    assert rig.entry(out).table_no == 2


def test_rebuys_between_hands_need_a_short_stack_and_the_right_level() -> None:
    rig = Rig(6, rebuy=replace(REBUY, most=1)).start()
    name = rig.at(1)[0]
    assert rig.refused(Rebuy(name)) is Code.NOT_OFFERED, "not in a hand"
    rig.quiet(1, rebuys=(name,))
    assert rig.entry(name).chips == 10_000
    rig.quiet(1, rebuys=(name, "nobody"))
    assert rig.entry(name).chips == 10_000, "one rebuy is the most, and the hand goes on"
    rig.now = START + 20 * MINUTE
    other = rig.at(1)[1]
    rig.quiet(1, rebuys=(other,))
    assert rig.entry(other).chips == 5000
    assert Rig(3).start().refused(Rebuy("e1")) is Code.NOT_OFFERED
    rich = Rig(6, rebuy=REBUY).start()
    rich.bust(rich.at(1)[0], rebuys=(rich.at(1)[1],))
    assert len(rich.of(ChipsBought)) == 0, "a stack above the starting stack has no rebuy"


def test_the_add_on_comes_in_a_pause_after_the_rebuy_levels() -> None:
    rig = Rig(6, rebuy=REBUY, addon=AddOnTerms(Price(900), 10_000)).start()
    assert rig.refused(AddOn("e1")) is Code.NOT_OFFERED
    rig.now = START + 20 * MINUTE + 7_000
    rig.quiet(1)
    (began,) = rig.of(PauseBegan)
    assert began.until_ms == rig.now + 60_000
    assert rig.state.is_open
    rig.do(AddOn("e1"))
    assert rig.refused(AddOn("e1")) is Code.NOT_OFFERED
    assert rig.entry("e1").chips == 15_000
    rig.now = began.until_ms
    rig.do(TimePasses())
    (closed,) = rig.of(RegistrationClosed)
    assert sum(closed.prizes) == 7 * 900
    assert rig.state.pause is None
    assert rig.state.running_ms(rig.now) == 20 * MINUTE
    assert same(rig.rebuilt(), rig.state)


def test_there_is_no_add_on_once_the_last_hand_of_the_rebuy_levels_has_closed_registration() -> None:
    """The prizes are final when registration closes: an add-on after that would be in no prize."""
    rig = Rig(5, rebuy=REBUY, addon=AddOnTerms(Price(900), 10_000)).start()
    rig.now = START + 20 * MINUTE + 7_000
    winner, *losers = rig.at(1)
    rig.do(TimePasses())
    assert len(rig.of(PauseDue)) == 1
    rig.bust(*losers[:3])  # two are left, and two places are paid for five entries
    (closed,) = rig.of(RegistrationClosed)
    assert sum(closed.prizes) == 5 * 900
    assert rig.refused(AddOn(winner)) is Code.NOT_OFFERED
    assert rig.of(PauseBegan) == []
    assert rig.state.pause is None
    assert rig.of(HandDealt)[-1].at_ms == rig.now, "play goes on at once"
    assert same(rig.rebuilt(), rig.state)


def test_the_add_on_pause_waits_for_the_last_rebuy_offer() -> None:
    """Else a declined offer could close registration after some players had taken their add-on and others not."""
    rig = Rig(5, rebuy=REBUY, addon=AddOnTerms(Price(900), 10_000)).start()
    rig.now = START + 20 * MINUTE - 1_000
    winner, *losers = rig.at(1)
    rig.bust(*losers[:3])
    assert len(rig.of(RebuyOffered)) == 3
    rig.now = START + 20 * MINUTE + 1_000
    rig.quiet(1)
    assert rig.of(PauseBegan) == []
    assert rig.refused(AddOn(winner)) is Code.NOT_OFFERED
    rig.do(Decline(losers[0]))
    again = Rig(5, rebuy=REBUY, addon=AddOnTerms(Price(900), 10_000))
    again.events, again.now, again.state = [*rig.events], rig.now, rig.state

    rig.do(Decline(losers[1]))
    rig.do(Decline(losers[2]))
    (closed,) = rig.of(RegistrationClosed)
    assert sum(closed.prizes) == rig.state.pool == 5 * 900
    assert rig.of(PauseBegan) == []
    assert rig.state.pause is None

    again.do(Rebuy(losers[1]))
    again.do(Rebuy(losers[2]))
    assert len(again.of(PauseBegan)) == 1
    for entry_id in (winner, *losers[1:]):
        again.do(AddOn(entry_id))
    assert again.state.pool == (5 + 2 + 4) * 900


def test_regular_bounties_are_paid_at_the_knock_out_and_the_winner_has_the_own_head() -> None:
    rig = Rig(3, **BOUNTY).start()
    while rig.state.status is Status.RUNNING:
        rig.bust(rig.at(1)[0])
    paid = rig.of(BountyPaid)
    assert [payment.amount for payment in paid] == [450, 450, 450]
    assert paid[-1].entry_id == paid[-1].eliminator
    assert rig.state.heads_paid == 3 * 450


def test_progressive_bounties_grow() -> None:
    rig = Rig(3, **PROGRESSIVE).start()
    first = rig.at(1)[0]
    rig.bust(first)
    (paid,) = rig.of(BountyPaid)
    assert (paid.amount, paid.to_head) == (225, 225)
    assert rig.entry(paid.eliminator).head == 675
    rig.bust(rig.at(1)[0] if rig.at(1)[0] != paid.eliminator else rig.at(1)[1])
    assert rig.state.heads_paid == 3 * 450
    assert same(rig.rebuilt(), rig.state)


def test_a_head_without_a_winner_stays_unpaid() -> None:
    """Chips lost without a pot, as after a correction: nobody has the head."""
    rig = Rig(3, **BOUNTY).start()
    seats = dict(rig.state.tables[1].seats)
    gone, winner, third = seats
    stacks = ((gone, 0), (winner, 10_000), (third, 5000))
    rig.do(HandDone(1, tuple(SeatChips(*pair) for pair in stacks)))
    assert not rig.of(BountyPaid)
    assert rig.entry(seats[gone]).head == 450


def test_a_vip_pays_only_when_finally_out() -> None:
    rig = Rig(6, vips=(("p1", 1001),), late_levels=6, reentries_max=1).start()
    rig.bust("e1")
    assert not rig.of(VipPaid)
    rig.do(Register("again", "p1"))
    assert not rig.of(VipPaid), "whoever knocked out the first entry gets nothing"
    rig.quiet(1)
    rig.bust("again")
    (paid,) = rig.of(VipPaid)
    assert sum(part.amount for part in paid.parts) == 1001
    assert same(rig.rebuilt(), rig.state)


def test_a_vip_who_declines_pays_at_once_and_one_who_waits_when_registration_closes() -> None:
    rig = Rig(6, vips=(("p1", 100), ("p2", 200)), late_levels=6, reentries_max=1).start()
    rig.bust("e1")
    rig.do(Decline("e1"))
    assert [payment.player_id for payment in rig.of(VipPaid)] == ["p1"]
    rig.bust("e2")
    assert len(rig.of(VipPaid)) == 1
    rig.now = START + 60 * MINUTE
    rig.state = rig.state.changed(paused_at_ms=rig.now)
    rig.do(TimePasses())
    assert [payment.player_id for payment in rig.of(VipPaid)] == ["p1", "p2"]


def test_a_satellite_ends_when_the_players_left_have_a_ticket() -> None:
    rig = Rig(6, ticket_value=2000).start()
    assert (rig.state.prizes, rig.state.tickets) == ((2000, 2000, 1400), 2)
    while rig.state.status is Status.RUNNING:
        rig.bust(rig.at(1)[0])
    prizes = rig.of(PrizeAwarded)
    assert [(prize.place, prize.amount, prize.means) for prize in prizes] == [
        (3, 1400, Means.MONEY),
        (1, 2000, Means.TICKET),
        (2, 2000, Means.TICKET),
    ]
    assert rig.state.credited == rig.state.pool


def test_guaranteed_seats_of_a_satellite_cost_the_house() -> None:
    rig = Rig(6, ticket_value=2000, seats_guaranteed=4).start()
    assert (rig.state.prizes, rig.state.overlay) == ((2000,) * 4, 2600)


def test_fixed_shares_of_places_that_nobody_can_reach_go_to_the_winner() -> None:
    rig = Rig(2, percents=(50, 30, 20)).start()
    rig.bust("e1")
    assert [(prize.place, prize.amount) for prize in rig.of(PrizeAwarded)] == [(2, 540), (1, 1260)]


def test_cancelling_with_an_open_offer_counts_the_busted_player_as_out() -> None:
    rig = Rig(6, rebuy=REBUY).start()
    rig.bust(rig.at(1)[0])
    rig.do(Cancel("power", "manager"))
    assert len(rig.of(Cancelled)[0].refunds) == 5


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rebuy": REBUY, **BOUNTY}, "no rebuys"),
        ({"addon": AddOnTerms(Price(1), 1)}, "rebuy levels"),
        ({"bounty": BountyTerms()}, "part of the price"),
        ({"rebuy": REBUY, "flight_ends_level": 3}, "flight"),
        ({**BOUNTY, "flight_ends_level": 3}, "no bounties"),
        ({**BOUNTY, "is_phase_two": True}, "no bounties"),
        ({"guarantee": 1, "flight_ends_level": 3}, "no prizes"),
        ({"added": 1, "flight_ends_level": 3}, "no prizes"),
        ({"ticket_value": 2000, "flight_ends_level": 3}, "no prizes"),
        ({"seats_guaranteed": 1}, "satellites"),
        ({"ticket_value": 2000, "guarantee": 1}, "use seats_guaranteed"),
        ({"ticket_value": 2000, "added": 1}, "use seats_guaranteed"),
        ({"multi_buy_in": MultiBuyIn(500, 2000, 500)}, "smallest buy-in"),
        ({"entries_min": 1}, "entries_min"),
        ({"rebuy": replace(REBUY, price=Price(0))}, "has a price"),
        ({"ticket_value": 2000, "percents": (100,)}, "fixed shares"),
        ({"ticket_value": 2000, "seats_guaranteed": 9, "entries_max": 8}, "more seats"),
        ({"stack": 49}, "first big blind"),
        ({"draw": Draw(0, 1000, 100_000, 7)}, "a drawn prize pool"),
    ],
)
def test_impossible_terms_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        replace(TERMS, **changes)  # type: ignore[arg-type]
