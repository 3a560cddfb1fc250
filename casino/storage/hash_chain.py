"""Hash chains of numbered rows, used by the journal of each table and by the audit log.

Every link is the hash of the previous link and of the row's fields. The head of each chain, its last number and link,
is stored separately, so that rows cut off at the end are noticed. The head also counts the transactions that moved it.
By that count a writer detects other writers, and learns whether an interrupted commit was stored.

Rows and heads are signed with a key outside the database (HMAC-SHA256), if the connection has a signer. The digest of a
row covers all earlier rows, so its signature covers the whole chain up to that row. Signatures name their key, because
keys can be replaced. They include the id of the database, so that they are invalid in another one.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.bulk import insert_rows, update_rows
from casino.storage.schema import chains, database_identity

GENESIS: Final = "0" * 64
HEAD_COLUMNS: Final = (chains.c.seq, chains.c.digest, chains.c.writes)
SIGNER: Final = "chain_signer"
"""Execution option that gives a connection the signer of its database."""

_LABEL: Final = b"casino chain signatures v1"
_KEY_ID_LENGTH: Final = 16


class Head(NamedTuple):
    seq: int
    digest: str
    writes: int = 0

    @property
    def end(self) -> tuple[int, str]:
        """Last number and link, whatever the number of transactions."""
        return self.seq, self.digest

    def moved(self, end: tuple[int, str]) -> "Head":
        """Returns the head after one more transaction, which wrote rows up to this end or none at all."""
        return Head(*end, self.writes + 1)


EMPTY: Final = Head(0, GENESIS)


class ForkedChainError(RuntimeError):
    """Another writer has extended this chain: a second server runs the same table."""


class ForgedHeadError(RuntimeError):
    """The head of a chain lacks the signature of the key in force: another program has changed the database."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the head of the chain {name} is not signed with the key in force: another program has changed the "
            "database. Run `casino verify` to see what is wrong, and restore a backup"
        )


class Signer:
    """Signs with a key derived from the secret key of the service."""

    def __init__(self, secret_key: str, database_id: str) -> None:
        self._key = hmac.digest(secret_key.encode(), _LABEL, "sha256")
        self._database_id = database_id
        self.key_id: Final = hmac.digest(self._key, b"key id", "sha256").hex()[:_KEY_ID_LENGTH]

    def row(self, chain: str, seq: int, digest: str) -> str:
        return self._sign("row", chain, seq, digest)

    def head(self, chain: str, seq: int, digest: str, writes: int) -> str:
        """Signs the head of a chain: a truncated chain has a head that was never signed."""
        return self._sign("head", chain, seq, digest, writes)

    def key_change(self, key_id: str, heads: Mapping[str, tuple[int, str]]) -> str:
        """Signs that another key takes over from these heads on."""
        return self._sign("key change", key_id, sorted((name, *end) for name, end in heads.items()))

    def anchor(self, content: bytes) -> str:
        return self._sign("anchor", content.decode())

    def _sign(self, *fields: Any) -> str:  # noqa: ANN401  whatever JSON can say
        message = orjson.dumps([self._database_id, *fields], default=repr)
        return f"{self.key_id}:{hmac.digest(self._key, message, 'sha256').hex()}"


def key_id_of(signature: str | None) -> str | None:
    return signature.partition(":")[0] if signature else None


def signer_of(connection: AsyncConnection) -> Signer | None:
    """Returns None where nothing is signed, such as in a unit test."""
    assert connection.sync_connection is not None
    signer: Signer | None = connection.sync_connection.get_execution_options().get(SIGNER)
    return signer


async def database_id(connection: AsyncConnection) -> str:
    """Random id, created with the database and never changed."""
    return str((await connection.execute(select(database_identity.c.id))).scalar_one())


def link(previous: str, fields: Sequence[Any]) -> str:
    written = orjson.dumps(fields, default=repr)  # forged values must not stop the check
    return hashlib.sha256(previous.encode() + written).hexdigest()


def links(head: Head, rows: Iterable[Sequence[Any]]) -> list[str]:
    """Returns the link of each of these rows after the head."""
    found, previous = [], head.digest
    for fields in rows:
        previous = link(previous, fields)
        found.append(previous)
    return found


async def head_of(connection: AsyncConnection, name: str, *, lock: bool = False) -> Head:
    """Returns the head of the chain; if locked, no one else can append before the transaction ends.

    A locked head is one to append to. It must be genuine, or the next signature would cover a forged or cut chain.
    Raises ForgedHeadError.
    """
    if lock:
        await add_chain(connection, name)
    query = select(*HEAD_COLUMNS, chains.c.signature).where(chains.c.name == name)
    row = (await connection.execute(query.with_for_update() if lock else query)).first()
    if row is None:
        return EMPTY
    *fields, signature = row
    head = Head(*fields)
    if lock and not is_genuine(signer_of(connection), name, head, signature):
        raise ForgedHeadError(name)
    return head


async def add_chain(connection: AsyncConnection, name: str) -> None:
    """Stores the empty head of a chain that has none."""
    columns = ("name", "seq", "digest", "writes", "signature")
    empty = (name, *EMPTY, _head_signature(connection, name, EMPTY))
    await insert_rows(connection, chains, columns, [empty], or_else="ON CONFLICT (name) DO NOTHING")


def is_genuine(signer: Signer | None, name: str, head: Head, signature: str | None) -> bool:
    """Whether the signer has signed this head; always, where nothing is signed."""
    return signer is None or signature == signer.head(name, *head)


_MOVE: Final = (
    update(chains)
    .where(
        chains.c.name == bindparam("chain"),
        chains.c.writes == bindparam("old_writes"),
        chains.c.digest == bindparam("old_digest"),
    )
    .values({name: bindparam(f"new_{name}") for name in (*Head._fields, "signature")})
)


async def move_head(connection: AsyncConnection, name: str, old: Head, new: Head) -> None:
    """Raises if the chain does not end where the writer believes."""
    ends: dict[str, Any] = {f"new_{field}": value for field, value in new._asdict().items()}
    ends["new_signature"] = _head_signature(connection, name, new)
    here = {"chain": name, "old_writes": old.writes, "old_digest": old.digest}
    if (await connection.execute(_MOVE, ends | here)).rowcount != 1:
        raise ForkedChainError(f"the chain {name} does not end at {old.seq}")


async def move_heads(connection: AsyncConnection, moves: Sequence[tuple[str, Head, Head]]) -> None:
    """Moves heads, each given by name, old and new end, with one statement. Raises if one is not where believed."""
    rows = [
        (name, old.writes, old.digest, *new, _head_signature(connection, name, new)) for name, old, new in sorted(moves)
    ]
    matched, changed = ("name", "writes", "digest"), (*Head._fields, "signature")
    if not await update_rows(connection, chains, matched, changed, rows):
        raise ForkedChainError(f"one of the chains {', '.join(row[0] for row in rows)} does not end where it should")


async def heads_of(connection: AsyncConnection, names: Sequence[str]) -> dict[str, Head]:
    """Returns the heads of chains that have one, without locking them."""
    query = select(chains.c.name, *HEAD_COLUMNS).where(chains.c.name.in_(names))
    return {name: Head(*fields) for name, *fields in await connection.execute(query)}


def row_signatures(connection: AsyncConnection, name: str, ends: Sequence[tuple[int, str]]) -> list[str | None]:
    """Returns signatures for rows, each given by its number and its link."""
    signer = signer_of(connection)
    return [signer.row(name, seq, digest) if signer else None for seq, digest in ends]


def _head_signature(connection: AsyncConnection, name: str, head: Head) -> str | None:
    signer = signer_of(connection)
    return signer.head(name, *head) if signer else None
