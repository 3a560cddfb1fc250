"""After a stop or a crash: every unfinished round is continued, settled, or cancelled and refunded.

Betting was still open: the bets go back. Everything is out and decided: the round is settled. Otherwise it goes on
with the same cards and a full window, unless it stood still for too long or its table is gone; then it is cancelled.
A round whose journal cannot be read is left for people to look at, and its stakes go to charity after 90 days.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import func, select, update

from casino.audit import log as audit_log
from casino.crash import crash_point
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.holds import Holds
from casino.ledger.posting import Operation, move
from casino.storage import schema
from casino.storage.database import Database
from casino.table import journal
from casino.table.batch import Request
from casino.table.bookkeeping import Bookkeeper
from casino.table.stakes import SYSTEM
from casino.uth.commands import Advance, CancelRound, Command, Continue
from casino.uth.phases import Phase
from casino.uth.state import Round

UNRESOLVED_DAYS_MAX: Final = 90
_DAY_MS: Final = 86_400_000


@dataclass(slots=True)
class Recovered:
    """What became of the rounds that were found unfinished, by round; `running` go on, by table."""

    running: dict[str, Round] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)


async def recover(database: Database, resume_within_ms: Mapping[str, int], now_ms: int) -> Recovered:
    """`resume_within_ms` names the tables that are open for business and how long their rounds may stand still."""
    recovered = Recovered()
    for round_id, table_id, last_ms in await _unfinished(database):
        bookkeeper = await Bookkeeper.of(database, table_id)  # first: it waits for what may still be on its way
        try:
            async with database.reading() as connection:
                round_ = await journal.load_round(connection, round_id)
        except journal.UnreadableRoundError:
            stale = now_ms - last_ms > UNRESOLVED_DAYS_MAX * _DAY_MS
            recovered.outcomes[round_id] = await _forfeit(database, round_id, now_ms) if stale else "unreadable"
            continue
        deadline_ms = last_ms + resume_within_ms.get(table_id, -1)
        round_ = await _go_on(bookkeeper, round_, deadline_ms, now_ms)
        crash_point("round_recovered")
        recovered.outcomes[round_id] = round_.phase
        if not round_.is_over:
            recovered.running[table_id] = round_
    return recovered


async def _unfinished(database: Database) -> list[tuple[str, str, int]]:
    """(round, table, time of the last stored event), oldest first."""
    rounds = schema.rounds
    last_ms = func.coalesce(func.max(schema.journal.c.at_ms), rounds.c.started_ms)
    query = (
        select(rounds.c.id, rounds.c.table_id, last_ms.label("last_ms"))
        .outerjoin(schema.journal, schema.journal.c.round_id == rounds.c.id)
        .where(rounds.c.status == "open")
        .group_by(rounds.c.id, rounds.c.table_id, rounds.c.started_ms)
        .order_by(rounds.c.started_ms)
    )
    async with database.reading() as connection:
        return [(row.id, row.table_id, row.last_ms) for row in await connection.execute(query)]


async def _go_on(bookkeeper: Bookkeeper, round_: Round, deadline_ms: int, now_ms: int) -> Round:
    if round_.is_over:  # its last step was stored at the last moment
        return round_
    command, at_ms = _next_step(round_, deadline_ms, now_ms)
    handled = await bookkeeper.handle(round_, [Request(command, at_ms)])
    refusal = handled.answers[0].refusal
    assert refusal is None, refusal
    return handled.round


def _next_step(round_: Round, deadline_ms: int, now_ms: int) -> tuple[Command, int]:
    if round_.phase is Phase.SHOWDOWN and round_.is_street_complete and not round_.paused:
        return Advance(), max(now_ms, round_.due_ms or now_ms)
    if now_ms > deadline_ms and round_.phase is not Phase.BETTING:
        return CancelRound("The round could not go on in time after an interruption.", SYSTEM), now_ms
    return Continue(), now_ms


async def _forfeit(database: Database, round_id: str, now_ms: int) -> str:
    """Nothing is known but the money: held bets go back, escrowed stakes to charity."""
    async with database.writing() as connection:
        book = Book(connection)
        await Holds(connection, book, round_id).release()
        table = schema.accounts
        query = select(table.c.id, table.c.currency, table.c.balance).where(
            table.c.id.startswith(f"round:{round_id}:escrow:", autoescape=True), table.c.balance > 0
        )
        for row in (await connection.execute(query)).all():
            charity = accounts.charity(row.currency)
            await book.open_accounts([charity])
            posting = move(row.balance, accounts.escrow(round_id, row.currency), charity)
            reason = f"unresolved for {UNRESOLVED_DAYS_MAX} days"
            key = f"{round_id}:forfeit:{row.currency}"
            await book.post(Operation(key, "forfeit", (posting,), SYSTEM, reason, round_id), now_ms)
        crash_point("stakes_forfeited")
        rounds = schema.rounds
        ended = update(rounds).where(rounds.c.id == round_id).values(status="forfeited", ended_ms=now_ms)
        await connection.execute(ended)
        entry = audit_log.Entry(SYSTEM, SYSTEM, "round_forfeited", f"round {round_id}", "unresolved stakes to charity")
        await audit_log.write(connection, entry, now_ms)
    return "forfeited"
