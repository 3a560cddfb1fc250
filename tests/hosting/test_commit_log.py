"""Commit protocol without a game: one transaction per commit, one writer per chain, interrupted commits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.hosting.commit_log import CommitLog, Transaction
from casino.storage.database import Database
from casino.storage.hash_chain import ForkedChainError
from casino.storage.schema import journal, rounds

CHAIN = "journal:t1"
COLUMNS = ("table_id", "seq", "round_id", "kind", "version", "at_ms", "data")


@pytest.fixture(autouse=True)
async def _round(database: Database) -> None:
    """Rows of the journal belong to a round."""
    async with database.writing() as connection:
        row = {"id": "r1", "table_id": "t1", "day": "2026-11-18", "game_number": "12:00:00", "status": "open"}
        await connection.execute(rounds.insert().values(row | {"started_ms": 0}))


class Interrupted:
    """In the place of a database: the line breaks in the next commits, before or after they are stored."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.breaks: str | None = None

    @asynccontextmanager
    async def writing(self, *, for_table: bool) -> AsyncIterator[AsyncConnection]:
        breaks, self.breaks = self.breaks, None
        async with self._database.writing(for_table=for_table) as connection:
            yield connection
            if breaks == "before":
                raise OSError("the line is cut")
        if breaks == "after":
            raise OSError("the line is cut")


async def append(transaction: Transaction[str], text: str) -> str:
    row = ("t1", transaction.head.seq + 1, "r1", "said", 1, 0, f'"{text}"')
    await transaction.append(journal, COLUMNS, [row])
    return text


async def rows_of(database: Database) -> int:
    async with database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(journal))).scalar_one()


async def test_a_commit_returns_its_result_once_it_is_stored(database: Database) -> None:
    log: CommitLog[str] = await CommitLog.of(database, CHAIN)
    assert await log.commit(lambda page: append(page, "one")) == "one"
    assert await log.commit(lambda page: append(page, "two")) == "two"
    assert (log.head.seq, log.head.writes) == (2, 2)
    assert await rows_of(database) == 2


@pytest.mark.req("LED-5")
async def test_a_second_writer_of_the_chain_is_refused(database: Database) -> None:
    first: CommitLog[str] = await CommitLog.of(database, CHAIN)
    second: CommitLog[str] = await CommitLog.of(database, CHAIN)
    await second.commit(lambda page: append(page, "two"))
    with pytest.raises(ForkedChainError):
        await first.commit(lambda page: append(page, "one"))
    assert await rows_of(database) == 1


async def test_an_interrupted_commit_that_was_stored_counts(database: Database) -> None:
    line = Interrupted(database)
    log: CommitLog[str] = await CommitLog.of(cast("Database", line), CHAIN)
    line.breaks = "after"
    assert await log.commit(lambda page: append(page, "one")) == "one"
    assert not log.is_in_doubt
    await log.commit(lambda page: append(page, "two"))
    assert await rows_of(database) == 2


async def test_an_interrupted_commit_that_was_lost_never_was(database: Database) -> None:
    line = Interrupted(database)
    log: CommitLog[str] = await CommitLog.of(cast("Database", line), CHAIN)
    line.breaks = "before"

    async def write(page: Transaction[str]) -> str:
        return await append(page, "one")

    with pytest.raises(OSError, match="cut"):
        await log.commit(write)
    assert not log.is_in_doubt
    await log.commit(write)
    assert await rows_of(database) == 1
    assert log.head.writes == 1


async def test_a_commit_stays_in_doubt_until_the_head_can_be_read(database: Database) -> None:
    line = Interrupted(database)
    log: CommitLog[str] = await CommitLog.of(cast("Database", line), CHAIN)

    async def write(page: Transaction[str]) -> str:
        said = await append(page, "one")
        line.breaks = "before"  # the next transaction: the look at the head
        return said

    line.breaks = "after"
    with pytest.raises(OSError, match="cut"):
        await log.commit(write)
    assert log.is_in_doubt
    assert await log.resolve_in_doubt() == "one"
    assert log.head.seq == 1
    assert await log.resolve_in_doubt() is None
