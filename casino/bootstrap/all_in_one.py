"""Composition root of the all-in-one service: a gateway and a table host in one process."""

import asyncio
import os
from typing import Final

from casino.bootstrap.background import cancel
from casino.bootstrap.gateway import Gateway
from casino.bootstrap.poker_host import PokerHost
from casino.bootstrap.stop_alerts import StopAlerts
from casino.bootstrap.table_access import TableAccess
from casino.bootstrap.table_host import TableHost
from casino.cards.commitment import Shoe
from casino.clock import Clock, wall_clock
from casino.hosting.encoded import EncodedClient, EncodedDirectory, EncodedPublisher
from casino.hosting.interfaces import Publisher, TableClient
from casino.hosting.local import LocalDirectory
from casino.http.poker import no_room
from casino.live_table.messages import CODEC, Message
from casino.live_table.shoe import Seal
from casino.observability.metrics import Metrics
from casino.poker_room.messages import ROOM
from casino.poker_room.messages import Message as PokerMessage
from casino.poker_room.shoe import Shoe as PokerShoe
from casino.poker_room.shoe import ShoeSeal
from casino.settings import Settings
from casino.storage.database import Database
from casino.users.sessions import Sessions
from casino.wire.outbound import Payload

ENCODED: Final = "CASINO_ENCODED_HOSTING"
"""Environment variable for tests: gateway and tables exchange bytes, as if they ran in different processes."""


class AllInOne:
    def __init__(self, settings: Settings, database: Database, sessions: Sessions, clock: Clock = wall_clock) -> None:
        self.sessions: Final = sessions
        self.metrics: Final = Metrics()
        self._is_encoded = bool(os.environ.get(ENCODED))
        self.directory: Final = EncodedDirectory() if self._is_encoded else LocalDirectory()
        self.tables: Final = TableHost(settings, database, clock, directory=self.directory, metrics=self.metrics)
        self._clients: dict[str, TableClient[Message]] = {}
        self.poker: Final = PokerHost(settings, database, clock, is_encoded=self._is_encoded)
        self.gateway: Final = Gateway(
            settings,
            database,
            sessions,
            clock,
            clients=self._clients,
            directory=self.directory,
            metrics=self.metrics,
            poker_room=self.poker.clients,
        )
        self.access: Final = TableAccess(
            settings.tables,
            database,
            self.gateway,
            clients=self._clients,
            directory=self.directory,
            are_up=lambda: self.tables.are_up,
            exclude_from_poker=self.poker.exclude,
        )
        self._stop_seconds = settings.casino.service.stop_seconds
        self._seal: Seal | None = None
        self._shoe_seal: ShoeSeal | None = None
        self._alerts = StopAlerts(settings.casino.alerts, self.access.floor, clock)
        self._has_webhook = bool(settings.casino.alerts.webhook)
        self._background: list[asyncio.Task[None]] = []

    async def open(self, secret_key: str) -> None:
        """Recovers the rounds of an earlier run, and starts all tables."""
        self._seal = Seal(secret_key)
        self._shoe_seal = ShoeSeal(secret_key)
        await self.gateway.load()
        await self.tables.open(self._seal, self._publisher)
        for table_id, actor in self.tables.actors.items():
            self._clients[table_id] = EncodedClient(actor, CODEC) if self._is_encoded else actor
        await self.poker.open(secret_key, self.gateway.poker_publisher)
        self.gateway.start()
        if self._has_webhook:
            self._background.append(asyncio.create_task(self._alerts.run(), name="stop_alerts"))

    def _publisher(self, table_id: str) -> Publisher:
        publisher = self.gateway.publisher(table_id)
        return EncodedPublisher(publisher) if self._is_encoded else publisher

    async def close(self) -> None:
        """Returns open bets, finishes rounds whose betting has closed, within a time limit, and stops everything.

        Running poker hands are finished within the same time, or void.
        """
        await asyncio.gather(self.tables.drain(self._stop_seconds), self.poker.drain(self._stop_seconds))
        await self.drop_everything()
        await self.gateway.store_chat()

    async def drop_everything(self) -> None:
        """Stops everything, and leaves every round at its current step."""
        await cancel(self._background)
        await self.poker.stop()
        await self.tables.stop()
        await self.gateway.stop()

    def unsealed(self, sealed: str) -> Shoe | None:
        """Opens the shoe of a finished round of commitment version 1, for its proof."""
        return self._seal.open_shoe(sealed) if self._seal else None

    def unsealed_deck(self, sealed: str) -> PokerShoe | None:
        """Opens the deck of a finished poker hand, for its players' own cards and proofs."""
        return self._shoe_seal.open(sealed) if self._shoe_seal else None

    def unsealed_text(self, sealed: str) -> str | None:
        """Opens the draw of a HexaPro game that has started, for the proof to its players."""
        return self._shoe_seal.open_text(sealed) if self._shoe_seal else None

    async def ask_poker_room(self, message: PokerMessage) -> Payload:
        """Raises `not_found` if this service has no poker room, and any refusal of the room."""
        room = self.poker.clients.get(ROOM)
        return await (room.ask(message) if room else no_room(message))
