"""Address of a live table: the actor that runs it.

If the table's own code fails, the senders receive an error, the round stays as it was, and the table pauses with an
incident. If the database is unavailable, the senders receive that error too. Once it is back, the table continues by
itself and restarts every running window with its full time.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from casino.clock import Clock
from casino.hosting.actor import Actor
from casino.hosting.interfaces import Directory, Publisher
from casino.hosting.local import LocalDirectory
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.console import Console
from casino.live_table.messages import Drain, Message
from casino.live_table.shoe import Seal
from casino.live_table.table import Table
from casino.observability.metrics import Metrics
from casino.settings import TableSettings
from casino.uth.state import Round
from casino.wire.common import PastRound


class TableActor(Actor[Message]):
    _table: Table

    def __init__(
        self,
        settings: TableSettings,
        unit_of_work: TableUnitOfWork,
        publisher: Publisher,
        seal: Seal,
        clock: Clock,
        *,
        directory: Directory | None = None,
        running: Round | None = None,
        names: Mapping[str, str] = MappingProxyType({}),
        past: Iterable[PastRound] = (),
        metrics: Metrics | None = None,
        console: Console | None = None,
    ) -> None:
        """`running` is the round an earlier run of the service began, `names` those of its players.

        `past` holds the results of the rounds before it.
        """
        table = Table(
            settings,
            unit_of_work,
            publisher,
            seal,
            clock,
            directory=directory or LocalDirectory(),
            running=running,
            names=names,
            past=past,
            metrics=metrics or Metrics(),
            console=console,
        )
        super().__init__(settings.id, table, clock)

    async def drain(self) -> None:
        """Accepts no more bets and returns open ones; waits until a round whose betting has closed is over."""
        await self.rest_after(Drain())
