"""Numbered, hash-chained rows: the journal of each table and the audit log are such chains.

Every link is the hash of the link before it and of the row's own fields. The head of each chain, its last number
and link, is kept apart, so that cutting rows off the end is noticed as well. It also counts the transactions that
moved it: by that count a writer knows that nobody else has written, and whether a commit that broke off was stored.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.bulk import insert_rows
from casino.storage.schema import chains

GENESIS: Final = "0" * 64


class Head(NamedTuple):
    seq: int
    digest: str
    writes: int = 0

    @property
    def end(self) -> tuple[int, str]:
        """Where the rows end, however many transactions it took."""
        return self.seq, self.digest

    def moved(self, end: tuple[int, str]) -> "Head":
        """After one more transaction, which wrote rows up to this end or none at all."""
        return Head(*end, self.writes + 1)


EMPTY: Final = Head(0, GENESIS)


class ForkedChainError(RuntimeError):
    """Somebody else has written to this chain: a second server runs on the same table."""


def link(previous: str, fields: Sequence[Any]) -> str:
    written = orjson.dumps(fields, default=repr)  # what only a forger puts there must not stop the check
    return hashlib.sha256(previous.encode() + written).hexdigest()


def links(head: Head, rows: Iterable[Sequence[Any]]) -> list[str]:
    """The link of each of these rows after the head."""
    found, previous = [], head.digest
    for fields in rows:
        previous = link(previous, fields)
        found.append(previous)
    return found


async def head_of(connection: AsyncConnection, name: str, *, lock: bool = False) -> Head:
    """The end of the chain; locked, nobody else can add to it before the transaction ends."""
    if lock:
        columns = ("name", "seq", "digest", "writes")
        await insert_rows(connection, chains, columns, [(name, *EMPTY)], or_else="ON CONFLICT (name) DO NOTHING")
    query = select(chains.c.seq, chains.c.digest, chains.c.writes).where(chains.c.name == name)
    row = (await connection.execute(query.with_for_update() if lock else query)).first()
    return Head(*row) if row else EMPTY


_MOVE: Final = (
    update(chains)
    .where(
        chains.c.name == bindparam("chain"),
        chains.c.writes == bindparam("old_writes"),
        chains.c.digest == bindparam("old_digest"),
    )
    .values({name: bindparam(f"new_{name}") for name in Head._fields})
)


async def move_head(connection: AsyncConnection, name: str, old: Head, new: Head) -> None:
    """Fails if the chain does not end where the writer believes."""
    ends = {f"new_{field}": value for field, value in new._asdict().items()}
    here = {"chain": name, "old_writes": old.writes, "old_digest": old.digest}
    if (await connection.execute(_MOVE, ends | here)).rowcount != 1:
        raise ForkedChainError(f"the chain {name} does not end at {old.seq}")
