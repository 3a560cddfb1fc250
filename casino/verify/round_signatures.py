"""Verifies that the journal rows of one round are those the service has signed, without reading all books.

It recomputes the link of each row from the row before, and checks its signature. The audit rows that say which key was
in force are checked in the same way.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.audit.signing_keys import ACTION
from casino.live_table.journal import chain_name
from casino.storage.hash_chain import GENESIS, link
from casino.storage.schema import audit, journal
from casino.verify.findings import Check
from casino.verify.signatures import Signatures


async def round_signature_faults(connection: AsyncConnection, round_id: str, keys: Sequence[str]) -> list[str] | None:
    """Returns None if no key is given, or the books name another key: then `casino verify` is to be asked."""
    check = Check("signatures", "right")
    signatures = await Signatures.of(connection, check, keys)
    if not signatures.signers:
        return None
    marks = (await connection.execute(select(audit).where(audit.c.action == ACTION))).all()
    rows = (await connection.execute(select(journal).where(journal.c.round_id == round_id))).all()
    for row in marks:
        await _check(connection, signatures, audit_log.CHAIN, audit.c.id, row)
    for row in rows:
        await _check(connection, signatures, chain_name(row.table_id), journal.c.seq, row)
    return check.faults


async def _check(
    connection: AsyncConnection,
    signatures: Signatures,
    chain: str,
    number: Column[Any],
    row: Any,  # noqa: ANN401
) -> None:
    seq = getattr(row, number.name)
    before = select(number.table.c.digest).where(number == seq - 1)
    if number.table is journal:
        before = before.where(journal.c.table_id == row.table_id)
    previous = await connection.scalar(before) or GENESIS
    *fields, digest, signature = row
    if digest != link(previous, fields):
        signatures.check.fault(f"{chain} row {seq}: it is not the row that was written at this place")
    signatures.row(chain, seq, digest, signature)
