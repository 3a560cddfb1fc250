"""`casino poker hand`: plays written hands by the rules of the live table, one JSON line each.

Cards that are not given are unknown: betting continues without them, and pots they would decide have no winners.
"""

from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from casino.cards.card import DECK, Card, distinct_cards
from casino.cli.json_lines import read_object
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.poker.betting import Action, options
from casino.poker.commands import Act, DealBoard, Entrant, OpenHand, Reveal
from casino.poker.events import HandOpened
from casino.poker.hand import begin, decide, evolve, open_hand
from casino.poker.positions import Positions
from casino.poker.state import Award, Hand, WantKind
from casino.poker.streets import BOARD_CARDS
from casino.poker.terms import SEATS_MAX, Game, RakeTerms, Terms
from casino.poker.views import award_view, options_view, pots_view, uncalled_view

HAND_ID: Final = "hand"
ACTIONS_MAX: Final = 500

Amount = Annotated[int, Field(ge=0, le=MINOR_MAX)]
Cards = Annotated[list[str], Field(max_length=5)]


_SEAT_KEYS: Final = {str(seat_no): seat_no for seat_no in range(1, SEATS_MAX + 1)}


def _seat_number(key: str) -> int:
    """A seat has one spelling as a key: another one, such as `02` or ` 2`, could name it a second time."""
    if key not in _SEAT_KEYS:
        raise PydanticCustomError("seat", "a seat is a number from 1 to {most}", {"most": SEATS_MAX})
    return _SEAT_KEYS[key]


SeatKey = Annotated[int, BeforeValidator(_seat_number)]


class Rake(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    permille: Annotated[int, Field(ge=0, le=1000)]
    cap: Amount


class WrittenHand(BaseModel):
    """One hand to play. All seats in `stacks` are dealt in."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    game: Annotated[Game, Field(strict=False)]
    sb: Amount = 0
    bb: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    ante: Amount = 0
    button: int
    sb_seat: int | None = None
    bb_seat: int
    posters: list[int] = []
    stacks: dict[SeatKey, int]
    rake: Rake | None = None
    hole: dict[SeatKey, Cards] = {}
    board: Cards = []
    actions: Annotated[list[str], Field(max_length=ACTIONS_MAX)] = []

    @property
    def command(self) -> OpenHand:
        small_blind = self.sb if self.sb_seat is not None else 0
        if small_blind > self.bb:
            raise Refusal(Code.BAD_REQUEST, "The small blind must not be above the big blind.")
        rake = RakeTerms(self.rake.permille, self.rake.cap) if self.rake else None
        terms = Terms(self.game, small_blind, self.bb, self.ante, rake)
        positions = Positions(self.button, self.sb_seat, self.bb_seat, tuple(self.posters))
        entrants = tuple(Entrant(seat_no, str(seat_no), stack) for seat_no, stack in self.stacks.items())
        return OpenHand(HAND_ID, "", 0, terms, entrants, positions)


def answer(line: bytes) -> dict[str, Any]:
    return HandOnPaper(read_object(WrittenHand, line)).played()


class HandOnPaper:
    """A written hand in play. Unknown cards are stood in for by others, which decide nothing."""

    def __init__(self, written: WrittenHand) -> None:
        self._written = written
        opened, *more = open_hand(written.command, 0)
        assert isinstance(opened, HandOpened)
        self._hand = begin(opened)
        for event in more:
            self._hand = evolve(self._hand, event)
        self._check_cards()
        known = distinct_cards((*written.board, *(card for cards in written.hole.values() for card in cards)))
        self._unused = iter([card for card in DECK if card not in known])
        self._board = [*map(Card, written.board)]
        while len(self._board) < BOARD_CARDS:
            self._board.append(next(self._unused))
        self._serve()

    def _check_cards(self) -> None:
        held = self._hand.terms.game.hole_cards
        for seat_no, cards in self._written.hole.items():
            if seat_no not in self._written.stacks:
                raise Refusal(Code.BAD_REQUEST, f"Seat {seat_no} has cards, but no stack.")
            if len(cards) != held:
                raise Refusal(Code.BAD_REQUEST, f"Seat {seat_no} needs {held} hole cards.")

    def played(self) -> dict[str, Any]:
        for place, line in enumerate(self._written.actions):
            try:
                self._act(line)
            except Refusal as refusal:
                error = {"code": refusal.code, "message": _in_units(refusal)}
                return {"ok": False, "at": place, "error": error, "options": options_view(options(self._hand))}
            self._serve()
        return self._result() if self._hand.is_over else self._so_far()

    def _act(self, line: str) -> None:
        words = line.split()
        if len(words) != (3 if words[1:2] == [Action.RAISE_TO] else 2) or words[1] not in [*Action]:
            raise Refusal(Code.BAD_REQUEST, f"Write an action like '3 call' or '3 raise_to 18', not {line[:40]!r}.")
        amount = words[2] if len(words) == 3 else "0"
        if not (amount.isascii() and amount.isdecimal()) or len(amount) > 15:
            raise Refusal(Code.BAD_REQUEST, "The total of a raise is a whole number.")
        self._do(Act(HAND_ID, self._hand.turn, words[0], Action(words[1]), int(amount)))

    def _do(self, command: Act | DealBoard | Reveal) -> None:
        for event in decide(self._hand, command, 0):
            self._hand = evolve(self._hand, event)

    def _serve(self) -> None:
        while (wants := self._hand.wants).kind not in (WantKind.ACT, WantKind.NOTHING):
            if wants.kind is WantKind.BOARD:
                dealt = len(self._hand.board)
                self._do(DealBoard(HAND_ID, tuple(self._board[dealt : dealt + wants.cards])))
            else:
                self._do(Reveal(HAND_ID, {seat_no: self._hole(seat_no) for seat_no in wants.seats}))

    def _hole(self, seat_no: int) -> tuple[str, ...]:
        if seat_no in self._written.hole:
            return tuple(self._written.hole[seat_no])
        return tuple(next(self._unused) for _ in range(self._hand.terms.game.hole_cards))

    def _so_far(self) -> dict[str, Any]:
        hand = self._hand
        return {
            "ok": True,
            "over": False,
            "street": hand.street,
            "turn": hand.wants.seats[0],
            "options": options_view(options(hand)),
            "pot": hand.middle,
            "pots": pots_view(hand),
            "stacks": _by_seat(hand, {seat.seat_no: seat.stack for seat in hand.seats}),
        }

    def _result(self) -> dict[str, Any]:
        hand = self._hand
        undecided = {
            seat_no for award in hand.awards if not self._is_decided(award) for seat_no in award.contenders
        }  # their final stacks depend on cards that were not given
        stacks = {seat.seat_no: None if seat.seat_no in undecided else seat.stack for seat in hand.seats}
        nets = {seat.seat_no: None if seat.seat_no in undecided else seat.stack - seat.start for seat in hand.seats}
        pots = [award_view(award) for award in hand.awards]
        for view, award in zip(pots, hand.awards, strict=True):
            if not self._is_decided(award):
                del view["winners"]
        return {
            "ok": True,
            "over": True,
            "street": hand.street,
            "uncalled": uncalled_view(hand),
            "pots": pots,
            "rake": hand.rake,
            "rake_by_seat": {str(seat_no): share for seat_no, share in hand.rake_shares},
            "net": _by_seat(hand, nets),
            "final": _by_seat(hand, stacks),
        }

    def _is_decided(self, award: Award) -> bool:
        is_known = len(self._written.board) == BOARD_CARDS and self._written.hole.keys() >= set(award.contenders)
        return is_known or len(award.contenders) == 1


def _in_units(refusal: Refusal) -> str:
    """The sentence of a refusal, with amounts as they are written here: in minor units or in chips."""
    match refusal.code:
        case Code.BELOW_MINIMUM:
            return f"A bet or raise goes to at least {refusal.params['minimum']}."
        case Code.ABOVE_MAXIMUM:
            return f"A bet or raise goes to at most {refusal.params['maximum']}."
    return refusal.message


def _by_seat(hand: Hand, amounts: dict[int, int | None]) -> dict[str, int | None]:
    return {str(seat_no): amounts[seat_no] for seat_no in sorted(seat.seat_no for seat in hand.seats)}
