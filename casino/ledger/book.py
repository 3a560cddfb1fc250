"""Book of accounts within one transaction: open, hold, post. The caller commits.

A hold is money reserved for the open bet of a round. It stays the player's, but cannot be spent elsewhere. Every hold
ends in exactly one of two ways: captured when betting closes, or released.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Update, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import Account, player_cash_id
from casino.ledger.posting import Operation, Posting, net_changes, record_digest
from casino.observability.crash_points import crash_point
from casino.refusals import Reason
from casino.storage.bulk import change_balances, insert_rows, locked_balances
from casino.storage.schema import accounts, holds, operations, postings


class Balance(NamedTuple):
    currency: str
    balance: int
    held: int

    @property
    def available(self) -> int:
        return self.balance - self.held


class Posted(NamedTuple):
    """A posted operation; `is_repeat` if its key existed already and no money moved."""

    operation_id: int
    at_ms: int
    is_repeat: bool


_ENTER = {
    "sqlite": sqlite.insert(operations).on_conflict_do_nothing(index_elements=["key"]).returning(operations.c.id),
    "postgresql": postgresql.insert(operations)
    .on_conflict_do_nothing(index_elements=["key"])
    .returning(operations.c.id),
}


_OPERATION_COLUMNS = ("key", "kind", "round_id", "actor", "reason", "at_ms", "input_hash", "digest")
_POSTING_COLUMNS = ("operation_id", "line", "source", "destination", "amount", "currency")
_HOLD_COLUMNS = ("round_id", "player_id", "account", "amount", "status", "at_ms", "at_risk")
_VALUES_MAX = 30_000  # both databases take at most 32,766 values in one statement

_REPLACE_HOLD = (
    "ON CONFLICT (round_id, player_id) DO UPDATE SET "
    "amount = excluded.amount, status = excluded.status, at_ms = excluded.at_ms, at_risk = excluded.at_risk"
)


class Book:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def open_accounts(self, opened: Iterable[Account]) -> None:
        """Opens accounts; existing ones, also those opened concurrently, stay unchanged.

        ON CONFLICT names no key, because PostgreSQL would then handle that key only, and fail at the other.
        """
        rows = sorted(set(opened))
        columns = ("id", "kind", "currency")
        await insert_rows(self._connection, accounts, columns, rows, or_else="ON CONFLICT DO NOTHING")

    async def balances(self, ids: Sequence[str]) -> dict[str, Balance]:
        """Locks and returns the accounts until the transaction ends."""
        found = await locked_balances(self._connection, ids) if ids else []
        return {id_: Balance(currency, balance, held) for id_, currency, balance, held in found}

    async def hold(self, changes: Mapping[str, int]) -> None:
        """Changes the holds on accounts that `balances` has locked."""
        rows = [(0, change, id_) for id_, change in sorted(changes.items()) if change]
        await change_balances(self._connection, rows, are_locked=True)

    async def post(self, operation: Operation, at_ms: int, *, releasing: Mapping[str, int] | None = None) -> Posted:
        """Posts the operation once. `releasing` ends holds in the same step, which makes it a capture."""
        posted = await self._record(operation, at_ms)
        if not posted.is_repeat:
            await self._apply(operation.postings, releasing or {})
        return posted

    async def post_many(self, posted: Sequence[Operation], at_ms: Sequence[int]) -> None:
        """Posts new operations with one statement per table. Fails if one of their keys exists."""
        if not posted:
            return
        rows = []
        for operation, moment in zip(posted, at_ms, strict=True):
            assert operation.postings, "an operation moves something"
            hashed = operation.input_hash()
            fields = (operation.key, operation.kind, operation.round_id, operation.actor, operation.reason)
            rows.append((*fields, moment, hashed, record_digest(hashed, moment)))
        entered = await insert_rows(self._connection, operations, _OPERATION_COLUMNS, rows, returning="key, id")
        numbers: dict[str, int] = dict(map(tuple, entered))
        lines = [
            (numbers[operation.key], line, *posting)
            for operation in posted
            for line, posting in enumerate(operation.postings)
        ]
        await insert_rows(self._connection, postings, _POSTING_COLUMNS, lines)
        await self._apply((posting for operation in posted for posting in operation.postings), {})

    async def replace(
        self, undone: Operation, done: Operation, at_ms: int, advances: Sequence[Operation] = ()
    ) -> tuple[Posted, Posted]:
        """Reverses one operation and posts another instead; balances see only the difference.

        `advances` are posted in the same step, so that no account is overdrawn in between.
        """
        records = [await self._record(operation, at_ms) for operation in (undone, done, *advances)]
        assert not any(record.is_repeat for record in records), "a replacement has keys of its own"
        moved = (posting for operation in (undone, done, *advances) for posting in operation.postings)
        await self._apply(moved, {})
        return records[0], records[1]

    async def _record(self, operation: Operation, at_ms: int) -> Posted:
        assert operation.postings, "an operation moves something"
        input_hash = operation.input_hash()
        operation_id = await self._enter(operation, input_hash, at_ms)
        if operation_id is None:
            return await self._repeated(operation.key, input_hash)
        await insert_rows(
            self._connection,
            postings,
            _POSTING_COLUMNS,
            [(operation_id, line, *posting) for line, posting in enumerate(operation.postings)],
        )
        crash_point("postings_written")
        return Posted(operation_id, at_ms, is_repeat=False)

    async def _apply(self, moved: Iterable[Posting], released: Mapping[str, int]) -> None:
        net = net_changes(moved)
        touched = sorted(net.keys() | released.keys())
        await change_balances(self._connection, [(net.get(id_, 0), -released.get(id_, 0), id_) for id_ in touched])

    async def _enter(self, operation: Operation, input_hash: str, at_ms: int) -> int | None:
        """Returns the number of the new operation, or None if its key exists already."""
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
            raise Reason.KEY_REUSED.refusal()
        return Posted(known.id, known.at_ms, is_repeat=True)


class Held(NamedTuple):
    player_id: str
    currency: str
    amount: int


class Holds:
    """The holds of one round within one transaction."""

    def __init__(self, connection: AsyncConnection, book: Book, round_id: str) -> None:
        self._connection = connection
        self._book = book
        self._round_id = round_id

    async def place(
        self, totals: Mapping[str, int], at_risk: Mapping[str, int], changes: Mapping[str, int], at_ms: int
    ) -> None:
        """Replaces the held total of each player; the change is the difference to the old total.

        `at_risk` is the maximum loss in the round. It is not held, but player limits use it.
        """
        rows = [
            (self._round_id, player_id, player_cash_id(player_id), total, "open", at_ms, at_risk[player_id])
            for player_id, total in sorted(totals.items())
            if total
        ]
        await insert_rows(self._connection, holds, _HOLD_COLUMNS, rows, or_else=_REPLACE_HOLD)
        emptied = [player_id for player_id, total in totals.items() if not total]
        for start in range(0, len(emptied), _VALUES_MAX):
            leaving = holds.c.player_id.in_(emptied[start : start + _VALUES_MAX])
            await self._connection.execute(self._end("released").where(leaving))
        await self._book.hold({player_cash_id(player_id): change for player_id, change in changes.items()})

    async def open(self) -> list[Held]:
        """Locks the accounts before anything else, since the caller is about to end their holds."""
        query = (
            select(holds.c.player_id, accounts.c.currency, holds.c.amount)
            .join(accounts, accounts.c.id == holds.c.account)
            .where(holds.c.round_id == self._round_id, holds.c.status == "open")
            .order_by(accounts.c.id)
            .with_for_update(of=accounts, key_share=True)
        )
        return [Held(*row) for row in await self._connection.execute(query)]

    async def release(self) -> None:
        held = await self.open()
        await self._book.hold({player_cash_id(player_id): -amount for player_id, _, amount in held})
        await self._connection.execute(self._end("released"))

    async def capture(self, held: list[Held], operation: Operation, at_ms: int) -> None:
        """Moves the held money by the operation and ends the holds."""
        releasing = {player_cash_id(player_id): amount for player_id, _, amount in held}
        posted = await self._book.post(operation, at_ms, releasing=releasing)
        assert not posted.is_repeat, "holds that are open have not been captured"
        await self._connection.execute(self._end("captured"))

    def _end(self, status: str) -> Update:
        is_open = (holds.c.round_id == self._round_id, holds.c.status == "open")
        return update(holds).where(*is_open).values(status=status)
