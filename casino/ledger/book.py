"""The book of accounts within one transaction: open, hold, post. Whoever holds it decides when to commit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.crash import crash_point
from casino.errors import Code, Refusal
from casino.ledger.accounts import Account
from casino.ledger.posting import Operation, Posting, net_changes, record_digest
from casino.storage.bulk import change_balances, insert_rows, locked_balances
from casino.storage.schema import accounts, operations, postings


class Balance(NamedTuple):
    currency: str
    balance: int
    held: int

    @property
    def available(self) -> int:
        return self.balance - self.held


class Posted(NamedTuple):
    """An operation in the book; `is_repeat` if it was there already and nothing moved."""

    operation_id: int
    at_ms: int
    is_repeat: bool


_ENTER = {
    "sqlite": sqlite.insert(operations).on_conflict_do_nothing(index_elements=["key"]).returning(operations.c.id),
    "postgresql": postgresql.insert(operations)
    .on_conflict_do_nothing(index_elements=["key"])
    .returning(operations.c.id),
}


class Book:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def open_accounts(self, opened: Iterable[Account]) -> None:
        """Opening an account that is open already changes nothing, nor does somebody who opens it at the same time:
        no key is named, because PostgreSQL would wait for that one only, and fail at the other."""
        rows = sorted(set(opened))
        columns = ("id", "kind", "currency")
        await insert_rows(self._connection, accounts, columns, rows, or_else="ON CONFLICT DO NOTHING")

    async def balances(self, ids: Sequence[str]) -> dict[str, Balance]:
        """The accounts as they stand, and as they stay until the transaction ends."""
        found = await locked_balances(self._connection, ids) if ids else []
        return {id_: Balance(currency, balance, held) for id_, currency, balance, held in found}

    async def hold(self, changes: Mapping[str, int]) -> None:
        """Set aside so much more, or less, of the balance of accounts that `balances` has locked."""
        rows = [(0, change, id_) for id_, change in sorted(changes.items()) if change]
        await change_balances(self._connection, rows, are_locked=True)

    async def post(self, operation: Operation, at_ms: int, *, releasing: Mapping[str, int] | None = None) -> Posted:
        """Move the money, once. `releasing` ends holds in the same step: that is what a capture is."""
        posted = await self._record(operation, at_ms)
        if not posted.is_repeat:
            await self._apply(operation.postings, releasing or {})
        return posted

    async def replace(self, undone: Operation, done: Operation, at_ms: int) -> tuple[Posted, Posted]:
        """Reverse one operation and do another in its place; balances see only the difference of the two."""
        records = await self._record(undone, at_ms), await self._record(done, at_ms)
        assert not any(record.is_repeat for record in records), "a replacement has keys of its own"
        await self._apply((*undone.postings, *done.postings), {})
        return records

    async def _record(self, operation: Operation, at_ms: int) -> Posted:
        assert operation.postings, "an operation moves something"
        input_hash = operation.input_hash()
        operation_id = await self._enter(operation, input_hash, at_ms)
        if operation_id is None:
            return await self._repeated(operation.key, input_hash)
        await insert_rows(
            self._connection,
            postings,
            ("operation_id", "line", "source", "destination", "amount", "currency"),
            [(operation_id, line, *posting) for line, posting in enumerate(operation.postings)],
        )
        crash_point("postings_written")
        return Posted(operation_id, at_ms, is_repeat=False)

    async def _apply(self, moved: Iterable[Posting], released: Mapping[str, int]) -> None:
        net = net_changes(moved)
        touched = sorted(net.keys() | released.keys())
        await change_balances(self._connection, [(net.get(id_, 0), -released.get(id_, 0), id_) for id_ in touched])

    async def _enter(self, operation: Operation, input_hash: str, at_ms: int) -> int | None:
        """The number of the new operation, or None if its key is in the book."""
        entered = await self._connection.execute(
            _ENTER[self._connection.dialect.name],
            {
                "key": operation.key,
                "kind": operation.kind,
                "round_id": operation.round_id,
                "actor": operation.actor,
                "reason": operation.reason,
                "at_ms": at_ms,
                "input_hash": input_hash,
                "digest": record_digest(input_hash, at_ms),
            },
        )
        number: int | None = entered.scalar_one_or_none()
        return number

    async def _repeated(self, key: str, input_hash: str) -> Posted:
        query = select(operations.c.id, operations.c.at_ms, operations.c.input_hash).where(operations.c.key == key)
        known = (await self._connection.execute(query)).one()
        if known.input_hash != input_hash:
            raise Refusal(Code.KEY_REUSED, "This key was used for something else.")
        return Posted(known.id, known.at_ms, is_repeat=True)
