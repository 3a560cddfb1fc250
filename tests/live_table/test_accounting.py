"""Accounting of bets, decisions and payouts, on both databases."""

import pytest
from sqlalchemy import func, select

from casino.errors import Code
from casino.ledger import accounts
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.journal_replay import load_round
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.hash_chain import ForkedChainError
from casino.uth.bets import Action
from casino.uth.commands import (
    Advance,
    CancelRound,
    CorrectRound,
    OpenBetting,
    ReportProblem,
    Resume,
    VoidBetting,
    WithdrawBet,
)
from casino.uth.phases import Phase
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import PURSE, BookedTable, balances, fill_purses, purse, statuses
from tests.uth.tabletop import NOON_MS, SHARED


@pytest.fixture
async def table(database: Database) -> BookedTable:
    await fill_purses(database)
    return await BookedTable.open(database)


async def test_open_bet_is_held_and_still_the_players(table: BookedTable, database: Database) -> None:
    answers = await table.ask(table.bet("ann", 500, 300))
    assert answers[0].available_minor == PURSE - 1300
    assert await purse(database, "ann") == ("EUR", PURSE, 1300)


async def test_changed_bet_holds_the_difference(table: BookedTable, database: Database) -> None:
    await table.do(table.bet("ann", 500, 300), table.bet("ann", 200))
    await table.do(table.bet("ann", 300))
    assert (await purse(database, "ann")).held == 600


@pytest.mark.req("LED-4")
async def test_withdrawn_bet_is_released_and_may_come_again(table: BookedTable, database: Database) -> None:
    await table.do(table.bet("ann", 500), table.bet("bob", 500))
    await table.do(WithdrawBet("ann"), table.bet("bob", 0))
    assert (await purse(database, "ann")).held == (await purse(database, "bob")).held == 0
    await table.do(table.bet("ann", 700))
    assert (await purse(database, "ann")).held == 1400


async def test_batch_refuses_only_what_must_be_refused(table: BookedTable, database: Database) -> None:
    """The one who lacks funds is refused, the others stand; and the order within the batch counts."""
    await fill_purses(database, {"pia": "DKK"}, amount=1000)
    answers = await table.ask(
        table.bet("ann", 500), table.bet("pia", 600), table.bet("bob", 50), table.bet("pia", 500), table.bet("eve", 500)
    )
    codes = [answer.refusal.code if answer.refusal else None for answer in answers]
    assert codes == [None, Code.INSUFFICIENT_FUNDS, Code.BELOW_MINIMUM, None, Code.INSUFFICIENT_FUNDS]
    assert set(table.round.seats) == {"ann", "pia"}
    assert (await purse(database, "pia")).available == 0


@pytest.mark.req("LED-4")
async def test_closing_captures_every_hold_into_the_escrow_of_its_currency(
    table: BookedTable, database: Database
) -> None:
    await table.play_to(Phase.DEALING_HOLE)
    found = await balances(database)
    assert found[accounts.escrow("r1", "EUR").id].balance == 1000 + 2300
    assert found[accounts.escrow("r1", "FUN").id].balance == 600
    assert found["player:bob:cash"] == ("EUR", PURSE - 2300, 0)


async def test_play_moves_at_once_and_needs_funds(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_PREFLOP)
    await table.do(table.answer("ann", Action.PLAY_4X), table.answer("ann", Action.PLAY_4X))
    assert (await purse(database, "ann")).balance == PURSE - 1000 - 2000


async def test_play_beyond_the_balance_is_refused(database: Database) -> None:
    await fill_purses(database, {"ann": "EUR"}, amount=2999)
    table = await BookedTable.open(database)
    await table.do(table.bet("ann", 500))
    await table.time_out()
    await table.deal("As Kd")
    refusal = await table.refusal(table.answer("ann", Action.PLAY_4X))
    assert refusal is not None
    assert refusal.code is Code.INSUFFICIENT_FUNDS
    await table.do(table.answer("ann", Action.PLAY_3X))
    assert (await purse(database, "ann")).balance == 499


@pytest.mark.req("LED-4")
@pytest.mark.req("LED-8")
async def test_settled_round_empties_the_escrow_and_pays_from_the_house_account(
    table: BookedTable, database: Database
) -> None:
    await table.play_to(Phase.DECIDING_PREFLOP, "As Ad | 7h 7c 2s Jd 3c | Qh Qd")
    await table.do(table.answer("ann", Action.PLAY_4X), table.answer("gus", Action.PLAY_3X))
    await table.time_out()
    await table.deal("7h 7c 2s")
    await table.time_out()
    await table.deal("Jd 3c")
    await table.time_out()
    await table.deal("Qh Qd")
    assert await statuses(database) == {"r1": "settled"}
    found = await balances(database)
    assert found["player:ann:cash"].balance == PURSE + 500 + 2000
    assert found["player:bob:cash"].balance == PURSE - 2300
    assert found["player:gus:cash"].balance == PURSE + 200 - 200 + 600
    assert found["house:EUR"].balance == 2300 - 2500
    assert found["house:FUN"].balance == -600
    assert found["round:r1:escrow:EUR"].balance == found["round:r1:escrow:FUN"].balance == 0
    assert all(balance.held == 0 for balance in found.values())


async def test_cancelled_round_refunds_everything(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_PREFLOP)
    await table.do(table.answer("bob", Action.PLAY_4X), ReportProblem("card dropped", "pia"))
    await table.do(CancelRound("deck incomplete", "max"))
    assert await statuses(database) == {"r1": "cancelled"}
    assert [(await purse(database, player)).balance for player in ("ann", "bob", "gus")] == [PURSE] * 3


async def test_cancelling_open_betting_captures_and_refunds_in_one_step(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.BETTING)
    await table.do(CancelRound("deck incomplete", "max"))
    assert await purse(database, "bob") == ("EUR", PURSE, 0)
    async with database.reading() as connection:
        kinds = await connection.execute(select(schema.operations.c.kind).where(schema.operations.c.round_id == "r1"))
        assert sorted(kinds.scalars()) == ["capture", "refund"]


async def test_cancelling_a_round_without_bets_moves_nothing(table: BookedTable, database: Database) -> None:
    await table.do(CancelRound("no light", "max"))
    assert await statuses(database) == {"r1": "cancelled"}


async def test_betting_without_a_bet_ends_void(table: BookedTable, database: Database) -> None:
    await table.time_out()
    assert await statuses(database) == {"r1": "void"}


async def test_stopping_server_returns_open_bets(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.BETTING)
    await table.do(VoidBetting("the server stops"))
    assert await purse(database, "bob") == ("EUR", PURSE, 0)
    assert await statuses(database) == {"r1": "void"}


@pytest.mark.req("RND-1")
async def test_journal_is_numbered_without_gaps_and_rebuilds_the_round(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.SETTLED)
    second = await BookedTable.open(database, round_id="r2", at_ms=NOON_MS + 60_000)
    await second.play_to(Phase.DECIDING_FLOP)
    async with database.reading() as connection:
        seqs = (await connection.execute(select(schema.journal.c.seq).order_by(schema.journal.c.seq))).scalars().all()
        assert list(seqs) == list(range(1, len(seqs) + 1))
        assert await load_round(connection, "r1") == table.round
        assert await load_round(connection, "r2") == second.round


async def test_no_two_rounds_begin_in_one_second(table: BookedTable) -> None:
    with pytest.raises(Exception, match=r"(?i)unique"):
        await table.unit_of_work.open_round(OpenBetting("r2", "uth-1", SHARED), NOON_MS + 999)


@pytest.mark.req("RND-1")
async def test_second_writer_of_a_table_is_found_out(table: BookedTable, database: Database) -> None:
    other = await TableUnitOfWork.of(database, "uth-1")
    await table.do(table.bet("ann", 500))
    table.now_ms = table.round.due_ms or 0
    await table.do(Advance())
    with pytest.raises(ForkedChainError):
        await other.open_round(OpenBetting("r9", "uth-1", SHARED), NOON_MS + 60_000)
    assert await statuses(database) == {"r1": "open"}


@pytest.mark.req("AUD")
async def test_interruptions_are_in_the_audit_log(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(ReportProblem("card dropped", "pia"), Resume("max", "found"), CancelRound("gone again", "max"))
    async with database.reading() as connection:
        rows = (await connection.execute(select(schema.audit).order_by(schema.audit.c.id))).all()
    assert [(row.actor, row.action, row.reason) for row in rows] == [
        ("pia", "round_paused", "card dropped"),
        ("max", "round_resumed", "found"),
        ("max", "round_cancelled", "gone again"),
    ]


@pytest.mark.req("LED-7")
async def test_correction_reverses_and_settles_again(table: BookedTable, database: Database) -> None:
    await table.play_to(Phase.DECIDING_PREFLOP, "As Ad | 7h 7c 2s Jd 3c | Qh Qd")
    await table.do(table.answer("ann", Action.PLAY_4X), table.answer("bob", Action.PLAY_4X))
    await table.do(table.answer("gus", Action.PLAY_4X))
    await table.deal("7h 7c 2s Jd 3c Qh Qd")
    assert (await purse(database, "ann")).balance == PURSE + 2500
    await table.do(CorrectRound((("dealer_2", "Ah"), ("dealer_1", "7s")), "misread", "max"))
    found = await balances(database)
    assert found["player:ann:cash"].balance == PURSE - 3000
    assert found["round:r1:escrow:EUR"].balance == 0
    assert await statuses(database) == {"r1": "corrected"}
    await table.do(CorrectRound((("dealer_1", "Qh"), ("dealer_2", "Qd")), "it was right before", "max"))
    assert (await purse(database, "ann")).balance == PURSE + 2500
    async with database.reading() as connection:
        keys = select(schema.operations.c.key).where(schema.operations.c.round_id == "r1")
        assert sorted(key for key in (await connection.execute(keys)).scalars() if ":play:" not in key) == [
            "r1:capture",
            "r1:reversal:1",
            "r1:reversal:2",
            "r1:settle",
            "r1:settle:1",
            "r1:settle:2",
        ]
        assert (await connection.execute(select(func.count()).select_from(schema.audit))).scalar() == 2


@pytest.mark.req("LED-7")
async def test_correction_that_a_player_cannot_pay_back_leaves_a_receivable(database: Database) -> None:
    """Bob is paid in full; Ann, who has bet the money elsewhere, owes what is missing. Her open bet stays."""
    await fill_purses(database, {"ann": "EUR", "bob": "EUR"}, amount=3000)
    table = await BookedTable.open(database)
    await table.do(table.bet("ann", 500), table.bet("bob", 500))
    await table.time_out()
    await table.deal("As Ad")
    await table.do(table.answer("ann", Action.PLAY_4X), table.answer("bob", Action.PLAY_4X))
    await table.deal("7h 7c 2s Jd 3c Qh Qd")
    assert (await purse(database, "ann")).balance == 5500
    other = await BookedTable.open(database, table="uth-2", round_id="r2")
    await other.do(other.bet("ann", 2700))
    await table.do(CorrectRound((("dealer_2", "Ah"), ("dealer_1", "7s")), "misread", "max"))
    found = await balances(database)
    assert found["player:ann:cash"] == ("EUR", 5400, 5400)
    assert found["receivable:ann:EUR"].balance == -5400
    assert (found["player:bob:cash"].balance, "receivable:bob:EUR" in found) == (0, False)
    assert (await statuses(database))["r1"] == "corrected"
    assert sum(balance.balance for balance in found.values() if balance.currency == "EUR") == 0
    await table.do(CorrectRound((("dealer_1", "Qh"), ("dealer_2", "Qd")), "it was right before", "max"))
    found = await balances(database)
    assert (found["player:ann:cash"].balance, found["receivable:ann:EUR"].balance) == (10_900, -5400)
    findings = await verify(database)
    assert (findings.receivables.counted, findings.is_ok) == (1, True), [check.faults for check in findings.checks]
