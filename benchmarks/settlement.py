"""Settlement of 10,000 seats of one round in memory, compared with as many rankings by phevaluator."""

from collections.abc import Callable

from benchmarks.hands import phevaluator_on_names, phevaluator_on_numbers
from benchmarks.measurement import Row, Work, duration, race, times
from casino.uth.bets import Action, Limits
from casino.uth.commands import Advance, Command, DealCard, Decide, OpenBetting, PlaceBet
from casino.uth.paytable import STANDARD
from casino.uth.phases import Phase
from casino.uth.results import results
from casino.uth.round import begin, decide, evolve, open_round
from casino.uth.state import Round
from casino.uth.terms import Layout, Terms, Windows

SEATS = 10_000
TIMES_MAX = 5.0
FUNDS = 10**9

Bet = Callable[[int], tuple[int, int]]
"""ANTE and TRIPS of a seat by its number."""

STREETS = [
    # what is dealt, and what the seats then answer in turn; None stays silent
    ("As Ks", Phase.DECIDING_PREFLOP, (Action.PLAY_4X, Action.PLAY_3X, Action.CHECK, Action.CHECK, Action.CHECK, None)),
    ("Qs 7h 2s", Phase.DECIDING_FLOP, (None, None, Action.PLAY_2X, Action.CHECK, Action.CHECK, None)),
    ("Jd 3s", Phase.DECIDING_RIVER, (None, None, None, Action.PLAY_1X, Action.FOLD, None)),
    ("Qh Qd", Phase.SETTLED, ()),
]


class Table:
    """Plays one round through the rules themselves."""

    def __init__(self) -> None:
        terms = Terms(Layout.SHARED, Limits(2, 10**6, 2, 10**6, 2), STANDARD, Windows(1000, 1000, 1000, 1000))
        self.now_ms = 0
        self.round: Round = begin(open_round(OpenBetting("r", "t", terms), self.now_ms))

    def do(self, command: Command) -> None:
        for event in decide(self.round, command, self.now_ms):
            self.round = evolve(self.round, event)

    def wait(self) -> None:
        if self.round.due_ms is not None:
            self.now_ms = self.round.due_ms
            self.do(Advance())


def settled_round(bet: Bet) -> Round:
    table = Table()
    for seat in range(SEATS):
        ante, trips = bet(seat)
        table.do(PlaceBet("r", f"player-{seat}", ante, trips, FUNDS))
    table.wait()
    for cards, phase, answers in STREETS:
        for card in cards.split():
            table.do(DealCard("r", card))
        if table.round.phase is not phase:
            raise RuntimeError(f"the round is in {table.round.phase}, not in {phase}")
        for seat in range(SEATS if answers else 0):
            action = answers[seat % len(answers)]
            if action:
                table.do(Decide("r", f"player-{seat}", action, FUNDS, phase))
        table.wait()
    return table.round


def rows() -> list[Row]:
    all_different = settled_round(lambda seat: (2 * seat + 2, 2 * (seat % 7)))
    by_chips = settled_round(lambda seat: (100 * (seat % 5 + 1), 100 * (seat % 3)))
    seconds = race(
        {
            "different": Work(lambda: results(all_different)),
            "chips": Work(lambda: results(by_chips)),
            "names": Work(phevaluator_on_names().run),
            "numbers": Work(phevaluator_on_numbers().run),
        }
    )
    different, chips = seconds["different"], seconds["chips"]
    names, numbers = seconds["names"], seconds["numbers"]
    return [
        Row("10,000 seats, every bet different", duration(different)),
        Row("10,000 seats, bets of a few chips", duration(chips)),
        _slower("10,000 phevaluator calls, card names", names, different, "every bet different", TIMES_MAX),
        _slower("", names, chips, "bets of a few chips", TIMES_MAX),
        _slower("10,000 phevaluator calls, its own numbers", numbers, different, "every bet different"),
        _slower("", numbers, chips, "bets of a few chips"),
    ]


def _slower(what: str, seconds: float, ours: float, bets: str, most: float | None = None) -> Row:
    """A peer, and how many times its time we take."""
    figure, ratio = duration(seconds) if what else "", f"{bets}: {times(ours / seconds)} the time"
    return Row(what, figure, ratio, f"at most {most:g}x", ours / seconds <= most) if most else Row(what, figure, ratio)
