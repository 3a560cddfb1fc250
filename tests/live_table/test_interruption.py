"""Short database outage: the table continues by itself, and sends the events that were pending."""

import pytest

from casino.errors import Code, Refusal
from casino.live_table.messages import Join
from casino.refusals import Reason
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import PlaceBet
from tests.chaos.books import check_books
from tests.chaos.traps import Snap, commit_trap, statement_trap
from tests.live_table.live import LiveTable, live_table
from tests.live_table.stored_rounds import PURSE, fill_purses, purse


async def betting(table: LiveTable) -> str:
    await table.ask(Join("ann", "Ann"))
    round_id: str = (await table.phase("betting"))["round_id"]
    await table.bet(round_id, "ann", 500)
    return round_id


async def test_round_that_could_not_be_opened_is_opened_when_the_database_is_back(database: Database) -> None:
    """No message is needed for it."""
    await fill_purses(database)
    async with live_table(database) as table:
        with commit_trap(database, Snap.BEFORE) as trap:
            trap.set(1)
            await table.ask(Join("ann", "Ann"))
            betting = await table.phase("betting")
        assert trap.snapped
        await table.bet(betting["round_id"], "ann", 500)
    await check_books(database)


async def test_stored_change_is_acknowledged_and_published_although_reading_fails_later(database: Database) -> None:
    """The settlement stays. Its events wait for the database, and the next round begins."""
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await betting(table)
        for phase in ("betting", "deciding_preflop", "deciding_flop"):
            await table.phase(phase, round_id)
            table.time_out()
        await table.phase("deciding_river", round_id)
        with statement_trap(database, Snap.BEFORE) as trap, commit_trap(database, Snap.ELSEWHERE) as commit:
            commit.then = lambda: trap.set(1)
            commit.set(4)  # two cards for the dealer, and the settlement with the second; then the balances are read
            table.time_out()
            await table.phase("settled", round_id)
            result = await table.until("ann", "result", lambda view: view["round_id"] == round_id)
        assert result["balance"] == (await purse(database, "ann")).balance
        assert len([one for one in table.published.all("ann", "result") if one["round_id"] == round_id]) == 1
        await table.until("*", "round", lambda view: view["phase"] == "betting" and view["round_id"] != round_id)


@pytest.mark.req("LED-5")
async def test_in_doubt_commit_is_resolved_and_published_when_the_database_is_back(database: Database) -> None:
    """Stored: refused as unknown, then the seat shows it. No money moves twice, and no manager is needed."""
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await betting(table)
        with commit_trap(database, Snap.AFTER) as commit, statement_trap(database, Snap.BEFORE) as statement:
            commit.set(1)
            commit.then = lambda: statement.set(1)
            with pytest.raises(Refusal) as refused:
                await table.ask(PlaceBet(round_id, "ann", 900, 0, 0))
            assert refused.value.code is Code.INTERNAL
            assert refused.value.message == Reason.OUTCOME_UNKNOWN.sentence
            await table.until("ann", "seat", lambda seat: seat["bets"]["ante"] == 900)
        assert await purse(database, "ann") == ("EUR", PURSE, 1800)
        again = await table.until("*", "notice", lambda notice: notice["code"] == "resumed")
        assert "timer has been reset" in again["text"]
        table.time_out()
        await table.phase("deciding_preflop", round_id)
        await table.decide(round_id, "ann", Action.PLAY_4X)
    await check_books(database)


@pytest.mark.req("RND-5")
async def test_no_decision_is_lost_while_nothing_can_be_stored(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        round_id = await betting(table)
        table.time_out()
        await table.phase("deciding_preflop", round_id)
        await table.until("ann", "seat", lambda seat: seat["options"] != [])
        announced: list[int] = []  # deadlines until the failure; a busy machine extends a window that opens late
        with statement_trap(database, Snap.BEFORE) as trap:
            trap.then = lambda: announced.extend(view["deadline"] or 0 for view in table.published.all("*", "round"))
            trap.set(1)
            table.time_out()  # the window would be closed now, and that cannot be stored
            again = await table.until(
                "*", "round", lambda view: trap.snapped and (view["deadline"] or 0) > max(announced)
            )
        assert (again["phase"], again["paused"]) == ("deciding_preflop", None)
        answer = await table.decide(round_id, "ann", Action.PLAY_3X)
        assert answer["bets"]["play"] == 1500
