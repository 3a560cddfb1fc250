"""Fixtures of the hand store benchmark: tables of six players, random hands, and the records of the hand store."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker.betting import Action, options
from casino.poker.commands import Act, Command, Entrant, OpenHand
from casino.poker.events import Event, HandOpened
from casino.poker.hand import begin, open_hand, unfold
from casino.poker.positions import Positions
from casino.poker.state import Hand, WantKind
from casino.poker.terms import Game, RakeTerms, Terms
from casino.poker_room.dealer import Dealer
from casino.poker_room.hand_record import Deck, HandRecord, hand_id_of, record_of
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.seat_money import BuyIn, Place, SeatMoney
from casino.poker_room.shoe import Shoe, ShoeSeal, new_shoe
from casino.storage.database import Database

SEATS: Final = 6
BUY_IN: Final = 100_000_000
"""So much that no player runs out of chips."""

STARTED_MS: Final = 1_800_000_000_000
SEAL: Final = ShoeSeal("a secret key of benchmarks")
_TERMS: Final = Terms(Game.NLHE, 5, 10, rake=RakeTerms(35, 100))
_RAISE_MAX: Final = 40
_RAISES: Final = 0.15
_FOLDS: Final = 0.3


@dataclass
class EveningTable:
    """One table, whose records follow each other. The chance is seeded, so that runs are alike."""

    number: int
    no: int = 0
    shoe: Shoe = field(default_factory=new_shoe)
    stacks: dict[str, int] = field(default_factory=dict)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)  # noqa: S311
        self.stacks = dict.fromkeys((f"player-{self.number}-{seat}" for seat in range(1, SEATS + 1)), BUY_IN)

    @property
    def id(self) -> str:
        return f"nl10-{self.number}"

    async def open(self, store: HandStore, money: SeatMoney) -> None:
        await store.open_table(NewTable(self.id, "nl10:EUR", "EUR", _sealed(self.shoe), "{}"), STARTED_MS)
        for seat_no, player_id in enumerate(self.stacks, 1):
            place = Place(self.id, "nl10:EUR", player_id, "EUR")
            await money.buy_in(BuyIn(place, seat_no, BUY_IN, f"sit-{self.number}"), STARTED_MS)

    def play(self) -> HandRecord:
        """The record of one more hand. It is not stored."""
        self.no += 1
        at_ms, button = STARTED_MS + self.no * 60_000, self.no % SEATS
        positions = Positions(button + 1, (button + 1) % SEATS + 1, (button + 2) % SEATS + 1)
        entrants = tuple(Entrant(seat, player, stack) for seat, (player, stack) in enumerate(self.stacks.items(), 1))
        hand_id = hand_id_of(self.id, self.no)
        opened, *_ = open_hand(OpenHand(hand_id, self.id, self.no, _TERMS, entrants, positions, self.shoe.root), at_ms)
        assert isinstance(opened, HandOpened)
        hand = begin(opened)
        dealer, events = Dealer.of(self.shoe, hand), list[Event]([opened])
        while not hand.is_over:
            command: Command = dealer.serve(hand) if hand.wants.kind is not WantKind.ACT else self._act(hand)
            for event, after in unfold(hand, command, at_ms):
                events.append(event)
                hand = after
        self.stacks = {seat.player_id: seat.stack for seat in sorted(hand.seats, key=lambda seat: seat.seat_no)}
        deck, self.shoe = _sealed(self.shoe), new_shoe()
        return record_of(hand, events, "EUR", deck=deck, next_deck=_sealed(self.shoe), state="{}")

    def _act(self, hand: Hand) -> Act:
        """Mostly checks and calls, so that most hands see a flop."""
        offered, lot = options(hand), self.chance.random()
        assert offered is not None
        action, amount = (Action.CHECK if offered.check else Action.CALL), 0
        if offered.sizes is not None and lot < _RAISES:
            action = Action.RAISE_TO
            amount = min(offered.sizes.largest, offered.sizes.smallest + self.chance.randrange(_RAISE_MAX))
        elif not offered.check and lot > 1 - _FOLDS:
            action = Action.FOLD
        return Act(hand.hand_id, hand.turn, hand.seats[hand.pending[0]].player_id, action, amount)


async def fill_purses(database: Database, tables: Iterable[EveningTable]) -> None:
    purses = [accounts.player_cash(player, "EUR") for table in tables for player in table.stacks]
    cashier = accounts.cashier("EUR")
    async with database.writing() as connection:
        book = Book(connection)
        await book.open_accounts([*purses, cashier])
        credit = tuple(move(BUY_IN, cashier, purse) for purse in purses)
        await book.post(Operation("purses", "purse", credit, "benchmark"), STARTED_MS)


def _sealed(shoe: Shoe) -> Deck:
    return Deck(shoe.root, SEAL.close(shoe))
