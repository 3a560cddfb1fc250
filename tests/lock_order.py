"""Checks the lock order of every transaction on PostgreSQL, to exclude deadlocks.

A deadlock needs two transactions and bad luck. An order that is broken needs neither to be seen.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import event

from casino.storage.database import Database

Lock = tuple[int, str]

_PAYMENT, _PLAYER, _SHARED, _ROUND, _POKER_TABLE, _COUNTED, _SAFEGUARD, _AUDIT, _JOURNAL, _CORRECTION = range(10)
_OF_ONE: Final = re.compile("round:|withdrawal:|seat:|pot:|mtt:|held:")
"""Accounts used by one transaction at a time: that of the round, the payment, the table or the tournament."""

_WHOLE_ROUND: Final = (_PLAYER, "")
"""The accounts of all who have bet in a round; their names are not in the question."""

_ROWS: Final = {
    "payments": _PAYMENT,
    "rounds": _ROUND,
    "poker_tables": _POKER_TABLE,
    "play_days": _COUNTED,
    "safeguards": _SAFEGUARD,
    "corrections": _CORRECTION,
    "finance_requests": _CORRECTION,
}


class LockOrder:
    def __init__(self) -> None:
        self.broken: list[str] = []
        self.taken = 0
        self._held: dict[int, dict[Lock, str]] = {}  # by connection
        self._last: dict[int, Lock] = {}

    def execute(self, connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:  # noqa: ANN401
        held = self._held.setdefault(id(connection), {})
        is_opened = statement.startswith("INSERT INTO accounts")  # no other transaction knows a player's account before
        for lock in _locks(" ".join(statement.split()), values):
            last = self._last.get(id(connection), lock)
            is_late = last > lock and not (lock == _WHOLE_ROUND and last[0] == _PLAYER)
            is_held = lock in held or (lock[0] == _PLAYER and (_WHOLE_ROUND in held or is_opened))
            if is_late and not is_held:
                self.broken.append(f"{lock} after {last}, which was taken by {held[last]}: {statement}")
            held.setdefault(lock, statement)
            self._last[id(connection)] = max(last, lock)
            self.taken += 1

    def end(self, connection: Any) -> None:  # noqa: ANN401
        self._held.pop(id(connection), None)
        self._last.pop(id(connection), None)


@contextmanager
def lock_order(database: Database) -> Iterator[LockOrder]:
    assert not database.is_sqlite, "SQLite has one lock"
    order, engines = LockOrder(), [engine.sync_engine for engine in database._engines.each()]
    listeners: dict[str, Callable[..., None]] = {
        "before_cursor_execute": order.execute,
        "begin": order.end,
        "commit": order.end,
        "rollback": order.end,
    }
    for engine in engines:
        for name, listener in listeners.items():
            event.listen(engine, name, listener)
    try:
        yield order
    finally:
        for engine in engines:
            for name, listener in listeners.items():
                event.remove(engine, name, listener)


def _locks(statement: str, values: Any) -> list[Lock]:  # noqa: ANN401  as the driver takes them
    if statement.endswith("FOR NO KEY UPDATE OF accounts") or statement.startswith("WITH change AS"):
        if "JOIN accounts ON accounts.id = holds.account" in statement:
            return [_WHOLE_ROUND]
        return _accounts(values[0] if statement.startswith("SELECT") else values[2])
    if statement.startswith("INSERT INTO accounts"):
        return _accounts(values[0])
    if "chains" in statement and (" FOR " in statement or statement.startswith("UPDATE")):
        if statement.startswith("WITH asked AS"):
            return [(_JOURNAL, name) for name in sorted(values[0])]
        names = [value for value in values if isinstance(value, str) and (value == "audit" or ":" in value)]
        return [(_AUDIT if names[0] == "audit" else _JOURNAL, names[0])]
    if statement.startswith("WITH asked AS") and "UPDATE poker_tables" in statement:
        return [(_POKER_TABLE, table_id) for table_id in sorted(values[0])]
    for table, place in _ROWS.items():
        changes = statement.startswith((f"UPDATE {table} ", f"INSERT INTO {table} "))
        if changes and not (statement.startswith("INSERT") and "ON CONFLICT" not in statement):
            return [(place, "")]
        if f"FROM {table}" in statement and " FOR " in statement:
            return [(place, "")]
    return []


def _accounts(ids: Iterable[str]) -> list[Lock]:
    return sorted((_PLAYER if id_.startswith("player:") else _SHARED, id_) for id_ in ids if not _OF_ONE.match(id_))
