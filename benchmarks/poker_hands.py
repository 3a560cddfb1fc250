"""Whole random six-max hands from the deal to the final stacks, compared with PokerKit on the same decisions."""

import random
import warnings
from collections.abc import Callable
from typing import Any

from pokerkit import Automation, NoLimitTexasHoldem, PotLimitOmahaHoldem

from benchmarks.measurement import Row, Work, duration, faster, race
from casino.cards.card import DECK, Card
from casino.poker.betting import Action, options
from casino.poker.commands import Act, DealBoard, Entrant, OpenHand, Reveal
from casino.poker.events import HandOpened
from casino.poker.hand import begin, open_hand, unfold
from casino.poker.positions import Positions
from casino.poker.state import WantKind
from casino.poker.terms import Game, Terms

SEATS = 6
STACK = 200
HANDS = 20
PEERS = {Game.NLHE: NoLimitTexasHoldem, Game.PLO: PotLimitOmahaHoldem}
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
Decide = Callable[[bool, tuple[int, int] | None], tuple[Action, int]]


def _player(seed: int) -> Decide:
    """Decisions by chance: the same options and the same seed give the same hand."""
    chance = random.Random(seed)  # noqa: S311

    def decide_(can_check: bool, sizes: tuple[int, int] | None) -> tuple[Action, int]:  # noqa: FBT001
        lot = chance.random()
        if sizes is not None and lot < 0.2:
            return Action.RAISE_TO, chance.randint(*sizes)
        if not can_check and lot > 0.7:
            return Action.FOLD, 0
        return (Action.CHECK if can_check else Action.CALL), 0

    return decide_


def _deck(game: Game, seed: int) -> tuple[list[tuple[Card, ...]], list[Card]]:
    deck = random.Random(-seed).sample(DECK, 52)  # noqa: S311
    held = game.hole_cards * SEATS
    return [tuple(deck[place:held:SEATS]) for place in range(SEATS)], deck[held:]


def play_ours(game: Game, seed: int) -> list[int]:
    player = _player(seed)
    hole, board = _deck(game, seed)
    entrants = tuple(Entrant(seat, str(seat), STACK) for seat in range(1, SEATS + 1))
    command = OpenHand("h", "t", seed, Terms(game, 1, 2), entrants, Positions(SEATS, 1, 2))
    opened = open_hand(command, 0)[0]
    assert isinstance(opened, HandOpened)
    hand = begin(opened)
    while (wants := hand.wants).kind is not WantKind.NOTHING:
        ask: Act | DealBoard | Reveal
        if wants.kind is WantKind.ACT:
            offered = options(hand)
            assert offered is not None
            sizes = (offered.sizes.smallest, offered.sizes.largest) if offered.sizes else None
            action, amount = player(offered.check, sizes)
            ask = Act("h", hand.turn, str(offered.seat_no), action, amount)
        elif wants.kind is WantKind.BOARD:
            dealt = len(hand.board)
            ask = DealBoard("h", tuple(board[dealt : dealt + wants.cards]))
        else:
            ask = Reveal("h", {seat: hole[seat - 1] for seat in wants.seats})
        hand = unfold(hand, ask, 0)[-1][1]
    return [seat.stack for seat in hand.seats]


def play_theirs(game: Game, seed: int) -> list[int]:
    player = _player(seed)
    hole, board = _deck(game, seed)
    peer: Any = PEERS[game]
    state = peer.create_state(AUTOMATIC, True, 0, (1, 2), 2, (STACK,) * SEATS, SEATS)  # noqa: FBT003
    for cards in hole:
        state.deal_hole("".join(cards))
    dealt = 0
    while state.status:
        if state.actor_index is None:
            count = 1 if dealt else 3
            state.deal_board("".join(board[dealt : dealt + count]))
            dealt += count
            continue
        sizes = None
        if state.can_complete_bet_or_raise_to():
            sizes = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
        action, amount = player(not state.checking_or_calling_amount, sizes)
        if action is Action.FOLD:
            state.fold()
        elif action is Action.RAISE_TO:
            state.complete_bet_or_raise_to(amount)
        else:
            state.check_or_call()
    return [*state.stacks]


def _rows(game: Game, goal: float) -> list[Row]:
    seeds = range(1, HANDS + 1)
    same = sum(play_ours(game, seed) == play_theirs(game, seed) for seed in seeds)
    assert same >= HANDS - 2, "only odd chips are shared in another way"
    seconds = race(
        {
            "ours": Work(lambda: [play_ours(game, seed) for seed in seeds], HANDS),
            "theirs": Work(lambda: [play_theirs(game, seed) for seed in seeds], HANDS),
        }
    )
    return [
        Row(f"{game}: unfold, whole hands", duration(seconds["ours"])),
        faster(f"{game}: PokerKit, the same hands", seconds["theirs"], seconds["ours"], goal=goal),
    ]


def rows() -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns of cards it did not draw itself
        return [*_rows(Game.NLHE, 6), *_rows(Game.PLO, 12)]
