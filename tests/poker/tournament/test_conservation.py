"""Random operations on a tournament: chips, heads, pool and places stay consistent, and events rebuild it."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from casino.errors import Refusal
from casino.poker.tournament.bounty import BountyKind, BountyTerms
from casino.poker.tournament.commands import (
    AddOn,
    Cancel,
    Command,
    Decline,
    Disqualify,
    Means,
    Rebuy,
    Register,
    Start,
    TimePasses,
    Unregister,
)
from casino.poker.tournament.entries import Price
from casino.poker.tournament.events import Finished
from casino.poker.tournament.money_events import Cancelled, PrizeAwarded
from casino.poker.tournament.prizes import PayoutTerms
from casino.poker.tournament.state import Status
from casino.poker.tournament.terms import AddOnTerms, RebuyTerms
from tests.deep import DEEP
from tests.poker.tournament.rig import MINUTE, Rig, same

REBUY = RebuyTerms(Price(900), 5000, levels=3)
KINDS: list[dict[str, object]] = [
    {},
    {"late_levels": 3, "reentries_max": 2, "vips": (("p1", 333),)},
    {"rebuy": REBUY, "addon": AddOnTerms(Price(900), 10_000)},
    {"late_levels": 3, "price": Price(450, 100, 450), "bounty": BountyTerms(BountyKind.PROGRESSIVE)},
    {"ticket_value": 2500, "seats": 4},
    {"guarantee": 20_000, "added": 777, "seats": 3, "hand_for_hand_from": 2},
    {"flight_ends_level": 4, "late_levels": 4},
    {"late_levels": 3, "reentries_max": 2, "payouts": PayoutTerms(share_percent=50, by_three_from=4)},
    {"late_levels": 3, "ticket_value": 1500, "rebuy": REBUY},
]
players = st.integers(1, 14)


class Tournaments(RuleBasedStateMachine):
    @initialize(kind=st.sampled_from(KINDS), size=st.integers(0, 12))
    def announced(self, kind: dict[str, object], size: int) -> None:
        self.rig = Rig(size, **kind)
        self.number = 100

    def attempt(self, command: Command) -> None:
        """Do it, or see it refused without any change."""
        before = self.rig.state
        try:
            self.rig.do(command)
        except Refusal:
            assert self.rig.state is before

    def name(self, number: int) -> str:
        known = sorted(self.rig.state.entries)
        return known[number % len(known)] if known else "nobody"

    @rule(player=players, ticket=st.booleans())
    def register(self, player: int, *, ticket: bool) -> None:
        self.number += 1
        self.attempt(Register(f"e{self.number}", f"p{player}", Means.TICKET if ticket else Means.MONEY))

    @rule(number=players)
    def unregister(self, number: int) -> None:
        self.attempt(Unregister(self.name(number)))

    @rule()
    def start(self) -> None:
        if len(self.rig.state.entries) > 3:
            self.attempt(Start())

    @precondition(lambda self: self.rig.state.status is Status.RUNNING)
    @rule(table=players, out=st.integers(0, 3), asks=st.booleans(), is_void=st.integers(0, 20))
    def play(self, table: int, out: int, *, asks: bool, is_void: int) -> None:
        state = self.rig.state
        playing = sorted(set(state.tables) - state.idle)
        if not playing:
            return
        table_no = playing[table % len(playing)]
        seated = dict(state.tables[table_no].seats)
        dealt = [seated[seat] for seat in state.tables[table_no].dealt_in if seat in seated]
        losers = dealt[1 : 1 + min(out, len(dealt) - 1)]
        rebuys = tuple(dealt) if asks else ()
        if losers and is_void:
            self.rig.bust(*losers, table=table_no, rebuys=rebuys)
        else:
            self.rig.quiet(table_no, is_void=not is_void, rebuys=rebuys)

    @rule(minutes=st.integers(0, 12), number=players)
    def time_passes(self, minutes: int, number: int) -> None:
        self.rig.now += minutes * MINUTE + number * 1000
        self.attempt(TimePasses())

    @rule(number=players)
    def rebuy(self, number: int) -> None:
        state = self.rig.state
        offers = [name for name in sorted(state.entries) if state.has_offer(name, self.rig.now)]
        self.attempt(Rebuy(offers[number % len(offers)] if offers else self.name(number)))

    @rule(number=players)
    def add_on(self, number: int) -> None:
        self.attempt(AddOn(self.name(number)))

    @rule(number=players)
    def decline(self, number: int) -> None:
        self.attempt(Decline(self.name(number)))

    @rule(number=players, chance=st.integers(0, 9))
    def disqualify(self, number: int, chance: int) -> None:
        if not chance:
            self.attempt(Disqualify(self.name(number), "reason", "manager"))

    @rule(chance=st.integers(0, 30))
    def cancel(self, chance: int) -> None:
        if not chance:
            self.attempt(Cancel("reason", "manager"))

    @invariant()
    def places_and_prizes_hold(self) -> None:
        state = self.rig.state
        places = sorted(self.rig.places().values())
        assert places == list(range(len(state.entries) - len(places) + 1, len(state.entries) + 1))
        awarded = [prize.place for prize in self.rig.of(PrizeAwarded)]
        assert len(awarded) == len(set(awarded))
        if self.rig.of(Finished):
            assert state.credited + state.held == sum(state.prizes), "every place is paid"
        assert sum(state.prizes) == (state.pool + state.overlay + state.terms.added if state.prizes else 0)
        if state.status is Status.RUNNING and not state.idle:
            assert state.sizes.largest <= state.terms.seats
        for cancelled in self.rig.of(Cancelled):
            shares = sum(refund.share for refund in cancelled.refunds)
            tickets = sum(refund.ticket or 0 for refund in cancelled.refunds)
            paid = sum(entry.price.total for entry in state.entries.values())
            assert shares + tickets <= paid + state.overlay + state.terms.added

    @invariant()
    def play_goes_on(self) -> None:
        """A running tournament waits for a hand, the end of a pause, an answer to an offer, or the end of a flight."""
        state = self.rig.state
        if state.status is Status.RUNNING and state.is_all_idle and state.pause is None:
            offers = any(state.has_offer(entry_id, self.rig.now) for entry_id in state.entries)
            assert offers or state.terms.flight_ends_level

    def teardown(self) -> None:
        assert same(self.rig.rebuilt(), self.rig.state)


def test_random_commands_keep_all_chips() -> None:
    run_state_machine_as_test(
        Tournaments,
        settings=settings(
            max_examples=1500 if DEEP else 60,
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
