"""Random play in a poker room on virtual time and a real database: joins, actions, disconnects, top-ups, departures.

Everything that the room acknowledges is said aloud: whoever listens knows it when the voice breaks off.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from sqlalchemy import func, select

from casino.errors import Refusal
from casino.hosting.interfaces import Connection
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker.betting import Action, Options
from casino.poker_room.decks import Decks
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import (
    ActInHand,
    ConnectionLost,
    Join,
    JoinPool,
    Leave,
    Message,
    SitOut,
    TopUp,
)
from casino.poker_room.recovery import recover
from casino.poker_room.room import PokerRoom
from casino.poker_room.senders import Sender
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.table import PokerTable
from casino.settings.poker import PUBLISHED, load_poker
from casino.storage import poker_schema, schema
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.wire.outbound import OutboundEvent
from tests.uth.tabletop import NOON_MS

Say = Callable[..., None]

KEY: Final = "a secret key of chaos"
POOLS: Final = ("nl10", "pl10")
PURSE: Final = 200_000
PLAYERS: Final = {f"p{number}": "FUN" if number > 10 else "EUR" for number in range(1, 15)}
COUNTED: Final = ("p2", "p7")
"""They have limited their losses, beyond all they could lose: so every loss of theirs is counted."""


async def fill_purses(database: Database) -> None:
    """Once: the key of the credit sees to that."""
    async with database.writing() as connection:
        book = Book(connection)
        purses = {player: accounts.player_cash(player, currency) for player, currency in PLAYERS.items()}
        await book.open_accounts([*purses.values(), accounts.cashier("EUR"), accounts.cashier("FUN")])
        credits_ = [move(PURSE, accounts.cashier(purse.currency), purse) for purse in purses.values()]
        await book.post(Operation("purses", "credit", tuple(credits_), "test"), NOON_MS)
        people = [(p, p, p, "player", currency, 0, int(currency == "FUN")) for p, currency in PLAYERS.items()]
        columns: tuple[str, ...] = ("id", "name", "name_folded", "role", "currency", "created_ms", "play_money")
        await insert_rows(connection, schema.users, columns, people, or_else="ON CONFLICT (id) DO NOTHING")
        limits = [(player, "loss", "day", 10**12, 0) for player in COUNTED]
        columns = ("player_id", "kind", "period", "value", "at_ms")
        await insert_rows(connection, schema.safeguards, columns, limits, or_else="ON CONFLICT DO NOTHING")


async def latest_ms(database: Database) -> int:
    """The last moment anything was written down."""
    times = (poker_schema.poker_hands.c.ended_ms, schema.operations.c.at_ms)
    async with database.reading() as connection:
        found = [(await connection.execute(select(func.max(column)))).scalar_one() for column in times]
    return max(NOON_MS, *(at_ms or 0 for at_ms in found))


@dataclass
class Mouth:
    """Says what the room sends, as far as it promises something."""

    say: Say
    began: int = 0

    def subscribe(self, table_id: str, connection: Connection) -> None:
        pass

    def unsubscribe(self, table_id: str, connection: Connection) -> None:
        pass

    def to_table(self, table_id: str, *events: OutboundEvent) -> None:  # noqa: ARG002  as rooms call it
        for name, payload in events:
            if name == "hand":
                self.began += 1
                self.say("began", payload["hand_id"])

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None:
        for name, payload in events:
            if name == "hand_over":
                self.say("result", payload["hand_id"], connection.sid, payload["net"])

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        pass

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None:
        pass

    def seat_moved(self, table_id: str, connection: Connection) -> None:
        pass


def connection_of(player_id: str) -> Connection:
    return Connection("local", player_id)


def sender(player_id: str) -> Sender:
    return Sender(player_id, player_id, PLAYERS[player_id], connection_of(player_id))


@dataclass
class RandomEvening:
    database: Database
    seed: int
    say: Say
    now_ms: int
    retry_seconds: float = 0.01
    keys: int = 0
    chance: Random = field(init=False)
    mouth: Mouth = field(init=False)
    room: PokerRoom = field(init=False)
    replies: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.chance, self.mouth = Random(self.seed), Mouth(self.say)
        self.room = PokerRoom(
            load_poker(PUBLISHED),
            self.database,
            self.mouth,
            self.clock,
            decks=Decks(ShoeSeal(KEY)),
            draw=self.chance.randrange,
            store=HandStore(self.database, gather_seconds=0, retry_seconds=self.retry_seconds),
        )

    def clock(self) -> int:
        return self.now_ms

    @classmethod
    async def open(cls, database: Database, seed: int, say: Say) -> "RandomEvening":
        """Recovers what an earlier process has left, and says so. Most players come back, some do not."""
        evening = cls(database, seed, say, await latest_ms(database) + 2_000)
        await evening.begin()
        return evening

    async def begin(self) -> None:
        await fill_purses(self.database)
        await recover(self.room, self.database, self.mouth, self.clock)
        self.say("recovered")
        for table in self.room.tables:
            for player_id in table.occupants:
                if self.chance.random() < 0.8:
                    self.ask(Join(sender(player_id), table.terms.table_id))

    async def play(self, hands: int) -> None:
        """Until so many hands have begun."""
        while self.mouth.began < hands:
            if self.chance.random() < 0.25:
                self._move_about()
            if not self._act():
                await self.pass_time()
            await asyncio.sleep(0)

    async def end(self) -> None:
        """All players leave, also one who gets a seat during this; nothing is left at any table."""
        asked = set[tuple[str, str, int]]()
        for _ in range(2_000):
            for table in [*self.room.tables]:
                for player_id, occupant in [*table.occupants.items()]:
                    sitting = (player_id, table.terms.table_id, occupant.since_ms)
                    if sitting not in asked:
                        asked.add(sitting)
                        self._leave(player_id, table)
            if not any(table.occupants for table in self.room.tables):
                break
            if not self._act():
                await self.pass_time()
        await self._settled()
        await self.room.stop()

    def ask(self, message: Message, *said: object) -> None:
        """Says the question, and the answer once it is acknowledged."""
        if said:
            self.say("asking", *said)
        task = asyncio.ensure_future(self._answered(message, said))
        self.replies.add(task)
        task.add_done_callback(self.replies.discard)

    async def _answered(self, message: Message, said: tuple[object, ...]) -> None:
        try:
            reply = await self.room.ask(message)
        except Refusal as refusal:
            if said:
                self.say("refused", *said, refusal.code)
            return
        if said:
            self.say("answered", *said, dict(reply))

    def _act(self) -> bool:
        """A player whose turn it is acts; False if there is none."""
        asked = [table for table in self.room.tables if table.live is not None and table.live.hand.pending]
        asked = [table for table in asked if table.live is not None and table.live.options is not None]
        if not asked or self.chance.random() < 0.05:  # sometimes time runs out
            return False
        table = self.chance.choice(asked)
        assert table.live is not None
        hand, offered = table.live.hand, table.live.options
        assert offered is not None
        action, amount = self._decide(offered)
        player_id = hand.seats[hand.pending[0]].player_id
        self.ask(ActInHand(sender(player_id), table.terms.table_id, hand.hand_id, hand.turn, action, amount))
        return True

    def _decide(self, offered: Options) -> tuple[Action, int]:
        lot = self.chance.random()
        if offered.sizes is not None and lot < 0.25:
            return Action.RAISE_TO, self.chance.choice((offered.sizes.smallest, offered.sizes.largest))
        if not offered.check and lot > 0.75:
            return Action.FOLD, 0
        return (Action.CHECK if offered.check else Action.CALL), 0

    def _move_about(self) -> None:
        player_id = self.chance.choice(sorted(PLAYERS))
        seated = [table for table in self.room.tables if player_id in table.occupants]
        if not seated or (len(seated) < 2 and self.chance.random() < 0.3):
            self._join(player_id)
            return
        table, lot = self.chance.choice(seated), self.chance.random()
        table_id = table.terms.table_id
        if lot < 0.1:
            self._leave(player_id, table)
        elif lot < 0.3:
            key, amount = self._key(), self.chance.choice((100, 300, 900))
            self.ask(TopUp(sender(player_id), table_id, amount, key), "top_up", player_id, key, amount)
        elif lot < 0.5:
            self.ask(ConnectionLost(player_id, connection_of(player_id), is_last=True))
        elif lot < 0.6:
            self.ask(SitOut(sender(player_id), table_id, at_big_blind=self.chance.random() < 0.5, is_on=True))
        else:
            self.ask(Join(sender(player_id), table_id))
            self.ask(SitOut(sender(player_id), None, at_big_blind=False, is_on=False))

    def _join(self, player_id: str) -> None:
        pool, key = f"{self.chance.choice(POOLS)}:{PLAYERS[player_id]}", self._key()
        amount = self.chance.choice((1000, 700)) if pool.startswith("nl10") else 1000
        wishes = {"wait_for_bb": self.chance.random() < 0.5, "auto_top_up": self.chance.random() < 0.3}
        self.ask(JoinPool(sender(player_id), pool, amount, key, **wishes), "buy_in", player_id, key, amount)

    def _leave(self, player_id: str, table: PokerTable) -> None:
        table_id = table.terms.table_id
        self.ask(Leave(sender(player_id), table_id), "leave", player_id, table_id)

    def _key(self) -> str:
        self.keys += 1
        return f"key-{self.seed}-{self.keys}"

    async def pass_time(self) -> None:
        """Until the next thing that is due, once nothing else is under way."""
        await self._settled()
        nearest = self.room.upkeep.deadlines._nearest()
        if nearest is None:
            self._move_about()
            return
        self.now_ms = max(self.now_ms, nearest[0])
        self.room.upkeep.deadlines.run_due()

    async def _settled(self) -> None:
        while self.replies or self.room.upkeep.tasks or not self.room.store.is_idle:  # noqa: ASYNC110
            await asyncio.sleep(0.0005)
