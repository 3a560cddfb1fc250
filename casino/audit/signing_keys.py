"""Starts signing the hash chains with a key, and records that key in the audit log.

The entry names the id of the key and the head of every chain at that moment. Rows after these heads carry signatures
of that key; earlier rows have those of an earlier key, or none if they are older than signing itself. They are
protected all the same from then on: every signed digest covers all rows before it.

The new key vouches for what it takes over, so the entry is written only once these books are confirmed from outside the
database: by the earlier key, by the anchor file, by the upgrade from a version without signatures, or by the operator.
A database alone can name any key.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log
from casino.audit.anchors import Anchor, anchors_at, anchors_in, in_force, place_hash
from casino.storage.database import Database
from casino.storage.hash_chain import (
    HEAD_COLUMNS,
    SIGNER,
    ForgedHeadError,
    Head,
    Signer,
    add_chain,
    database_id,
    is_genuine,
    key_id_of,
)
from casino.storage.schema import chains

ACTION: Final = "signing_key_in_force"
_FIRST_SIGNED_REVISION: Final = "0011"


class OtherKeyInForceError(ValueError):
    """The chains of this database are signed with another key than the one given."""


class UnconfirmedBooksError(ValueError):
    """The books are signed with a key that cannot be confirmed, or their signatures are missing or wrong."""


class Confirmation(StrEnum):
    """Evidence by which a new key takes over the books. The values are stored."""

    NEW = "new"
    UPGRADE = "upgrade"
    EARLIER_KEY = "earlier_key"
    ANCHOR = "anchor"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence outside the database: earlier keys, the anchor file, and the operator's word."""

    earlier_keys: Sequence[str] = ()
    anchor_file: Path | None = None
    is_accepted: bool = False

    def last_anchor(self, database: str) -> Anchor | None:
        """Returns the last full anchor of this database."""
        anchors = in_force(self._read(lambda file: anchors_in(file, database)))
        return next((anchor for anchor in reversed(anchors) if anchor.chains), None)

    def shows_signed_books(self, database: str, place: str) -> bool:
        """Whether this database, or another one in the same place, was signed before."""
        of_database = self._read(lambda file: anchors_in(file, database))
        return any(anchor.signature for anchor in (*of_database, *self._read(lambda file: anchors_at(file, place))))

    def _read(self, read: Callable[[Path], list[Anchor]]) -> list[Anchor]:
        try:
            return read(self.anchor_file) if self.anchor_file else []
        except FileNotFoundError:
            return []


NO_EVIDENCE: Final = Evidence()


class SignedHead(NamedTuple):
    head: Head
    signature: str | None


Heads = Mapping[str, SignedHead]


async def begin_signing(
    database: Database, secret_key: str, at_ms: int, *, may_replace: bool, evidence: Evidence = NO_EVIDENCE
) -> str | None:
    """Sign whatever this database stores from now on.

    Returns the id of the key that was replaced, if one was. Only the service may replace a key; anything else that
    has another key than the service raises OtherKeyInForceError. Books that cannot be confirmed raise
    UnconfirmedBooksError or ForgedHeadError. All of them write nothing.
    """
    async with database.reading() as connection:
        signer = Signer(secret_key, await database_id(connection))
        heads = await _heads(connection)
    before = None
    if _key_in_force(heads) == signer.key_id:
        check_heads(heads, signer)
    else:
        async with database.writing() as connection:
            await add_chain(connection, log.CHAIN)
            heads = await _heads(connection, lock=True)
            before = _key_in_force(heads)
            if before is not None and not may_replace:
                raise OtherKeyInForceError(
                    f"the books are signed with the key {before}, and the key given is {signer.key_id}. Give the key "
                    "the service runs with, by CASINO_SECRET_KEY or by its key file"
                )
            confirmed_by, earlier = await _confirm(connection, database, heads, evidence)
            await connection.execution_options(**{SIGNER: signer})
            await _sign_heads(connection, heads, signer)
            await log.write(connection, _entry(heads, signer, confirmed_by, earlier), at_ms)
    database.sign_with(signer)
    return before


async def is_new(database: Database) -> bool:
    """Whether no chain has a row: the books of a new installation."""
    async with database.reading() as connection:
        return not any(signed.head.seq for signed in (await _heads(connection)).values())


async def verify_takeover(database: Database, evidence: Evidence) -> None:
    """Raises UnconfirmedBooksError if no new key may sign these books. Called before a key is generated."""
    async with database.reading() as connection:
        await _confirm(connection, database, await _heads(connection), evidence)


async def continue_signing(database: Database, secret_key: str | None) -> bool:
    """Sign with the key in force, if this is that key.

    False if the books are signed and this is not their key: then nothing can be added to a chain.
    """
    async with database.reading() as connection:
        in_force = _key_in_force(await _heads(connection))
        signer = Signer(secret_key, await database_id(connection)) if secret_key is not None else None
    if in_force is None:
        return True
    if signer is None or signer.key_id != in_force:
        return False
    database.sign_with(signer)
    return True


def check_heads(heads: Heads, signer: Signer) -> None:
    """Raises ForgedHeadError unless this key has signed every head, also those of tables that are closed."""
    for name, (head, signature) in heads.items():
        if not is_genuine(signer, name, head, signature):
            raise ForgedHeadError(name)


async def _confirm(
    connection: AsyncConnection, database: Database, heads: Heads, evidence: Evidence
) -> tuple[Confirmation, Signer | None]:
    """Returns the evidence that these books are those last served, and the signer of the earlier key if it is known."""
    written = {name: signed for name, signed in heads.items() if signed.head.seq}
    if not written:
        return Confirmation.NEW, None
    id_, before = await database_id(connection), _key_in_force(heads)
    if before is None:
        is_unsigned = all(signed.signature is None for signed in written.values())
        is_older = (database.revision_found or "") < _FIRST_SIGNED_REVISION
        place = place_hash(connection.engine.url)
        if is_unsigned and is_older and not evidence.shows_signed_books(id_, place):
            return Confirmation.UPGRADE, None
    for earlier in (Signer(key, id_) for key in evidence.earlier_keys):
        if earlier.key_id == before:
            check_heads(heads, earlier)
            return Confirmation.EARLIER_KEY, earlier
    if before is not None and _is_anchored(heads, evidence.last_anchor(id_)):
        return Confirmation.ANCHOR, None
    if evidence.is_accepted:
        return Confirmation.OPERATOR, None
    raise UnconfirmedBooksError(_OTHER_KEY.format(before) if before else _NO_SIGNATURES)


_IF_LOST: Final = (
    "If you have not, another program has changed the database: restore a backup (docs/backup.md). Use "
    "--accept-lost-key, once, only if the earlier key is lost"
)
_OTHER_KEY: Final = (
    "its books are signed with another key ({}) than the one of this service. If you have replaced the key, give the "
    "earlier one in CASINO_PREVIOUS_SECRET_KEYS and start again. " + _IF_LOST
)
_NO_SIGNATURES: Final = (
    "its books have no signatures, although they were signed before. If you have put an old database in this place, "
    "start once with --accept-lost-key. If you have not, another program has changed the database: restore a backup "
    "(docs/backup.md)"
)


def _is_anchored(heads: Heads, anchor: Anchor | None) -> bool:
    """Whether the service that stopped in order anchored exactly these heads, with the key they name."""
    return (
        anchor is not None
        and key_id_of(anchor.signature) == _key_in_force(heads)
        and anchor.writes == sum(signed.head.writes for signed in heads.values())
        and anchor.chains == {name: signed.head.end for name, signed in heads.items() if signed.head.seq}
    )


def _entry(heads: Heads, signer: Signer, confirmed_by: Confirmation, earlier: Signer | None) -> log.Entry:
    ends = {name: signed.head.end for name, signed in heads.items()}
    after = {"key_id": signer.key_id, "heads": ends, "confirmed_by": confirmed_by.value}
    if earlier is not None:
        after["earlier_signature"] = earlier.key_change(signer.key_id, ends)
    return log.Entry("system", "system", ACTION, "books", before={"key_id": _key_in_force(heads)}, after=after)


async def _sign_heads(connection: AsyncConnection, heads: Heads, signer: Signer) -> None:
    signed = update(chains).where(chains.c.name == bindparam("chain")).values(signature=bindparam("signed"))
    for name, (head, _) in heads.items():
        await connection.execute(signed, {"chain": name, "signed": signer.head(name, *head)})


def _key_in_force(heads: Heads) -> str | None:
    """The id of the key that signs the audit log, if any does."""
    audited = heads.get(log.CHAIN)
    return key_id_of(audited.signature) if audited and audited.head.seq else None


async def _heads(connection: AsyncConnection, *, lock: bool = False) -> Heads:
    """In the lock order of all transactions: the audit log's head first."""
    query = select(chains.c.name, *HEAD_COLUMNS, chains.c.signature).order_by(chains.c.name)
    rows = await connection.execute(query.with_for_update() if lock else query)
    return {name: SignedHead(Head(*head), signature) for name, *head, signature in rows}
