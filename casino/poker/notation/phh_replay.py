"""Replay of a PHH hand through `decide` and `evolve`, as a live table would play it."""

from dataclasses import replace
from typing import Final

from casino.errors import Code, Refusal
from casino.poker.betting import Action, options
from casino.poker.commands import Act, DealBoard, Reveal
from casino.poker.events import Event, HandOpened, HandsShown
from casino.poker.hand import begin, decide, evolve, open_hand
from casino.poker.notation.phh import HAND_ID, Decision, PhhHand
from casino.poker.notation.phh_amounts import BadHand, Unsupported
from casino.poker.results import settle
from casino.poker.state import Hand, ShownCards, WantKind
from casino.poker.streets import BOARD_CARDS

_REASONS: Final = {
    Code.NOT_IN_ROUND: "there is no such player",
    Code.NOT_YOUR_TURN: "it is not this player's turn",
    Code.NOT_OFFERED: "this player may not bet or raise",
    Code.BELOW_MINIMUM: "the bet or raise is too small",
    Code.ABOVE_MAXIMUM: "the bet or raise is too large",
    Code.STALE_ROUND: "the hand is over",
}
"""Refusals in the words of a reader of the file; at a table they speak to the player."""


def replay_phh(written: PhhHand) -> tuple[HandOpened, list[Event], Hand]:
    """Play the hand to its end. Raises `Unsupported` or `BadHand`."""
    try:
        return _Replay(written).played()
    except Refusal as refusal:
        raise BadHand(refusal.message) from refusal


class _Replay:
    def __init__(self, written: PhhHand) -> None:
        self._written = written
        opened, *more = open_hand(written.command, 0)
        assert isinstance(opened, HandOpened)
        self._opened = opened
        self._events: list[Event] = []
        self._hand = begin(opened)
        self._take(more)

    def played(self) -> tuple[HandOpened, list[Event], Hand]:
        for decision in self._written.actions:
            try:
                self._act(decision)
            except Refusal as refusal:
                reason = _REASONS.get(refusal.code, refusal.message)
                raise BadHand(f"action {decision.number} of the list, {decision.line!r}: {reason}") from refusal
        self._serve()
        if not self._hand.is_over:
            kind = Unsupported if self._written.finishing_stacks is None else BadHand  # part of a hand is a valid file
            raise kind("the actions end before the hand does")
        if len(self._written.board) > len(self._hand.board):
            found, played = len(self._written.board), len(self._hand.board)
            raise BadHand(f"the file deals {found} board cards, and the hand has {played}")
        return self._opened, self._events, self._hand

    def _take(self, events: list[Event]) -> None:
        for event in events:
            self._events.append(event)
            self._hand = evolve(self._hand, event)

    def _do(self, command: Act | DealBoard | Reveal) -> None:
        self._take(decide(self._hand, command, 0))

    def _act(self, decision: Decision) -> None:
        if decision.word == "cc" and self._is_alone(decision.place):
            return  # a check of a player the rules do not ask: every opponent is all-in for no more
        self._serve()
        if not self._hand.is_over and decision.dealt != len(self._hand.board):
            raise BadHand(
                f"action {decision.number} of the list, {decision.line!r}: {decision.dealt} board cards are dealt "
                f"before it, and the hand has {len(self._hand.board)}"
            )
        offered = options(self._hand)
        action = {"f": Action.FOLD, "cbr": Action.RAISE_TO}.get(decision.word, Action.CALL)
        if action is Action.CALL and offered is not None and offered.check:
            action = Action.CHECK
        self._do(Act(HAND_ID, self._hand.turn, f"p{decision.place}", action, decision.amount))

    def _is_alone(self, place: int) -> bool:
        """Whether the hand goes on without betting, and only this player has chips left to bet."""
        able = [seat.seat_no for seat in self._hand.seats if seat.is_able]
        return self._hand.is_betting_closed and not self._hand.is_over and able == [place]

    def _serve(self) -> None:
        while (wants := self._hand.wants).kind not in (WantKind.ACT, WantKind.NOTHING):
            if wants.kind is WantKind.BOARD:
                dealt = len(self._hand.board)
                cards = self._written.board[dealt : dealt + wants.cards]
                if len(cards) < wants.cards:
                    raise BadHand("board cards are missing")
                self._do(DealBoard(HAND_ID, cards))
            else:
                self._reveal(wants.seats)

    def _reveal(self, seats: tuple[int, ...]) -> None:
        """Show the hands the file names; a live hand it does not name, or that was mucked, has lost."""
        claiming = [seat_no for seat_no in seats if seat_no not in self._written.mucked]
        known = {seat_no: self._written.hole[seat_no] for seat_no in claiming if seat_no in self._written.hole}
        if len(known) == len(seats):
            self._do(Reveal(HAND_ID, known))
            return
        is_board_complete = len(self._hand.board) == BOARD_CARDS
        if not known and not (is_board_complete and len(claiming) == 1):
            raise Unsupported("the hole cards of the showdown are not in the file")
        self._take([HandsShown(tuple(ShownCards(*shown) for shown in known.items()), 0)])
        if is_board_complete:
            self._take(settle(self._hand if known else self._given_up(claiming), 0))

    def _given_up(self, claiming: list[int]) -> Hand:
        """The hand with only these seats live: the others mucked, so no player had to show."""
        seats = (seat if seat.seat_no in claiming else seat.folding(self._hand.street) for seat in self._hand.seats)
        return replace(self._hand, seats=tuple(seats))
