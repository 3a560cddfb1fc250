"""A poker room on virtual time and a real database: simulated players, and a record of everything that is sent."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from casino.hosting.interfaces import Connection
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker.betting import Action
from casino.poker.terms import Stake
from casino.poker_room.decks import Decks
from casino.poker_room.hand_runner import Phase
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import (
    ActInHand,
    ConnectionLost,
    Join,
    JoinPool,
    Leave,
    Message,
    Sit,
    SitOut,
)
from casino.poker_room.recovery import recover
from casino.poker_room.room import PokerRoom
from casino.poker_room.senders import Sender
from casino.poker_room.shoe import Shoe
from casino.poker_room.table import PokerTable
from casino.settings.poker import PUBLISHED, PokerSettings, load_poker
from casino.storage.database import Database
from casino.wire.outbound import OutboundEvent
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import fill_purses
from tests.poker_room.stored_tables import NOON_MS, SEAL, balances_of, fixed_shoe

Opened = Callable[..., Awaitable["RunningRoom"]]
POOL = "nl10:EUR"
NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal", "ida", "jim", "kim", "lea")


@dataclass
class Clock:
    now_ms: int = NOON_MS

    def __call__(self) -> int:
        return self.now_ms


@dataclass
class Recorder:
    """`received` has the events of each connection in order, those to its tables included."""

    received: dict[Connection, list[OutboundEvent]] = field(default_factory=lambda: defaultdict(list))
    to_players: dict[str, list[OutboundEvent]] = field(default_factory=lambda: defaultdict(list))
    lobby: list[tuple[str, OutboundEvent]] = field(default_factory=list)
    moved: list[tuple[str, Connection]] = field(default_factory=list)
    at_table: dict[str, set[Connection]] = field(default_factory=lambda: defaultdict(set))
    public: list[OutboundEvent] = field(default_factory=list)

    def subscribe(self, table_id: str, connection: Connection) -> None:
        self.at_table[table_id].add(connection)

    def unsubscribe(self, table_id: str, connection: Connection) -> None:
        self.at_table[table_id].discard(connection)

    def to_table(self, table_id: str, *events: OutboundEvent) -> None:
        self.public += events
        for connection in self.at_table[table_id]:
            self.received[connection] += events

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None:
        self.received[connection] += events

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        self.to_players[player_id] += events

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None:
        self.lobby += [(currency, event) for event in events]

    def seat_moved(self, table_id: str, connection: Connection) -> None:
        self.moved.append((table_id, connection))

    def steps(self, kind: str | None = None) -> list[dict[str, Any]]:
        return [dict(payload) for name, payload in self.public if name == "step" and kind in {None, payload["kind"]}]


def connection_of(player_id: str, number: int = 1) -> Connection:
    return Connection("local", f"{player_id}-{number}")


def sender(player_id: str, number: int = 1, currency: str = "EUR") -> Sender:
    return Sender(player_id, player_id.title(), currency, connection_of(player_id, number))


def shoes(*decks: str) -> Callable[[], Shoe]:
    """These decks in order; then decks in the house's order."""
    left = [*decks]
    made = 0

    def next_shoe() -> Shoe:
        nonlocal made
        made += 1
        return fixed_shoe(left.pop(0) if left else "", made)

    return next_shoe


def published(**room: Any) -> PokerSettings:  # noqa: ANN401  any key of room.toml
    settings = load_poker(PUBLISHED)
    parts = {**settings.parts, "room.toml": settings.room.model_copy(update=room)}
    return replace(settings, parts=parts)


@dataclass
class RunningRoom:
    database: Database
    room: PokerRoom
    clock: Clock
    sent: Recorder
    settings: PokerSettings
    new_shoe: Callable[[], Shoe]
    keys: int = 0

    @classmethod
    async def open(
        cls,
        database: Database,
        *decks: str,
        settings: PokerSettings | None = None,
        draw: Callable[[int], int] = lambda _bound: 0,
        players: Sequence[str] = NAMES,
        new_shoe: Callable[[], Shoe] | None = None,
        purse: int = 1_000_000,
    ) -> "RunningRoom":
        await fill_purses(database, dict.fromkeys(players, "EUR") | {"zoe": "FUN"}, purse)
        clock, sent, settings = Clock(), Recorder(), settings or published()
        new_shoe = new_shoe or shoes(*decks)
        store = HandStore(database, gather_seconds=0, retry_seconds=0.01)
        room = PokerRoom(settings, database, sent, clock, decks=Decks(SEAL, new_shoe), draw=draw, store=store)
        return cls(database, room, clock, sent, settings, new_shoe)

    async def crash(self) -> "RunningRoom":
        """The process ends without a word; another one takes over what is stored."""
        await self.room.stop()
        sent = Recorder()
        store = HandStore(self.database, gather_seconds=0)
        room = PokerRoom(
            self.settings,
            self.database,
            sent,
            self.clock,
            decks=Decks(SEAL, self.new_shoe),
            draw=lambda _bound: 0,
            store=store,
        )
        await recover(room, self.database, sent, self.clock)
        return RunningRoom(self.database, room, self.clock, sent, self.settings, self.new_shoe, self.keys)

    async def settle(self) -> None:
        """Waits for everything that does not wait for time."""
        while self.room.upkeep.tasks or not self.room.store.is_idle:  # noqa: ASYNC110  two parts, neither of which tells
            await asyncio.sleep(0.001)

    async def advance(self, ms: int) -> None:
        """Lets time pass, with everything that is due on the way."""
        until_ms = self.clock.now_ms + ms
        await self.settle()
        while (nearest := self.room.upkeep.deadlines._nearest()) is not None and nearest[0] <= until_ms:
            self.clock.now_ms = max(nearest[0], self.clock.now_ms)
            self.room.upkeep.deadlines.run_due()
            await self.settle()
        self.clock.now_ms = until_ms

    async def ask(self, message: Message) -> Any:  # noqa: ANN401  any reply
        reply = await self.room.ask(message)
        await self.settle()
        return reply

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    async def join_pool(self, player_id: str, buy_in: int = 1000, pool: str = POOL, **settings: bool) -> Any:  # noqa: ANN401
        return await self.ask(JoinPool(sender(player_id), pool, buy_in, self.key(), **settings))

    async def sit(self, *player_ids: str, buy_in: int = 1000, pool: str = POOL, **settings: bool) -> PokerTable:
        """These players get seats at one table, in seats 1, 2, …, and join it."""
        for player_id in player_ids:
            await self.join_pool(player_id, buy_in, pool, **settings)
        for player_id in player_ids:
            table = self.table_of(player_id)
            await self.ask(Join(sender(player_id), table.terms.table_id))
        return table

    def table_of(self, player_id: str) -> PokerTable:
        return next(table for table in self.room.tables if player_id in table.occupants)

    @property
    def table(self) -> PokerTable:
        (table,) = self.room.tables
        return table

    async def deal(self) -> PokerTable:
        """Time passes until the next hand has begun."""
        table = self.table
        assert table.due_ms is not None, "no hand is due"
        await self.advance(table.due_ms - self.clock.now_ms)
        assert table.phase is Phase.PLAYING
        return table

    def to_act(self, table: PokerTable | None = None) -> str | None:
        live = (table or self.table).live
        return live.hand.seats[live.hand.pending[0]].player_id if live and live.hand.pending else None

    async def act(
        self, action: str, player_id: str | None = None, amount: int = 0, turn: int = 0, *, settle: bool = True
    ) -> Any:  # noqa: ANN401
        player_id = player_id or self.to_act()
        assert player_id is not None
        table = self.table_of(player_id)
        assert table.live is not None
        hand = table.live.hand
        message = ActInHand(
            sender(player_id), table.terms.table_id, hand.hand_id, turn or hand.turn, Action(action), amount
        )
        return await (self.ask(message) if settle else self.room.ask(message))

    async def fold_out(self) -> None:
        """Everybody folds to the big blind."""
        while self.table.phase is Phase.PLAYING:
            await self.act("fold")

    async def play_checking(self, table: PokerTable | None = None) -> None:
        """The running hand is checked or called down."""
        table = table or self.table
        while table.phase is Phase.PLAYING and (player_id := self.to_act(table)) is not None:
            assert table.live is not None
            offered = table.live.options
            assert offered is not None
            await self.act("check" if offered.check else "call", player_id)

    async def fold_hands(self, table: PokerTable) -> None:
        """The running hand of this table, if there is one, is folded to its end."""
        while table.phase is Phase.PLAYING:
            await self.act("fold", self.to_act(table))

    async def lose_connection(self, player_id: str, number: int = 1, *, is_last: bool = True) -> None:
        await self.ask(ConnectionLost(player_id, connection_of(player_id, number), is_last))

    async def come_back(self, player_id: str, number: int = 1) -> Any:  # noqa: ANN401
        return await self.ask(Join(sender(player_id, number), self.table_of(player_id).terms.table_id))

    async def leave(self, player_id: str) -> Any:  # noqa: ANN401
        return await self.ask(Leave(sender(player_id), self.table_of(player_id).terms.table_id))

    async def sit_out(
        self, player_id: str, *, at_big_blind: bool = False, on: bool = True, table: str | None = None
    ) -> Any:  # noqa: ANN401
        return await self.ask(SitOut(sender(player_id), table, at_big_blind, on))

    async def buy_in(self, player_id: str, table_id: str, amount: int, key: str | None = None) -> Any:  # noqa: ANN401
        return await self.ask(Sit(sender(player_id), table_id, amount, key or self.key()))

    async def give_chips(self, table: PokerTable, giver: str, taker: str, amount: int) -> None:
        """Chips as a hand would move them, so that a player has a certain stack."""
        if amount < 0:
            giver, taker, amount = taker, giver, -amount
        if not amount:
            return
        table_id, currency = table.terms.table_id, table.terms.currency
        pot = accounts.pot(table_id, currency)
        seats = [accounts.seat(table_id, player_id, currency) for player_id in (giver, taker)]
        postings = (move(amount, seats[0], pot), move(amount, pot, seats[1]))
        async with self.database.writing() as connection:
            await Book(connection).post(Operation(self.key(), "poker_hand", postings, table_id), self.clock())
        for player_id, change in ((giver, -amount), (taker, amount)):
            stack = table.stacks[player_id] + change
            table.seats = table.seats.changed(player_id, stack=stack)

    async def pass_idle(self, ms: int) -> None:
        """Time passes without anything happening at the tables."""
        await self.settle()
        self.clock.now_ms += ms

    async def checked(self) -> None:
        """The books are whole, and every stack a table believes in is the balance of the seat's account."""
        await self.settle()
        await check_books(self.database)
        balances = await balances_of(self.database)
        for table in self.room.tables:
            for player_id, stack in table.stacks.items():
                assert balances[f"seat:{table.terms.table_id}:{player_id}"] == stack

    async def close(self) -> None:
        await self.room.stop()


def stake(settings: PokerSettings, stake_id: str) -> Stake:
    return settings.stakes[stake_id]
