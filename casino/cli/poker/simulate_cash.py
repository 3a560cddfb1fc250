"""`casino poker simulate cash`: random hands at one stake, with the invariants of the rules checked after each."""

import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from casino.cards.card import DECK, Card
from casino.cli.progress import progress_bar
from casino.poker.betting import Action, Options, options
from casino.poker.commands import Act, DealBoard, Entrant, OpenHand, Reveal
from casino.poker.events import HandOpened
from casino.poker.hand import begin, decide, evolve, open_hand
from casino.poker.positions import LastHand, NextHand, Table, next_positions
from casino.poker.rake import cap_for
from casino.poker.state import Hand, WantKind
from casino.poker.terms import Stake

REPORT_EVERY = 200


def simulate(stake: Stake, hands: int, seed: int | None, *, as_json: bool) -> int:
    """Play the hands and print a summary; returns the exit code, 1 if an invariant was broken."""
    seed = secrets.randbits(32) if seed is None else seed
    table = CashTable(stake, random.Random(seed))  # noqa: S311  a simulation that must be repeatable
    started = time.perf_counter()
    with progress_bar("Playing") as report:
        for done in range(hands):
            if done % REPORT_EVERY == 0:
                report(done, hands)
            table.play_hand()
    seconds = time.perf_counter() - started
    summary = {
        "pool": stake.stake_id,
        "seed": seed,
        "hands": hands,
        "decisions": table.decisions,
        "showdowns": table.counts["showdown"],
        "flops": table.counts["flop"],
        "rake": table.rake,
        "bought_in": table.bought_in,
        "on_the_table": table.on_the_table,
        "violations": table.violations,
        "hands_per_second": round(hands / seconds) if seconds else None,
    }
    if as_json:
        print(json.dumps(summary))
    else:
        print("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in summary.items()))
    return 1 if table.violations else 0


@dataclass
class CashTable:
    """A table of random players who buy in again when they have lost everything."""

    stake: Stake
    chance: random.Random

    def __post_init__(self) -> None:
        self.stacks: dict[int, int] = {}
        self.last: LastHand | None = None
        self.number = self.decisions = self.rake = self.bought_in = 0
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []

    @property
    def on_the_table(self) -> int:
        return sum(self.stacks.values())

    def play_hand(self) -> None:
        self.number += 1
        self._come_and_go()
        hand = self._played(self._next_positions())
        self.stacks.update({seat.seat_no: seat.stack for seat in hand.seats})
        self.rake += hand.rake
        self.counts.update(showdown=int(hand.is_revealed), flop=int(bool(hand.board)))
        self._check(hand)

    def _come_and_go(self) -> None:
        """Broken players buy in again; now and then one leaves a full table and another comes later."""
        for seat in range(1, self.stake.seats + 1):
            if seat in self.stacks and len(self.stacks) > 3 and self.chance.random() < 0.02:
                self.bought_in -= self.stacks.pop(seat)
            elif not self.stacks.get(seat) and (seat in self.stacks or self.chance.random() < 0.5 or not self.last):
                most = self.stake.buy_in_max_bb
                buy_in = self.chance.randint(self.stake.buy_in_min_bb, most) * self.stake.big_blind
                self.stacks[seat] = buy_in
                self.bought_in += buy_in

    def _next_positions(self) -> NextHand:
        present = frozenset(self.stacks)
        drawn = self.chance.choice(sorted(present))
        hand = next_positions(Table(self.stake.seats, present, present, self.last, drawn=drawn))
        self.last = LastHand(hand.positions.big_blind, frozenset(hand.dealt_in))
        return hand

    def _played(self, seated: NextHand) -> Hand:
        entrants = tuple(Entrant(seat, str(seat), self.stacks[seat]) for seat in seated.dealt_in)
        hand_id = str(self.number)
        command = OpenHand(hand_id, "table", self.number, self.stake.terms, entrants, seated.positions)
        opened, *more = open_hand(command, 0)
        assert isinstance(opened, HandOpened)
        hand = begin(opened)
        for event in more:
            hand = evolve(hand, event)
        deck = iter(self.chance.sample(DECK, len(DECK)))
        hole = {seat: _taken(deck, self.stake.game.hole_cards) for seat in seated.dealt_in}
        while (wants := hand.wants).kind is not WantKind.NOTHING:
            command_: Act | DealBoard | Reveal
            if wants.kind is WantKind.ACT:
                self.decisions += 1
                command_ = self._random_action(hand, hand_id)
            elif wants.kind is WantKind.BOARD:
                command_ = DealBoard(hand_id, _taken(deck, wants.cards))
            else:
                command_ = Reveal(hand_id, {seat: hole[seat] for seat in wants.seats})
            for event in decide(hand, command_, 0):
                hand = evolve(hand, event)
        return hand

    def _random_action(self, hand: Hand, hand_id: str) -> Act:
        offered = options(hand)
        assert offered is not None
        action, amount = self._choice(offered)
        return Act(hand_id, hand.turn, str(offered.seat_no), action, amount)

    def _choice(self, offered: Options) -> tuple[Action, int]:
        lot = self.chance.random()
        if offered.sizes is not None and lot < 0.2:
            return Action.RAISE_TO, self.chance.randint(offered.sizes.smallest, offered.sizes.largest)
        if not offered.check and lot > 0.7:
            return Action.FOLD, 0
        return (Action.CHECK if offered.check else Action.CALL), 0

    def _check(self, hand: Hand) -> None:
        """Invariants 1 to 4 of the rules."""
        start, end = sum(seat.start for seat in hand.seats), sum(seat.stack for seat in hand.seats)
        rake_terms = hand.terms.rake
        assert rake_terms is not None
        least, most = (1, cap_for(rake_terms, len(hand.seats))) if hand.board else (0, 0)
        positions = hand.positions
        blinds = {positions.button, positions.big_blind, positions.small_blind}
        broken = {
            "chips were made or lost": start != end + hand.rake,
            "a stack is negative": any(seat.stack < 0 for seat in hand.seats),
            "the rake is out of bounds": not least <= hand.rake <= most,
            "two positions in one seat": len(hand.seats) > 2 and len(blinds) != 3,
            "the table's chips are not those bought": self.on_the_table + self.rake != self.bought_in,
        }
        self.violations += [f"hand {self.number}: {what}" for what, is_broken in broken.items() if is_broken]


def _taken(deck: Iterator[Card], count: int) -> tuple[Card, ...]:
    return tuple(next(deck) for _ in range(count))
