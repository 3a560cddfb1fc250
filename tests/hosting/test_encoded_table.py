"""Table behind the codec: every message, reply, event and state crosses the interfaces as bytes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from casino.clock import wall_clock
from casino.errors import Code, Refusal
from casino.hosting.encoded import EncodedClient, EncodedDirectory, EncodedPublisher
from casino.hosting.interfaces import Connection
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.actor import TableActor
from casino.live_table.messages import (
    CODEC,
    AnswerHandOver,
    CloseTable,
    CorrectSettled,
    CountCard,
    CountDeck,
    Drain,
    EndCount,
    FromPresenter,
    FromSeat,
    Join,
    Leave,
    Message,
    OpenTable,
    PreviewCancel,
    SetLimits,
    StartRound,
    TakeOver,
    TipReceived,
    Unwatch,
    Watch,
)
from casino.live_table.shoe import Seal
from casino.storage.database import Database
from casino.users.roles import Person, Role
from casino.uth.bets import Action
from casino.uth.commands import (
    ApproveProposal,
    CancelRound,
    ConfirmCards,
    CorrectCard,
    DealCard,
    Decide,
    PlaceBet,
    RejectProposal,
    ReportProblem,
    Resume,
    SwapCards,
    UndoCard,
    WithdrawBet,
)
from casino.wire.outbound import Payload
from tests.live_table.live import RecordingPublisher, table_settings
from tests.live_table.stored_rounds import PURSE, fill_purses

PHONE, LAPTOP, CONSOLE = (Connection("gateway", name) for name in ("phone", "laptop", "console"))
SETTINGS = table_settings(dealing="presenter")


@dataclass
class Scene:
    client: EncodedClient[Message]
    directory: EncodedDirectory
    published: RecordingPublisher
    sent: set[type] = field(default_factory=set)

    async def ask(self, message: Message) -> Payload:
        self.sent.add(type(message))
        async with asyncio.timeout(60):
            return await self.client.post(message, wall_clock())

    async def refused(self, message: Message) -> Code:
        with pytest.raises(Refusal) as refused:
            await self.ask(message)
        return refused.value.code

    @property
    def state(self) -> Payload:
        return self.directory.state(SETTINGS.id)


@asynccontextmanager
async def scene(database: Database) -> AsyncIterator[Scene]:
    await fill_purses(database)
    seal, published, directory = Seal("the secret key of the tests"), RecordingPublisher(), EncodedDirectory()
    accounting = await TableUnitOfWork.of(database, SETTINGS.id, seal)
    actor = TableActor(SETTINGS, accounting, EncodedPublisher(published), seal, wall_clock, directory=directory)
    running = asyncio.create_task(actor.run())
    try:
        yield Scene(EncodedClient(actor, CODEC), directory, published)
    finally:
        await actor.stop()
        await asyncio.wait_for(running, 60)


async def open_round(table: Scene) -> str:
    await table.ask(FromPresenter("pia", OpenTable("pia")))
    await table.ask(FromPresenter("pia", StartRound("pia")))
    async with asyncio.timeout(60):
        while not (opened := [view for view in table.published.all("*", "round") if view["phase"] == "betting"]):
            table.published.arrived.clear()
            await table.published.arrived.wait()
    round_id: str = opened[-1]["round_id"]
    return round_id


async def test_every_message_and_its_reply_pass_as_bytes(database: Database) -> None:
    async with scene(database) as table:
        assert (await table.ask(Watch("pia", CONSOLE)))["host"]["status"] == "closed"
        assert table.state["consoles"] == ["pia"]
        assert (await table.ask(Join("ann", "Ann", None, PHONE)))["balance"] == PURSE
        await table.ask(Join("bob", "Bob", None, LAPTOP))
        round_id = await open_round(table)
        bet = PlaceBet(round_id, "ann", 500, 100, available_minor=0)
        assert (await table.ask(FromSeat(PHONE, bet)))["available"] == PURSE - 1100
        assert (await table.ask(bet))["bets"]["ante"] == 500
        await table.ask(FromSeat(LAPTOP, PlaceBet(round_id, "bob", 500, 0, available_minor=0)))
        assert table.state["in_round"] == 2
        await table.ask(WithdrawBet("bob"))
        assert [move["name"] for move in (await table.ask(PreviewCancel()))["moves"]] == ["Ann"]
        limits = {"ante_min": 100, "ante_max": 900}
        assert await table.ask(SetLimits("max", "manager", limits, "Quiet")) == {"in_force": False}
        assert (await table.ask(TakeOver("per")))["pending"] is True
        request = table.state["hand_over"]["proposal_id"]
        await table.ask(AnswerHandOver(request, "pia", "presenter", is_confirmed=False))
        await table.ask(TipReceived("ann", 100, is_play_money=False))
        assert table.state["tips"] == 100
        assert await table.refused(Decide(round_id, "ann", Action.CHECK, 0)) is Code.NOT_OFFERED
        assert await table.refused(DealCard(round_id, "As", "pia")) is Code.NOT_EXPECTED
        assert await table.refused(UndoCard(round_id, "pia")) is Code.NOT_EXPECTED
        assert await table.refused(ConfirmCards(round_id, "pia")) is Code.NOT_EXPECTED
        await table.ask(ReportProblem("A card fell", "pia"))
        assert table.state["paused"] is not None
        assert await table.refused(CorrectCard(round_id, "flop_1", "As", "Misread", "max")) is Code.NOT_EXPECTED
        assert await table.refused(SwapCards(round_id, "flop_1", "turn", "Order", "max")) is Code.NOT_EXPECTED
        await table.ask(Resume("max", "All is well"))
        assert await table.refused(ApproveProposal(f"{round_id}.1", "mona")) is Code.NOT_FOUND
        assert await table.refused(RejectProposal(f"{round_id}.1", "mona", "No")) is Code.NOT_FOUND
        assert await table.refused(CorrectSettled("c1", Person("u1", "mona", Role.MANAGER))) is Code.NOT_FOUND
        await table.ask(CancelRound("Fire alarm", "max"))
        assert table.state["limits"]["ante_max"] == 900
        assert table.directory.results(SETTINGS.id)[0]["round_id"] == round_id
        await table.ask(CountDeck("pia"))
        assert await table.refused(CountCard("pia", "no card")) is Code.BAD_CARD
        await table.ask(EndCount("pia"))
        await table.ask(Leave("ann", PHONE))
        assert table.directory.seat_holder(SETTINGS.id, "ann") is None
        await table.ask(Unwatch(CONSOLE))
        assert table.state["consoles"] == []
        await table.ask(CloseTable("pia"))
        await table.ask(Drain())
    assert table.sent == set(CODEC.kinds.values()) - {OpenTable, StartRound}, "those were said by a presenter"


async def test_the_table_decides_which_connection_controls_a_seat(database: Database) -> None:
    async with scene(database) as table:
        await table.ask(Join("ann", "Ann", None, PHONE))
        round_id = await open_round(table)
        bet = PlaceBet(round_id, "ann", 500, 0, available_minor=0)
        assert await table.refused(FromSeat(LAPTOP, bet)) is Code.NOT_IN_ROUND
        first = table.directory.seat_holder(SETTINGS.id, "ann")
        await table.ask(FromSeat(PHONE, bet))
        await table.ask(Join("ann", "Ann", None, LAPTOP))
        assert table.published.all("phone", "moved") == [{}]
        holder = table.directory.seat_holder(SETTINGS.id, "ann")
        assert first is not None
        assert holder is not None
        assert (holder.connection, holder.epoch > first.epoch) == (LAPTOP, True)
        assert await table.refused(FromSeat(PHONE, bet)) is Code.NOT_IN_ROUND
        await table.ask(Leave("ann", PHONE))  # the old device goes later: the seat and the bet are the new one's
        assert table.state["in_round"] == 1
        assert table.directory.tables_of("ann") == {SETTINGS.id}
        await table.ask(Leave("ann", LAPTOP))
        assert table.state["in_round"] == 0
        assert table.directory.tables_of("ann") == set()


async def test_consoles_get_the_host_view_only_while_they_watch(database: Database) -> None:
    async with scene(database) as table:
        await table.ask(FromPresenter("pia", OpenTable("pia")))
        await table.ask(TakeOver("per"))
        assert table.published.all("host", "host") == []
        await table.ask(Watch("pia", CONSOLE))
        await table.ask(TakeOver("paul"))
        received = len(table.published.all("host", "host"))
        assert received > 0
        await table.ask(Unwatch(CONSOLE))
        await table.ask(TakeOver("per"))
        assert len(table.published.all("host", "host")) == received


async def test_table_refuses_presenters_who_are_not_on_shift(database: Database) -> None:
    async with scene(database) as table:
        await table.ask(FromPresenter("pia", OpenTable("pia")))
        assert await table.refused(FromPresenter("per", ReportProblem("Mine", "per"))) is Code.FORBIDDEN
        assert await table.refused(FromPresenter("per", CloseTable("per"))) is Code.FORBIDDEN
