"""Hand for rule tests: written like `3 call`, played through `unfold`, with cards dealt as needed."""

from collections.abc import Mapping, Sequence

from casino.cards.card import DECK, Card, parse_cards
from casino.errors import Code, Refusal
from casino.poker.betting import Action, Options, options
from casino.poker.commands import Act, Command, DealBoard, Entrant, OpenHand, Reveal
from casino.poker.events import Event, HandOpened
from casino.poker.hand import begin, evolve, open_hand, unfold
from casino.poker.positions import Positions
from casino.poker.state import Hand, WantKind
from casino.poker.terms import Game, Terms

NOW = 1_700_000_000_000


def opened(
    stacks: Sequence[int] | Mapping[int, int],
    *,
    game: Game = Game.NLHE,
    terms: Terms | None = None,
    positions: Positions | None = None,
    ante: int = 0,
    blinds: tuple[int, int] = (1, 2),
    posters: tuple[int, ...] = (),
    dead: Mapping[int, int] | None = None,
) -> "Table":
    """A hand with seat 1 in the small blind, 2 in the big blind and the last seat on the button by default."""
    by_seat = dict(stacks) if isinstance(stacks, Mapping) else dict(enumerate(stacks, start=1))
    if positions is None:
        heads_up = len(by_seat) == 2
        positions = Positions(1, 1, 2) if heads_up else Positions(max(by_seat), 1, 2, posters)
    terms = terms or Terms(game, *blinds, ante=ante)
    entrants = tuple(Entrant(seat, f"p{seat}", stack, (dead or {}).get(seat, 0)) for seat, stack in by_seat.items())
    return Table(open_hand(OpenHand("h1", "t1", 1, terms, entrants, positions, "root"), NOW))


class Table:
    """Keeps every event, so that a test can replay them."""

    def __init__(self, events: list[Event], board: str = "", hole: Mapping[int, str] | None = None) -> None:
        first, *more = events
        assert isinstance(first, HandOpened)
        self.opened = first
        self.events: list[Event] = []
        self.hand = begin(first)
        for event in more:
            self._take(event)
        self.board = list(parse_cards(board))
        self.hole = {seat: parse_cards(cards) for seat, cards in (hole or {}).items()}

    def _take(self, event: Event) -> None:
        self.events.append(event)
        self.hand = evolve(self.hand, event)

    def with_cards(self, board: str, hole: Mapping[int, str]) -> "Table":
        self.board = list(parse_cards(board))
        self.hole = {seat: parse_cards(cards) for seat, cards in hole.items()}
        return self

    def do(self, command: Command, at_ms: int = NOW) -> "Table":
        for event, hand in unfold(self.hand, command, at_ms):
            self.events.append(event)
            self.hand = hand
        return self

    def refused(self, command: Command, at_ms: int = NOW) -> Code:
        before = self.hand
        try:
            unfold(self.hand, command, at_ms)
        except Refusal as refusal:
            assert self.hand is before
            return refusal.code
        raise AssertionError("not refused")

    def act(self, line: str) -> Act:
        seat, action, *amount = line.split()
        return Act("h1", self.hand.turn, f"p{seat}", Action(action), int(amount[0]) if amount else 0)

    def play(self, *lines: str) -> "Table":
        """Actions, with `flop`-like board cards dealt and hands revealed as soon as the hand wants them."""
        for line in lines:
            self.serve()
            self.do(self.act(line))
        return self.serve()

    def serve(self) -> "Table":
        while (wants := self.hand.wants).kind not in (WantKind.ACT, WantKind.NOTHING):
            if wants.kind is WantKind.BOARD:
                self.do(DealBoard("h1", tuple(self._next_board(wants.cards))))
            else:
                self.do(Reveal("h1", {seat: self._hole(seat) for seat in wants.seats}))
        return self

    def _next_board(self, count: int) -> list[Card]:
        dealt = len(self.hand.board)
        if len(self.board) < 5:
            taken = {card for cards in self.hole.values() for card in cards}
            self.board += [card for card in DECK if card not in taken and card not in self.board][: 5 - len(self.board)]
        return self.board[dealt : dealt + count]

    def _hole(self, seat: int) -> tuple[Card, ...]:
        if seat not in self.hole:
            taken = {*self.board, *(card for cards in self.hole.values() for card in cards)}
            free = [card for card in reversed(DECK) if card not in taken]
            self.hole[seat] = tuple(free[: self.hand.terms.game.hole_cards])
        return self.hole[seat]

    @property
    def options(self) -> Options:
        offered = options(self.hand)
        assert offered is not None
        return offered

    def offered(self) -> tuple[int, bool, int, tuple[int, int] | None]:
        """Seat, check, call, (smallest, largest)."""
        seen = self.options
        return seen.seat_no, seen.check, seen.call, (seen.sizes.smallest, seen.sizes.largest) if seen.sizes else None

    @property
    def stacks(self) -> dict[int, int]:
        return {seat.seat_no: seat.stack for seat in sorted(self.hand.seats, key=lambda seat: seat.seat_no)}


def final(hand: Hand) -> dict[int, int]:
    return {seat.seat_no: seat.stack for seat in sorted(hand.seats, key=lambda seat: seat.seat_no)}
