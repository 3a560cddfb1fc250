"""Access of the HTTP routes to running tables: published state from the directory, everything else by messages."""

import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import cast

from sqlalchemy import select

from casino.bootstrap.gateway import Gateway
from casino.errors import Code, Refusal
from casino.hosting.interfaces import Directory, TableClient
from casino.http.host import StaffMember
from casino.live_table.floor_overview import floor_view
from casino.live_table.lobby_entry import PublishedTable
from casino.live_table.messages import CorrectSettled, Message
from casino.live_table.proposals import open_proposal
from casino.settings import TableSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Role
from casino.uth.commands import ApproveProposal, RejectProposal, WithdrawBet
from casino.uth.proposals import round_id_of
from casino.wire.common import PastRound
from casino.wire.floor import FloorTable, OpenProposal, PublishedState
from casino.wire.player_events import BALANCE


class TableAccess:
    def __init__(
        self,
        tables: Collection[TableSettings],
        database: Database,
        gateway: Gateway,
        *,
        clients: Mapping[str, TableClient[Message]],
        directory: Directory,
        are_up: Callable[[], bool],
        exclude_from_poker: Callable[[str], Awaitable[None]],
    ) -> None:
        """`are_up` returns whether all tables run."""
        self._exclude_from_poker = exclude_from_poker
        self._configured = tables
        self._database = database
        self._clients = clients
        self._directory = directory
        self._gateway = gateway
        self._are_up = are_up

    @property
    def are_up(self) -> bool:
        return self._are_up()

    def live(self, table_id: str) -> PublishedTable:
        return PublishedTable.of(self._directory.state(table_id))

    def past(self, table_id: str) -> list[PastRound]:
        return cast(list[PastRound], list(self._directory.results(table_id)))

    def floor(self) -> list[FloorTable]:
        """Returns the overview of all tables for managers."""
        return [floor_view(table, self._state(table.id)) for table in self._configured]

    def _state(self, table_id: str) -> PublishedState:
        return cast(PublishedState, self._directory.state(table_id))

    def staff(self) -> list[StaffMember]:
        on_shift = defaultdict[str, list[str]](list)
        for table in self._configured:
            on_shift[self._state(table.id)["presenter"] or ""].append(table.id)
        return [
            {"name": name, "role": Role(role), "tables": on_shift.get(name, [])}
            for name, role in self._gateway.hosts.here
        ]

    async def store_chat(self) -> None:
        await self._gateway.store_chat()

    def muted(self, table_id: str) -> list[str]:
        return self._gateway.muted(table_id)

    async def correct(self, table_id: str, message: CorrectSettled) -> None:
        """Lets the table settle the round again; notifies its players wherever they are."""
        client = self._clients.get(table_id)
        if client is None:
            raise Refusal(Code.NO_SUCH_TABLE, "The table of this round no longer exists. Ask an administrator.")
        for player_id, money in (await client.ask(message)).items():
            self.send_balance(player_id, **money)

    async def open_proposals(self) -> list[OpenProposal]:
        """Returns proposals about running rounds that wait for a second person, with the balances they would change."""
        return [
            await open_proposal(client, state, proposal)
            for table_id, client in self._clients.items()
            if (proposal := (state := self._state(table_id))["proposal"])
        ]

    async def answer_proposal(self, answer: ApproveProposal | RejectProposal) -> None:
        """Raises `not_found` for an unknown proposal, and any refusal of the table."""
        async with self._database.reading() as connection:
            query = select(schema.rounds.c.table_id).where(schema.rounds.c.id == round_id_of(answer.proposal_id))
            client = self._clients.get(await connection.scalar(query) or "")
        if client is None:
            raise Refusal(Code.NOT_FOUND, "This proposal does not exist. Reload the list.")
        await client.ask(answer)

    def send_balance(self, player_id: str, balance: int, available: int) -> None:
        """Sends a balance that changed outside a round."""
        self._gateway.to_devices(player_id, BALANCE({"balance": balance, "available": available}))

    async def return_bets(self, player_id: str) -> None:
        """Returns bets where betting is still open; running rounds continue to their end, as do poker hands."""
        await self._exclude_from_poker(player_id)
        for table_id in self._directory.tables_of(player_id):
            with contextlib.suppress(Refusal):  # no round is running
                await self._clients[table_id].ask(WithdrawBet(player_id))
