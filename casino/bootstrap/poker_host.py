"""Wires the poker room: recovers its tables, and gives gateways its address. Without `config/poker` there is none."""

from typing import Final

from casino.clock import Clock
from casino.hosting.encoded import EncodedClient
from casino.hosting.interfaces import TableClient
from casino.poker_room.decks import Decks
from casino.poker_room.encoded_publisher import EncodedRoomPublisher
from casino.poker_room.messages import CODEC, ROOM, Exclude, Message, RoomPublisher
from casino.poker_room.recovery import recover
from casino.poker_room.room import PokerRoom
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.tournament.tournament_recovery import recover_tournaments
from casino.settings import Settings
from casino.storage.database import Database


class PokerHost:
    """`clients` has the room's address once it is open, and stays empty without a room."""

    def __init__(self, settings: Settings, database: Database, clock: Clock, *, is_encoded: bool) -> None:
        poker = settings.poker
        self._settings = poker if poker is not None and poker.room.enabled else None
        self._database = database
        self._clock = clock
        self._is_encoded = is_encoded
        self._room: PokerRoom | None = None
        self.clients: Final[dict[str, TableClient[Message]]] = {}

    async def open(self, secret_key: str, publisher: RoomPublisher) -> None:
        """Brings back the tables of an earlier run, then takes messages."""
        if self._settings is None:
            return
        publisher = EncodedRoomPublisher(publisher) if self._is_encoded else publisher
        decks = Decks(ShoeSeal(secret_key))
        room = self._room = PokerRoom(self._settings, self._database, publisher, self._clock, decks=decks)
        await recover(room, self._database, publisher, self._clock)
        await recover_tournaments(room, self._database, publisher, self._clock)
        self.clients[ROOM] = EncodedClient(room, CODEC) if self._is_encoded else room

    async def exclude(self, player_id: str) -> None:
        """The player may risk no more money: leaves the room after the running hands."""
        if ROOM in self.clients:
            await self.clients[ROOM].ask(Exclude(player_id))

    async def drain(self, seconds: float) -> None:
        """No hand begins any more; running ones are finished within this time, or void."""
        if self._room is not None:
            await self._room.drain(seconds)

    async def stop(self) -> None:
        if self._room is not None:
            await self._room.stop()
