"""Poker room under load: its configuration, final balances, and the memory of tables without a hand."""

import asyncio
import gc
import shutil
import sqlite3
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.load.poker_client import PokerClient
from benchmarks.load.service import CREDIT
from casino.hosting.interfaces import Connection
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker_room.decks import Decks
from casino.poker_room.messages import JoinPool
from casino.poker_room.room import PokerRoom
from casino.poker_room.senders import Sender
from casino.poker_room.shoe import ShoeSeal
from casino.settings.poker import PUBLISHED, load_poker
from casino.storage.database import Database
from casino.wire.outbound import OutboundEvent

POOL = "nl10:FUN"
BUY_IN = 1_000
BLINDS = 10
SEATS = 6
_NOW_MS = 1_700_000_000_000
_TOGETHER = 60
_QUICK = {"between_hands = 3": "between_hands = 0", "after_showdown = 5": "after_showdown = 0"}


def add_poker(config: Path, *, is_quick: bool) -> None:
    """`is_quick`: without pauses between hands."""
    shutil.copytree(PUBLISHED, config / "poker")
    file = config / "poker" / "room.toml"
    text = file.read_text()
    for published, quick in _QUICK.items() if is_quick else ():
        assert published in text
        text = text.replace(published, quick)
    file.write_text(text)
    with (config / "casino.toml").open("a") as rates:
        rates.write("plays_per_5_seconds = 100000\n")


def wrong_balances(folder: Path, clients: Iterable[PokerClient]) -> list[str]:
    """Players whose ledger balance differs from their credit plus all results they received."""
    query = "SELECT kind, id, balance FROM accounts WHERE kind IN ('player', 'seat')"
    raw = sqlite3.connect(f"file:{folder}/casino.db?mode=ro", uri=True)
    try:
        rows = raw.execute(query).fetchall()
    finally:
        raw.close()
    owned: dict[str, int] = {}
    for kind, name, balance in rows:
        player_id = name.split(":")[1 if kind == "player" else 2]
        owned[player_id] = owned.get(player_id, 0) + balance
    return [
        f"{client.id} has {owned[client.id]}, but {CREDIT + client.net} by the results received"
        for client in clients
        if owned[client.id] != CREDIT + client.net
    ]


class _NoPublisher:
    """A publisher without listeners."""

    def subscribe(self, table_id: str, connection: Connection) -> None: ...

    def unsubscribe(self, table_id: str, connection: Connection) -> None: ...

    def to_table(self, table_id: str, *events: OutboundEvent) -> None: ...

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None: ...

    def to_player(self, player_id: str, *events: OutboundEvent) -> None: ...

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None: ...

    def seat_moved(self, table_id: str, connection: Connection) -> None: ...


def bytes_per_idle_table(tables: int) -> float:
    """What a table costs in which six players sit before the first hand: the objects alive, by Python's own count."""
    with TemporaryDirectory(prefix="casino-load-idle-") as name:
        return asyncio.run(_idle(f"sqlite:///{name}/casino.db", tables))


async def _idle(url: str, tables: int) -> float:
    database = await Database.open(url)
    try:
        room = PokerRoom(
            load_poker(PUBLISHED),
            database,
            _NoPublisher(),
            lambda: _NOW_MS,
            decks=Decks(ShoeSeal("a key of the load test")),
        )
        players = [f"player-{number}" for number in range((tables + 1) * SEATS)]
        purses = [accounts.player_cash(player_id, "FUN") for player_id in players]
        async with database.writing() as connection:
            book = Book(connection)
            await book.open_accounts([*purses, accounts.cashier("FUN")])
            credits_ = tuple(move(BUY_IN, accounts.cashier("FUN"), purse) for purse in purses)
            await book.post(Operation("purses", "credit", credits_, "load"), _NOW_MS)
        await _seat(room, players[:SEATS])  # what the first table builds once
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        await _seat(room, players[SEATS:])
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        opened = sum(1 for _ in room.tables)
        assert all(not table.hand_no for table in room.tables)
        await room.stop()
        return grown / (opened - 1)
    finally:
        await database.close()


async def _seat(room: PokerRoom, players: list[str]) -> None:
    for first in range(0, len(players), _TOGETHER):
        wishes = [
            JoinPool(Sender(player_id, player_id, "FUN"), POOL, BUY_IN, f"key-{player_id}")
            for player_id in players[first : first + _TOGETHER]
        ]
        await asyncio.gather(*map(room.ask, wishes))
        while room.upkeep.tasks:
            await asyncio.wait(room.upkeep.tasks)
