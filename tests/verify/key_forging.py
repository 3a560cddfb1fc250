"""Forger without the key: pretends that the signing key was replaced, or was never in use."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import delete, update

from casino.audit.signing_keys import ACTION
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.hash_chain import Signer, database_id
from tests.tampering import unguarded
from tests.verify.forging import rechain_audit, rechain_journal
from tests.verify.tampering import Tamperer

FORGERS_KEY = "a key that the forger has made up"


@asynccontextmanager
async def stored_forgery(database: Database) -> AsyncIterator[Tamperer]:
    """What the forger changes inside is committed, as the next start of the service finds it."""
    async with unguarded(database) as connection:
        yield Tamperer(connection)


async def forgers_signer(tamperer: Tamperer) -> Signer:
    return Signer(FORGERS_KEY, await database_id(tamperer.connection))


async def append_key_change(tamperer: Tamperer, key_id: str, *, confirmed_by: str | None = None) -> int:
    """A row of the audit log like the one the service writes when its key is replaced. Returns its number."""
    rows = await tamperer.now(schema.audit)
    marks = [row for row in rows if row["action"] == ACTION]
    number: int = rows[-1]["id"] + 1
    before = json.loads(marks[-1]["after"])["key_id"]
    heads = {row["name"]: (row["seq"], row["digest"]) for row in await tamperer.now(schema.chains)}
    after = {"key_id": key_id, "heads": heads} | ({"confirmed_by": confirmed_by} if confirmed_by else {})
    fields = {"before": json.dumps({"key_id": before}, sort_keys=True), "after": json.dumps(after, sort_keys=True)}
    await tamperer.insert(schema.audit, marks[-1] | {"id": number} | fields)
    return number


async def append_audit(tamperer: Tamperer, reason: str) -> None:
    """One more row, written by the forger."""
    last = (await tamperer.now(schema.audit))[-1]
    await tamperer.insert(schema.audit, last | {"id": last["id"] + 1, "action": "noted", "reason": reason})


async def relink(tamperer: Tamperer) -> None:
    await rechain_audit(tamperer)
    for table_id in {row["table_id"] for row in await tamperer.now(schema.journal)}:
        await rechain_journal(tamperer, table_id)


async def sign_all(tamperer: Tamperer, signer: Signer, *, after_audit_row: int = 0, with_journals: bool = True) -> None:
    """Signs rows and heads, each as the service would."""
    for row in await tamperer.now(schema.audit):
        if row["id"] > after_audit_row:
            signed = {"signature": signer.row("audit", row["id"], row["digest"])}
            await tamperer.change(schema.audit, row, signed)
    for row in await tamperer.now(schema.journal) if with_journals else ():
        signed = {"signature": signer.row(f"journal:{row['table_id']}", row["seq"], row["digest"])}
        await tamperer.change(schema.journal, row, signed)
    for row in await tamperer.now(schema.chains):
        signed = {"signature": signer.head(row["name"], row["seq"], row["digest"], row["writes"])}
        await tamperer.change(schema.chains, row, signed)


async def pretend_key_change(tamperer: Tamperer) -> None:
    """The key of the service was replaced by the forger's, and then a row was written."""
    signer = await forgers_signer(tamperer)
    number = await append_key_change(tamperer, signer.key_id, confirmed_by="earlier_key")
    await append_audit(tamperer, "forged")
    await rechain_audit(tamperer)
    await sign_all(tamperer, signer, after_audit_row=number - 1, with_journals=False)


async def pretend_key_from_the_beginning(tamperer: Tamperer) -> None:
    """Every row was signed with the forger's key, from the first one on."""
    signer = await forgers_signer(tamperer)
    [mark] = [row for row in await tamperer.now(schema.audit) if row["action"] == ACTION]
    after = json.loads(mark["after"]) | {"key_id": signer.key_id}
    await tamperer.change(schema.audit, mark, {"after": json.dumps(after, sort_keys=True)})
    await relink(tamperer)
    await sign_all(tamperer, signer)


async def pretend_no_key(tamperer: Tamperer) -> None:
    """The books are older than signing."""
    for table in (schema.audit, schema.journal, schema.chains):
        await tamperer.connection.execute(update(table).values(signature=None))
    await tamperer.connection.execute(delete(schema.audit).where(schema.audit.c.action == ACTION))
    await relink(tamperer)


async def pretend_another_database(tamperer: Tamperer) -> None:
    """The books are older than signing, and no anchor was ever made of them."""
    await pretend_no_key(tamperer)
    await tamperer.connection.execute(update(schema.database_identity).values(id="0" * 32))


async def cut_with_empty_signature(tamperer: Tamperer, signature: str | None) -> None:
    """Deletes the last row of an idle table and adjusts its head."""
    rows = [row for row in await tamperer.now(schema.journal) if row["table_id"] == "own-1"]
    await tamperer.delete(schema.journal, rows[-1])
    end = {"seq": rows[-2]["seq"], "digest": rows[-2]["digest"], "signature": signature}
    await tamperer.change(schema.chains, {"name": "journal:own-1"}, end)
