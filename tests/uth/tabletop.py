"""Round for rule tests: commands in, the journal and the round kept in step, the clock moved by the test."""

from dataclasses import dataclass, field

from casino.cards.card import Card, parse_cards
from casino.uth.bets import Action, Limits
from casino.uth.commands import Advance, Command, DealCard, Decide, OpenBetting, PlaceBet
from casino.uth.events import BetPlaced, BettingOpened, Event, dump_event, load_event
from casino.uth.paytable import STANDARD
from casino.uth.phases import Phase
from casino.uth.round import begin, decide, evolve, open_round, replay
from casino.uth.state import Round
from casino.uth.terms import Layout, Terms, Windows

LIMITS = Limits(ante_min=200, ante_max=10_000, trips_min=100, trips_max=5_000, smallest_chip=100)
WINDOWS = Windows(betting_ms=15_000, decide_preflop_ms=12_000, decide_flop_ms=10_000, decide_river_ms=9_000)
CONFIRMED = Windows(15_000, 12_000, 10_000, 9_000, confirm_ms=2_000)
SHARED = Terms(Layout.SHARED, LIMITS, STANDARD, WINDOWS)
OWN = Terms(Layout.OWN, LIMITS, STANDARD, WINDOWS)
SCANNED = Terms(Layout.SHARED, LIMITS, STANDARD, CONFIRMED)

NOON_MS = 1_700_000_000_000 // 86_400_000 * 86_400_000 + 43_200_000
RICH = 10_000_000


def hands(text: str) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """`"As Kd | 7h 7c 2s Jd 3c | Qh Qd"`: player, board, dealer."""
    player, board, dealer = (parse_cards(part) for part in text.split("|"))
    return player, board, dealer


@dataclass
class Tabletop:
    """Also checks at every step what must always hold: the journal, written out and read again, gives the round."""

    terms: Terms = SHARED
    now_ms: int = NOON_MS
    opened: BettingOpened = field(init=False)
    round: Round = field(init=False)
    journal: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.opened = open_round(OpenBetting("r1", "uth-1", self.terms), self.now_ms)
        self.round = begin(self.opened)

    def do(self, command: Command) -> list[Event]:
        events = decide(self.round, command, self.now_ms)
        for event in events:
            assert load_event(dump_event(event)) == event
            self.round = evolve(self.round, event)
        self.journal += [event for event in events if not isinstance(event, BetPlaced)]
        if self.round.phase is not Phase.BETTING:
            assert replay(self.opened, self.journal) == self.round
        return events

    def bet(self, player: str = "ann", ante: int = 500, trips: int = 0, seat_no: int | None = None) -> list[Event]:
        return self.do(PlaceBet("r1", player, ante, trips, RICH, seat_no=seat_no))

    def decide(
        self, action: Action, player: str = "ann", *, phase: Phase | None = None, available: int = RICH
    ) -> list[Event]:
        return self.do(Decide("r1", player, action, available, phase))

    def deal(self, text: str) -> None:
        for card in parse_cards(text):
            self.do(DealCard("r1", card))

    def time_out(self) -> list[Event]:
        """Let the open window, or the time to confirm a card, run out."""
        assert self.round.due_ms is not None, f"nothing is timed in {self.round.phase}"
        self.now_ms = self.round.due_ms
        return self.do(Advance())

    @property
    def phase(self) -> Phase:
        return self.round.phase


def table_in(phase: Phase, terms: Terms = SHARED, deal: str = "As Kd | 7h 7c 2s Jd 3c | Qh Qd") -> Tabletop:
    """A table where Ann (and Bob, with TRIPS) have bet and checked their way to this phase."""
    player, board, dealer = hands(deal)
    table = Tabletop(terms)
    if phase is Phase.BETTING:
        return table
    table.bet("ann", 500)
    table.bet("bob", 1000, 300)
    table.time_out()
    for street in (player, board[:3], board[3:], dealer):
        if table.phase is phase:
            return table
        table.deal(" ".join(street))
        if table.round.is_street_complete and table.phase is not phase:
            table.time_out()
        if table.phase is phase:
            return table
        table.time_out()
    assert table.phase is phase
    return table
