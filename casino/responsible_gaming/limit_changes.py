"""Changes of player limits in one transaction: stricter limits apply at once, looser ones after a day.

The audit log records every limit and exclusion. An exclusion can be extended, but never shortened.
"""

from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.clock import NO_END_MS
from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Book
from casino.responsible_gaming.daily_losses import begin_to_count
from casino.responsible_gaming.player_limits import DAY_MS, Kind, Period
from casino.storage.schema import safeguards
from casino.users.users import User

RAISE_AFTER_MS: Final = DAY_MS

_INSERT: Final = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class LimitChanges:
    """Changes the limits of one player. Locks the account, as placing a bet does."""

    def __init__(self, connection: AsyncConnection, user: User, now_ms: int) -> None:
        self._connection = connection
        self._user = user
        self._now_ms = now_ms

    async def limit(self, kind: Kind, period: Period, value: int | None) -> None:
        """None removes the limit. Setting the value in force withdraws a pending change."""
        await self._lock()
        row = await self._row(kind, period)
        before, after = self._in_force(row), {"value": value, "next_value": None, "next_ms": None}
        if row is None and kind is Kind.LOSS and not await self._is_counted():
            await begin_to_count(self._connection, self._user.id, self._now_ms)
        if before is not None and (value is None or value > before):
            after = {"value": before, "next_value": value, "next_ms": self._now_ms + RAISE_AFTER_MS}
        shown = {"value": before} if row is None else {"value": before, **_waiting(row, self._now_ms)}
        await self._store(kind, period, after)
        await self._log("limit_changed", {"limit": f"{kind} {period}", **shown}, {"limit": f"{kind} {period}", **after})

    async def reality_check(self, minutes: int | None) -> None:
        await self._lock()
        await self._store(Kind.REALITY_CHECK, "", {"value": minutes, "next_value": None, "next_ms": None})

    async def seen(self) -> None:
        """Records that the player saw the reality check: the next one follows a whole interval later."""
        await self._lock()
        query = update(safeguards).where(safeguards.c.player_id == self._user.id)
        await self._connection.execute(query.where(safeguards.c.kind == Kind.REALITY_CHECK).values(at_ms=self._now_ms))

    async def exclude(self, kind: Kind, until_ms: int) -> None:
        await self._lock()
        before = self._in_force(await self._row(kind, ""))
        until_ms = min(max(until_ms, before or 0), NO_END_MS)
        await self._store(kind, "", {"value": until_ms, "next_value": None, "next_ms": None})
        await self._log(kind, {"until_ms": before}, {"until_ms": until_ms})

    async def _lock(self) -> None:
        await Book(self._connection).balances([player_cash_id(self._user.id)])

    def _in_force(self, row: Any) -> int | None:  # noqa: ANN401  a row of the safeguards
        if row is None:
            return None
        is_changed = row.next_ms is not None and self._now_ms >= row.next_ms
        value: int | None = row.next_value if is_changed else row.value
        return value

    async def _row(self, kind: Kind, period: str) -> Any:  # noqa: ANN401
        query = select(safeguards).where(safeguards.c.player_id == self._user.id, safeguards.c.kind == kind)
        return (await self._connection.execute(query.where(safeguards.c.period == period))).first()

    async def _is_counted(self) -> bool:
        query = select(safeguards.c.kind).where(safeguards.c.player_id == self._user.id)
        return (await self._connection.execute(query.where(safeguards.c.kind == Kind.LOSS))).first() is not None

    async def _store(self, kind: Kind, period: str, values: dict[str, int | None]) -> None:
        row = {"player_id": self._user.id, "kind": kind, "period": period, **values, "at_ms": self._now_ms}
        insert: Any = _INSERT[self._connection.dialect.name](safeguards).values(row)
        changed = {name: insert.excluded[name] for name in ("value", "next_value", "next_ms", "at_ms")}
        keys = ["player_id", "kind", "period"]
        await self._connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changed))

    async def _log(self, action: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        user = self._user
        entry = audit_log.Entry(user.name, user.role, action, f"user {user.id}", before=before, after=after)
        await audit_log.write(self._connection, entry, self._now_ms)


def _waiting(row: Any, now_ms: int) -> dict[str, Any]:  # noqa: ANN401
    is_waiting = row.next_ms is not None and now_ms < row.next_ms
    return {"next_value": row.next_value, "next_ms": row.next_ms} if is_waiting else {}
