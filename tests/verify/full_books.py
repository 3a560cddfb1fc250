"""Full books: every kind of row that can be stored, for the tests of verification to change."""

from sqlalchemy import insert, select

from casino.audit import log as audit_log
from casino.cashier.cashier import Cashier
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.live_table.journal import chain_name
from casino.live_table.recovery import recover
from casino.settings import ServiceSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.hash_chain import Head, head_of, link, move_head, row_signatures
from casino.users.credit import Credit, give_credit
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.uth.bets import Action
from casino.uth.commands import (
    ApproveProposal,
    CancelRound,
    CorrectCard,
    CorrectRound,
    PlaceBet,
    ReportProblem,
    Resume,
    VoidBetting,
)
from casino.uth.phases import OVER, Phase
from tests.cashier.faulty import Fault, FaultyProvider
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.uth.tabletop import NOON_MS, OWN

DEAL = "As Kd | 7h 7c 2s Jd 3c | Qh Qd"
MINUTE_MS = 60_000
DAYS_100_MS = 100 * 86_400_000
OPEN_PHASES = [phase for phase in Phase if phase not in OVER]


async def build(database: Database) -> None:
    """Tables where rounds were settled, corrected, cancelled, voided, forfeited, and left open in every phase."""
    await fill_purses(database, {"ann": "EUR", "bob": "EUR", "gus": "FUN", "liz": "EUR"}, amount=10_000_000)
    await _credits_and_tips(database)
    await _payments(database)
    await _forfeited(database)  # first: recovering would end the others too
    await _settled(database)
    await _corrected(database)
    await _troubled(database)
    await _cancelled(database)
    await _voided(database)
    await _own_hands(database)
    for number, phase in enumerate(OPEN_PHASES):
        await leave_open(database, phase, f"open-{number}")


async def leave_open(database: Database, phase: Phase, table: str) -> None:
    """As a server leaves a round when it is killed."""
    booked = await BookedTable.open(database, round_id=f"{table}-round", table=table)
    await booked.play_to(phase)
    if phase is Phase.DECIDING_FLOP:
        await booked.do(booked.answer("ann", Action.PLAY_2X))


async def _credits_and_tips(database: Database) -> None:
    async with database.writing() as connection:
        boss = Actor("boss", "finance")
        user = await Users(connection).add("Eva", Role.PLAYER, "EUR", password_hash=None, by=boss, at_ms=NOON_MS)
        await give_credit(connection, user, Credit(5_000, "welcome", "key-1"), boss, NOON_MS)
        tips, charity = accounts.tips("pia", "EUR"), accounts.charity("EUR")
        await Book(connection).open_accounts([tips, charity])
        purse = accounts.player_cash("liz", "EUR")
        tip = Operation("tip:liz:1", "tip", (move(300, purse, tips),), "liz", "table uth-1")
        await Book(connection).post(tip, NOON_MS)
        await audit_log.write(connection, audit_log.Entry("pia", "presenter", "open_table", "table uth-1"), NOON_MS)


async def _payments(database: Database) -> None:
    """Deposits and withdrawals that succeeded, failed, and are still under way."""
    async with database.reading() as connection:
        eva = await Users(connection).named("Eva")
    for fault in (Fault.NONE, Fault.REFUSED, Fault.SLOW):
        cashier = Cashier(database, FaultyProvider([fault]), ServiceSettings(), clock=lambda: NOON_MS + MINUTE_MS)
        await cashier.deposit(eva, 3_000, f"deposit {fault}".replace(" ", "-"))
        await cashier.withdraw(eva, 1_000, f"withdrawal {fault}".replace(" ", "-"))


async def _settled(database: Database) -> None:
    table = await BookedTable.open(database, round_id="settled")
    await table.do(table.bet("liz", 700, 100))
    await table.do(table.bet("liz", 0))  # a released hold
    await table.play_to(Phase.DECIDING_PREFLOP, DEAL)
    await table.do(table.answer("ann", Action.PLAY_4X), table.answer("gus", Action.PLAY_3X))
    await table.time_out()
    await table.deal("7h 7c 2s")
    await table.do(table.answer("bob", Action.PLAY_2X))
    await table.deal("Jd 3c")
    await table.deal("Qh Qd")
    assert table.round.phase is Phase.SETTLED


async def _corrected(database: Database) -> None:
    """Twice: the second correction takes the first one back."""
    table = await BookedTable.open(database, round_id="corrected", at_ms=NOON_MS + 2 * MINUTE_MS)
    await table.play_to(Phase.DECIDING_PREFLOP)
    await table.do(table.answer("ann", Action.PLAY_4X))
    await table.time_out()
    for street in ("7h 7c 2s", "Jd 3c"):
        await table.deal(street)
        await table.time_out()
    await table.deal("Qh Qd")
    await table.do(CorrectRound((("dealer_1", "2h"), ("dealer_2", "3h")), "misread", "mia"))
    table.now_ms += MINUTE_MS
    await table.do(CorrectRound((("dealer_1", "2c"),), "misread again", "mia"))


async def _troubled(database: Database) -> None:
    """A pause, a corrected card, and play goes on to the end."""
    table = await BookedTable.open(database, round_id="troubled", at_ms=NOON_MS + 6 * MINUTE_MS)
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(table.answer("ann", Action.PLAY_2X))
    await table.do(ReportProblem("wrong card on the screen", "pia"))
    await table.do(CorrectCard("troubled", "flop_1", "9h", "it was the nine", "mia"))
    await table.do(ApproveProposal("troubled.1", "max"), Resume("mia", "put right"))
    await table.time_out()
    await table.deal("Jd 3c")
    await table.time_out()
    await table.deal("Qh Qd")
    assert table.round.phase is Phase.SETTLED


async def _cancelled(database: Database) -> None:
    table = await BookedTable.open(database, round_id="cancelled", at_ms=NOON_MS + 8 * MINUTE_MS)
    await table.play_to(Phase.DECIDING_RIVER)
    await table.do(table.answer("bob", Action.PLAY_1X))
    await table.do(ReportProblem("fire alarm", "pia"))
    await table.do(CancelRound("fire alarm", "mia"))
    table = await BookedTable.open(database, round_id="cancelled-betting", at_ms=NOON_MS + 10 * MINUTE_MS)
    await table.play_to(Phase.BETTING)
    await table.do(CancelRound("closing", "mia"))


async def _voided(database: Database) -> None:
    table = await BookedTable.open(database, round_id="void-empty", at_ms=NOON_MS + 12 * MINUTE_MS)
    await table.time_out()
    table = await BookedTable.open(database, round_id="void-bets", at_ms=NOON_MS + 14 * MINUTE_MS)
    await table.play_to(Phase.BETTING)
    await table.do(VoidBetting("the server stops"))


async def _own_hands(database: Database) -> None:
    table = await BookedTable.open(database, OWN, round_id="own", table="own-1")
    bets = (PlaceBet("own", player, 500, 200, 0, seat_no=seat) for player, seat in (("bob", 2), ("ann", 5)))
    await table.do(*bets)
    await table.time_out()
    await table.deal("As Kd 9h 8h")
    await table.do(table.answer("bob", Action.PLAY_4X))
    await table.time_out()
    for street in ("7h 7c 2s", "Jd 3c"):
        await table.deal(street)
        await table.time_out()
    await table.deal("Qh Qd")
    assert table.round.phase is Phase.SETTLED


async def _forfeited(database: Database) -> None:
    """A round from a newer service, whose journal this one cannot read, after 100 days."""
    table = await BookedTable.open(database, round_id="forfeited", table="old-1")
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(table.answer("ann", Action.PLAY_2X))
    async with database.writing() as connection:
        name = chain_name("old-1")
        head = await head_of(connection, name, lock=True)
        row = ("old-1", head.seq + 1, "forfeited", "hand_blessed", 7, table.now_ms, '{"kind":"hand_blessed"}')
        digest = link(head.digest, row)
        signatures = row_signatures(connection, name, [(head.seq + 1, digest)])
        await connection.execute(insert(schema.journal).values((*row, digest, *signatures)))
        await move_head(connection, name, head, Head(head.seq + 1, digest, head.writes + 1))
    recovered = await recover(database, {}, NOON_MS + DAYS_100_MS)
    assert recovered.outcomes == {"forfeited": "forfeited"}


async def row_counts(database: Database) -> dict[str, int]:
    async with database.reading() as connection:
        return {
            name: len((await connection.execute(select(table))).all()) for name, table in schema.metadata.tables.items()
        }
