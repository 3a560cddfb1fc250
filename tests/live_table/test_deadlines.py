"""Deadlines under a stalled server: no player loses a decision, a bet or a seat, and no stake waits without limit."""

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import select

from casino.errors import Refusal
from casino.hosting import actor
from casino.live_table import deadlines
from casino.live_table.accounting import CommitResult
from casino.live_table.messages import Join, Leave, OpenTable, StartRound
from casino.live_table.postings import SYSTEM
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import Decide, PlaceBet, ReportProblem, Resume
from casino.wire.outbound import Payload
from tests.chaos.books import check_books
from tests.chaos.traps import Snap, commit_trap, statement_trap
from tests.live_table.live import LiveTable, live_table, table_settings
from tests.live_table.stored_rounds import PURSE, fill_purses, purse


async def betting(table: LiveTable, *players: str) -> str:
    for player in players:
        await table.ask(Join(player, player.title()))
    round_id: str = (await table.phase("betting"))["round_id"]
    for player in players:
        await table.bet(round_id, player, 500)
    return round_id


async def deciding(table: LiveTable, *players: str) -> str:
    round_id = await betting(table, *players)
    table.time_out()
    await table.phase("deciding_preflop", round_id)
    return round_id


def here(table: LiveTable) -> set[str]:
    return set(table.actor._table._seating.here)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110  the table is another task
            await asyncio.sleep(0.01)


@pytest.mark.req("LED-4")
async def test_bet_of_a_player_who_left_at_a_failed_commit_is_returned(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database, table_settings(hands="own", seats=2)) as table:
        round_id = await betting(table, "ann", "bob")
        with commit_trap(database, Snap.BEFORE) as trap:
            trap.set(1)
            refused = table.actor.post(PlaceBet(round_id, "ann", 600, 0, 0), table.clock())
            table.actor.post(Leave("bob"), table.clock())
            with pytest.raises(Refusal):
                await refused
        await until(lambda: "bob" not in here(table) and not table.actor._table._attendance.departures)
        assert await purse(database, "bob") == ("EUR", PURSE, 0)
        assert (await table.ask(Join("cid", "Cid")))["seat"]["seat_no"] == 2, "the seat is free again"
    await check_books(database)


@pytest.mark.req("LED-4")
async def test_bet_of_a_player_who_left_after_an_outage_is_returned(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await betting(table, "ann", "bob")
        with statement_trap(database, Snap.BEFORE) as trap:
            trap.set(1)
            table.time_out()
            refused = table.actor.post(PlaceBet(round_id, "ann", 600, 0, 0), table.clock())
            left = table.actor.post(Leave("bob"), table.clock())
            with pytest.raises(Refusal):
                await refused
            with pytest.raises(Refusal, match="We return an open bet"):
                await left
        await until(lambda: not table.actor._table._attendance.departures)
        assert await purse(database, "bob") == ("EUR", PURSE, 0)
        assert (await purse(database, "ann")).held == 1000
    await check_books(database)


@pytest.mark.req("LED-4")
async def test_bet_of_a_player_who_left_during_an_outage_is_returned(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await betting(table, "ann", "bob")
        with statement_trap(database, Snap.BEFORE) as trap:
            trap.set(1)
            with pytest.raises(Refusal):
                await table.ask(Leave("bob"))
        await until(lambda: not table.actor._table._attendance.departures)
        assert await purse(database, "bob") == ("EUR", PURSE, 0)
        assert (await purse(database, "ann")).held == 1000
    await check_books(database)


async def test_leave_is_handled_although_the_table_is_overloaded(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await betting(table, "ann", "bob")
        monkeypatch.setattr(actor, "QUEUE_MAX", 3)
        asked = [table.actor.post(PlaceBet(round_id, "bob", 600, 0, 0), table.clock()) for _ in range(4)]
        left = table.actor.post(Leave("ann"), table.clock())
        with pytest.raises(Refusal):
            await asked[3]
        assert await left == {}
        assert await purse(database, "ann") == ("EUR", PURSE, 0)


@pytest.mark.req("RND-6")
async def test_messages_in_time_count_regardless_of_the_queue(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann", "bob", "gus")
        monkeypatch.setattr(actor, "BATCH_MAX", 1)
        due_ms = table.actor._table._round_due_ms()
        assert due_ms is not None
        asked = [
            table.actor.post(Decide(round_id, player, Action.PLAY_4X, available_minor=0), due_ms - 1)
            for player in ("ann", "bob", "gus")
        ]
        table.time_out()
        assert all(answer["bets"]["play"] == 2000 for answer in await asyncio.gather(*asked))


def slow(table: LiveTable, phase: str, ms: int) -> None:
    """Storing what opens this phase takes so long, and then all is as before."""
    unit_of_work = table.actor._table._unit_of_work
    handle = unit_of_work.commit

    async def slowly(*arguments: object) -> CommitResult:
        handled = await handle(*arguments)  # type: ignore[arg-type]
        if handled.round.phase == phase:
            table.clock.ahead_ms += ms
            unit_of_work.commit = handle  # type: ignore[method-assign]
        return handled

    unit_of_work.commit = slowly  # type: ignore[assignment, method-assign]


@pytest.mark.req("RND-5")
async def test_window_that_was_stored_slowly_has_its_full_time_when_it_is_announced(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")
        slow(table, "deciding_flop", 50_000)  # of its sixty seconds
        await table.decide(round_id, "ann", Action.CHECK)
        await table.until("*", "notice", lambda notice: notice["code"] == "resumed")
        window = await table.phase("deciding_flop", round_id)
        assert window["deadline"] - table.clock() > 50_000
        assert abs(window["server_time"] - table.clock()) < 10_000
        await table.decide(round_id, "ann", Action.PLAY_2X)


@pytest.mark.req("RND-5")
async def test_time_lost_by_the_server_never_counts_against_a_player(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")
        table.clock.ahead_ms += 120_000
        table.actor._wakeup.set()
        await table.until("*", "notice", lambda notice: notice["code"] == "resumed")
        assert (await table.decide(round_id, "ann", Action.PLAY_4X))["bets"]["play"] == 2000


@pytest.mark.req("RND-5")
async def test_window_opened_late_has_its_full_time(database: Database) -> None:
    """Its time began with the request and is over already; so is that of players who left since."""
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await betting(table, "ann", "bob")
        await table.ask(ReportProblem("A card fell on the floor.", "pia"))
        resumed = table.actor.post(Resume("max"), table.clock())
        table.clock.ahead_ms += 120_000
        left = table.actor.post(Leave("bob"), table.clock() - 1000)
        await resumed
        await left
        assert await purse(database, "bob") == ("EUR", PURSE, 0)
        await table.bet(round_id, "ann", 600)
        assert (await purse(database, "ann")).held == 1200


async def test_round_ends_although_the_server_is_always_late(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")

        def resumed() -> list[Payload]:
            return [notice for notice in table.published.all("*", "notice") if notice["code"] == "resumed"]

        for times in range(deadlines.GRANTS_MAX):
            table.clock.ahead_ms += 120_000
            table.actor._wakeup.set()
            await until(lambda times=times: len(resumed()) > times)  # type: ignore[misc]
        table.clock.ahead_ms += 120_000
        table.actor._wakeup.set()
        await table.phase("deciding_flop", round_id)
        assert (await table.until("ann", "seat", lambda seat: bool(seat["automatic"])))["automatic"] == "auto_checked"


@pytest.mark.req("RND-3")
async def test_round_whose_cards_to_come_are_not_known_any_more_is_cancelled_and_refunded(database: Database) -> None:
    """The key was changed while the service was down, so the sealed server seed cannot be opened."""
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")
    async with live_table(database, key="a key that was changed meanwhile"):
        assert await purse(database, "ann") == ("EUR", PURSE, 0)
    async with database.reading() as connection:
        status = await connection.scalar(select(schema.rounds.c.status).where(schema.rounds.c.id == round_id))
    assert status == "cancelled"
    await check_books(database)


async def dealt_by_a_person(table: LiveTable) -> str:
    await table.ask(OpenTable("pia"))
    await table.ask(StartRound("pia"))
    round_id = await betting(table, "ann")
    table.time_out()
    await table.phase("dealing_hole", round_id)
    return round_id


@pytest.mark.req("RND-3")
async def test_round_that_waits_for_an_absent_person_is_refunded(database: Database) -> None:
    await fill_purses(database)
    settings = table_settings(dealing="presenter")
    async with live_table(database, settings) as table:
        round_id = await dealt_by_a_person(table)
    async with live_table(database, settings) as table:
        table.clock.ahead_ms += 299_000
        await table.ask(Join("ann", "Ann"))
        assert table.actor._table._state.round is not None
        assert table.actor._table._state.round.phase == "dealing_hole"
        table.clock.ahead_ms += 2000
        table.actor._wakeup.set()
        await table.phase("cancelled", round_id)
        assert await purse(database, "ann") == ("EUR", PURSE, 0)
    await check_books(database)


async def test_round_that_a_presenter_has_taken_in_hand_waits_for_that_presenter(database: Database) -> None:
    await fill_purses(database)
    settings = table_settings(dealing="presenter")
    async with live_table(database, settings) as table:
        round_id = await dealt_by_a_person(table)
    async with live_table(database, settings) as table:
        await table.ask(OpenTable("pia"))
        table.clock.ahead_ms += 900_000
        await table.scan(round_id, "As", "Kd")
        await table.phase("deciding_preflop", round_id)


@pytest.mark.req("RND-3")
@pytest.mark.parametrize("incident", [("", ()), ("deck_incomplete", ("cancel",))])
async def test_machine_dealt_round_that_a_manager_leaves_paused_goes_on(
    database: Database, incident: tuple[str, tuple[str, ...]]
) -> None:
    """Neither are the players' bets blocked without limit, nor can one person cancel the round by doing nothing."""
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")
        await table.ask(ReportProblem("let me see", "max", *incident))
        table.clock.ahead_ms += 299_000
        with pytest.raises(Refusal, match="paused"):
            await table.decide(round_id, "ann", Action.PLAY_4X)
        table.clock.ahead_ms += 2000
        table.actor._wakeup.set()
        await table.until("*", "notice", lambda notice: notice["code"] == "resumed")
        again = table.published.all("*", "round")[-1]
        assert (again["phase"], again["paused"]) == ("deciding_preflop", None)
        assert again["deadline"] > table.clock() + 50_000, "with the full time to decide"
        await table.decide(round_id, "ann", Action.PLAY_4X)
        await table.phase("settled", round_id)
    await check_books(database)
    async with database.reading() as connection:
        ended = select(schema.audit.c.actor, schema.audit.c.role).where(schema.audit.c.action == "round_resumed")
        assert [tuple(row) for row in await connection.execute(ended)] == [("system", "system")]


@pytest.mark.req("RND-3")
async def test_time_of_a_pause_at_a_machine_dealt_table_counts_across_a_restart(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")
        await table.ask(ReportProblem("let me see", "max"))
        paused = table.actor._table._state.round
    async with live_table(database) as table:
        assert paused is not None
        assert paused.paused is not None
        assert table.actor._table._round_due_ms() == paused.paused.since_ms + 300_000
        table.time_out()
        await table.until("*", "notice", lambda notice: notice["code"] == "resumed")
        await table.phase("deciding_preflop", round_id)


@pytest.mark.req("RND-3")
async def test_machine_dealt_round_that_the_table_itself_could_not_go_on_with_is_refunded(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await deciding(table, "ann")
        await table.ask(ReportProblem("The table had a technical problem.", SYSTEM))
        table.time_out()
        await table.phase("cancelled", round_id)
        assert await purse(database, "ann") == ("EUR", PURSE, 0)
    await check_books(database)


async def test_pause_at_a_presenters_table_waits_for_the_manager(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database, table_settings(dealing="presenter")) as table:
        await dealt_by_a_person(table)
        await table.ask(ReportProblem("a card fell", "pia"))
        assert table.actor._table._round_due_ms() is None
