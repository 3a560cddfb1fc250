"""Recovery after a stop or a crash: every unfinished round ends as its phase demands, once."""

import pytest
from sqlalchemy import select, text

from casino.ledger import accounts
from casino.live_table.recovery import recover
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import Advance, ReportProblem
from casino.uth.phases import OFFERED, Phase
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import PURSE, BookedTable, balances, fill_purses, purse, statuses
from tests.uth.tabletop import SCANNED

MINUTES_5 = {"uth-1": 300_000}
DAY_MS = 86_400_000
RUNNING = [Phase.DEALING_HOLE, *OFFERED, Phase.DEALING_FLOP, Phase.DEALING_RIVER, Phase.SHOWDOWN]


@pytest.fixture
async def table(database: Database) -> BookedTable:
    await fill_purses(database)
    return await BookedTable.open(database)


async def all_purses(database: Database) -> list[tuple[str, int, int]]:
    return [await purse(database, player) for player in ("ann", "bob", "gus")]


@pytest.mark.req("RND-3")
async def test_open_betting_returns_the_bets(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.BETTING)
    recovered = await recover(database, MINUTES_5, table.now_ms + 1000)
    assert recovered.outcomes == {"r1": "idle"}
    assert recovered.running == {}
    assert await all_purses(database) == [("EUR", PURSE, 0), ("EUR", PURSE, 0), ("FUN", PURSE, 0)]
    assert await statuses(database) == {"r1": "void"}


@pytest.mark.req("RND-3")
@pytest.mark.req("RND-4")
@pytest.mark.parametrize("phase", RUNNING)
async def test_round_after_betting_continues_with_the_same_cards(
    table: BookedTable, database: Database, phase: Phase
) -> None:
    await table.play_to(phase)
    now_ms = table.now_ms + 200_000
    recovered = await recover(database, MINUTES_5, now_ms)
    round_ = recovered.running["uth-1"]
    assert (round_.phase, round_.cards, round_.seats) == (phase, table.round.cards, table.round.seats)
    if phase in OFFERED:
        assert round_.due_ms is not None
        assert round_.due_ms - now_ms in (12_000, 10_000, 9_000)


@pytest.mark.req("RND-3")
async def test_hundreds_of_tables_are_recovered_each_as_its_own_phase_demands(database: Database) -> None:
    """Tables are recovered side by side; none takes money, cards or the outcome of another."""
    await fill_purses(database, amount=100 * PURSE)
    phases = [Phase.BETTING, Phase.DECIDING_PREFLOP, Phase.DECIDING_RIVER]
    left: dict[str, BookedTable] = {}
    for number in range(60):
        table = await BookedTable.open(database, round_id=f"round-{number}", table=f"uth-{number}")
        await table.play_to(phases[number % 3])
        left[f"uth-{number}"] = table
    before = await all_purses(database)
    now_ms = next(iter(left.values())).now_ms + 60_000
    recovered = await recover(database, dict.fromkeys(left, 300_000), now_ms)
    assert len(recovered.outcomes) == 60
    for number, (name, table) in enumerate(left.items()):
        if phases[number % 3] is Phase.BETTING:
            assert recovered.outcomes[f"round-{number}"] == "idle"
            assert name not in recovered.running
        else:
            running = recovered.running[name]
            assert (running.table_id, running.phase, running.cards) == (name, phases[number % 3], table.round.cards)
    assert [balance for _, balance, _ in await all_purses(database)] == [balance for _, balance, _ in before]
    assert all(held == 0 for _, _, held in await all_purses(database))
    findings = await verify(database)
    assert [fault for check in findings.checks for fault in check.faults] == []


@pytest.mark.req("RND-5")
async def test_recovered_round_can_be_played_to_its_end(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_PREFLOP, "As Ad | 7h 7c 2s Jd 3c | Qh Qd")
    await table.do(table.answer("ann", Action.PLAY_4X))
    now_ms = table.now_ms + 200_000
    running = (await recover(database, MINUTES_5, now_ms)).running["uth-1"]
    again = BookedTable(database, await type(table.unit_of_work).of(database, "uth-1"), running, now_ms)
    await again.do(again.answer("bob", Action.PLAY_3X), again.answer("gus", Action.PLAY_3X))
    await again.deal("7h 7c 2s Jd 3c Qh Qd")
    assert await statuses(database) == {"r1": "settled"}
    assert (await purse(database, "ann")).balance == PURSE + 2500


@pytest.mark.req("RND-3")
@pytest.mark.parametrize("phase", RUNNING)
async def test_round_that_stood_still_too_long_is_refunded(
    table: BookedTable, database: Database, phase: Phase
) -> None:
    await table.play_to(phase)
    recovered = await recover(database, MINUTES_5, table.now_ms + 300_001)
    assert recovered.outcomes == {"r1": "cancelled"}
    assert await all_purses(database) == [("EUR", PURSE, 0), ("EUR", PURSE, 0), ("FUN", PURSE, 0)]


async def test_round_of_a_removed_table_is_refunded(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    recovered = await recover(database, {}, table.now_ms)
    assert recovered.outcomes == {"r1": "cancelled"}


@pytest.mark.req("RND-3")
async def test_everything_out_and_decided_is_settled_however_late(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database, SCANNED)
    await table.do(table.bet("ann", 500))
    await table.time_out()
    for street in ("As Ad", "7h 7c 2s", "Jd 3c"):
        await table.deal(street)
        await table.time_out()
        await table.time_out()
    await table.deal("Qh Qd")
    assert table.round.phase is Phase.SHOWDOWN
    recovered = await recover(database, MINUTES_5, table.now_ms + DAY_MS)
    assert recovered.outcomes == {"r1": "settled"}
    assert (await purse(database, "ann")).balance == PURSE - 1000


async def test_paused_round_stays_paused(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(ReportProblem("card dropped", "pia"))
    running = (await recover(database, MINUTES_5, table.now_ms + 1000)).running["uth-1"]
    assert running.paused is not None
    assert running.due_ms is None


async def test_paused_round_is_refunded_by_a_start_that_comes_too_late(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(ReportProblem("card dropped", "max"))
    recovered = await recover(database, MINUTES_5, table.now_ms + 300_001)
    assert recovered.outcomes == {"r1": "cancelled"}
    assert await all_purses(database) == [("EUR", PURSE, 0), ("EUR", PURSE, 0), ("FUN", PURSE, 0)]


async def test_recovering_twice_changes_nothing_more(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    await recover(database, MINUTES_5, table.now_ms + 300_001)
    before = await balances(database)
    assert (await recover(database, MINUTES_5, table.now_ms + 300_002)).outcomes == {}
    assert await balances(database) == before


async def test_finished_rounds_are_left_alone(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.SETTLED)
    assert (await recover(database, MINUTES_5, table.now_ms + DAY_MS)).outcomes == {}


async def make_unreadable(database: Database) -> None:
    """An event of an unknown kind, as a database of a newer service might hold."""
    async with database.writing() as connection:
        if database.is_sqlite:
            await connection.execute(text("DROP TRIGGER journal_refuse_update"))
        else:
            await connection.execute(text("ALTER TABLE journal DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE journal SET data = replace(data, 'betting_closed', 'betting_shut')"))


async def test_unreadable_round_waits_for_people(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    await make_unreadable(database)
    recovered = await recover(database, MINUTES_5, table.now_ms + 89 * DAY_MS)
    assert recovered.outcomes == {"r1": "unreadable"}
    assert (await balances(database))[accounts.escrow("r1", "EUR").id].balance == 3300


async def test_stakes_unresolved_for_90_days_go_to_charity(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    await make_unreadable(database)
    recovered = await recover(database, MINUTES_5, table.now_ms + 91 * DAY_MS)
    assert recovered.outcomes == {"r1": "forfeited"}
    found = await balances(database)
    assert found["charity:EUR"].balance == 3300
    assert found["charity:FUN"].balance == 600
    assert found[accounts.escrow("r1", "EUR").id].balance == 0
    async with database.reading() as connection:
        assert (await connection.execute(select(schema.audit.c.action))).scalars().all() == ["round_forfeited"]
    assert (await recover(database, MINUTES_5, table.now_ms + 92 * DAY_MS)).outcomes == {}


async def test_several_tables_are_recovered_side_by_side(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    other = await BookedTable.open(database, table="uth-2", round_id="r2")
    await other.do(other.bet("ann", 500))
    other.now_ms = other.round.due_ms or 0
    await other.do(Advance())
    recovered = await recover(database, MINUTES_5 | {"uth-2": 300_000}, table.now_ms)
    assert set(recovered.running) == {"uth-1", "uth-2"}
