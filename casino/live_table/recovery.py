"""Recovery after a stop or a crash: every unfinished round is continued, settled, or cancelled and refunded.

While betting was open, bets are returned. A round with all cards and decisions is settled. Other rounds continue with
the same cards and a full window.

Recovery cancels and refunds a round that stalled too long, or whose table no longer exists or is dealt in another way.
The same happens if the server seed cannot be opened, because no proof could follow. A round with an unreadable
journal is left for staff, and its stakes go to charity after 90 days.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sqlalchemy import func, select, update

from casino.audit import log as audit_log
from casino.ledger import accounts
from casino.ledger.book import Book, Holds
from casino.ledger.posting import Operation, move
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.live_table.journal_replay import UnreadableRoundError, load_round
from casino.live_table.postings import SYSTEM
from casino.live_table.reveal import commits_to_seed, open_server_seed
from casino.live_table.shoe import Seal
from casino.observability.crash_points import crash_point
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.commands import Advance, CancelRound, Command, Continue
from casino.uth.phases import Phase
from casino.uth.state import Round

UNRESOLVED_DAYS_MAX: Final = 90
_DAY_MS: Final = 86_400_000

TABLES_AT_ONCE: Final = 8
"""Tables recovered or opened at the same time: fewer than the connections in their pool."""
_TOO_LATE: Final = "The round could not go on in time after an interruption."
_OTHER_DEALING: Final = "The way this table is dealt has changed during the round."
_SEED_LOST: Final = "The cards to come cannot be known any more after an interruption."


@dataclass(slots=True)
class Recovered:
    """Outcome of unfinished rounds, by round; `running` rounds continue, by table."""

    running: dict[str, Round] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)


async def recover(
    database: Database,
    resume_within_ms: Mapping[str, int],
    now_ms: int,
    *,
    automatic_tables: Collection[str] | None = None,
    seal: Seal | None = None,
) -> Recovered:
    """`resume_within_ms` maps the open tables to the time a round may stall.

    `automatic_tables` are those dealt by machine; None if every table deals as before.
    """
    recovered = Recovered()
    dealing = _Dealing(automatic_tables, seal)
    by_table: dict[str, list[Unfinished]] = defaultdict(list)
    for unfinished in await _unfinished(database):
        by_table[unfinished.table_id].append(unfinished)

    async def table(table_id: str) -> None:
        """Recovers the rounds of one table in order; tables run concurrently."""
        for unfinished in by_table[table_id]:
            deadline_ms = unfinished.last_ms + resume_within_ms.get(table_id, -1)
            outcome = await _recover_round(database, unfinished, deadline_ms, now_ms, dealing)
            recovered.outcomes[unfinished.round_id] = outcome if isinstance(outcome, str) else outcome.phase
            if isinstance(outcome, Round) and not outcome.is_over:
                recovered.running[table_id] = outcome

    await for_each(by_table, table)
    return recovered


async def for_each(names: Iterable[str], work: Callable[[str], Awaitable[None]]) -> None:
    """Runs the work for every table, a few at a time; the first failure ends all of it."""
    turns = asyncio.Semaphore(TABLES_AT_ONCE)

    async def one(name: str) -> None:
        async with turns:
            await work(name)

    try:
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(one(name))
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures


class _Dealing(NamedTuple):
    """Current dealing mode of the tables, and the key that opens sealed seeds."""

    automatic_tables: Collection[str] | None
    seal: Seal | None


async def _recover_round(
    database: Database, unfinished: "Unfinished", deadline_ms: int, now_ms: int, dealing: _Dealing
) -> Round | str:
    """Returns the round as it continues or ended, or the outcome of an unreadable one."""
    round_id, table_id, last_ms = unfinished
    unit_of_work = await TableUnitOfWork.of(
        database, table_id, dealing.seal
    )  # first: waits for a transaction still in flight
    try:
        async with database.reading() as connection:
            round_ = await load_round(connection, round_id)
    except UnreadableRoundError:
        stale = now_ms - last_ms > UNRESOLVED_DAYS_MAX * _DAY_MS
        return await _forfeit(database, round_id, now_ms) if stale else "unreadable"
    obstacle = await _obstacle(unit_of_work, round_, dealing) or (_TOO_LATE if now_ms > deadline_ms else "")
    round_ = await _continue(unit_of_work, round_, obstacle, now_ms)
    crash_point("round_recovered")
    return round_


class Unfinished(NamedTuple):
    """`last_ms` is the time of the last stored event."""

    round_id: str
    table_id: str
    last_ms: int


async def _unfinished(database: Database) -> list[Unfinished]:
    """Returns unfinished rounds, oldest first."""
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
        return [Unfinished(row.id, row.table_id, row.last_ms) for row in await connection.execute(query)]


async def _obstacle(unit_of_work: TableUnitOfWork, round_: Round, dealing: _Dealing) -> str:
    """Returns why the round cannot be dealt as announced; empty if it can."""
    automatic_tables, seal = dealing
    if automatic_tables is not None and (round_.commitment is not None) != (round_.table_id in automatic_tables):
        return _OTHER_DEALING
    if commits_to_seed(round_):
        async with unit_of_work.reading() as connection:
            if await open_server_seed(connection, round_, seal) is None:
                return _SEED_LOST
    return ""


async def _continue(unit_of_work: TableUnitOfWork, round_: Round, obstacle: str, now_ms: int) -> Round:
    if round_.is_over:  # its last step was stored just before the stop
        return round_
    command, at_ms = _next_step(round_, obstacle, now_ms)
    handled = await unit_of_work.commit(round_, [Request(command, at_ms)])
    refusal = handled.answers[0].refusal
    assert refusal is None, refusal
    return handled.round


def _next_step(round_: Round, obstacle: str, now_ms: int) -> tuple[Command, int]:
    is_complete = round_.phase is Phase.SHOWDOWN and round_.is_street_complete and not round_.paused
    if is_complete and obstacle != _SEED_LOST:
        return Advance(), max(now_ms, round_.due_ms or now_ms)
    if obstacle and round_.phase is not Phase.BETTING:
        return CancelRound(obstacle, SYSTEM, automatic=True), now_ms
    return Continue(), now_ms


async def _forfeit(database: Database, round_id: str, now_ms: int) -> str:
    """Only the money is known: releases held bets, and moves escrowed stakes to charity."""
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
