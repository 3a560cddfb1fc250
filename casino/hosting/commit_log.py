"""Commit log of a table: stores each commit in one transaction, on a hash chain with a single writer.

Nothing is acknowledged before it is stored: the caller replies only after `commit` returns. If storing fails, nothing
has happened, and the caller may retry. The head of the chain is the fencing token: it counts transactions, so a second
writer of the same chain fails at its first commit.

If the connection breaks during the commit itself, the outcome is in doubt. The log then keeps the pending result and
stores nothing else, until `resolve_in_doubt` has read the head of the chain.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.observability.crash_points import crash_point
from casino.storage.bulk import insert_rows
from casino.storage.database import Database, retry_lost_races
from casino.storage.hash_chain import ForkedChainError, Head, head_of, links, move_head, row_signatures

R = TypeVar("R")


class Transaction(Generic[R]):
    """One open transaction: its connection, and the head of the chain as it will be after the commit."""

    def __init__(self, connection: AsyncConnection, chain: str, head: Head) -> None:
        self.connection = connection
        self.head = head
        self.result: R | None = None  # set once all work is done
        self._chain = chain

    async def append(self, table: Table, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """Appends rows, numbered from `head.seq + 1` on, to the table, each linked and signed.

        The head moves even without rows, so that a second writer of the same chain is detected at its first write.
        """
        connection, head = self.connection, self.head
        digests = links(head, rows)
        ends = list(enumerate(digests, head.seq + 1))
        signatures = row_signatures(connection, self._chain, ends)
        linked = [(*row, *proof) for row, *proof in zip(rows, digests, signatures, strict=True)]
        new = head.moved(ends[-1] if ends else head.end)
        await move_head(connection, self._chain, head, new)
        crash_point("journal_head_moved")
        await insert_rows(connection, table, (*columns, "digest", "signature"), linked)
        self.head = new


class InDoubtCommit(NamedTuple, Generic[R]):
    """Head and result if the interrupted commit was stored."""

    head: Head
    result: R


class CommitLog(Generic[R]):
    """The only writer of one chain; every commit has a result."""

    def __init__(self, database: Database, chain: str, head: Head) -> None:
        self._database = database
        self._chain = chain
        self._head = head
        self._in_doubt: InDoubtCommit[R] | None = None

    @classmethod
    async def of(cls, database: Database, chain: str) -> "CommitLog[R]":
        """Waits for a transaction of an earlier writer that is still in flight."""
        async with database.writing(for_table=True) as connection:
            return cls(database, chain, await head_of(connection, chain, lock=True))

    @property
    def head(self) -> Head:
        """Head of the chain, as far as this writer knows."""
        return self._head

    @property
    def is_in_doubt(self) -> bool:
        return self._in_doubt is not None

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Reads with the tables' own connections, so that other requests cannot delay it."""
        return self._database.reading(for_table=True)

    def writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Writes outside the chain."""
        return self._database.writing(for_table=True)

    async def commit(self, write: Callable[[Transaction[R]], Awaitable[R]]) -> R:
        """Runs `write` in one transaction and returns its result, once that is stored.

        `write` may run several times, after serialization failures, and must change nothing but the database.
        """
        return await retry_lost_races(lambda: self._commit(write))

    async def resolve_in_doubt(self) -> R | None:
        """Returns the result of the commit in doubt if it was stored; None if there was none or it was lost."""
        if self._in_doubt is None:
            return None
        async with self.writing() as connection:
            found = await head_of(connection, self._chain, lock=True)  # waits for a transaction still in flight
        doubt, self._in_doubt = self._in_doubt, None
        if found != doubt.head:
            return None
        self._head = found
        return doubt.result

    async def _commit(self, write: Callable[[Transaction[R]], Awaitable[R]]) -> R:
        async with self._transaction() as transaction:
            result = transaction.result = await write(transaction)
        return result

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Transaction[R]]:
        """Opens one transaction. If its commit is interrupted, the chain shows whether it was stored."""
        if await self.resolve_in_doubt():
            raise ForkedChainError(f"the chain {self._chain} has moved on")
        transaction: Transaction[R] | None = None
        try:
            async with self.writing() as connection:
                transaction = Transaction(connection, self._chain, self._head)
                yield transaction
        except (DBAPIError, OSError):
            if transaction is None or transaction.result is None:
                raise
            if transaction.head != self._head:
                self._in_doubt = InDoubtCommit(transaction.head, transaction.result)
                if await self.resolve_in_doubt() is None:
                    raise
        assert transaction is not None
        self._head = transaction.head
