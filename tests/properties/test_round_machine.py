"""Random commands at random times: legal events or a refusal with a code, and all invariants hold."""

import json

import pytest
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from casino.cards.card import DECK, Card
from casino.errors import Code, Refusal
from casino.uth.bets import Action
from casino.uth.commands import (
    Advance,
    CancelRound,
    Command,
    Continue,
    CorrectCard,
    DealCard,
    Decide,
    PlaceBet,
    ReportProblem,
    Resume,
    UndoCard,
    VoidBetting,
    WithdrawBet,
)
from casino.uth.decisions import options
from casino.uth.events import CardDealt
from casino.uth.phases import DEALER_SLOTS, Phase
from casino.uth.results import results
from casino.uth.terms import Layout, Terms
from casino.wire.outbound import Payload
from casino.wire.player_events import Round as Shown
from casino.wire.round_views import host_view, public_view, seat_view
from tests.uth import oracle
from tests.uth.tabletop import OWN, SCANNED, SHARED, Tabletop

PLAYERS = ("ann", "bob", "cid", "dea")
NAMES = {player: player.title() for player in PLAYERS}
PURSE = 20_000

players = st.sampled_from(PLAYERS)
round_ids = st.sampled_from(("r1",) * 9 + ("r0",))
amounts = st.sampled_from((0, 0, 200, 300, 500, 550, 1_000, 4_000, 10_000, 10_100, 100, -1, 2**63))
cards = st.sampled_from((*DECK, "1s", "as", ""))
pauses_ms = st.sampled_from((0, 1, 1_999, 9_000, 15_000, 100_000))


class AnyCommandAnyTime(RuleBasedStateMachine):
    """Players with a purse each, who can never spend more than they have, and a shoe the round must not know."""

    @initialize(
        terms=st.sampled_from((SHARED, OWN, SCANNED)),
        shoe=st.permutations(DECK),
        antes=st.lists(st.sampled_from((200, 500, 1_000)), min_size=1, max_size=4),
        steps=st.integers(0, 14),
    )
    def play_some_way(self, terms: Terms, shoe: list[Card], antes: list[int], steps: int) -> None:
        """Begin anywhere in a round, for from an empty table chance alone hardly ever gets to a showdown."""
        self.table = Tabletop(terms)
        self.shoe = shoe
        for player, ante in zip(PLAYERS, antes, strict=False):
            self.table.bet(player, ante, ante - 100, PLAYERS.index(player) + 1)
        for _ in range(steps):
            self.go_on()

    @rule()
    def go_on(self) -> None:
        if self.table.round.expects and not self.table.round.paused:
            self.deal_from_the_shoe()
        elif self.table.round.due_ms is not None:
            self.let_time_run_out()

    def available(self, player: str) -> int:
        seat = self.table.round.seats.get(player)
        return PURSE - (seat.bets.total if seat else 0)

    def attempt(self, command: Command) -> bool:
        before = self.table.round
        try:
            self.table.do(command)
        except Refusal as refusal:
            assert refusal.code in Code
            assert refusal.message
            assert self.table.round is before
            return False
        return True

    @rule(player=players, ante=amounts, trips=amounts, round_id=round_ids)
    def bet(self, player: str, ante: int, trips: int, round_id: str) -> None:
        seat_no = PLAYERS.index(player) + 1
        self.attempt(PlaceBet(round_id, player, ante, trips, self.available(player), 50_000, seat_no))

    @rule(player=players)
    def leave(self, player: str) -> None:
        self.attempt(WithdrawBet(player))

    @rule(player=players, action=st.sampled_from(Action), phase=st.none() | st.sampled_from(Phase), round_id=round_ids)
    def answer(self, player: str, action: Action, phase: Phase | None, round_id: str) -> None:
        offered = options(self.table.round, player, self.available(player))
        in_time = self.table.round.due_ms is None or self.table.now_ms < self.table.round.due_ms
        taken = self.attempt(Decide(round_id, player, action, self.available(player), phase))
        if action in offered and in_time and round_id == "r1" and phase is None:
            assert taken, "what a button offers is accepted"

    def deal_from_the_shoe(self) -> None:
        unseen = [card for card in self.shoe if card not in self.table.round.cards]
        self.attempt(DealCard("r1", unseen[0]))

    def let_time_run_out(self) -> None:
        assert self.table.round.due_ms is not None
        self.table.now_ms = max(self.table.now_ms, self.table.round.due_ms)
        assert self.table.do(Advance())

    @rule(card=cards, round_id=round_ids)
    def scan_anything(self, card: str, round_id: str) -> None:
        self.attempt(DealCard(round_id, card))

    @rule(round_id=round_ids)
    def undo(self, round_id: str) -> None:
        self.attempt(UndoCard(round_id))

    @rule(pause_ms=pauses_ms)
    def wait(self, pause_ms: int) -> None:
        self.table.now_ms += pause_ms
        self.attempt(Advance())

    @rule(command=st.sampled_from((ReportProblem("dropped", "pia"), Resume("max"), Continue())))
    def interrupt(self, command: Command) -> None:
        self.attempt(command)

    @rule(slot=st.sampled_from(("player_1", "flop_2", "river", "dealer_1", "seat_2_card_1", "?")), card=cards)
    def correct(self, slot: str, card: str) -> None:
        self.attempt(CorrectCard("r1", slot, card, "misread", "max"))

    @rule(command=st.sampled_from((CancelRound("deck", "max"), VoidBetting("stop"))), dice=st.integers(0, 11))
    def end(self, command: Command, dice: int) -> None:
        if dice == 7:
            self.attempt(command)

    def teardown(self) -> None:
        event(f"ended in {self.table.phase}")

    @invariant()
    def money_in_is_money_out(self) -> None:
        round_ = self.table.round
        assert all(seat.bets.total <= PURSE for seat in round_.seats.values())
        if round_.phase not in (Phase.SETTLED, Phase.CANCELLED):
            return
        paid = results(round_)
        assert set(paid) == set(round_.seats)
        for player, result in paid.items():
            bets = round_.seats[player].bets
            spots = (result.ante, result.blind, result.trips, result.play)
            assert [spot.bet for spot in spots] == [bets.ante, bets.ante, bets.trips, bets.play]
            assert result.staked == sum(spot.bet for spot in spots)
            assert result.returned == sum(spot.returned for spot in spots)
            if round_.phase is Phase.CANCELLED:
                assert result.returned == result.staked
            else:
                hole = round_.hole_cards(round_.seats[player].seat_no)
                expected = oracle.returned(hole, round_.board, round_.dealer_cards, (bets.ante, bets.trips, bets.play))
                assert result.returned == sum(expected.values())

    @invariant()
    def no_card_is_seen_before_its_time(self) -> None:
        round_ = self.table.round
        on_table = set(round_.cards)
        public: Shown = {**public_view(round_, NAMES), "seq": 1, "server_time": 0}
        views: list[Payload] = [host_view(round_, NAMES, public, {})]
        views += [seat_view(round_, player, self.available(player)) for player in PLAYERS]
        text = json.dumps(views)
        assert {card for card in DECK if f'"{card}"' in text} <= on_table
        if round_.phase not in (Phase.SHOWDOWN, Phase.SETTLED, Phase.CANCELLED):
            assert not round_.dealer_cards
            assert not any(isinstance(event, CardDealt) and event.slot in DEALER_SLOTS for event in self.table.journal)

    @invariant()
    def counts_agree_with_the_seats(self) -> None:
        round_ = self.table.round
        assert len(set(round_.cards)) == len(round_.cards)
        if round_.phase in (Phase.BETTING, Phase.IDLE):
            return
        still_in = [seat for seat in round_.seats.values() if not seat.is_done]
        assert round_.undone == len(still_in)
        if round_.is_deciding:
            silent = [seat for seat in still_in if not any(a.phase is round_.phase for a in seat.answers)]
            assert round_.unanswered == len(silent) > 0
        if round_.terms.layout is Layout.OWN:
            assert len(round_.seat_numbers) == len(round_.seats)


AnyCommandAnyTime.TestCase.settings = settings(
    max_examples=200,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
test_any_command_any_time = pytest.mark.req("RND-8")(AnyCommandAnyTime.TestCase)
