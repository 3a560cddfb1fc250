"""`casino poker simulate tournament`: a whole tournament of random players on virtual time, with its invariants."""

import heapq
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from casino.cards.card import DECK, Card
from casino.cli.context import stop
from casino.cli.poker.context import poker_settings_or_exit
from casino.cli.progress import progress_bar
from casino.poker.betting import Action, Options, options
from casino.poker.commands import Act, DealBoard, Entrant, OpenHand, Reveal
from casino.poker.events import HandOpened
from casino.poker.hand import begin as begin_hand
from casino.poker.hand import decide as decide_hand
from casino.poker.hand import evolve as evolve_hand
from casino.poker.hand import open_hand
from casino.poker.state import Hand, WantKind
from casino.poker.terms import Game
from casino.poker.tournament.commands import Command, HandDone, Means, Register, SeatChips, Start, TimePasses
from casino.poker.tournament.director import announce, begin, decide, evolve
from casino.poker.tournament.entries import Price, usual_fee
from casino.poker.tournament.events import Event, HandDealt, PauseBegan, PauseEnded, PlayerMoved
from casino.poker.tournament.state import Status, Tournament
from casino.poker.tournament.terms import TournamentTerms

START_MS = 1_800_000_000_000 // 3_600_000 * 3_600_000
HAND_MS = (20_000, 70_000)
BUY_IN = 1000


def simulate(config: Path, players: int, seats: int, structure: str, seed: int | None, *, as_json: bool) -> int:
    """Play the tournament and print a summary; returns the exit code, 1 if an invariant was broken."""
    structures = poker_settings_or_exit(config).structures
    if structure not in structures.structures:
        stop(f"There is no structure {structure[:40]!r}. Known: {', '.join(structures.structures)}.")
    seed = secrets.randbits(32) if seed is None else seed
    fee = usual_fee(BUY_IN)
    terms = TournamentTerms(
        "simulated",
        "Simulated tournament",
        Game.NLHE,
        seats,
        Price(BUY_IN - fee, fee),
        structures.structure(structure),
        structures.structures[structure].stack,
        START_MS,
        late_levels=0,
        entries_min=2,
        entries_max=max(players, 2),
    )
    tournament = SimulatedTournament(terms, players, random.Random(seed))  # noqa: S311  must be repeatable
    started = time.perf_counter()
    with progress_bar("Playing") as report:
        for left in tournament.play():
            report(players - left, players)
    seconds = time.perf_counter() - started
    summary = {
        "players": players,
        "seats": seats,
        "structure": structure,
        "seed": seed,
        "hands": tournament.hands,
        "moves": tournament.counts["player_moved"],
        "breaks": tournament.counts["pause_ended"],
        "hand_for_hand": tournament.counts["hand_for_hand"],
        "largest_difference": tournament.largest_difference,
        "level": tournament.last_level,
        "virtual_minutes": (tournament.now_ms - START_MS) // 60_000,
        "places_paid": len(tournament.state.prizes),
        "prizes": tournament.state.credited,
        "pool": tournament.state.pool,
        "violations": tournament.violations,
        "hands_per_second": round(tournament.hands / seconds),
    }
    if as_json:
        print(json.dumps(summary))
    else:
        print("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in summary.items()))
    return 1 if tournament.violations else 0


class SimulatedTournament:
    """Drives the director as the tables of a real tournament do: a report after each hand, a hand after each deal."""

    def __init__(self, terms: TournamentTerms, players: int, chance: random.Random) -> None:
        self.chance = chance
        self.now_ms = terms.starts_ms
        self.events: list[Event] = [announce(terms, self.now_ms)]
        self.state: Tournament = begin(announce(terms, self.now_ms))
        self.due: list[tuple[int, int, HandDealt | None]] = []
        self.hands = self.largest_difference = self.last_level = 0
        self.counts: Counter[str] = Counter()
        self.places: dict[int, str] = {}
        self.big_blinds: dict[int, int] = {}
        self.violations: list[str] = []
        for number in range(players):
            self.take(Register(f"e{number}", f"p{number}", Means.MONEY))

    def take(self, command: Command) -> None:
        for event in decide(self.state, command, self.now_ms, self.chance.randrange):
            if isinstance(event, HandDealt):
                self._check_big_blind(event)
            self.state = evolve(self.state, event)
            self._note(event)

    def play(self) -> Iterator[int]:
        """Play to the end; yields the number of players left after each hand."""
        self.take(Start())
        while self.due and self.state.status is Status.RUNNING:
            self.now_ms, _, dealt = heapq.heappop(self.due)
            if dealt is None:
                self.take(TimePasses())
                continue
            self.hands += 1
            hand = self._played(dealt)
            stacks = tuple(SeatChips(seat.seat_no, seat.stack) for seat in hand.seats)
            self.take(HandDone(dealt.table_no, stacks, hand.awards))
            self.counts["hand_for_hand"] += self.state.is_hand_for_hand
            if self.state.tables:
                sizes = self.state.sizes
                self.largest_difference = max(self.largest_difference, sizes.largest - sizes.smallest)
            yield self.state.left
        self._check_end()

    def _note(self, event: Event) -> None:
        self.counts[event.kind] += 1
        if isinstance(event, HandDealt):
            self.last_level = event.level
            length = self.chance.randint(*HAND_MS)
            heapq.heappush(self.due, (self.now_ms + length, self.counts.total(), event))
        elif isinstance(event, PauseBegan):
            heapq.heappush(self.due, (event.until_ms, self.counts.total(), None))
        elif isinstance(event, PlayerMoved) and len(self.state.tables[event.to_table].seats) > self.state.terms.seats:
            self.violations.append(f"table {event.to_table} has more players than seats")
        elif isinstance(event, PauseEnded) and not self.state.is_all_idle:
            self.violations.append("a hand was played in a break")

    def _check_big_blind(self, event: HandDealt) -> None:
        """The big blind passes no player and never comes twice running to the same one."""
        table, seats = self.state.tables[event.table_no], self.state.terms.seats
        last, now = table.last_bb, event.positions.big_blind
        if last is not None:
            steps = (now - last) % seats
            passed = {(last + step - 1) % seats + 1 for step in range(1, steps)}
            if not steps or passed & set(event.dealt_in):
                self.violations.append(f"the big blind went from seat {last} to {now} of table {event.table_no}")
        if set(event.dealt_in) != {seat for seat, _ in table.seats}:
            self.violations.append(f"a player of table {event.table_no} was not dealt in")

    def _played(self, dealt: HandDealt) -> Hand:
        terms = self.state.terms
        by_seat = dict(self.state.tables[dealt.table_no].seats)
        entrants = tuple(
            Entrant(seat, by_seat[seat], self.state.entries[by_seat[seat]].chips) for seat in dealt.dealt_in
        )
        level = terms.structure.level(dealt.level).terms(terms.game)
        return random_hand(OpenHand("h", "t", self.hands, level, entrants, dealt.positions), self.chance)

    def _check_end(self) -> None:
        state = self.state
        entries = state.entries.values()
        out = sorted(entry.out_no for entry in entries if entry.out_no is not None)
        broken = {
            "the tournament did not end": state.status is not Status.FINISHED,
            "chips were made or lost": sum(entry.chips for entry in entries) != state.chips,
            "prizes are not the pool": state.credited != state.pool,
            "places have gaps": out != list(range(1, len(out) + 1)) or len(out) != len(entries) - 1,
        }
        self.violations += [what for what, is_broken in broken.items() if is_broken]


def random_hand(command: OpenHand, chance: random.Random) -> Hand:
    """A whole hand of random decisions."""
    opened, *more = open_hand(command, 0)
    assert isinstance(opened, HandOpened)
    hand = begin_hand(opened)
    for event in more:
        hand = evolve_hand(hand, event)
    deck = iter(chance.sample(DECK, len(DECK)))
    hole = {entrant.seat_no: _taken(deck, command.terms.game.hole_cards) for entrant in command.seats}
    while (wants := hand.wants).kind is not WantKind.NOTHING:
        answer: Act | DealBoard | Reveal
        if wants.kind is WantKind.ACT:
            offered = options(hand)
            assert offered is not None
            action, amount = _choice(offered, chance)
            player = hand.seats[hand.index_of(offered.seat_no)].player_id
            answer = Act(command.hand_id, hand.turn, player, action, amount)
        elif wants.kind is WantKind.BOARD:
            answer = DealBoard(command.hand_id, _taken(deck, wants.cards))
        else:
            answer = Reveal(command.hand_id, {seat: hole[seat] for seat in wants.seats})
        for event in decide_hand(hand, answer, 0):
            hand = evolve_hand(hand, event)
    return hand


def _choice(offered: Options, chance: random.Random) -> tuple[Action, int]:
    """Mostly folds, so that hands are short and stacks last; a raise is small or everything."""
    lot = chance.random()
    if offered.sizes is not None and lot < 0.15:
        return Action.RAISE_TO, offered.sizes.largest if lot < 0.04 else offered.sizes.smallest
    if offered.check:
        return Action.CHECK, 0
    return (Action.FOLD, 0) if lot > 0.45 else (Action.CALL, 0)


def _taken(deck: Iterator[Card], count: int) -> tuple[Card, ...]:
    return tuple(next(deck) for _ in range(count))
