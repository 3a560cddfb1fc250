"""Poker table on a real database, without sockets or clocks: hands are scripted and stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from casino.cards.card import DECK, Card
from casino.ledger.accounts import seat_id
from casino.poker.betting import Action, options
from casino.poker.commands import Act, Command, Entrant, OpenHand, VoidHand
from casino.poker.events import Event, HandOpened
from casino.poker.hand import begin, open_hand, unfold
from casino.poker.positions import Positions
from casino.poker.state import Hand, WantKind
from casino.poker.terms import Game, RakeTerms, Terms
from casino.poker_room.dealer import Dealer
from casino.poker_room.hand_record import Deck, HandRecord, hand_id_of, record_of
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.seat_money import BuyIn, Place, SeatMoney
from casino.poker_room.shoe import Shoe, ShoeSeal
from casino.storage import schema
from casino.storage.database import Database
from tests.live_table.stored_rounds import fill_purses

NOON_MS = 1_763_467_200_000
SEAL = ShoeSeal("a secret key of tests")
TERMS = Terms(Game.NLHE, 5, 10, rake=RakeTerms(35, 100))
PLAYERS = ("ann", "bob", "cid")


def fixed_shoe(first: str = "", number: int = 0) -> Shoe:
    """A deck that begins with these cards; the others follow in the house's order."""
    top = [Card(card) for card in first.split()]
    rest = [card for card in DECK if card not in top]
    return Shoe([*top, *rest], f"{number:064x}")


def sealed(shoe: Shoe) -> Deck:
    return Deck(shoe.root, SEAL.close(shoe))


@dataclass
class StoredTable:
    """Its players in seats 1 to 3; the button of hand n is seat (n - 1) % 3 + 1."""

    database: Database
    store: HandStore
    money: SeatMoney
    table_id: str = "nl10-1"
    currency: str = "EUR"
    no: int = 0
    players: Sequence[str] = PLAYERS
    shoe: Shoe = field(default_factory=fixed_shoe)

    @classmethod
    async def open(
        cls,
        database: Database,
        table_id: str = "nl10-1",
        store: HandStore | None = None,
        buy_in: int = 1000,
        *,
        currency: str = "EUR",
        players: Sequence[str] = PLAYERS,
    ) -> "StoredTable":
        table = cls(
            database,
            store or HandStore(database, gather_seconds=0),
            SeatMoney(database),
            table_id,
            currency,
            players=players,
        )
        table.shoe = fixed_shoe(number=sum(table_id.encode()))
        await table.store.open_table(NewTable(table_id, table.pool_id, currency, sealed(table.shoe), "{}"), NOON_MS)
        for seat_no, player_id in enumerate(players, 1):
            wanted = BuyIn(table.place(player_id), seat_no, buy_in, f"{table_id}-{player_id}")
            await table.money.buy_in(wanted, NOON_MS)
        return table

    @property
    def pool_id(self) -> str:
        return f"nl10:{self.currency}"

    def place(self, player_id: str) -> Place:
        return Place(self.table_id, self.pool_id, player_id, self.currency)

    async def stacks(self) -> dict[str, int]:
        balances = await balances_of(self.database)
        return {player: balances[seat_id(self.table_id, player)] for player in self.players}

    async def played(
        self, actions: Sequence[str] = ("call", "call", "check"), next_shoe: Shoe | None = None, *, void: bool = False
    ) -> HandRecord:
        """Plays these actions; then everybody checks, or calls. The record is not stored."""
        stacks = await self.stacks()
        no = self.no + 1
        button = (no - 1) % 3 + 1
        positions = Positions(button, button % 3 + 1, (button + 1) % 3 + 1)
        entrants = tuple(Entrant(seat, player, stacks[player]) for seat, player in enumerate(self.players, 1))
        hand_id = hand_id_of(self.table_id, no)
        at_ms = NOON_MS + no * 60_000
        opened, *_ = open_hand(OpenHand(hand_id, self.table_id, no, TERMS, entrants, positions, self.shoe.root), at_ms)
        assert isinstance(opened, HandOpened)
        hand, events = play(begin(opened), self.shoe, actions, at_ms, void=void)
        following = next_shoe or fixed_shoe(number=no * 1000 + sum(self.table_id.encode()))
        record = record_of(
            hand, [opened, *events], self.currency, deck=sealed(self.shoe), next_deck=sealed(following), state="{}"
        )
        self.shoe, self.no = following, no
        return record

    async def play(self, actions: Sequence[str] = ("call", "call", "check"), *, void: bool = False) -> HandRecord:
        record = await self.played(actions, void=void)
        await self.store.store(record)
        return record


def play(hand: Hand, shoe: Shoe, actions: Sequence[str], at_ms: int, *, void: bool) -> tuple[Hand, list[Event]]:
    events: list[Event] = []
    dealer, left = Dealer.of(shoe, hand), list(actions)
    while not hand.is_over:
        offered = options(hand)
        if void and not left:
            command: Command = VoidHand(hand.hand_id, "test", "mia")
        elif hand.wants.kind is WantKind.ACT:
            assert offered is not None
            action, _, amount = (left.pop(0) if left else "check" if offered.check else "call").partition(" ")
            player = hand.seats[hand.pending[0]].player_id
            command = Act(hand.hand_id, hand.turn, player, Action(action), int(amount or 0))
        else:
            command = dealer.serve(hand)
        for event, after in unfold(hand, command, at_ms):
            events.append(event)
            hand = after
    return hand, events


async def purses(database: Database) -> None:
    await fill_purses(database, dict.fromkeys(PLAYERS, "EUR") | {"gus": "FUN"})


async def balances_of(database: Database) -> Mapping[str, int]:
    async with database.reading() as connection:
        columns = schema.accounts.c
        rows = (await connection.execute(select(columns.id, columns.balance))).all()
    return {row.id: row.balance for row in rows}
